import { assert, layer } from "@effect/vitest"
import { endpoints } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Answers from "@vault-trader/testing/harness/Answers"
import {
  type Answer,
  type Fields,
  ledger,
  rows,
  Running,
  running,
  trader,
  wallet
} from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { RpcHold, sends } from "@vault-trader/testing/harness/RpcHold"
import { until } from "@vault-trader/testing/harness/Until"

/** Milliseconds a test may take on a machine with other load. */
const slow = 240_000
const network = "base"
const openOfVault = 2

const held = running({
  env: { WAIT_SECONDS: "10", RPC_TIMEOUT_MS: "1000", MAX_OPEN_PER_VAULT: String(openOfVault) },
  books: (books) => Effect.map(RpcHold, ({ inFront }) => inFront("service", books))
}).pipe(Layer.provideMerge(RpcHold.layer))

/** The node answers nothing from now on, until the scope closes. */
const nodeHangs = Effect.flatMap(
  RpcHold,
  ({ hold }) => hold({ network, when: (_, moment) => Effect.succeed(moment === "before the node") })
)
/** The node accepts no transaction from now on, until the scope closes or `release`. */
const nothingIsSent = Effect.flatMap(
  RpcHold,
  ({ hold }) => hold({ network, when: (asked, moment) => Effect.succeed(moment === "before the node" && sends(asked)) })
)

let last = 0
/** A trader, and its trades that are requested under a key. */
const scene = Effect.gen(function*() {
  const { ask } = yield* Running
  const mine = yield* trader()
  const trade = (key: string, more: Fields = {}) =>
    ask("/vaultTrade", {
      json: { apiKey: mine.apiKey, network, pool: mine.pool, from: "USDC", to: "DAI", amount: "1", ...more },
      headers: { "idempotency-key": key }
    })
  last += 1
  const key = `executed-${last}`
  const first = Answers.succeeded(yield* trade(key))
  /** Asserts that a repeat gets the answer of the first request, and that nothing more happens. */
  const repeats = Effect.gen(function*() {
    const before = yield* ledger
    const { fields, status, text } = yield* trade(key)
    assert.deepStrictEqual([status, fields], [200, first], text)
    assert.deepStrictEqual(yield* ledger, before)
    assert.strictEqual(yield* OnChain.transactionCount(network, mine.address), 1)
  })
  return { ...mine, ask, first, key, repeats, trade }
})

const failedAs = ({ fields, text }: Answer, code: string) =>
  assert.deepStrictEqual([fields["status"], fields["status_code"]], ["fail", code], text)

/** A request of this endpoint with its parameters' examples. */
const exampleOf = ({ params }: EndpointFacts): Fields =>
  Object.fromEntries(
    params.filter(({ name, required }) =>
      required || ["amount", "side", "execute", "share", "usd", "oid"].includes(name)
    ).map(({ info, name }) => [name, info.example])
  )

layer(held, { timeout: slow, excludeTestServices: true })(
  "a repeat of an executed write is answered from the ledger",
  (it) => {
    it.effect("while its node hangs, where a new write gets 2020", () =>
      Effect.gen(function*() {
        const { key, repeats, trade } = yield* scene
        yield* nodeHangs
        yield* repeats
        // Another request with the key is refused as usual, without reading the chain.
        Answers.refused(yield* trade(key, { amount: "2" }), "1010", /was used for another request/)
        failedAs(yield* trade("new"), "2020")
      }).pipe(Effect.scoped), slow)

    it.effect("after the vault's trader was changed, where a new write gets 1006", () =>
      Effect.gen(function*() {
        const { pool, repeats, trade } = yield* scene
        const other = yield* wallet
        const devnet = yield* Devnet
        yield* Effect.orDie(devnet.setTrader({ network, pool, trader: other.address }))
        yield* until(
          "the change to be seen",
          Effect.map(trade("new"), ({ fields }) => fields["status_code"] === "1006" ? true as const : undefined)
        )
        yield* repeats
      }), slow)

    it.effect("while the maximum of requests is open, where a new write gets 2021", () =>
      Effect.gen(function*() {
        const { address, repeats, trade } = yield* scene
        const { release } = yield* nothingIsSent
        // One after the other: of two at the same moment the second may find the first both among the open ones and
        // still in flight.
        const open = yield* Effect.forEach(["a", "b"], (each) => trade(`${address}-${each}`))
        for (const { fields, text } of open) assert.strictEqual(fields["status"], "pending", text)
        failedAs(yield* trade("new"), "2021")
        yield* repeats
        yield* release
        yield* until(
          "the open ones to end",
          Effect.map(
            rows(`select 1 from intents where wallet = '${address}' and status in ('accepted', 'submitted')`),
            (found) => found.length === 0 ? true as const : undefined
          )
        )
      }).pipe(Effect.scoped), slow)

    it.effect("with its key's limits lowered, where a new write gets 2013", () =>
      Effect.gen(function*() {
        const { address, repeats, trade } = yield* scene
        yield* rows(`insert into key_limits (wallet, read_only) values ('${address}', true)`)
        failedAs(yield* trade("new"), "2013")
        yield* repeats
      }), slow)

    it.effect("also when it failed: with the same failure, while its node hangs", () =>
      Effect.gen(function*() {
        const { trade } = yield* scene
        const first = yield* trade("too-much", { amount: "1000000000" })
        failedAs(first, "2002")
        assert.match(String(first.fields["intent_id"]), /^[0-9a-f-]{36}$/)
        yield* nodeHangs
        const again = yield* trade("too-much", { amount: "1000000000" })
        assert.deepStrictEqual([again.status, again.body], [first.status, first.body])
      }).pipe(Effect.scoped), slow)

    it.effect("also a bot's setting, and a charge", () =>
      Effect.gen(function*() {
        const { address, apiKey, ask, pool } = yield* scene
        const setting = (more: Fields = {}) =>
          ask("/setBot", {
            json: { apiKey, network, pool, pair: "WETH-USDC", side: "hold", idempotency_key: `${address}-bot`, ...more }
          })
        const charge = ask("/api/cex/chargeFee", { json: { apiKey, network, idempotency_key: `${address}-charge` } })
        const set = Answers.succeeded(yield* setting())
        const charged = Answers.succeeded(yield* charge)
        yield* rows(`insert into key_limits (wallet, read_only) values ('${address}', true)`)
        yield* nodeHangs
        const before = yield* ledger
        assert.strictEqual(Answers.succeeded(yield* setting())["intent_id"], set["intent_id"])
        Answers.refused(yield* setting({ side: "long" }), "1010", /was used for another request/)
        assert.strictEqual(Answers.succeeded(yield* setting({ pair: "ETH/USD" }))["intent_id"], set["intent_id"])
        const again = Answers.succeeded(yield* charge)
        assert.deepStrictEqual([again["charge_id"], again["already_charged"]], [charged["charge_id"], true])
        assert.deepStrictEqual(yield* ledger, before)
      }).pipe(Effect.scoped), slow)

    for (
      const facts of endpoints.filter((each) =>
        each.class === "movesFunds" && each.access === "apiKey" && each.charge !== "exchangeTrade"
      )
    ) {
      it.effect(`never by doing anything: ${facts.name} under another request's key`, () =>
        Effect.gen(function*() {
          const { ask } = yield* Running
          // A wallet without trades: a handler that ignored the key would be stopped only by the chain.
          const { address, apiKey } = yield* wallet
          yield* rows(
            `insert into idempotency_keys (wallet, key, id) values ('${address}', 'taken', gen_random_uuid())`
          )
          const before = yield* ledger
          const key = facts.params.some(({ name }) => name === "gas_wallet_api_key") ? "gas_wallet_api_key" : "apiKey"
          const answer = yield* ask(facts.paths[0]!, {
            json: { ...exampleOf(facts), network, [key]: apiKey, execute: true, idempotency_key: "taken" }
          })
          assert.strictEqual(answer.fields["status"], "fail", answer.text)
          assert.match(String(answer.fields["message"]), /^idempotency_key: was/, answer.text)
          assert.deepStrictEqual(yield* ledger, before)
        }), slow)
    }
  }
)
