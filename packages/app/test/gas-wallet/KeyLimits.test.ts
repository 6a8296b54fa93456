import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Answer, type Fields, ledger, rows, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import { programFile } from "@vault-trader/testing/harness/ServiceProcess"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

const network = "base"

/** Runs `npm run limit` with these arguments, as an operator does beside the service. */
const limit = (...words: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { dataDir } = yield* Running
    return yield* Effect.callback<{ readonly code: number; readonly stdout: string; readonly stderr: string }>(
      (resume) => {
        const child = execFile(
          process.execPath,
          [programFile, "limit", ...words],
          { env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir } },
          (_, stdout, stderr) => resume(Effect.succeed({ code: child.exitCode ?? -1, stdout, stderr }))
        )
      }
    )
  })

/** Runs the command, which must succeed, and returns its output. */
const limited = (...words: ReadonlyArray<string>) =>
  Effect.map(limit(...words), ({ code, stderr, stdout }) => {
    assert.strictEqual(code, 0, stderr)
    return stdout
  })

const refused = ({ body, status, text }: Answer, saying: RegExp) => {
  assert.deepStrictEqual([status, body["status"], body["status_code"], body["error_type"]], [
    400,
    "fail",
    "2013",
    "limit_exceeded"
  ], text)
  assert.match(String(body["message"]), saying)
  assert.match(String(body["message"]), /Nothing was sent\.$/)
}

/** A trader of the demo vault and of another one, with its own trades. */
const twoVaults = Effect.gen(function*() {
  const { ask } = yield* Running
  const devnet = yield* Devnet
  const by = yield* trader()
  const other = yield* OnChain.createVault(network, 10_000n)
  yield* Effect.orDie(devnet.setTrader({ network, pool: other, trader: by.address }))
  const about = (pool: Address, apiKey = by.apiKey) => ({ apiKey, network, pool })
  return {
    ...by,
    other,
    about,
    trade: (pool: Address, amount: number, more: Fields = {}) =>
      ask("/vaultTrade", { json: { ...about(pool), from: "USDC", to: "DAI", amount, ...more } }),
    sent: OnChain.transactionCount(network, by.address)
  }
})

layer(running(), { timeout: 120_000, excludeTestServices: true })("limits of a key", (it) => {
  it.effect("allow the vaults that were named and no other, and nothing is accepted for the others", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, address, other, pool, sent, trade } = yield* twoVaults
      assert.match(
        yield* limited(address, "--vaults", `${network}/${pool}`),
        new RegExp(`vaults +${network}/${pool}\\n`)
      )
      succeeded(yield* trade(pool, 10))
      const before = yield* ledger
      const saying = new RegExp(`may trade only ${network}/${pool}, and the request is about ${network}/${other}`)
      refused(yield* trade(other, 10), saying)
      refused(yield* trade(other, 10, { dryRun: true }), saying)
      refused(yield* ask("/approve", { json: { ...about(other), asset: "DAI" } }), saying)
      assert.deepStrictEqual(yield* ledger, before)
      succeeded(yield* ask("/poolComposition", { query: about(other) }))
      yield* limited(address, "--vaults", `optimism/${other},${network}/${other}`)
      succeeded(yield* trade(other, 10))
      refused(yield* trade(pool, 10), /may trade only/)
      assert.strictEqual(yield* sent, 2)
    }))

  it.effect("hold a trade to what one may be worth, whether it is sized in tokens or as a share, and apply to a dry run as well", () =>
    Effect.gen(function*() {
      const { address, other, sent, trade } = yield* twoVaults
      yield* limited(address, "--max-usd-per-trade", "250.5")
      const saying = /may sell 250\.5 USD at a time, and the request is worth 2\d\d(\.\d+)? USD/
      refused(yield* trade(other, 260), saying)
      refused(yield* trade(other, 260, { dryRun: true }), saying)
      refused(yield* trade(other, 0, { amount: null, share: 50 }), /worth \d{4}(\.\d+)? USD/)
      assert.deepStrictEqual(yield* rows(`select * from submissions where wallet = '${address}'`), [])
      assert.strictEqual(yield* sent, 0)
      succeeded(yield* trade(other, 240))
      succeeded(yield* trade(other, 240))
      assert.strictEqual(yield* sent, 2)
    }))

  it.effect("let only one of two trades through that exceed the day together, though both vaults plan at the same moment", () =>
    Effect.gen(function*() {
      const { address, other, pool, sent, trade } = yield* twoVaults
      yield* limited(address, "--max-usd-per-day", "1000")
      const answers = yield* Effect.all([trade(pool, 600), trade(other, 600)], { concurrency: "unbounded" })
      const [one, two] = answers[0].status === 200 ? answers : [answers[1], answers[0]]
      succeeded(one)
      refused(
        two,
        /1000 USD a day \(UTC\), of which (399\.\d+|40\d(\.\d+)?) USD are left today, and the request is worth (600|599|60\d)(\.\d+)? USD/
      )
      // A failed trade frees its part of the limit.
      succeeded(yield* trade(pool, 300))
      refused(yield* trade(other, 150), /left today/)
      succeeded(yield* trade(other, 50))
      assert.strictEqual(yield* sent, 3)
      assert.match(
        yield* limited(address, "--show"),
        /max USD per day +1000 \(sold or about to be today, UTC: 9(4|5)\d(\.\d+)?\)/
      )
    }))

  it.effect("make a key read-only: reads are answered, writes refused with nothing accepted, repeats answered as before", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, address, apiKey, pool, sent, trade } = yield* twoVaults
      const first = succeeded(yield* trade(pool, 10, { idempotency_key: "before" }))
      yield* limited(address, "--read-only", "on")
      const before = yield* ledger
      refused(yield* trade(pool, 10), /read-only/)
      refused(yield* ask("/approve", { json: { ...about(pool), asset: "DAI" } }), /read-only/)
      refused(yield* trade(pool, 10, { idempotency_key: "after" }), /read-only/)
      assert.deepStrictEqual(succeeded(yield* trade(pool, 10, { idempotency_key: "before" })), first)
      succeeded(yield* ask("/poolComposition", { query: about(pool) }))
      succeeded(yield* ask("/getGasBalance", { query: { apiKey, network } }))
      succeeded(yield* ask("/getIntents", { query: { apiKey } }))
      assert.deepStrictEqual(yield* ledger, before)
      assert.strictEqual(yield* sent, 1)
    }))

  it.effect("stay when the key is rotated, whichever key they were set by, and are gone when they are taken off", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, address, pool, privateKey, sent } = yield* twoVaults
      const keyIds = rows(`select id from api_keys where wallet = '${address}' order by created_at`)
      yield* limited(String((yield* keyIds)[0]?.["id"]), "--max-usd-per-trade", "100", "--max-usd-per-day", "150")
      const apiKey = String(succeeded(yield* ask("/getNewApiKey", { json: { privateKey } }))["apiKey"])
      const trade = (amount: number) =>
        ask("/vaultTrade", { json: { ...about(pool, apiKey), from: "USDC", to: "DAI", amount } })
      refused(yield* trade(110), /100 USD at a time/)
      succeeded(yield* trade(90))
      refused(yield* trade(90), /150 USD a day/)
      yield* limited(String((yield* keyIds)[1]?.["id"]), "--max-usd-per-trade", "off", "--max-usd-per-day", "off")
      succeeded(yield* trade(500))
      // Earlier sales count once there is a limit.
      yield* limited(address, "--max-usd-per-day", "600")
      refused(yield* trade(90), /600 USD a day/)
      assert.strictEqual(yield* sent, 2)
    }))

  it.effect("are shown by the command, which changes nothing when it knows no such wallet or does not understand its arguments", () =>
    Effect.gen(function*() {
      const { address } = yield* twoVaults
      for (
        const [words, saying, exitCode] of [
          [[`0x${"ab".repeat(20)}`, "--read-only", "on"], /no wallet and no key/, 1],
          [[address, "--read-only", "on", "--max-usd-per-day", "much"], /--max-usd-per-day: expected USD/, 2]
        ] as const
      ) {
        const { code, stderr } = yield* limit(...words)
        assert.strictEqual(code, exitCode)
        assert.match(stderr, saying)
      }
      assert.strictEqual(
        yield* limited(address),
        [
          `Limits of wallet ${address}, whatever its key:`,
          "  vaults             any",
          "  max USD per trade  off",
          "  max USD per day    off (sold or about to be today, UTC: 0)",
          "  read-only          off",
          ""
        ].join("\n")
      )
    }))
})
