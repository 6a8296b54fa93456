/** Wallets, channels and events in a real database, and the fakes that channels send to. */
import type { Address } from "@vault-trader/core/chain/Address"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { type ChannelKind, type ChannelRules, defaultRules, noSettings } from "@vault-trader/core/notification/Channel"
import { ChannelStore } from "@vault-trader/core/notification/ChannelStore"
import { ChatStore } from "@vault-trader/core/notification/ChatStore"
import { type Claimed, MessageStore, type NamesOf } from "@vault-trader/core/notification/MessageStore"
import { WatchStore } from "@vault-trader/core/notification/WatchStore"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import { eventTypes, type Owner } from "@vault-trader/core/webhook/Webhook"
import * as TestDatabase from "@vault-trader/testing/harness/TestDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as SqlClient from "effect/sql/SqlClient"
import { randomBytes } from "node:crypto"
import * as MessageDelivery from "../../src/notification/MessageDelivery.ts"
import * as Receiver from "../../src/notification/Receiver.ts"
import * as SealedChannel from "../../src/notification/SealedChannel.ts"
import * as Telegram from "../../src/notification/Telegram.ts"

export const kek = { version: 1, key: Redacted.make("a1".repeat(32)) }

/** Returns a token of a bot that exists only in a test. */
export const freshToken = (): string => `123456:${randomBytes(24).toString("base64url")}`

export const Stores = Layer.mergeAll(
  ChannelStore.layer,
  ChatStore.layer,
  MessageStore.layer,
  WatchStore.layer,
  KillSwitch.layer,
  ManagerStore.layer,
  GasWalletStore.layer,
  ApiKeyStore.layer,
  Layer.succeed(References.MinimumLogLevel, "None")
).pipe(Layer.provideMerge(TestDatabase.layer({ maxConnections: 20 })))

const hex = (bytes: number) => randomBytes(bytes).toString("hex")

/** Creates a wallet with an active key. */
export const wallet = Effect.gen(function*() {
  const address: Address = `0x${hex(20)}`
  yield* (yield* GasWalletStore).put({ address, ciphertext: "ciphertext" })
  yield* (yield* ApiKeyStore).issue({ wallet: address, digest: hex(32), lastFour: "abcd" })
  return address
})

interface NewChannel {
  readonly owner: Owner
  readonly kind?: ChannelKind
  readonly url?: string
  readonly token?: string
  readonly rules?: Partial<ChannelRules>
  readonly chat?: { readonly chatId: string; readonly userId: string }
}

/** Stores a channel, bound to a chat where one is given; returns its id. */
export const channel = ({ chat, kind = "telegram", owner, rules = {}, token, url }: NewChannel) =>
  Effect.gen(function*() {
    const id = yield* Uuid.v7
    const secret = (text: string | undefined) => text === undefined ? null : Redacted.make(text)
    const ciphertext = yield* SealedChannel.seal(kek, id, { url: secret(url), token: secret(token), password: null })
    yield* (yield* ChannelStore).create(owner, undefined, {
      ...{ id, kind, name: id, settings: { ...noSettings, bot: "fake_vault_bot" }, events: eventTypes, templates: {} },
      ...{ rules: { ...defaultRules, ...rules }, enabled: true, ciphertext, chatId: null, createdAt: new Date() },
      bot: kind === "telegram" ? Telegram.digestOf(Redacted.make(token ?? "")) : null
    })
    if (chat !== undefined) {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update notification_channels set ${sql.update({ chat_id: chat.chatId, user_id: chat.userId })}
        where id = ${id}::uuid`
    }
    return id
  })

/** Causes events of a type for a wallet, as the code that causes them does. */
export const tell = (owner: Address, type: string, data: object = {}, count = 1) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`select webhook_tell(${type}, ${owner}, ${JSON.stringify({ network: "base", ...data })}::jsonb)
      from generate_series(1, ${count})`
  )

const namesOf: NamesOf = () =>
  Effect.succeed({ wallet: () => "momentum", vault: () => undefined, publicUrl: undefined })

/** Sends for a channel what is due now, as one runner; returns the claim, if there was something to claim. */
export const send = (id: string, url: string, runner = crypto.randomUUID()) =>
  Effect.gen(function*() {
    const store = yield* MessageStore
    const all = yield* store.claim(runner, 100, new Map(), 100)
    yield* Effect.forEach(all.filter((each) => each.id !== id), store.release)
    const claimed = all.find((each) => each.id === id)
    if (claimed !== undefined) yield* sendClaimed(claimed, url)
    return claimed
  })

export const sendClaimed = (claimed: Claimed, url: string) =>
  MessageDelivery.sendOne(kek, true, namesOf, claimed).pipe(
    Effect.provideService(Receiver.TelegramUrl, url),
    Effect.provideService(Receiver.RequestTimeout, 3_000)
  )

/** Sends until nothing is due. */
export const drain = (id: string, url: string): Effect.Effect<void, unknown, MessageStore> =>
  Effect.flatMap(send(id, url), (claimed) => claimed === undefined ? Effect.void : drain(id, url))

/** Makes everything of a channel due now, as if the time of its pauses had passed. */
export const pass = (id: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`update channel_messages set next_attempt_at = now() where channel = ${id}::uuid`
    yield* sql`update channel_deliveries set not_before = now() where channel = ${id}::uuid`
    yield* sql`update notification_channels set claimed_until = now() - interval '1 second' where id = ${id}::uuid`
  })

export const names = namesOf
