import { assert, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { GuardianTerms } from "@vault-trader/core/guardian/Guardian"
import { altered, multiplied } from "@vault-trader/testing/test-chain/AlteredCalls"
import type { Request } from "@vault-trader/testing/test-chain/Rpc"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { toFunctionSelector } from "viem"
import { Chains } from "../../src/chain/Chains.ts"
import { Tokens } from "../../src/chain/Tokens.ts"
import * as GuardianReading from "../../src/guardian/GuardianReading.ts"
import * as VaultReader from "../../src/vault/VaultReader.ts"
import { clientOver, endpointOf } from "../chain/TestClient.ts"

const network = "base"
const manager: Address = "0x00000000000000000000000000000000000000aa"

const terms = {
  oracle: GuardianTerms.make({ _tag: "oracle", maxAgeSeconds: 60, maxDepeg: null, assets: null, confirmations: 2 }),
  loss: GuardianTerms.make({
    ...{
      _tag: "loss_breaker",
      maxDaily: 5,
      maxTotal: null,
      closeInto: null,
      closePositions: false,
      slippage: 1,
      confirmations: 2
    }
  }),
  gas: GuardianTerms.make({ _tag: "gas", minWei: 1n, targetWei: 2n, confirmations: 2 })
}

/** Reads what guardians of a vault with a WETH watch, over endpoints of the chain. */
const reading = (endpoints: (chain: TestChain.TestChain) => ReadonlyArray<Request>) =>
  Effect.gen(function*() {
    const chain = yield* TestChain.make({ network })
    yield* chain.mine(3)
    yield* chain.setBalance(manager, 7n)
    const { pool } = yield* chain.createVault({ manager, trader: manager, holdings: { WETH: 10n ** 18n } })
    const client = yield* clientOver(
      chain,
      endpoints(chain).map((request, index) => endpointOf(`rpc${index}.invalid`, request, 50 + index)),
      { patienceMillis: 1_000 }
    )
    return yield* Effect.gen(function*() {
      const tokens = yield* Tokens
      const reader = yield* VaultReader.make({ network, pool, chain: client })
      const source = { chain: client, network, reader, tokens } as const
      return (of: GuardianTerms) =>
        Effect.provideService(GuardianReading.read(source, { pool, wallet: manager }, of), Tokens, tokens)
    }).pipe(Effect.provide(Layer.provide(Tokens.layer, Chains.layerOf(new Map([[network, client]])))))
  })

it.effect("reads the share price, the wallet's gas, and the oracle's answers with their age", () =>
  Effect.gen(function*() {
    const read = yield* reading(({ request }) => [request])
    assert.deepInclude(yield* read(terms.loss), { price18: 3n * 10n ** 18n })
    assert.deepInclude(yield* read(terms.gas), { wei: 7n })
    const oracle = yield* read(terms.oracle)
    const weth = oracle._tag === "oracle" ? oracle.answers.find(({ symbol }) => symbol === "WETH") : undefined
    assert.deepInclude(weth ?? {}, { symbol: "WETH", price18: 3000n * 10n ** 18n, isStable: false })
    assert.isNumber(weth?.updatedAt)
  }))

it.effect("reads nothing while one endpoint contradicts the other, so that a lie makes no guardian act", () =>
  Effect.gen(function*() {
    const lies = [
      [terms.oracle, "getAssetPrice(address)"] as const,
      [terms.loss, "tokenPrice()"] as const
    ]
    for (const [of, method] of lies) {
      const read = yield* reading((chain) => [
        altered(
          chain.request,
          multiplied([toFunctionSelector(method)], of === terms.loss ? "0x" : chain.token("WETH"), 2n)
        ),
        chain.request
      ])
      const failure = yield* Effect.flip(read(of))
      assert.match(failure.message, /contradict each other/)
    }
  }))
