import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../../src/audit/Audit.ts"
import { AuditStore } from "../../src/audit/AuditStore.ts"
import type { Address } from "../../src/chain/Address.ts"
import { SessionStore } from "../../src/console/SessionStore.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { none } from "../../src/gas-wallet/KeyLimits.ts"
import { KeyLimits } from "../../src/gas-wallet/KeyLimits.ts"
import { KeyLimitStore } from "../../src/gas-wallet/KeyLimitStore.ts"
import { KillSwitch } from "../../src/gas-wallet/KillSwitch.ts"
import { walletScope } from "../../src/gas-wallet/SwitchScope.ts"
import { ManagerStore } from "../../src/manager/ManagerStore.ts"
import { WebhookStore } from "../../src/webhook/WebhookStore.ts"
import { WebhookTokenStore } from "../../src/webhook/WebhookTokenStore.ts"
import { Database, freshAddress, freshDigest, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(
  ...[AuditStore.layer, ApiKeyStore.layer, GasWalletStore.layer, KeyLimitStore.layer, KillSwitch.layer],
  ...[ManagerStore.layer, SessionStore.layer, WebhookStore.layer, WebhookTokenStore.layer]
).pipe(Layer.provideMerge(Database))

/** The wallet's entries, oldest first, as action and subject. */
const entries = (owner: Address) =>
  Effect.map(
    Effect.flatMap(AuditStore, (store) => store.list({ wallet: owner, limit: 100 })),
    (found) => found.toReversed()
  )
const actions = (owner: Address) => Effect.map(entries(owner), (found) => found.map(({ action }) => action))

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a change of authority", (it) => {
  it.effect("of limits is recorded before and after, lowered or raised, and not when nothing changes", () =>
    Effect.gen(function*() {
      const { address } = yield* wallet
      const limits = yield* KeyLimitStore
      const ten = KeyLimits.make({ ...none, maxUsd18PerTrade: 10n * 10n ** 18n })
      yield* limits.change(address, () => ten)
      yield* limits.change(address, () => ten)
      yield* limits.restrict(address, null, () => none)
      yield* limits.change(address, () => KeyLimits.make({ ...ten, maxUsd18PerTrade: 5n * 10n ** 18n }))
      yield* limits.change(address, () => KeyLimits.make({ ...none, readOnly: true }))
      const found = (yield* entries(address)).slice(2)
      assert.deepStrictEqual(found.map(({ action }) => action), ["limits.lowered", "limits.lowered", "limits.raised"])
      assert.deepNestedInclude(found[1], { "details.before.max_usd_per_trade": "10" })
      assert.deepNestedInclude(found[1], { "details.after.max_usd_per_trade": "5" })
    }))

  it.effect("of a kill switch names the actor, and is recorded once for the same state", () =>
    Effect.gen(function*() {
      const { address } = yield* wallet
      const switches = yield* KillSwitch
      const scope = walletScope(address)
      const ada = { kind: "operator", id: "ada", from: "host-1", credential: "shell" } as const
      yield* Audit.by(ada)(switches.pause(scope, "a leak"))
      yield* switches.pause(scope, "a leak")
      yield* switches.pauseAsOwner(scope, "mine")
      assert.strictEqual(yield* switches.resumeAsOwner(scope), "operator")
      yield* Audit.by(ada)(switches.resume(scope))
      yield* switches.resume(scope)
      const found = (yield* entries(address)).slice(2)
      assert.deepStrictEqual(found.map(({ action, actor }) => ({ action, actor })), [
        { action: "switch.on", actor: ada },
        { action: "switch.off", actor: ada }
      ])
    }))

  it.effect("of a key lists what ended with it, and no secret, URL or digest", () =>
    Effect.gen(function*() {
      const { address, digest, keyId } = yield* wallet
      const manager = yield* freshAddress
      const [keys, managers, tokens, webhooks, sessions] = [
        yield* ApiKeyStore,
        yield* ManagerStore,
        yield* WebhookTokenStore,
        yield* WebhookStore,
        yield* SessionStore
      ]
      const authority = { manager, network: null }
      yield* managers.associate({ ...authority, wallet: address, label: "one", keyId, onlyNew: true })
      yield* managers.rename(authority, address, "two")
      const tokenDigest = yield* freshDigest
      const token = yield* tokens.create({
        ...{ digest: tokenDigest, wallet: address, keyId, network: "base", pool: manager, base: "weth", quote: "usdc" },
        label: null
      })
      const webhook = "01936f5a-0000-7000-8000-0000000000aa"
      const url = "https://hooks.example/services/a-secret-path?token=a-secret"
      yield* webhooks.put({
        ...{ owner: { _tag: "wallet", wallet: address }, keyId, url, id: webhook, ciphertext: "ciphertext" },
        events: ["gas.low"]
      })
      const sessionDigest = yield* freshDigest
      yield* sessions.open({ digest: sessionDigest, manager, network: null, expiresAt: Date.now() / 1000 + 60 })
      const next = yield* freshDigest
      yield* keys.issue({ wallet: address, digest: next, lastFour: "wxyz", evict: { keep: [] } })

      assert.deepStrictEqual(yield* actions(address), [
        ...["wallet.created", "key.issued", "wallet.associated", "wallet.renamed", "token.created", "webhook.set"],
        ...["key.revoked", "key.issued"]
      ])
      const all = yield* entries(address)
      assert.deepInclude(all.at(-2), {
        subject: keyId,
        details: {
          managers: [manager],
          sessions: 1,
          webhook_tokens: [Option.getOrThrow(token).id],
          webhooks: [webhook],
          channels: []
        }
      })
      const text = JSON.stringify(yield* (yield* AuditStore).list({ limit: 500 }))
      for (const secret of [digest, next, tokenDigest, sessionDigest, "a-secret", "ciphertext"]) {
        assert.notInclude(text, secret)
      }
      assert.include(text, sessionDigest.slice(0, 12), "a session is named by the start of its digest")
    }))
})
