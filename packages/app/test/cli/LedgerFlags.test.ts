import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { exportFlags, reportFlags } from "../../src/cli/Ledger.ts"
import { parsed } from "./ParsedWords.ts"

const wallet = `0x${"ab".repeat(20)}` as const
const pool = `0x${"cd".repeat(20)}` as const
const absent = { wallet: undefined, network: undefined, from: undefined, to: undefined }
const words = (line: string) => line.split(" ").filter((word) => word !== "")

describe("the flags of vault-trader ledger", () => {
  it.effect("read an export's wallet, in any case, and its days", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* parsed(exportFlags, []), absent)
      const line = `--wallet ${wallet.toUpperCase().replace("0X", "0x")} --from 2026-11-01 --to 2026-12-01`
      assert.deepStrictEqual(yield* parsed(exportFlags, words(line)), {
        ...absent,
        wallet,
        from: new Date("2026-11-01"),
        to: new Date("2026-12-01")
      })
    }))

  it.effect("read a report's network by any of its names, its vault and its format", () =>
    Effect.gen(function*() {
      const line = `--network Mainnet --pool ${pool} --json`
      assert.deepStrictEqual(yield* parsed(reportFlags, words(line)), {
        ...absent,
        json: true,
        network: "ethereum",
        pool
      })
    }))

  for (
    const [flags, line, reason] of [
      [exportFlags, "--loud yes", /^There is no option --loud/],
      [exportFlags, "balance", /^'balance' is more than this command takes/],
      [exportFlags, "--wallet 0x12", /--wallet: expected an address, not '0x12'/],
      [exportFlags, "--from yesterday", /--from: expected a day/],
      [exportFlags, "--from 2026-13-01", /--from: expected a day/],
      [exportFlags, "--from", /--from needs a value/],
      [exportFlags, `--wallet ${wallet} --wallet ${pool}`, /--wallet is given more than once/],
      [reportFlags, `--pool ${pool}`, /--network is missing/],
      [reportFlags, "--network base", /--pool is missing/],
      [reportFlags, `--network moon --pool ${pool}`, /--network: expected a network .*, not 'moon'/]
    ] as const
  ) {
    it.effect(`refuse '${line}'`, () =>
      Effect.map(Effect.flip(parsed(flags, words(line))), (sentence) => assert.match(sentence, reason)))
  }
})
