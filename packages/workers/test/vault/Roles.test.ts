import { assert, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import * as Roles from "../../src/vault/Roles.ts"
import { answering, assertForgotten, assertOutvoted, networkOf } from "../chain/LyingEndpoint.ts"
import { clientOverRequests } from "../chain/TestClient.ts"

const manager: Address = "0x00000000000000000000000000000000000000aa"
const trader: Address = "0x00000000000000000000000000000000000000bb"
const stranger: Address = "0x00000000000000000000000000000000000000cc"

/** A vault of `trader`, another one of `stranger`, and a contract that is no vault. */
const bench = Effect.gen(function*() {
  const chain = yield* TestChain.make({ network: "base" })
  const vault = yield* chain.createVault({ manager, trader })
  const other = yield* chain.createVault({ manager, trader: stranger })
  const { request } = chain
  return {
    chain,
    vault,
    other,
    /** The answers on a network with two honest endpoints: those that the signing policy accepts. */
    accepted: Effect.gen(function*() {
      const client = yield* clientOverRequests(chain, [request, request])
      return [
        yield* Roles.make().areVaults(client, [vault.pool, other.pool]),
        yield* Roles.make().mayTrade(client, vault.pool, trader),
        yield* Roles.make().mayTrade(client, vault.pool, manager),
        yield* Roles.make().mayChangeAssets(client, vault.pool, vault.managerLogic, trader)
      ]
    })
  }
})

type Made = Effect.Success<typeof bench>

const assertRefused = (
  lieOf: (made: Made) => ReturnType<typeof answering>,
  question: (made: Made, chain: ChainClient) => ReturnType<Roles.Roles["mayTrade"]>
) =>
  Effect.gen(function*() {
    const made = yield* bench
    const truth = yield* assertOutvoted(networkOf(made.chain), lieOf(made), (chain) => question(made, chain))
    assert.isFalse(Result.getOrThrow(truth))
    assert.deepStrictEqual(yield* made.accepted, [true, true, true, true])
  })

it.effect("a contract is no vault by one endpoint's word", () =>
  assertRefused(
    () => answering({ of: "isPool(address)" }, 1n),
    ({ chain }, client) => Roles.make().areVaults(client, [chain.token("WETH")])
  ))

it.effect("a wallet is no vault's trader by one endpoint's word", () =>
  assertRefused(
    () => answering({ of: "trader()" }, stranger),
    ({ vault }, client) => Roles.make().mayTrade(client, vault.pool, stranger)
  ))

it.effect("a wallet is no vault's manager by one endpoint's word", () =>
  assertRefused(
    () => answering({ of: "manager()" }, stranger),
    ({ vault }, client) => Roles.make().mayTrade(client, vault.pool, stranger)
  ))

// All endpoints confirm what that contract says: the stranger trades its vault.
it.effect("a vault has no other vault's roles by one endpoint's word about its manager contract", () =>
  assertRefused(
    ({ other }) => answering({ of: "poolManagerLogic()" }, other.managerLogic),
    ({ vault }, client) => Roles.make().mayTrade(client, vault.pool, stranger)
  ))

it.effect("a wallet changes no assets at another vault's manager contract by one endpoint's word", () =>
  assertRefused(
    ({ other }) => answering({ of: "poolManagerLogic()" }, other.managerLogic),
    ({ other, vault }, client) => Roles.make().mayChangeAssets(client, vault.pool, other.managerLogic, stranger)
  ))

for (
  const [what, lieOf, question] of [
    [
      "a contract that is no vault",
      () => answering({ of: "isPool(address)" }, 1n),
      ({ chain }: Made, roles: Roles.Roles, client: ChainClient) => roles.areVaults(client, [chain.token("WETH")])
    ],
    [
      "a trader",
      () => answering({ of: "trader()" }, stranger),
      ({ vault }: Made, roles: Roles.Roles, client: ChainClient) => roles.mayTrade(client, vault.pool, stranger)
    ],
    [
      "another vault's manager contract",
      ({ other }: Made) => answering({ of: "poolManagerLogic()" }, other.managerLogic),
      ({ vault }: Made, roles: Roles.Roles, client: ChainClient) => roles.mayTrade(client, vault.pool, stranger)
    ]
  ] as const
) {
  it.effect(`forgets ${what} that one endpoint has named while the others were silent`, () =>
    Effect.gen(function*() {
      const made = yield* bench
      const keep = (client: ChainClient) => {
        const roles = Roles.make()
        return Effect.succeed(question(made, roles, client))
      }
      yield* assertForgotten(networkOf(made.chain), lieOf(made), {
        ...{ keep, lied: true, truth: false },
        silence: () => true,
        // Negative answers never are.
        isKept: false
      })
    }))
}
