import { assert, layer } from "@effect/vitest"
import { ChannelStore } from "@vault-trader/core/notification/ChannelStore"
import { MessageStore } from "@vault-trader/core/notification/MessageStore"
import * as FakeReceivers from "@vault-trader/devnet/notification/FakeReceivers"
import * as FakeTelegram from "@vault-trader/devnet/notification/FakeTelegram"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { resultOf } from "../../src/notification/MessageDelivery.ts"
import * as Bench from "./NotificationBench.ts"

const chat = { chatId: "7", userId: "70" }

/** A wallet with a channel that is bound to a chat of a fake Telegram. */
const telegram = (rules: Parameters<typeof Bench.channel>[0]["rules"] = {}) =>
  Effect.gen(function*() {
    const token = Bench.freshToken()
    const fake = yield* FakeTelegram.make(token)
    const wallet = yield* Bench.wallet
    const owner = { _tag: "wallet", wallet } as const
    const id = yield* Bench.channel({ owner, token, chat, rules })
    const texts = () => fake.shown.map(({ text }) => text)
    const messages = Effect.flatMap(ChannelStore, (store) => store.messages(owner, id, 50))
    return { fake, id, messages, owner, texts, token, wallet }
  })

const failed = { endpoint: "vaultTrade", message: "No route." }

layer(Bench.Stores, { timeout: "4 minutes", excludeTestServices: true })("messages of channels", (it) => {
  it.effect("show each event once, in order, although two runners claim at once", () =>
    Effect.gen(function*() {
      const { fake, id, messages, texts, wallet } = yield* telegram()
      for (let index = 0; index < 4; index++) {
        yield* Bench.tell(wallet, "intent.failed", { ...failed, message: `m${index}.` })
      }
      for (let index = 0; index < 6; index++) {
        yield* Effect.all([Bench.send(id, fake.url), Bench.send(id, fake.url)], { concurrency: "unbounded" })
      }
      assert.deepStrictEqual(
        texts().map((text) => /m\d/.exec(text)?.[0]),
        ["m0", "m1", "m2", "m3"]
      )
      assert.deepStrictEqual((yield* messages).map(({ state }) => state), ["sent", "sent", "sent", "sent"])
    }).pipe(Effect.scoped))

  it.effect("are repeated with a mark after a kill between sending and recording, and only then", () =>
    Effect.gen(function*() {
      const { fake, id, messages, texts, wallet } = yield* telegram()
      yield* Bench.tell(wallet, "intent.failed", failed)
      const store = yield* MessageStore
      const claimed = (yield* store.claim(crypto.randomUUID(), 100, new Map(), 100)).find((each) => each.id === id)!
      // The process dies after the attempt was committed, and before or after it was made.
      assert.isTrue(Option.isSome(yield* store.begin(claimed, Bench.names)))
      assert.isUndefined(yield* Bench.send(id, fake.url))
      yield* Bench.pass(id)
      yield* Bench.drain(id, fake.url)
      assert.lengthOf(texts(), 1)
      assert.match(texts()[0] ?? "", /^\(This may repeat an earlier message\.\)/)
      // A runner that froze meanwhile records nothing, and sends nothing.
      yield* store.record(claimed, (yield* messages)[0]!.id, {
        ...{ _tag: "refused", error: "late", uncertain: false, limited: false, retrySeconds: null }
      })
      yield* Bench.sendClaimed(claimed, fake.url)
      assert.lengthOf(texts(), 1)
      assert.deepInclude((yield* messages)[0], { state: "sent", uncertain: true })
      yield* Bench.tell(wallet, "intent.failed", failed)
      yield* Bench.drain(id, fake.url)
      assert.notMatch(texts()[1] ?? "", /repeat/)
    }).pipe(Effect.scoped))

  it.effect("that were shown without an answer are marked; those refused before are not", () =>
    Effect.gen(function*() {
      const { fake, id, texts, wallet } = yield* telegram()
      yield* fake.answerNext({ status: 502, body: {} }, fake.tooMany(3), "show and break")
      yield* Bench.tell(wallet, "intent.failed", failed)
      for (let index = 0; index < 4; index++) {
        yield* Bench.pass(id)
        yield* Bench.send(id, fake.url)
      }
      assert.deepStrictEqual(texts().map((text) => /repeat/.test(text)), [false, true])
    }).pipe(Effect.scoped))

  it.effect("wait as long as the receiver asks, and that is no failed attempt", () =>
    Effect.gen(function*() {
      const { fake, id, messages, texts, wallet } = yield* telegram()
      yield* fake.answerNext(fake.tooMany(40))
      yield* Bench.tell(wallet, "intent.failed", failed)
      yield* Bench.drain(id, fake.url)
      const [waiting] = yield* messages
      assert.deepInclude(waiting, { state: "pending", attempts: 0, lastError: "the receiver asked to wait 40 s" })
      assert.isAbove(waiting!.nextAttemptAt.getTime(), Date.now() + 30_000)
      assert.isUndefined(yield* Bench.send(id, fake.url))
      yield* Bench.pass(id)
      yield* Bench.drain(id, fake.url)
      assert.lengthOf(texts(), 1)
    }).pipe(Effect.scoped))

  it.effect("of a channel that hangs or was revoked delay no other channel, and arrive when it is repaired", () =>
    Effect.gen(function*() {
      const revoked = yield* telegram()
      yield* revoked.fake.revoke(true)
      const hanging = yield* FakeReceivers.make("slack")
      yield* hanging.answerNext("hang")
      const { fake, id, owner, texts, wallet } = yield* telegram()
      const slack = yield* Bench.channel({ owner, kind: "slack", url: hanging.url })
      yield* Bench.tell(wallet, "intent.failed", failed)
      yield* Bench.tell(revoked.wallet, "intent.failed", failed)
      yield* Effect.all(
        [Bench.send(slack, fake.url), Bench.send(id, fake.url), Bench.send(revoked.id, revoked.fake.url)]
      )
      yield* Effect.all([Bench.drain(id, fake.url), Bench.drain(revoked.id, revoked.fake.url)])
      assert.lengthOf(texts(), 1)
      assert.deepInclude((yield* revoked.messages)[0], {
        state: "pending",
        lastError: "the bot's token is not accepted; it may have been revoked"
      })
      yield* revoked.fake.revoke(false)
      yield* Bench.pass(revoked.id)
      yield* Bench.drain(revoked.id, revoked.fake.url)
      assert.lengthOf(revoked.texts(), 1)
    }).pipe(Effect.scoped))

  it.effect("of a host that does not answer wait together, and those of other hosts do not", () =>
    Effect.gen(function*() {
      const { id, owner, wallet } = yield* telegram()
      const others = yield* Effect.forEach(["dead.example", "alive.example"], (host) =>
        Effect.gen(function*() {
          const slack = yield* Bench.channel({ owner, kind: "slack", url: `https://${host}/hook` })
          const sql = yield* SqlClient.SqlClient
          yield* sql`update notification_channels set settings = settings || jsonb_build_object('host', ${host}::text)
            where id = ${slack}::uuid`
          return slack
        }))
      yield* Bench.tell(wallet, "intent.failed", failed)
      const store = yield* MessageStore
      const claimed = yield* store.claim(crypto.randomUUID(), 100, new Map(), 100, ["dead.example"])
      yield* Effect.forEach(claimed, store.release)
      const own = new Set([id, ...others])
      assert.sameMembers(claimed.map((each) => each.id).filter((each) => own.has(each)), [id, others[1]])
    }).pipe(Effect.scoped))

  it.effect("are dropped visibly after a day, and at once when they are rejected", () =>
    Effect.gen(function*() {
      const { fake, id, messages, texts, wallet } = yield* telegram()
      yield* fake.answerNext({ status: 400, body: { ok: false, description: "Bad Request" } }, {
        status: 500,
        body: {}
      })
      yield* Bench.tell(wallet, "intent.failed", failed)
      yield* Bench.drain(id, fake.url)
      assert.deepInclude((yield* messages)[0], { state: "dropped", lastError: "HTTP 400: the message was rejected" })
      const refused = { _tag: "refused", error: "HTTP 500" } as const
      assert.deepInclude(resultOf(refused, { age: 10, attempts: 0 }), { retrySeconds: 5 })
      assert.deepInclude(resultOf(refused, { age: 80_000, attempts: 30 }), { retrySeconds: null })
      // A channel that was unreachable for longer: its events were never in a message.
      yield* Bench.tell(wallet, "gas.low")
      const sql = yield* SqlClient.SqlClient
      yield* sql`update webhook_events set created_at = now() - interval '25 hours' where wallet = ${wallet}`
      yield* Bench.drain(id, fake.url)
      assert.deepInclude((yield* messages)[0], {
        ...{ state: "dropped", events: 1, attempts: 0, lastError: "they waited for more than a day" }
      })
      assert.lengthOf(texts(), 0)
    }).pipe(Effect.scoped))

  it.effect("are one for many events, and nothing is claimed while a digest collects", () =>
    Effect.gen(function*() {
      const { fake, id, texts, wallet } = yield* telegram({ digestMinutes: 60 })
      yield* Bench.tell(wallet, "intent.failed", failed, 12)
      yield* Bench.drain(id, fake.url)
      assert.lengthOf(texts(), 0)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update webhook_events set created_at = now() - interval '1 hour' where wallet = ${wallet}`
      yield* Bench.pass(id)
      yield* Bench.drain(id, fake.url)
      assert.lengthOf(texts(), 1)
      assert.match(texts()[0] ?? "", /^12 events\n[^]*… and 2 more\.$/)
    }).pipe(Effect.scoped))

  it.effect("reach neither a chat that is not bound, nor a disabled channel, nor events that were not chosen", () =>
    Effect.gen(function*() {
      const { id, messages, wallet } = yield* telegram()
      const sql = yield* SqlClient.SqlClient
      const waiting = Effect.map(
        sql`select 1 from channel_deliveries where channel = ${id}::uuid`,
        (rows) => rows.length
      )
      for (
        const change of [
          { chat_id: null, user_id: null },
          { ...{ chat_id: "7", user_id: "70" }, enabled: false },
          { enabled: true, events: JSON.stringify(["gas.low"]) }
        ]
      ) {
        yield* sql`update notification_channels set ${sql.update(change)} where id = ${id}::uuid`
        yield* Bench.tell(wallet, "intent.failed", failed)
      }
      assert.strictEqual(yield* waiting, 0)
      yield* Bench.tell(wallet, "gas.low")
      assert.strictEqual(yield* waiting, 1)
      assert.deepStrictEqual(yield* messages, [])
    }).pipe(Effect.scoped))
})
