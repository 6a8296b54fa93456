import { assert, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { Chains } from "../../src/chain/Chains.ts"
import { Tokens } from "../../src/chain/Tokens.ts"
import * as PerpetualContext from "../../src/perpetual/PerpetualContext.ts"
import * as VaultReader from "../../src/vault/VaultReader.ts"
import { answering, assertOutvoted, networkOf } from "../chain/LyingEndpoint.ts"
import { clientOf } from "../chain/TestClient.ts"

const network = "hyperliquid"
const manager: Address = "0x00000000000000000000000000000000000000aa"
const coreWriter: Address = "0x3333333333333333333333333333333333333333"
const depositWallet: Address = "0x6b9e773128f453f5c2c60935ee2de2cbc5390a24"
const ether = 10n ** 18n

/** A vault with 1000 USDC, and what is read of it for an action at HyperCore. */
const bench = Effect.gen(function*() {
  const chain = yield* TestChain.make({ network })
  const { pool } = yield* chain.createVault({ manager, trader: manager, holdings: { USDC: 1_000_000_000n } })
  yield* chain.setGuard(depositWallet, "router")
  yield* chain.mine(3)
  const honest = networkOf(chain, {
    perpetuals: PerpetualsBook.make({
      ...{ coreWriter, depositWallet, usdc: chain.token("USDC") },
      infoUrl: "http://info.invalid"
    })
  })
  const client = yield* clientOf(chain)
  // Tokens and state are those of an honest endpoint: the lie is about nothing but the reads of the context.
  const services = Layer.provide(Tokens.layer, Chains.layerOf(new Map([[network, client]])))
  const tokens = yield* Effect.provide(Tokens, services)
  const reader = yield* Effect.provideService(VaultReader.make({ network, pool, chain: client }), Tokens, tokens)
  const state = yield* reader.state
  return {
    chain,
    honest,
    pool,
    read: (through: "writer" | "depositWallet") => (client: ChainClient) =>
      Effect.map(
        Effect.provideService(
          PerpetualContext.read({ network, pool, chain: client, wallet: manager, ...state }, through),
          Tokens,
          tokens
        ),
        ({ allowance, balance, price }) => ({ allowance, balance, price })
      )
  }
})

const truthOf = { allowance: 0n, balance: 1_000_000_000n, price: ether }

for (
  const [what, lie] of [
    ["the vault's balance", (pool: Address) => answering({ of: "balanceOf(address)", about: pool }, 5_000_000_000n)],
    ["its allowance", () => answering({ of: "allowance(address,address)", about: depositWallet }, 1_000_000_000n)],
    [
      "the oracle's price",
      (_: Address, usdc: Address) => answering({ of: "getAssetPrice(address)", about: usdc }, ether / 2n)
    ]
  ] as const
) {
  it.effect(`takes ${what} at HyperCore from no endpoint alone`, () =>
    Effect.gen(function*() {
      const { chain, honest, pool, read } = yield* bench
      const truth = yield* assertOutvoted(honest, lie(pool, chain.token("USDC")), read("depositWallet"))
      assert.deepStrictEqual(Result.getOrThrow(truth), truthOf)
    }))
}

it.effect("calls no contract that one endpoint alone says the platform guards", () =>
  Effect.gen(function*() {
    const { chain, honest, read } = yield* bench
    const lie = answering({ of: "getContractGuard(address)", about: coreWriter }, depositWallet)
    const truth = yield* assertOutvoted(honest, lie, read("writer"))
    assert.strictEqual(Result.getOrThrow(Result.flip(truth)).message.includes(coreWriter), true)
    yield* chain.setGuard(coreWriter, "router")
    yield* chain.mine()
    assert.deepStrictEqual(yield* Effect.flatMap(clientOf(chain, honest.book), read("writer")), truthOf)
  }))
