import { assert, it } from "@effect/vitest"
import type { KeyLimits } from "@vault-trader/core/gas-wallet/KeyLimits"
import * as Effect from "effect/Effect"
import { limitParams } from "../../src/cli/Limit.ts"
import { changesOf } from "../../src/cli/LimitFlags.ts"
import { parsed } from "./ParsedWords.ts"

/** Reads the words of `vault-trader limit`. */
const read = (line: string) =>
  Effect.map(
    parsed(limitParams, line.split(" ").filter((word) => word !== "")),
    ({ flags, id }) => ({ id, changes: changesOf(flags) })
  )

const wallet = `0x${"ab".repeat(20)}`
const vault = `0x${"cd".repeat(20)}`

const accepted: ReadonlyArray<readonly [string, Partial<KeyLimits>]> = [
  ["", {}],
  ["--show", {}],
  ["--read-only on", { readOnly: true }],
  ["--show --read-only off", { readOnly: false }],
  ["--max-usd-per-trade 250.5 --max-usd-per-day off", {
    maxUsd18PerTrade: 250_500_000_000_000_000_000n,
    maxUsd18PerDay: null
  }],
  ["--max-usd-per-day 0", { maxUsd18PerDay: 0n }],
  ["--max-usd-per-day 0.000000000000000001", { maxUsd18PerDay: 1n }],
  ["--vaults any", { vaults: null }],
  [`--vaults base/${vault}`, { vaults: [`base/0x${"cd".repeat(20)}`] }],
  [`--vaults MAINNET/${vault.toUpperCase()},base/${vault},base/${vault}`, {
    vaults: [`ethereum/0x${"cd".repeat(20)}`, `base/0x${"cd".repeat(20)}`]
  }]
]
for (const [words, changes] of accepted) {
  it.effect(`vault-trader limit understands '${words}'`, () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* read(`${wallet} ${words}`), {
        id: wallet,
        changes
      })
    }))
}

const refused: ReadonlyArray<readonly [string, RegExp]> = [
  ["", /^<wallet> is missing/],
  ["--show", /^<wallet> is missing/],
  [`${wallet} --read-only`, /--read-only needs a value: on\|off/],
  [`${wallet} --read-only yes`, /--read-only: expected on or off, not 'yes'/],
  [`${wallet} --vaults`, /--vaults needs a value/],
  [`${wallet} --vaults mars/${vault}`, /--vaults: expected network\/address/],
  [`${wallet} --vaults base/0x12`, /--vaults: expected/],
  [`${wallet} --vaults base/${vault}/${vault}`, /--vaults: expected/],
  [`${wallet} --vaults any,base/${vault}`, /--vaults: expected/],
  [`${wallet} --max-usd-per-day -1`, /expected USD as 250 or 250\.5, or off, not '-1'/],
  [`${wallet} --max-usd-per-trade 1e3`, /expected USD/],
  [`${wallet} --max-usd-per-trade 1,000`, /expected USD/],
  [`${wallet} --max-usd-per-trade 1 --max-usd-per-trade 2`, /--max-usd-per-trade is given more than once/],
  [`${wallet} --loosen all`, /^There is no option --loosen/],
  [`${wallet} on`, /^'on' is more than this command takes/]
]
for (const [words, saying] of refused) {
  it.effect(`vault-trader limit refuses '${words}'`, () =>
    Effect.gen(function*() {
      assert.match(yield* Effect.flip(read(words)), saying)
    }))
}
