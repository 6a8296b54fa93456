/** Two servers and a runner on one PostgreSQL: a wallet's key is rotated while its requests are in progress. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { ask as asking, type Fields, Running, rows, trader } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"

layer(
  ProcessGroup.layer({
    names: ["server", "server-2", "runner-1"],
    networks: [network],
    env: { RATE_LIMIT: "off", WAIT_SECONDS: "120" }
  }),
  { timeout: 300_000, excludeTestServices: true }
)("a key that is rotated under load", (it) => {
  it.effect("is dead at once on every server; what was accepted is executed and charged to the wallet; links and history stay", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { the } = yield* ProcessGroup.ProcessGroup
      const other = asking(the("server-2").baseUrl)
      const { address, apiKey, pool, privateKey } = yield* trader({ network })
      succeeded(yield* ask("/linkGasWallet", { json: { apiKey, network, pool } }))
      const trade = (on: typeof ask, key: string, name: string) =>
        on("/vaultTrade", {
          json: { apiKey: key, network, pool, from: "USDC", to: "DAI", amount: 3, idempotency_key: name }
        })
      const names = Array.from({ length: 12 }, (_, index) => `rotated-${index}`)
      const load = yield* Effect.forkChild(
        Effect.forEach(names, (name, index) => trade(index % 2 === 0 ? ask : other, apiKey, name), {
          concurrency: "unbounded"
        })
      )
      yield* until(
        "the load to be accepted",
        Effect.map(
          rows(`select count(*)::int as n from intents where wallet = '${address}'`),
          ([row]) => row?.["n"] === 12 ? true : undefined
        )
      )

      const next = String(succeeded(yield* other("/getNewApiKey", { json: { privateKey } }))["apiKey"])
      const reads = (on: typeof ask) => [
        on("/getGasBalance", { query: { apiKey, network } }),
        on("/getGasWalletPools", { query: { apiKey } })
      ]
      const dead = yield* Effect.all(
        [trade(ask, apiKey, "too late"), trade(other, apiKey, "too late"), ...reads(other)],
        { concurrency: "unbounded" }
      )
      for (const answer of dead) refused(answer, "1002", /unknown or revoked/)
      // The other server has kept the key for reads until the notification of its end arrives.
      for (const read of reads(ask)) {
        yield* until(
          "the end of the key at the other server",
          Effect.map(read, ({ fields }) => fields["status_code"] === "1002" ? true : undefined)
        )
      }

      for (const answer of yield* Fiber.join(load)) succeeded(answer)
      const charged = yield* rows(`select wallet, count(*)::int as n from charges group by wallet`)
      assert.deepStrictEqual(charged, [{ wallet: address, n: 12 }])
      // A repeat under the new key is the same intent; history and links belong to the wallet.
      for (const on of [ask, other]) {
        assert.strictEqual((yield* trade(on, next, "rotated-0")).fields["status"], "success")
        assert.lengthOf(
          succeeded(yield* on("/getIntents", { query: { apiKey: next, limit: "50" } }))["intents"] as ReadonlyArray<
            Fields
          >,
          12
        )
        assert.lengthOf(
          succeeded(yield* on("/getGasWalletPools", { query: { apiKey: next } }))["pools"] as ReadonlyArray<Fields>,
          1
        )
      }
      assert.strictEqual(
        (yield* rows(`select count(*)::int as n from intents where wallet = '${address}'`))[0]?.["n"],
        12
      )
    }))

  it.effect("ten rotations at the same moment, on both servers, leave one key that works on both", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { the } = yield* ProcessGroup.ProcessGroup
      const other = asking(the("server-2").baseUrl)
      const { fields } = yield* ask("/createGasWallet")
      const privateKey = fields["private_key"]
      const keys = yield* Effect.forEach(
        Array.from({ length: 10 }),
        (_, index) =>
          Effect.map(
            (index % 2 === 0 ? ask : other)("/getNewApiKey", { json: { privateKey } }),
            (answer) => String(succeeded(answer)["apiKey"])
          ),
        { concurrency: "unbounded" }
      )
      for (const on of [ask, other]) {
        const works = yield* Effect.forEach(
          keys,
          (apiKey) =>
            Effect.map(
              on("/getGasWalletPools", { query: { apiKey } }),
              (answer) => answer.fields["status"] === "success"
            )
        )
        assert.lengthOf(works.filter((each) => each), 1)
      }
    }))

  it.effect("a wallet that was made elsewhere is imported by its private key, with or without 0x, and trades by the key it gets", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const outside = generatePrivateKey()
      const imported = succeeded(yield* ask("/getNewApiKey", { json: { privateKey: outside } }))
      assert.strictEqual(imported["address"], privateKeyToAddress(outside).toLowerCase())
      assert.strictEqual(imported["message"], "API key issued.")
      const again = succeeded(yield* ask("/getNewApiKey", { json: { privateKey: outside.slice(2) } }))
      assert.match(String(again["message"]), /the previous one is revoked/)
      assert.strictEqual(again["address"], imported["address"])
      assert.notProperty(again, "private_key")
      succeeded(yield* ask("/getGasBalance", { query: { apiKey: String(again["apiKey"]), network } }))
      refused(
        yield* ask("/getNewApiKey", { json: { privateKey: "f".repeat(64) } }),
        "1010",
        /^privateKey: not a valid secp256k1 private key/
      )
    }))
})
