import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { isPublic, resolve } from "../../src/webhook/WebhookUrl.ts"

describe("a webhook URL", () => {
  const open = ["1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.167.1.1", "2606:4700::1111", "2a00:1450:4001::1"]
  const shut = [
    ...[
      "127.0.0.1",
      "127.9.9.9",
      "0.0.0.0",
      "10.0.0.1",
      "100.64.0.1",
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "192.0.2.1"
    ],
    ...["198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
    ...[
      "::",
      "::1",
      "::ffff:127.0.0.1",
      "::ffff:8.8.8.8",
      "64:ff9b::7f00:1",
      "fc00::1",
      "fd12::1",
      "fe80::1",
      "fec0::1",
      "ff02::1",
      "2001:db8::1",
      "2001::1",
      "2002:7f00:1::1"
    ],
    ...["localhost", "", "1.1.1"]
  ]
  for (const address of open) it(`may point to a public address: ${address}`, () => assert.isTrue(isPublic(address)))
  for (const address of shut) {
    it(`may not point to a non-public address: ${address}`, () => assert.isFalse(isPublic(address)))
  }

  const verdict = (url: string, loopback = false) =>
    Effect.match(resolve(url, loopback), { onFailure: ({ message }) => message, onSuccess: ({ address }) => address })

  for (
    const host of [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "10.1.2.3",
      "169.254.169.254",
      "192.168.0.1",
      "[fe80::1]",
      "[::ffff:10.0.0.1]",
      "2130706433",
      "0x7f.1",
      "127.1"
    ]
  ) {
    it.effect(`refuses https://${host}/ in any notation`, () =>
      Effect.map(
        verdict(`https://${host}/`),
        (result) => assert.strictEqual(result, "its host is not on the public internet")
      ))
  }

  it.effect("accepts https to a public address, and pins it", () =>
    Effect.map(verdict("https://1.1.1.1/hook"), (result) => assert.strictEqual(result, "1.1.1.1")))

  it.effect("refuses plain http, and this machine unless permitted", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* verdict("http://1.1.1.1/"), "only https URLs are permitted")
      assert.strictEqual(yield* verdict("http://127.0.0.1:1/", true), "127.0.0.1")
      assert.strictEqual(yield* verdict("http://1.1.1.1/", true), "its host is not on the public internet")
      assert.strictEqual(yield* verdict("http://10.0.0.1/", true), "its host is not on the public internet")
      assert.strictEqual(yield* verdict("https://192.168.0.1/", true), "its host is not on the public internet")
    }))

  it.live("says of a name that does not exist that it cannot be resolved", () =>
    Effect.map(verdict("https://nothing.invalid/"), (result) => assert.match(result, /^its host cannot be resolved/)))
})
