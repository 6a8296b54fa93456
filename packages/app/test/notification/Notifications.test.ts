import { assert, layer } from "@effect/vitest"
import * as FakePush from "@vault-trader/devnet/notification/FakePush"
import * as FakeReceivers from "@vault-trader/devnet/notification/FakeReceivers"
import * as FakeTelegram from "@vault-trader/devnet/notification/FakeTelegram"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, rows, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import { person, proof } from "@vault-trader/testing/harness/Signing"
import { until } from "@vault-trader/testing/harness/Until"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Success } from "effect/Effect"

const token = "123456:fake-token-of-a-bot-that-does-not-exist"

class Telegram extends Context.Service<Telegram, Success<ReturnType<typeof FakeTelegram.make>>>()(
  "vault-trader/app/test/notification/Telegram"
) {}

const Service = Layer.unwrap(
  Effect.map(Telegram, ({ url }) => running({ env: { WEBHOOKS_TO_LOOPBACK: "on", TELEGRAM_URL: url } }))
).pipe(Layer.provideMerge(Layer.effect(Telegram, FakeTelegram.make(token))))

const channelOf = (fields: Fields) => String((fields["channel"] as Fields)["channel_id"])

layer(Service, { timeout: 240_000, excludeTestServices: true })("notification channels", (it) => {
  it.effect("bind a chat by a one-time code, show what happens, and take its commands", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const fake = yield* Telegram
      const { apiKey, network, pool } = yield* trader()
      const trade = ask("/vaultTrade", { json: { apiKey, network, pool, from: "USDC", to: "DAI", amount: 5 } })
      const made = succeeded(
        yield* ask("/createChannel", { json: { apiKey, kind: "telegram", name: "phone", access_token: token } })
      )
      assert.strictEqual(made["bind_url"], `https://t.me/fake_vault_bot?start=${String(made["bind_code"])}`)
      yield* fake.say({ chat: 5, user: 50, text: `/start ${String(made["bind_code"])}` })
      const shown = (what: string, pattern: RegExp) =>
        until(what, Effect.sync(() => fake.shown.find(({ text }) => pattern.test(text))?.text))
      yield* shown("the binding", /now receives the events of phone/)
      succeeded(yield* trade)
      assert.match(yield* shown("the trade", /^Done\n/), /^Done\nvaultTrade for .+ on base: /)
      yield* shown("the charge", /^Charge\n/)
      const tested = succeeded(yield* ask("/testChannel", { json: { apiKey, channel_id: channelOf(made) } }))
      assert.isTrue(tested["delivered"])
      yield* fake.say({ chat: 5, user: 50, text: "/pause" })
      const [, code] = /\/confirm (\d{6})/.exec(yield* shown("the question", /^Pause 0x/)) ?? []
      yield* fake.say({ chat: 5, user: 50, text: `/confirm ${code}` })
      yield* shown("the confirmation", /^Paused: 0x/)
      assert.strictEqual((yield* trade).fields["error_type"], "paused")
      yield* shown("the event of the switch", /^Signing stopped\n/)
      const outcome = fake.shown.map(({ text }) => text).filter((text) => /^Done\n|^Charge\n/.test(text))
      assert.lengthOf(outcome, 2)
      // The token is in no response, row or log.
      const listed = yield* ask("/getChannels", { query: { apiKey } })
      const messages = yield* ask("/getChannelMessages", { query: { apiKey } })
      const stored = yield* rows(`select c::text as c, (select jsonb_agg(m)::text from channel_messages m) as m,
        (select jsonb_agg(e)::text from audit_entries e) as a, (select jsonb_agg(w)::text from webhook_events w) as w
        from notification_channels c`)
      for (const secret of [token, String(made["bind_code"])]) {
        assert.notInclude(listed.text + messages.text + JSON.stringify(stored), secret)
      }
    }))

  it.effect("of a manager receive the events of the list, and only its owner sees them", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const fake = yield* FakeReceivers.make("ntfy")
      const { address, apiKey, network, pool } = yield* trader()
      const manager = yield* person
      succeeded(
        yield* ask("/associateGasWallet", {
          json: { apiKey, ...(yield* proof(manager, "associateGasWallet", address, { apiKey })) }
        })
      )
      const more = { kind: "ntfy", name: "desk", url: fake.url, events: "intent.succeeded" }
      const made = succeeded(
        yield* ask("/createChannel", { json: { ...more, ...(yield* proof(manager, "createChannel", "desk", more)) } })
      )
      succeeded(yield* ask("/vaultTrade", { json: { apiKey, network, pool, from: "USDC", to: "DAI", amount: 5 } }))
      yield* until("the message", Effect.map(fake.shown, ([first]) => first))
      const channel_id = channelOf(made)
      refused(yield* ask("/testChannel", { json: { apiKey, channel_id } }), "1010", /^channel_id: there is no such/)
      assert.deepStrictEqual(succeeded(yield* ask("/getChannels", { query: { apiKey } }))["channels"], [])
      refused(
        yield* ask("/createChannel", {
          json: { apiKey, kind: "telegram", name: "phone", access_token: token, commands: "resume" }
        }),
        "1010",
        /^commands: 0x[0-9a-f]{40} has a manager/
      )
    }))

  it.effect("of a browser show what happens, keep their keys secret, and are refused by the member that is wrong", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const fake = yield* FakePush.make
      const subscription = yield* fake.subscription
      const { apiKey, network, pool } = yield* trader()
      const create = (json: Fields) =>
        ask("/createChannel", { json: { apiKey, kind: "push", name: "laptop", ...json } })
      refused(yield* create({}), "1010", /^subscription: is required for a channel of push/)
      refused(yield* create({ subscription, url: fake.endpointOf("x") }), "1010", /^url: a channel of push has none/)
      const { keys, ...incomplete } = subscription
      refused(yield* create({ subscription: incomplete }), "1010", /^subscription: has no keys\.p256dh/)
      const swapped = { ...subscription, vapid: (yield* fake.subscription).vapid.publicKey }
      refused(yield* create({ subscription: swapped }), "1010", /^subscription: has no vapid\.publicKey/)
      const foreign = { ...subscription, vapid: { ...subscription.vapid, privateKey: `${"A".repeat(42)}E` } }
      refused(yield* create({ subscription: foreign }), "1010", /^subscription: vapid\.privateKey is not the key of/)
      const inside = { ...subscription, endpoint: "https://10.1.2.3/push" }
      refused(
        yield* create({ subscription: inside }),
        "1010",
        /^subscription: its endpoint cannot be used: its host is/
      )
      // Also as text, as the command line has it.
      const events = "intent.succeeded"
      const made = succeeded(yield* create({ subscription: JSON.stringify(subscription), events }))
      assert.deepInclude(made["channel"] as Fields, { kind: "push", bound: false, bot: null })
      succeeded(yield* ask("/vaultTrade", { json: { apiKey, network, pool, from: "USDC", to: "DAI", amount: 5 } }))
      yield* until(
        "the trade",
        Effect.map(fake.shown, (shown) => shown.find(({ body, title }) => title === "Done" && /vaultTrade/.test(body)))
      )
      const changed = succeeded(
        yield* ask("/updateChannel", { json: { apiKey, channel_id: channelOf(made), digest_minutes: 60 } })
      )
      yield* fake.answerNext({ status: 410 })
      const ended = succeeded(yield* ask("/testChannel", { json: { apiKey, channel_id: channelOf(made) } }))
      assert.isFalse(ended["delivered"])
      assert.match(String(ended["message"]), /the browser no longer takes messages/)
      const listed = yield* ask("/getChannels", { query: { apiKey } })
      const stored = yield* rows(`select c::text as c, (select jsonb_agg(e)::text from audit_entries e) as a
        from notification_channels c`)
      const shown = listed.text + JSON.stringify([made, changed, stored])
      const { auth, p256dh } = keys
      for (const secret of [subscription.vapid.privateKey, auth, p256dh, "secret-of-the-browser"]) {
        assert.notInclude(shown, secret)
      }
    }))

  it.effect("are refused in words where they cannot be, and end with their wallet's key", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const fake = yield* FakeReceivers.make("slack")
      const { apiKey, privateKey } = yield* wallet
      const create = (json: Fields) => ask("/createChannel", { json: { apiKey, name: "one", ...json } })
      refused(yield* create({ kind: "slack" }), "1010", /^url: is required for a channel of slack/)
      refused(
        yield* create({ kind: "slack", url: fake.url, to: "a@example.com" }),
        "1010",
        /^to: a channel of slack has none/
      )
      refused(
        yield* create({ kind: "discord", url: "https://10.1.2.3/x" }),
        "1010",
        /^url: its host is not on the public internet/
      )
      refused(yield* create({ kind: "ntfy", url: fake.url }), "1010", /^url: must be the URL of a topic/)
      refused(
        yield* create({ kind: "telegram", access_token: "nonsense" }),
        "1010",
        /^access_token: must be a bot's token/
      )
      refused(
        yield* create({ kind: "telegram", access_token: `654321:${"x".repeat(30)}` }),
        "1010",
        /^access_token: the bot's token is not accepted/
      )
      refused(
        yield* create({ kind: "slack", url: fake.url, templates: { "gas.low": "{ciphertext}" } }),
        "1010",
        /^templates: has a template of gas\.low that is not valid/
      )
      assert.deepStrictEqual(succeeded(yield* ask("/getChannels", { query: { apiKey } }))["channels"], [])
      const made = succeeded(yield* create({ kind: "slack", url: fake.url, quiet_hours: "22:00-07:00 Europe/Berlin" }))
      refused(yield* create({ kind: "slack", url: fake.url }), "1010", /^name: another channel has it/)
      const changed = succeeded(
        yield* ask("/updateChannel", { json: { apiKey, channel_id: channelOf(made), digest_minutes: 60, name: "two" } })
      )
      assert.deepInclude(changed["channel"] as Fields, {
        ...{ name: "two", digest_minutes: 60, quiet_hours: "22:00-07:00 Europe/Berlin", bound: false }
      })
      assert.notInclude(JSON.stringify(changed), "slack-secret")
      const rotated = succeeded(yield* ask("/getNewApiKey", { json: { privateKey } }))
      assert.lengthOf((rotated["ended"] as { readonly channels: ReadonlyArray<unknown> }).channels, 1)
      assert.deepStrictEqual(
        succeeded(yield* ask("/getChannels", { query: { apiKey: String(rotated["apiKey"]) } }))["channels"],
        []
      )
    }))
})
