import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { parseId, Vault, VaultDescription, VaultFacts } from "@vault-trader/core/vault/Vault"
import * as Entity from "effect/cluster/Entity"
import * as TestRunner from "effect/cluster/TestRunner"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Directory } from "../../src/gate/ServedNetworks.ts"
import * as VaultNetwork from "../../src/vault/VaultNetwork.ts"

const addressOf = (pair: string): Address => `0x${pair.repeat(20)}`
const [onBase, onBoth, nowhere, unread] = [addressOf("01"), addressOf("02"), addressOf("03"), addressOf("04")]

const FakeVault = Vault.toLayer(Effect.gen(function*() {
  const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
  const isThere = pool === onBoth || (pool === onBase && network === "base")
  const notAsked = () => Effect.die(new Error("not asked here"))
  return {
    describe: () =>
      pool === unread && network === "base"
        ? new ExecutionFailure({ errorType: "rpc_unavailable", message: "No node answers." })
        : isThere
        ? Effect.succeed(VaultDescription.make({
          facts: VaultFacts.make({
            ...{ pool, managerLogic: addressOf("99"), paused: false, trader: null, manager: addressOf("98") }
          }),
          tokens: []
        }))
        : new ValidationFailure({ code: "1004", message: `pool: ${pool} is no vault` }),
    ...{ composition: notAsked, preview: notAsked, execute: notAsked }
  }
}))

const Live = FakeVault.pipe(
  Layer.provideMerge(TestRunner.layer),
  Layer.provideMerge(
    Layer.succeed(Directory, { networks: ["base", "optimism"], defaultNetwork: "base", protocols: ["dhedge"] })
  )
)

layer(Live, { excludeTestServices: true })("the network of a vault that a read does not name", (it) => {
  it.effect("is the one that has a vault at the address; with several of them the caller must choose", () =>
    Effect.gen(function*() {
      const find = yield* VaultNetwork.find
      assert.strictEqual(yield* find(onBase), "base")
      assert.deepInclude(yield* Effect.flip(find(onBoth)), {
        code: "1000",
        message: `network: ${onBoth} is a vault on base and optimism; name one of them`
      })
    }))

  it.effect("is unknown where there is none, and where a network that may have it cannot be read", () =>
    Effect.gen(function*() {
      const find = yield* VaultNetwork.find
      assert.deepInclude(yield* Effect.flip(find(nowhere)), { code: "1004" })
      assert.deepInclude(yield* Effect.flip(find(unread)), { errorType: "rpc_unavailable" })
    }))
})
