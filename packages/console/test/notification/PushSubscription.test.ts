import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"

/** A browser whose parts the tests change: what a subscription needs of it. */
const browser = () => {
  const ended: Array<string> = []
  const subscription = {
    unsubscribe: () => Promise.resolve(ended.push("earlier")),
    toJSON: () => ({ endpoint: "https://push.example/1", keys: { p256dh: "p", auth: "a" } })
  }
  const parts = {
    permission: "granted",
    earlier: null as typeof subscription | null,
    subscribe: (_: { readonly applicationServerKey: ArrayBuffer }): Promise<typeof subscription> =>
      Promise.resolve(subscription)
  }
  const registration = {
    active: { state: "activated" },
    pushManager: {
      getSubscription: () => Promise.resolve(parts.earlier),
      subscribe: (options: { readonly applicationServerKey: ArrayBuffer }) => parts.subscribe(options)
    }
  }
  vi.stubGlobal("Notification", { requestPermission: () => Promise.resolve(parts.permission) })
  vi.stubGlobal("location", { protocol: "https:", origin: "https://trade.example" })
  vi.stubGlobal("navigator", {
    language: "en",
    languages: ["en"],
    serviceWorker: {
      register: () => Promise.resolve(registration),
      getRegistration: () => Promise.resolve(registration)
    }
  })
  return { ended, parts, subscription }
}

/** Loads the module in the browser of the test: texts are chosen by its language. */
const subscribe = async () => (await import("../../src/notification/Push.ts")).subscribe

describe("a subscription of this browser", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it("has a new pair of keys, of which the browser gets the public one, and ends the one before", async () => {
    const { ended, parts, subscription } = browser()
    parts.earlier = subscription
    const keys: Array<ArrayBuffer> = []
    parts.subscribe = ({ applicationServerKey }) => {
      keys.push(applicationServerKey)
      return Promise.resolve(subscription)
    }
    const make = await subscribe()
    const [one, other] = [await make(), await make()]
    assert.deepStrictEqual(ended, ["earlier", "earlier"])
    assert.strictEqual(one.endpoint, "https://push.example/1")
    assert.strictEqual(one.contact, "https://trade.example")
    assert.deepStrictEqual(
      keys.map((key) => Buffer.from(key).toString("base64url")),
      [one.vapid.publicKey, other.vapid.publicKey]
    )
    assert.notStrictEqual(one.vapid.privateKey, other.vapid.privateKey)
    // The private key belongs to the public one: it signs what that verifies.
    const { privateKey, publicKey } = one.vapid
    const point = Buffer.from(publicKey, "base64url")
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"))
    const jwk = { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" }
    const ecdsa = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
    const signing = await crypto.subtle.importKey("jwk", { ...jwk, d: privateKey ?? "" }, ecdsa, false, ["sign"])
    const verifying = await crypto.subtle.importKey("jwk", jwk, ecdsa, false, ["verify"])
    const message = new TextEncoder().encode("message")
    assert.isTrue(
      await crypto.subtle.verify(ecdsa, verifying, await crypto.subtle.sign(ecdsa, signing, message), message)
    )
  })

  it("is refused in words where the browser shows no notifications of the page", async () => {
    const { parts } = browser()
    parts.permission = "denied"
    const make = await subscribe()
    const refusal = await make().then(() => "none", (error: Error) => error.message)
    assert.match(refusal, /^The browser shows no notifications of this page\./)
  })

  it("ends in words after 20 seconds where the push service never answers, as in a private window", async () => {
    const { parts } = browser()
    const asked = new Promise<void>((resolve) => {
      parts.subscribe = () => {
        resolve()
        return new Promise(() => {})
      }
    })
    const make = await subscribe()
    const outcomes: Array<unknown> = []
    const ended = make().catch((error: Error) => outcomes.push(error.message))
    await asked
    await vi.advanceTimersByTimeAsync(19_999)
    assert.deepStrictEqual(outcomes, [])
    await vi.advanceTimersByTimeAsync(1)
    await ended
    assert.match(String(outcomes[0]), /^The browser could not reach its push service\. .* not in a private window\./)
  })
})
