import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { running, Running, rows, wallet } from "@vault-trader/testing/harness/Harness"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { network } from "../bench/engine/ServiceUnderTest.ts"
import * as FinishedTrades from "../bench/engine/FinishedTrades.ts"
import * as LoadGenerator from "../bench/http/LoadGenerator.ts"
import * as Peer from "../bench/http/Peer.ts"
import { listPath, symbolPath, token } from "../bench/http/ReadRequests.ts"
import * as SameAnswer from "../bench/http/SameAnswer.ts"

layer(running(), { excludeTestServices: true, timeout: "4 minutes" })("the peer of the HTTP benches", (it) => {
  it.effect("answers what the service answers, from the same rows", () =>
    Effect.gen(function*() {
      const { baseUrl, dataDir } = yield* Running
      const usdc = yield* token
      const caller = yield* wallet
      const [key] = yield* rows(`select id from api_keys where wallet = '${caller.address}'`)
      const rpc = yield* (yield* Devnet).rpc(network)
      yield* rpc.request("anvil_setNonce", [caller.address, "0x3c"], Schema.Unknown)
      yield* FinishedTrades.insert({ wallet: caller.address, keyId: String(key?.["id"]), network }, 60)
      const peer = yield* Peer.start(yield* Peer.dataOf(dataDir, [usdc]))
      for (const path of [symbolPath(caller.apiKey, usdc.address), listPath(caller.apiKey)]) {
        yield* SameAnswer.check(baseUrl, peer.baseUrl, path)
      }
      const answer = yield* Effect.promise(async () =>
        await (await fetch(`${peer.baseUrl}${listPath(caller.apiKey)}`)).json() as {
          readonly intents: ReadonlyArray<ReadonlyArray<unknown>>
          readonly cursor: ReadonlyArray<string | null>
        }
      )
      assert.strictEqual(answer.intents[0]?.length, 50)
      assert.isString(answer.cursor[0])
    }), 240_000)

  it.effect("stores a row for each accepted alert, under a load from another process", () =>
    Effect.gen(function*() {
      const { dataDir } = yield* Running
      const caller = yield* wallet
      const peer = yield* Peer.start(yield* Peer.dataOf(dataDir, []))
      const generator = yield* LoadGenerator.start
      const alert = (apiKey: string) => ({
        origins: [peer.baseUrl],
        requests: [{
          method: "POST" as const,
          path: `/alert?${new URLSearchParams({ apiKey, pool: "0x1", side: "hold" }).toString()}`
        }],
        connections: 4,
        total: 25,
        expects: `"intent_id":["`
      })
      const { count, latencies } = yield* generator.run(alert(caller.apiKey))
      assert.deepStrictEqual([count, latencies.length], [25, 25])
      const [stored] = yield* rows("select count(*)::int as count from bench.alerts")
      assert.strictEqual(stored?.["count"], 25)
      // A wrong response is no number.
      const refused = yield* Effect.exit(generator.run(alert(crypto.randomUUID())))
      assert.include(Exit.isFailure(refused) ? Cause.pretty(refused.cause) : "", "25 of 25 responses were wrong: 500")
    }), 240_000)
})
