import { it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { AaveV3Book } from "@vault-trader/core/chain/NetworkConfig"
import { altered, type Change } from "@vault-trader/testing/test-chain/AlteredCalls"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import { type Hex, toFunctionSelector } from "viem"
import * as AaveV3Contracts from "../../src/lending/AaveV3Contracts.ts"
import { answering, assertForgotten, assertOutvoted, networkOf } from "../chain/LyingEndpoint.ts"

const address = (last: string): Address => `0x${last.padStart(40, "0")}`
const [pool, provider, dataProvider] = [address("a1"), address("a2"), address("a3")]
/** A provider and a data provider of an attacker's, which really are on the chain: each endpoint says the same of them. */
const [foreign, invented] = [address("f2"), address("f3")]
const market = AaveV3Book.make({ pool })

const first = (...changes: ReadonlyArray<Change>): Change => (call, result) => {
  for (const change of changes) {
    const changed = change(call, result)
    if (changed !== undefined) return changed
  }
  return undefined
}

const lendingNetwork = Effect.gen(function*() {
  const chain = yield* TestChain.make({ network: "base" })
  yield* chain.mine(3)
  const contracts = first(
    answering({ of: "ADDRESSES_PROVIDER()", at: pool }, provider),
    answering({ of: "getPoolDataProvider()", at: provider }, dataProvider),
    answering({ of: "getPoolDataProvider()", at: foreign }, invented)
  )
  return { ...networkOf(chain), request: altered(chain.request, contracts) }
})

const wrongProvider = answering({ of: "ADDRESSES_PROVIDER()", at: pool }, foreign)
const wrongDataProvider = answering({ of: "getPoolDataProvider()", at: provider }, invented)
const asks = (signature: string) => (data: Hex) => data.includes(toFunctionSelector(signature).slice(2))

for (
  const [what, lie, silence] of [
    ["data provider", wrongDataProvider, () => true],
    // Two endpoints confirm what the foreign provider says.
    ["provider", wrongProvider, asks("ADDRESSES_PROVIDER()")]
  ] as const
) {
  it.effect(`lenderA has no ${what} that one endpoint alone names`, () =>
    Effect.gen(function*() {
      const network = yield* lendingNetwork
      yield* assertOutvoted(network, lie, (chain) => AaveV3Contracts.dataProviderOf(chain, market))
    }))

  it.effect(`lenderA keeps no ${what} that one endpoint has named while the others were silent`, () =>
    Effect.gen(function*() {
      yield* assertForgotten(yield* lendingNetwork, lie, {
        keep: (chain) => Effect.succeed(AaveV3Contracts.dataProviderOf(chain, market)),
        lied: invented,
        silence,
        truth: dataProvider
      })
    }))
}
