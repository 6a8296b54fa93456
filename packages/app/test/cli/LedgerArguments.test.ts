import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as LedgerArguments from "../../src/cli/LedgerArguments.ts"

const wallet = `0x${"ab".repeat(20)}` as const
const pool = `0x${"cd".repeat(20)}` as const
const read = (line: string) => LedgerArguments.read(line.split(" "))

describe("the words of npm run ledger", () => {
  for (
    const [line, expected] of [
      ["check", { command: "check", json: false }],
      [`export --wallet ${wallet.toUpperCase().replace("0X", "0x")} --from 2026-11-01 --to 2026-12-01`, {
        command: "export",
        json: false,
        wallet,
        from: new Date("2026-11-01"),
        to: new Date("2026-12-01")
      }],
      [`report --network Mainnet --pool ${pool} --json`, { command: "report", json: true, network: "ethereum", pool }]
    ] as const
  ) {
    it.effect(`read '${line}'`, () => Effect.map(read(line), (found) => assert.deepStrictEqual(found, expected)))
  }

  for (
    const [line, reason] of [
      ["", /^Usage/],
      ["balance", /^Usage/],
      ["check --loud yes", /^Usage/],
      ["export --wallet 0x12", /--wallet: expected an address, not '0x12'/],
      ["export --from yesterday", /--from: expected a day/],
      ["export --from 2026-13-01", /--from: expected a day/],
      ["export --from", /--from: expected a day/],
      [`export --wallet ${wallet} --wallet ${pool}`, /--wallet is given twice/],
      [`report --pool ${pool}`, /report needs --network and --pool/],
      [`report --network moon --pool ${pool}`, /--network: expected a network, not 'moon'/]
    ] as const
  ) {
    it.effect(`refuse '${line}'`, () =>
      Effect.map(Effect.flip(read(line)), ({ message }) => assert.match(message, reason)))
  }
})
