import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type LimitArguments, read } from "../../src/cli/LimitArguments.ts"

const wallet = `0x${"ab".repeat(20)}`
const vault = `0x${"cd".repeat(20)}`

const accepted: ReadonlyArray<readonly [string, LimitArguments["changes"]]> = [
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
  it.effect(`npm run limit understands '${words}'`, () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* read([wallet, ...words.split(" ").filter((word) => word !== "")]), {
        id: wallet,
        changes
      })
    }))
}

const refused: ReadonlyArray<readonly [string, RegExp]> = [
  ["", /^Usage: npm run limit/],
  ["--show", /^Usage/],
  [`${wallet} --read-only`, /--read-only: expected on or off, not ''/],
  [`${wallet} --read-only yes`, /--read-only: expected on or off, not 'yes'/],
  [`${wallet} --vaults`, /--vaults: expected network\/address/],
  [`${wallet} --vaults mars/${vault}`, /--vaults: expected network\/address/],
  [`${wallet} --vaults base/0x12`, /--vaults: expected/],
  [`${wallet} --vaults base/${vault}/${vault}`, /--vaults: expected/],
  [`${wallet} --vaults any,base/${vault}`, /--vaults: expected/],
  [`${wallet} --max-usd-per-day -1`, /expected USD as 250 or 250\.5, or off, not '-1'/],
  [`${wallet} --max-usd-per-trade 1e3`, /expected USD/],
  [`${wallet} --max-usd-per-trade 1,000`, /expected USD/],
  [`${wallet} --max-usd-per-trade 1 --max-usd-per-trade 2`, /--max-usd-per-trade is given twice/],
  [`${wallet} --loosen all`, /^Usage/],
  [`${wallet} on`, /^Usage/]
]
for (const [words, saying] of refused) {
  it.effect(`npm run limit refuses '${words}'`, () =>
    Effect.gen(function*() {
      assert.match((yield* Effect.flip(read(words.split(" ").filter((word) => word !== "")))).message, saying)
    }))
}
