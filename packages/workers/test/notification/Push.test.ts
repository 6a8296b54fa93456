/** Push messages to browsers, against a fake push service that checks what the real ones check. */
import { assert, it } from "@effect/vitest"
import { noSettings } from "@vault-trader/core/notification/Channel"
import { faultOf as shapeFaultOf, type PushSubscription } from "@vault-trader/core/notification/PushSubscription"
import * as FakePush from "@vault-trader/devnet/notification/FakePush"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"
import * as Push from "../../src/notification/Push.ts"
import * as Receiver from "../../src/notification/Receiver.ts"
import { message } from "./SampleMessage.ts"

const to = (subscription: PushSubscription, loopback = true): Receiver.Destination => ({
  ...{ chatId: null, loopback, settings: noSettings },
  secrets: { url: null, token: null, password: null, subscription: Redacted.make(subscription) }
})

it("the fake reads the message of the specification's example", () => {
  // RFC 8291, appendix A.
  const receiver = Crypto.createECDH("prime256v1")
  receiver.setPrivateKey(Buffer.from("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "base64url"))
  const body = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8" +
    "wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
  assert.strictEqual(
    FakePush.decrypt(Buffer.from(body, "base64url"), receiver, Buffer.from("BTBZMqHH6r4Tts7J_aSIgg", "base64url")),
    "When I grow up, I want to be a watermelon"
  )
})

it.live("a browser shows a message that only it can read, and a repeat replaces the first", () =>
  Effect.gen(function*() {
    const fake = yield* FakePush.make
    const destination = to(yield* fake.subscription)
    assert.deepStrictEqual(yield* Push.send(destination, message), { _tag: "accepted" })
    assert.deepStrictEqual(yield* Push.send(destination, { ...message, repeats: true }), { _tag: "accepted" })
    const { body, id, link, title, urgent } = message
    assert.deepStrictEqual(yield* fake.shown, [{ id, title, body, link, urgent }])
    for (const { bytes, headers } of fake.arrived) {
      assert.notInclude(bytes.toString("latin1"), "momentum")
      assert.deepInclude(headers, { urgency: "high", ttl: "86400", topic: id.replaceAll("-", "") })
    }
    yield* Push.send(destination, { ...message, urgent: false })
    assert.strictEqual(fake.arrived.at(-1)?.headers["urgency"], "normal")
  }).pipe(Effect.scoped))

it.live("the longest message in the widest characters is accepted", () =>
  Effect.gen(function*() {
    const fake = yield* FakePush.make
    const outcome = yield* Push.send(to(yield* fake.subscription), {
      ...message,
      title: "警".repeat(64),
      body: "警告\n".repeat(2000),
      link: `https://${"x".repeat(200)}.example/console/activity`
    })
    assert.deepStrictEqual(outcome, { _tag: "accepted" })
    assert.match((yield* fake.shown)[0]?.body ?? "", /^警告\n[^]*…$/)
  }).pipe(Effect.scoped))

it.live("waits as asked, ends with its subscription, and repeats the rest; no outcome contains a secret", () =>
  Effect.gen(function*() {
    const fake = yield* FakePush.make
    const subscription = yield* fake.subscription
    yield* fake.answerNext(
      { status: 429, headers: { "retry-after": "9" } },
      ...[410, 404, 413, 400, 403, 401, 302, 503].map((status) => ({ status }))
    )
    const send = Push.send(to(subscription), message)
    assert.deepStrictEqual(yield* send, { _tag: "limited", seconds: 9 })
    const ended = ["rejected", "rejected", "rejected", "rejected", "refused", "refused", "refused", "refused"]
    for (const tag of ended) {
      const outcome = yield* send
      assert.strictEqual(outcome._tag, tag)
      assert.notMatch(JSON.stringify(outcome), /secret|127\.0\.0\.1/)
    }
    yield* fake.answerNext("hang", "break")
    for (const _ of ["hang", "break"]) {
      const outcome = yield* Effect.provideService(send, Receiver.RequestTimeout, 1_000)
      assert.deepInclude(outcome, { _tag: "unanswered", sent: true })
    }
    assert.lengthOf(yield* fake.shown, 0)
  }).pipe(Effect.scoped))

it.live("the push service takes nothing that is signed by another key, as of a subscription that was exchanged", () =>
  Effect.gen(function*() {
    const fake = yield* FakePush.make
    const [one, other] = [yield* fake.subscription, yield* fake.subscription]
    for (const vapid of [other.vapid, { ...one.vapid, privateKey: other.vapid.privateKey }]) {
      const outcome = yield* Push.send(to({ ...one, vapid }), message)
      assert.deepStrictEqual(outcome, { _tag: "refused", error: "HTTP 403: the token or URL is not accepted" })
    }
    assert.lengthOf(yield* fake.shown, 0)
  }).pipe(Effect.scoped))

it.live("nothing is sent to an address that is not on the public internet", () =>
  Effect.gen(function*() {
    const fake = yield* FakePush.make
    const subscription = yield* fake.subscription
    for (const endpoint of [subscription.endpoint.replace("http:", "https:"), "https://10.0.0.1/push"]) {
      assert.deepStrictEqual(
        yield* Push.send(to({ ...subscription, endpoint }, false), message),
        { _tag: "unanswered", error: "its host is not on the public internet", sent: false }
      )
    }
    assert.lengthOf(fake.arrived, 0)
  }).pipe(Effect.scoped))

it.live("a subscription is refused by the member that is wrong, without its value", () =>
  Effect.gen(function*() {
    const fake = yield* FakePush.make
    const good = yield* fake.subscription
    const { contact, endpoint, keys, vapid } = good
    const other = yield* fake.subscription
    assert.isUndefined(shapeFaultOf(good))
    assert.isUndefined(Push.faultOf(good))
    const shapes: ReadonlyArray<readonly [unknown, string]> = [
      [{}, "has no endpoint"],
      [{ endpoint, keys, contact }, "has no vapid.publicKey"],
      [{ ...good, endpoint: "ftp://x" }, "has an invalid endpoint"],
      [{ ...good, keys: null }, "has no keys.p256dh"],
      [{ ...good, keys: { ...keys, auth: `${keys.auth}=` } }, "has an invalid keys.auth"],
      [{ ...good, contact: "operator" }, "has an invalid contact"]
    ]
    for (const [value, fault] of shapes) assert.strictEqual(shapeFaultOf(value), fault)
    const point = Buffer.from(keys.p256dh, "base64url")
    point[40] = point[40]! ^ 1
    const wrong: ReadonlyArray<readonly [PushSubscription, RegExp]> = [
      [{ ...good, keys: { ...keys, p256dh: point.toString("base64url") } }, /^keys\.p256dh is no public key/],
      [{ ...good, vapid: { ...vapid, privateKey: other.vapid.privateKey } }, /^vapid\.privateKey is not the key of/],
      [{ ...good, vapid: { ...vapid, privateKey: "A".repeat(43) } }, /^vapid\.privateKey is no private key/]
    ]
    for (const [value, fault] of wrong) assert.match(Push.faultOf(value) ?? "", fault)
  }).pipe(Effect.scoped))
