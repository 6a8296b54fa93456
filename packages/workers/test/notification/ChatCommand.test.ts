import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { ChannelStore } from "@vault-trader/core/notification/ChannelStore"
import { ChatStore } from "@vault-trader/core/notification/ChatStore"
import * as FakeTelegram from "@vault-trader/devnet/notification/FakeTelegram"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { randomBytes } from "node:crypto"
import * as ChatCode from "../../src/notification/ChatCode.ts"
import { parse } from "../../src/notification/ChatCommand.ts"
import * as Receiver from "../../src/notification/Receiver.ts"
import * as Telegram from "../../src/notification/Telegram.ts"
import { handleOnce, poll } from "../../src/notification/TelegramPolling.ts"
import * as Bench from "./NotificationBench.ts"

const me = { chatId: "7", userId: "70" }

/** A wallet with a Telegram channel, a bot, and the words of its owner. */
const bench = (
  { bound = true, commands = "pause", manager }: {
    readonly bound?: boolean
    readonly commands?: "none" | "status" | "pause" | "resume"
    readonly manager?: Address
  } = {}
) =>
  Effect.gen(function*() {
    const token = Bench.freshToken()
    const digest = Telegram.digestOf(Redacted.make(token))
    const fake = yield* FakeTelegram.make(token)
    const wallet = yield* Bench.wallet
    const owner = manager === undefined ? { _tag: "wallet", wallet } as const : { _tag: "manager", manager } as const
    const id = yield* Bench.channel({ owner, token, rules: { commands }, ...(bound ? { chat: me } : {}) })
    const find = Effect.map(
      Effect.flatMap(ChatStore, (store) => store.bots),
      (bots) => bots.find((bot) => bot.digest === digest)!
    )
    const read = (holder = crypto.randomUUID()) =>
      Effect.gen(function*() {
        const bot = yield* find
        const isRead = yield* Effect.provideService(poll(Bench.kek, holder, bot, 0), Receiver.TelegramUrl, fake.url)
        yield* (yield* ChatStore).letGo(digest, holder)
        return isRead
      })
    /** Says something in a chat, has it read, and returns what the chat shows afterwards. */
    const say = (text: string, { chat = 7, extra = {}, user = 70 } = {}) =>
      Effect.gen(function*() {
        const before = fake.shown.length
        yield* fake.say({ chat, user, text, extra })
        yield* read()
        yield* Bench.drain(id, fake.url)
        return fake.shown.slice(before).map((shown) => shown.text).join("\n")
      })
    const isStopped = Effect.map(
      Effect.flatMap(KillSwitch, (switches) => switches.on([walletScope(wallet)])),
      (on) => on.length > 0
    )
    const audited = Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<{ readonly action: string; readonly kind: string; readonly actor: string }>`select action, actor_kind as kind,
        actor from audit_entries where wallet = ${wallet} and actor_kind = 'chat' order by seq`)
    return { audited, digest, fake, find, id, isStopped, owner, read, say, wallet }
  })

const codeIn = (text: string) => /\/confirm (\d{6})/.exec(text)?.[1] ?? "none"

layer(Bench.Stores, { timeout: "4 minutes", excludeTestServices: true })("commands of a chat", (it) => {
  it.effect("are those of the user who sent the one-time code, in the chat where it was sent, and of no other user", () =>
    Effect.gen(function*() {
      const { audited, id, say } = yield* bench({ bound: false })
      const code = `code-${randomBytes(12).toString("hex")}`
      yield* (yield* ChannelStore).binding(id, ChatCode.digestOf(code), 600)
      assert.strictEqual(yield* say("/status"), "")
      assert.strictEqual(yield* say("/start wrong-code"), "")
      assert.match(yield* say(`/start ${code}`), /now receives the events/)
      // Used once.
      assert.strictEqual(yield* say(`/start ${code}`, { chat: 8, user: 80 }), "")
      assert.match(yield* say("/status"), /running/)
      for (const other of [{ chat: 8, user: 70 }, { chat: 7, user: 71 }, { chat: -9, user: 90 }]) {
        for (const text of ["/status", "/pause", "/help", "/start"]) assert.strictEqual(yield* say(text, other), "")
      }
      for (
        const extra of [
          { forward_origin: { type: "user" } },
          { sender_chat: { id: 7 } },
          { via_bot: { id: 3 } },
          { from: { id: 70, is_bot: true } }
        ]
      ) assert.strictEqual(yield* say("/status", { extra }), "")
      assert.deepStrictEqual((yield* audited).map(({ action, actor }) => [action, actor]), [
        ["channel.bound", "telegram:70"],
        ["channel.command", "telegram:70"]
      ])
    }).pipe(Effect.scoped))

  it.effect("an expired code binds nothing", () =>
    Effect.gen(function*() {
      const { id, say } = yield* bench({ bound: false })
      yield* (yield* ChannelStore).binding(id, ChatCode.digestOf("an-old-code"), -1)
      assert.strictEqual(yield* say("/start an-old-code"), "")
      assert.strictEqual(yield* say("/status"), "")
    }).pipe(Effect.scoped))

  it.effect("pause after a confirmation, once, and never by a wrong, old or another user's code", () =>
    Effect.gen(function*() {
      const { audited, isStopped, say } = yield* bench()
      const code = codeIn(yield* say("/pause"))
      assert.match(code, /^\d{6}$/)
      assert.isFalse(yield* isStopped)
      const wrong = code === "000000" ? "000001" : "000000"
      assert.match(yield* say(`/confirm ${wrong}`), /wrong, used or expired/)
      assert.strictEqual(yield* say(`/confirm ${code}`, { user: 71 }), "")
      assert.isFalse(yield* isStopped)
      assert.match(yield* say(`/confirm ${code}`), /^Paused: 0x/)
      assert.isTrue(yield* isStopped)
      assert.match(yield* say("/status"), /needs attention\n {2}Signing stopped by its owner/)
      assert.match(yield* say(`/confirm ${code}`), /wrong, used or expired/)
      const entries = yield* audited
      assert.includeDeepMembers([...entries], [{ action: "switch.on", kind: "chat", actor: "telegram:70" }])
      assert.lengthOf(entries.filter(({ action }) => action === "switch.on"), 1)
    }).pipe(Effect.scoped))

  it.effect("void a code after two minutes, after five wrong ones, and when a newer command has one", () =>
    Effect.gen(function*() {
      const { id, isStopped, say } = yield* bench()
      const sql = yield* SqlClient.SqlClient
      const first = codeIn(yield* say("/pause"))
      yield* sql`update chat_confirmations set expires_at = now() - interval '1 second' where channel = ${id}::uuid`
      assert.match(yield* say(`/confirm ${first}`), /expired/)
      const second = codeIn(yield* say("/pause"))
      yield* sql`update chat_confirmations set wrong = 4 where channel = ${id}::uuid`
      yield* say(`/confirm ${second === "000000" ? "000001" : "000000"}`)
      assert.match(yield* say(`/confirm ${second}`), /wrong, used or expired/)
      const third = codeIn(yield* say("/pause"))
      const fourth = codeIn(yield* say("/pause"))
      if (third !== fourth) assert.match(yield* say(`/confirm ${third}`), /wrong/)
      assert.isFalse(yield* isStopped)
    }).pipe(Effect.scoped))

  it.effect("resume only where the channel permits it, and never a wallet that has got a manager since", () =>
    Effect.gen(function*() {
      const cautious = yield* bench()
      assert.match(yield* cautious.say("/resume"), /^This chat may not resume/)
      const { isStopped, say, wallet } = yield* bench({ commands: "resume" })
      const switches = yield* KillSwitch
      yield* switches.pauseAsOwner(walletScope(wallet), "by its owner")
      assert.match(yield* say(`/confirm ${codeIn(yield* say("/resume"))}`), /^Resumed: 0x/)
      assert.isFalse(yield* isStopped)
      yield* switches.pause(walletScope(wallet), "by the operator")
      assert.match(yield* say(`/confirm ${codeIn(yield* say("/resume"))}`), /^Only the operator can resume/)
      assert.isTrue(yield* isStopped)
      yield* switches.resume(walletScope(wallet))
      yield* switches.pauseAsOwner(walletScope(wallet), "by its owner")
      const code = codeIn(yield* say("/resume"))
      const sql = yield* SqlClient.SqlClient
      const manager = `0x${randomBytes(20).toString("hex")}`
      yield* sql`insert into managers ${sql.insert({ address: manager })}`
      yield* sql`insert into manager_wallets ${sql.insert({ manager, wallet })}`
      assert.match(yield* say(`/confirm ${code}`), /^Nothing was done/)
      assert.match(yield* say("/resume"), /only the manager's own channel/)
      assert.isTrue(yield* isStopped)
    }).pipe(Effect.scoped))

  it.effect("of a manager's chat are about the wallets of the list, each by its label", () =>
    Effect.gen(function*() {
      const manager: Address = `0x${randomBytes(20).toString("hex")}`
      const { isStopped, say, wallet } = yield* bench({ commands: "resume", manager })
      const sql = yield* SqlClient.SqlClient
      const other = yield* Bench.wallet
      yield* sql`insert into manager_wallets ${
        sql.insert([{ manager, wallet, label: "alpha" }, { manager, wallet: other, label: "beta" }])
      }`
      const status = yield* say("/status")
      assert.match(status, /alpha \(0x/)
      assert.match(status, /beta \(0x/)
      const asked = yield* say("/pause ALPHA")
      assert.notMatch(asked, /beta/)
      yield* say(`/confirm ${codeIn(asked)}`)
      assert.isTrue(yield* isStopped)
      assert.deepStrictEqual(yield* (yield* KillSwitch).on([walletScope(other)]), [])
      assert.strictEqual(yield* say("/pause gamma"), "No wallet of this chat matches.")
      yield* say(`/confirm ${codeIn(yield* say("/resume alpha"))}`)
      assert.isFalse(yield* isStopped)
    }).pipe(Effect.scoped))

  it.effect("are carried out once although updates are replayed, and by one runner although two read them", () =>
    Effect.gen(function*() {
      const { audited, digest, fake, find, isStopped, read, say, wallet } = yield* bench()
      const code = codeIn(yield* say("/pause"))
      yield* fake.say({ chat: 7, user: 70, text: `/confirm ${code}` })
      const bot = yield* find
      const holder = crypto.randomUUID()
      const next = yield* (yield* ChatStore).hold(digest, holder, 60)
      // A second runner reads nothing while the first one holds the bot.
      assert.isFalse(
        yield* Effect.provideService(poll(Bench.kek, crypto.randomUUID(), bot, 0), Receiver.TelegramUrl, fake.url)
      )
      yield* (yield* ChatStore).letGo(digest, holder)
      assert.strictEqual(next._tag, "Some")
      yield* read()
      assert.isTrue(yield* isStopped)
      yield* (yield* KillSwitch).resume(walletScope(wallet))
      // The same update again, as a runner has it that froze before it handled it.
      const update = { id: 1001, message: { chat: { id: 7 }, from: { id: 70 }, text: "/pause" } }
      for (let index = 0; index < 3; index++) yield* handleOnce(digest, null, update)
      assert.isFalse(yield* isStopped)
      assert.lengthOf((yield* audited).filter(({ action }) => action === "switch.on"), 1)
    }).pipe(Effect.scoped))

  it.effect("are carried out once, with one answer each, while two runners poll, handle and send for one bot", () =>
    Effect.gen(function*() {
      const { audited, digest, fake, find, id, isStopped, wallet } = yield* bench()
      yield* fake.say({ chat: 7, user: 70, text: "/pause" })
      const bot = yield* find
      const both = <A, E, R>(one: Effect.Effect<A, E, R>) => Effect.all([one, one], { concurrency: "unbounded" })
      const [first, second] = yield* both(
        Effect.suspend(() => poll(Bench.kek, crypto.randomUUID(), bot, 0)).pipe(
          Effect.provideService(Receiver.TelegramUrl, fake.url)
        )
      )
      // One holds the lease; the other reads nothing.
      assert.sameMembers([first, second], [true, false])
      yield* both(Bench.drain(id, fake.url))
      assert.lengthOf(fake.shown, 1)
      // A runner that froze with updates in its hands handles them beside the one that has taken over.
      const confirm = { id: 1_000_000, message: { chat: { id: 7, type: "private" }, from: { id: 70 }, text: "" } }
      const text = `/confirm ${codeIn(fake.shown[0]?.text ?? "")}`
      const update = { ...confirm, message: { ...confirm.message, text } } as unknown as Telegram.Update
      yield* both(handleOnce(digest, "fake_vault_bot", update))
      yield* both(Bench.drain(id, fake.url))
      assert.isTrue(yield* isStopped)
      assert.lengthOf((yield* audited).filter(({ action }) => action === "switch.on"), 1)
      // The event of the stop and the answer to the command, each once.
      const shown = fake.shown.slice(1).map((each) => each.text)
      assert.strictEqual(new Set(shown).size, shown.length, `${wallet}: ${shown.join(" | ")}`)
    }).pipe(Effect.scoped))

  it.effect("are neither lost nor repeated by a restart, and a disabled or deleted channel is deaf", () =>
    Effect.gen(function*() {
      const { fake, id, owner, read, say } = yield* bench()
      // Two commands arrive while no runner is there.
      yield* fake.say({ chat: 7, user: 70, text: "/status" })
      yield* fake.say({ chat: 7, user: 70, text: "/status" })
      yield* read()
      yield* read()
      yield* Bench.drain(id, fake.url)
      assert.lengthOf(fake.shown, 2)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update notification_channels set rules = rules || '{"commands": "none"}' where id = ${id}::uuid`
      assert.strictEqual(yield* say("/status"), "")
      yield* (yield* ChannelStore).remove(owner, id)
      assert.isFalse((yield* (yield* ChatStore).bots).some(({ channel }) => channel === id))
    }).pipe(Effect.scoped))

  it.effect("are answered at most twenty times a minute", () =>
    Effect.gen(function*() {
      const { fake, id, read } = yield* bench()
      for (let index = 0; index < 30; index++) yield* fake.say({ chat: 7, user: 70, text: "/status" })
      yield* read()
      const sql = yield* SqlClient.SqlClient
      assert.lengthOf(yield* sql`select 1 from channel_messages where channel = ${id}::uuid`, 20)
    }).pipe(Effect.scoped))

  it.effect("are parsed strictly", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(parse("/Pause@Fake_Vault_Bot alpha ", "fake_vault_bot"), {
        name: "pause",
        argument: "alpha"
      })
      assert.isUndefined(parse("/pause@another_bot", "fake_vault_bot"))
      for (const text of ["pause", " /pause", "/pause a b", "/pause\n/confirm 1 2", "//pause", "/"]) {
        assert.isUndefined(parse(text, "fake_vault_bot"), text)
      }
    }))
})
