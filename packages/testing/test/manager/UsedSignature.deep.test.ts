import { assert, layer } from "@effect/vitest"
import { lifetimeSeconds, prefixOf, Statement, typedData } from "@vault-trader/core/signature/ManagerSignature"
import * as Effect from "effect/Effect"
import { person } from "../../src/harness/Signing.ts"
import type { Params } from "../../src/strategy-test/TestedService.ts"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"

type Message = Parameters<typeof Statement.make>[0]

layer(VaultTraderTest.layer())("a manager's signature that was used", (it) => {
  it.effect("is refused again, and after a restore that lost its use at the end of its ten minutes", () =>
    Effect.gen(function*() {
      const { advance, backup, call } = yield* VaultTraderTest
      const manager = yield* person
      /** Parameters with the manager's signature over them. */
      const signed = (action: string, subject: string, params: Params) =>
        Effect.gen(function*() {
          const asked = { ...params, manager: manager.address }
          const { typed_data } = yield* call("signingPayload", {
            ...{ action, manager: manager.address, subject },
            params: asked as unknown as string
          })
          const { domain, message } = typed_data as {
            readonly message: Message
            readonly domain: { readonly salt?: `0x${string}` }
          }
          const statement = Statement.make({ ...message, salt: domain.salt ?? null })
          return { ...asked, signature: `${prefixOf(statement)}${yield* manager.sign(typedData(statement))}` }
        })
      const { address, apiKey } = yield* call("createGasWallet")
      const wallet = String(address)
      const list = yield* signed("associateGasWallet", wallet, { gas_wallet_api_key: String(apiKey) })
      yield* call("associateGasWallet", list)
      const limit = (usd: string) => signed("setKeyLimits", wallet, { wallet, max_usd_per_day: usd })
      const raise = yield* limit("500")
      const restore = yield* backup
      yield* call("setKeyLimits", raise)
      assert.match((yield* Effect.flip(call("setKeyLimits", raise))).message, /^signature: was used before/)
      yield* restore
      // The service that has forgotten its use knows when it was made: it ends with its lifetime.
      assert.strictEqual(lifetimeSeconds, 600)
      yield* advance("9 minutes")
      yield* call("setKeyLimits", yield* limit("100"))
      yield* advance("61 seconds")
      assert.match((yield* Effect.flip(call("setKeyLimits", raise))).message, /^signature: expired at/)
    }))
})
