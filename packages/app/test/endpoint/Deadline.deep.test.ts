/** Every endpoint answers within REQUEST_SECONDS, whatever does not answer the service. */
import { assert, layer } from "@effect/vitest"
import { endpoints } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as DatabaseFaults from "@vault-trader/testing/harness/DatabaseFaults"
import * as ExampleRequest from "@vault-trader/testing/harness/ExampleRequest"
import { type Answer, type Fields, rows, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import { RpcHold, sends } from "@vault-trader/testing/harness/RpcHold"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

const network = "base" as const
const slow = 240_000

// Every single wait of the service is longer than the deadline.
const deadline = 5
const served = running({
  env: { REQUEST_SECONDS: String(deadline), WAIT_SECONDS: "60", RPC_TIMEOUT_MS: "600000" },
  books: (books) => Effect.map(RpcHold, ({ inFront }) => inFront("service", books))
}).pipe(Layer.provideMerge(RpcHold.layer))

/** Fails when there is no answer by the deadline. A machine with other load may delay the answer, by less than a wait. */
const inTime = (name: string, answer: Effect.Effect<Answer>) =>
  Effect.flatMap(
    Effect.timeoutOption(answer, "15 seconds"),
    Option.match({
      onNone: () => Effect.die(new Error(`${name} did not answer by its deadline`)),
      onSome: Effect.succeed
    })
  )

const isWrite = (facts: EndpointFacts) =>
  facts.class === "movesFunds" && facts.params.some(({ name }) => name === "idempotency_key")

/** Sends every endpoint its example request, each write under its own key. */
const askAll = (scene: Fields, round: string) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    return yield* Effect.forEach(endpoints, (facts) =>
      Effect.gen(function*() {
        const key = `${round}-${facts.name}`
        const json = {
          ...ExampleRequest.exampleRequest(facts, scene),
          ...(isWrite(facts) ? { idempotency_key: key, dryRun: undefined } : {}),
          ...(facts.params.some(({ name }) => name === "execute") ? { execute: "true" } : {})
        }
        const { params, path } = ExampleRequest.fillPath(
          facts.paths[0]!,
          ExampleRequest.toTexts(json)
        )
        const method = facts.methods.find((each) => each === "POST") ?? facts.methods[0]!
        const request = method === "GET" ? { method, query: params } : { method, json: params }
        return { facts, key, answer: yield* inTime(facts.name, ask(path, request)) }
      }), { concurrency: "unbounded" })
  })

const sceneOf = ({ apiKey, pool }: { readonly apiKey: string; readonly pool: string }) => ({ apiKey, network, pool })

/** An answer about a write is compatible with the ledger. */
const isTrue = ({ fields, text }: Answer, intent: Fields | undefined, key: string) => {
  if (fields["status"] === "pending") {
    assert.strictEqual(fields["intent_id"], intent?.["id"], `${key}: ${text}`)
  } else if (fields["status"] === "fail" && (fields["intent_id"] ?? null) === null) {
    assert.isUndefined(intent, `${key}: ${text}`)
  }
}

const intentOf = (key: string) =>
  Effect.map(rows(`select id::text from intents where idempotency_key = '${key}'`), ([row]) => row)

layer(served, { timeout: slow, excludeTestServices: true })("every endpoint answers by its deadline", (it) => {
  it.effect("while no node answers, and no write says more than the ledger knows", () =>
    Effect.gen(function*() {
      const scene = sceneOf(yield* trader())
      const { hold } = yield* RpcHold
      const { release } = yield* hold({ network, when: (_, moment) => Effect.succeed(moment === "before the node") })
      const answers = yield* askAll(scene, "node")
      for (const { answer, facts, key } of answers) {
        assert.notStrictEqual(answer.status, 500, `${facts.name}: ${answer.text}`)
        if (isWrite(facts)) isTrue(answer, yield* intentOf(key), key)
      }
      yield* release
    }), slow)

  it.effect(
    "while the vault's queue waits for a transaction: a write is pending, with its intent",
    () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey, pool } = yield* trader()
        const { hold } = yield* RpcHold
        const { release } = yield* hold({
          network,
          when: (asked, moment) => Effect.succeed(moment === "before the node" && sends(asked))
        })
        const trade = (key: string) =>
          inTime(
            key,
            ask("/vaultTrade", {
              json: { apiKey, network, pool, from: "USDC", to: "WETH", amount: 1, idempotency_key: key }
            })
          )
        const keys = ["busy-1", "busy-2", "busy-3"]
        const answers = yield* Effect.forEach(keys, trade, { concurrency: "unbounded" })
        for (const [index, answer] of answers.entries()) {
          assert.strictEqual(answer.fields["status"], "pending", answer.text)
          isTrue(answer, yield* intentOf(keys[index]!), keys[index]!)
        }
        yield* release
      }),
    slow
  )

  it.effect("while the database is frozen: no write is said to be accepted or not", () =>
    Effect.gen(function*() {
      const { dataDir } = yield* Running
      const scene = sceneOf(yield* trader())
      const answers = yield* Effect.scoped(
        Effect.andThen(DatabaseFaults.frozen(dataDir), askAll(scene, "database"))
      )
      const writes = answers.filter(({ answer, facts }) => isWrite(facts) && answer.status !== 200)
      assert.isAbove(writes.length, 5)
      for (const { answer, facts } of writes) {
        assert.deepStrictEqual(
          [answer.status, answer.fields["status"]],
          [503, "unknown"],
          `${facts.name}: ${answer.text}`
        )
      }
    }), slow)
})
