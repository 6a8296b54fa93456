import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Running, rows, running } from "@vault-trader/testing/harness/Harness"

const behindProxy = {
  RATE_LIMIT: "on",
  RATE_LIMIT_BURST: "20",
  RATE_LIMIT_PER_MINUTE: "1",
  TRUSTED_PROXIES: "127.0.0.1"
}

/**
 * Attempts to create wallets, each from its own address. Returns the statuses, and the number of wallets afterwards.
 */
const created = (count: number, addressOf: (index: string) => string) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const answers = yield* Effect.forEach(
      Array.from({ length: count }, (_, index) => addressOf((index + 1).toString(16))),
      (address) => ask("/createGasWallet", { method: "POST", headers: { "x-forwarded-for": address } }),
      { concurrency: 10 }
    )
    const [wallets] = yield* rows("select count(*)::int as n from gas_wallets")
    return { answers, wallets: Number(wallets?.["n"]) }
  })

layer(running({ networks: ["base"], env: behindProxy }), { timeout: 240_000, excludeTestServices: true })(
  "creating wallets from one IPv6 network",
  (it) => {
    it.effect("is one client's: of 300 addresses of a /64 hardly more than the first twenty get one, the others 503", () =>
      Effect.gen(function*() {
        const { answers, wallets } = yield* created(300, (index) => `2001:db8:1:2::${index}`)
        assert.isAtLeast(wallets, 20)
        // One more a minute, however slow the machine is.
        assert.isAtMost(wallets, 40)
        assert.deepStrictEqual(answers.filter(({ status }) => status === 503).length, 300 - wallets)
      }))
  }
)

layer(running({ networks: ["base"], env: { ...behindProxy, MAX_WALLETS_PER_HOUR: "30" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("creating wallets from everywhere", (it) => {
  it.effect("has a budget, and says when to come back", () =>
    Effect.gen(function*() {
      const { answers, wallets } = yield* created(100, (index) => `2001:db8:${index}::1`)
      assert.isAtLeast(wallets, 30)
      assert.isAtMost(wallets, 35)
      const throttled = answers.filter(({ status }) => status === 503)
      assert.lengthOf(throttled, 100 - wallets)
      for (const { headers, text } of throttled) {
        assert.match(headers.get("retry-after") ?? "", /^\d+$/)
        assert.include(text, "503 Service Temporarily Unavailable")
      }
    }))
})
