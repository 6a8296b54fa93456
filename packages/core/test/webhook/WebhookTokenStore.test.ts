import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { WebhookTokenStore } from "../../src/webhook/WebhookTokenStore.ts"
import { Database, freshDigest, wallet } from "../storage/Database.ts"

const Stores = Layer.provideMerge(
  Layer.mergeAll(WebhookTokenStore.layer, ApiKeyStore.layer, GasWalletStore.layer),
  Database
)

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("WebhookTokenStore", (it) => {
  it.effect("revokes a token at once when its key is rotated before the token is stored", () =>
    Effect.gen(function*() {
      const store = yield* WebhookTokenStore
      const keys = yield* ApiKeyStore
      const { address, keyId } = yield* wallet
      const bot = {
        wallet: address,
        network: "base",
        pool: `0x${"12".repeat(20)}`,
        base: "WETH",
        quote: "USDC",
        label: null
      } as const
      const create = (id: string, digest: string) =>
        Effect.flatMap(store.create({ ...bot, keyId: id, digest }), Effect.fromOption)
      const [before, late, next] = yield* Effect.replicateEffect(freshDigest, 3)
      yield* create(keyId, before!)
      const rotated = yield* keys.issue({
        wallet: address,
        digest: yield* freshDigest,
        lastFour: "wxyz",
        evict: { keep: [] }
      })
      assert.strictEqual(rotated.ended.webhook_tokens.length, 1)
      yield* create(keyId, late!)
      const own = yield* create(rotated.keyId, next!)
      assert.deepStrictEqual((yield* store.ofWallet(address)).map(({ id }) => id), [own.id])
      assert.isTrue(Option.isNone(yield* store.called(late!)))
      assert.isTrue(Option.isSome(yield* store.called(next!)))
    }))
})
