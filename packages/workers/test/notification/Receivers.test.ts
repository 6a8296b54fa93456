/** The kinds of channels, each against a fake that speaks the real protocol. */
import { assert, it } from "@effect/vitest"
import { noSettings } from "@vault-trader/core/notification/Channel"
import * as FakeReceivers from "@vault-trader/devnet/notification/FakeReceivers"
import * as FakeSmtp from "@vault-trader/devnet/notification/FakeSmtp"
import * as FakeTelegram from "@vault-trader/devnet/notification/FakeTelegram"
import * as SelfSignedCertificate from "@vault-trader/testing/harness/SelfSignedCertificate"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Receiver from "../../src/notification/Receiver.ts"
import { receivers } from "../../src/notification/Receivers.ts"
import { message } from "./SampleMessage.ts"

const botToken = "123456:fake-token-of-a-bot-that-does-not-exist"

const destination = (
  { chatId = null, password, settings = {}, token, url }: {
    readonly url?: string
    readonly token?: string
    readonly password?: string
    readonly chatId?: string | null
    readonly settings?: Partial<Receiver.Destination["settings"]>
  },
  loopback = true
): Receiver.Destination => {
  const secret = (text: string | undefined) => text === undefined ? null : Redacted.make(text)
  return {
    ...{ chatId, loopback, settings: { ...noSettings, ...settings } },
    secrets: { url: secret(url), token: secret(token), password: secret(password) }
  }
}

/** A text that is markup in every chat, as the name of a token could be. */
const hostile = "**[x](https://evil.example)** <!channel> @everyone `rm` <b>&</b> _under_"

it.live("Discord, Slack, ntfy and a plain receiver show a message, wait as asked, and distinguish rejections", () =>
  Effect.gen(function*() {
    for (const kind of ["discord", "slack", "ntfy", "http"] as const) {
      const fake = yield* FakeReceivers.make(kind)
      const to = destination({ url: fake.url })
      const send = receivers[kind].send
      assert.deepStrictEqual(yield* send(to, message), { _tag: "accepted" }, kind)
      const shown = (yield* fake.shown).map(({ text }) => text).join()
      assert.include(shown.replaceAll("\\", ""), "momentum has 0.001 ETH on base.", kind)
      yield* fake.answerNext(
        ...[FakeReceivers.tooMany(kind, 7), { status: 400 }, { status: 404 }, { status: 401 }, { status: 302 }],
        { status: 503 }
      )
      assert.deepStrictEqual(yield* send(to, message), { _tag: "limited", seconds: 7 }, kind)
      for (const tag of ["rejected", "refused", "refused", "refused", "refused"]) {
        const outcome = yield* send(to, message)
        assert.strictEqual(outcome._tag, tag, kind)
        assert.notMatch(JSON.stringify(outcome), /secret/, kind)
      }
      yield* fake.answerNext("hang", "break")
      for (const _ of ["hang", "break"]) {
        const outcome = yield* Effect.provideService(send(to, message), Receiver.RequestTimeout, 1_000)
        assert.deepInclude(outcome, { _tag: "unanswered", sent: true }, kind)
        assert.notMatch(JSON.stringify(outcome), /secret/, kind)
      }
    }
  }).pipe(Effect.scoped))

it.live("names of tokens and bots are no markup: nothing is mentioned, linked or formatted", () =>
  Effect.gen(function*() {
    const [discord, slack] = [yield* FakeReceivers.make("discord"), yield* FakeReceivers.make("slack")]
    const telegram = yield* FakeTelegram.make(botToken)
    yield* receivers.discord.send(destination({ url: discord.url }), { ...message, body: hostile })
    yield* receivers.slack.send(destination({ url: slack.url }), { ...message, body: hostile })
    yield* Effect.provideService(
      receivers.telegram.send(destination({ token: botToken, chatId: "7" }), { ...message, body: hostile }),
      Receiver.TelegramUrl,
      telegram.url
    )
    const [inDiscord] = yield* discord.shown
    assert.include(inDiscord?.text ?? "", "\\*\\*\\[x\\]\\(https\\:")
    assert.notMatch(inDiscord?.text ?? "", /(^|[^\\])[*_`@[<](?!https:\/\/trade\.example)/)
    const [inSlack] = yield* slack.shown
    assert.include(inSlack?.text ?? "", "&lt;!channel&gt;")
    assert.notMatch(inSlack?.text ?? "", /[<>]/)
    // The fake refuses a parse mode, as only that makes markup.
    assert.include(telegram.shown[0]?.text ?? "", hostile)
  }).pipe(Effect.scoped))

it.live("a repeat replaces the first message where the receiver can recognise it, and says so where it cannot", () =>
  Effect.gen(function*() {
    for (const kind of ["ntfy", "http"] as const) {
      const fake = yield* FakeReceivers.make(kind)
      const to = destination({ url: fake.url })
      yield* receivers[kind].send(to, message)
      yield* receivers[kind].send(to, { ...message, repeats: true })
      assert.lengthOf(yield* fake.shown, 1, kind)
    }
    const fake = yield* FakeReceivers.make("slack")
    yield* receivers.slack.send(destination({ url: fake.url }), { ...message, repeats: true })
    assert.match((yield* fake.shown)[0]?.text ?? "", /^\(This may repeat an earlier message\.\)\nGas is low/)
  }).pipe(Effect.scoped))

it.live("Telegram waits as asked, follows a chat that was moved, and reports a revoked token and a lost chat", () =>
  Effect.gen(function*() {
    const fake = yield* FakeTelegram.make(botToken)
    const to = destination({ token: botToken, chatId: "7" })
    const send = Effect.provideService(receivers.telegram.send(to, message), Receiver.TelegramUrl, fake.url)
    yield* fake.answerNext(
      fake.tooMany(9),
      { status: 400, body: { ok: false, description: "Bad Request", parameters: { migrate_to_chat_id: -100 } } },
      { status: 400, body: { ok: false, description: "Bad Request: chat not found" } },
      { status: 403, body: { ok: false, description: "Forbidden: bot was blocked by the user" } },
      { status: 200, body: { what: "a captive portal" } }
    )
    assert.deepStrictEqual(yield* send, { _tag: "limited", seconds: 9 })
    assert.deepInclude(yield* send, { _tag: "refused", chatId: "-100" })
    assert.deepStrictEqual(yield* send, { _tag: "refused", error: "the chat no longer exists" })
    assert.deepStrictEqual(yield* send, { _tag: "refused", error: "the bot was blocked, or removed from the chat" })
    assert.deepInclude(yield* send, { _tag: "refused" })
    yield* fake.revoke(true)
    const expired = yield* send
    assert.deepStrictEqual(expired, {
      _tag: "refused",
      error: "the bot's token is not accepted; it may have been revoked"
    })
    assert.lengthOf(fake.shown, 0)
    yield* fake.revoke(false)
    assert.deepStrictEqual(yield* send, { _tag: "accepted" })
  }).pipe(Effect.scoped))

const [user, password] = ["alerts", "mail-secret"]
const mailbox = (port: number) =>
  destination({ password, settings: { host: "127.0.0.1", port, user, from: "a@example.com", to: "b@example.com" } })
const certificate = SelfSignedCertificate.make("127.0.0.1")

it.live("e-mail is sent after STARTTLS and AUTH, with the same Message-ID at a repeat and no added headers", () =>
  Effect.gen(function*() {
    const fake = yield* FakeSmtp.make({ user, password, certificate })
    const send = (more: Partial<Receiver.Message> = {}) =>
      receivers.email.send(mailbox(fake.port), { ...message, ...more })
    assert.deepStrictEqual(yield* send({ title: "Gas\r\nBcc: evil@example.com" }), { _tag: "accepted" })
    yield* send({ repeats: true })
    const [first, second] = fake.mails
    assert.isTrue(first?.encrypted)
    assert.strictEqual(first?.user, user)
    assert.notMatch(first?.content ?? "", /^Bcc:/m)
    for (const mail of [first, second]) assert.include(mail?.content ?? "", `Message-ID: <${message.id}@vault-trader>`)
    assert.include(second?.content ?? "", "momentum has 0.001 ETH on base.")
  }).pipe(Effect.scoped))

it.live("e-mail is repeated after 4xx replies and wrong credentials, and not after a rejection", () =>
  Effect.gen(function*() {
    const fake = yield* FakeSmtp.make({ user, password, certificate })
    const outcome = (step: FakeSmtp.Step, line: FakeSmtp.Replacement) =>
      Effect.andThen(fake.replyNext(step, line), receivers.email.send(mailbox(fake.port), message))
    assert.deepInclude(yield* outcome("MAIL", { line: "451 4.3.0 try again" }), { _tag: "refused" })
    assert.deepInclude(yield* outcome("GREETING", { line: "421 4.3.2 busy" }), { _tag: "refused" })
    assert.deepInclude(yield* outcome("RCPT", { line: "450 4.2.1 greylisted" }), { _tag: "refused" })
    assert.deepInclude(yield* outcome("RCPT", { line: "550 5.1.1 no such user" }), { _tag: "rejected" })
    assert.deepInclude(yield* outcome("END", { line: "554 5.7.1 spam" }), { _tag: "rejected" })
    const wrong = yield* outcome("AUTH", { line: `535 5.7.8 wrong ${password}` })
    assert.deepInclude(wrong, { _tag: "refused" })
    assert.notInclude(JSON.stringify(wrong), password)
    const hung = yield* Effect.provideService(outcome("EHLO", "hang"), Receiver.RequestTimeout, 1_000)
    assert.deepInclude(hung, { _tag: "unanswered" })
    assert.lengthOf(fake.mails, 0)
    // The content has arrived, and its reply has not.
    assert.deepInclude(yield* outcome("END", "break"), { _tag: "unanswered", sent: true })
    const plain = yield* FakeSmtp.make({ user, password })
    assert.deepInclude(yield* receivers.email.send(mailbox(plain.port), message), {
      error: "the mail server offers no TLS that can be used"
    })
  }).pipe(Effect.scoped))

it.live("nothing is sent to an address that is not on the public internet", () =>
  Effect.gen(function*() {
    const fake = yield* FakeReceivers.make("http")
    for (const kind of ["discord", "slack", "ntfy", "http"] as const) {
      for (const url of [fake.url.replace("http:", "https:"), "https://localhost/topic", "https://10.0.0.1/topic"]) {
        assert.deepStrictEqual(
          yield* receivers[kind].send(destination({ url }, false), message),
          { _tag: "unanswered", error: "its host is not on the public internet", sent: false },
          kind
        )
      }
    }
    const smtp = yield* FakeSmtp.make({ user, password, certificate })
    assert.deepStrictEqual(
      yield* receivers.email.send({ ...mailbox(smtp.port), loopback: false }, message),
      { _tag: "unanswered", error: "its host is not on the public internet", sent: false }
    )
    assert.lengthOf(fake.arrived, 0)
  }).pipe(Effect.scoped))
