import { assert, layer } from "@effect/vitest"
import { executionCodes, type ErrorType } from "@vault-trader/core/failure/Failure"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import * as Answers from "@vault-trader/testing/harness/Answers"
import { type Answer, type Fields, ledger, rows, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import { programFile } from "@vault-trader/testing/harness/ServiceProcess"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { RpcProxy } from "@vault-trader/testing/harness/RpcProxy"
import { until } from "@vault-trader/testing/harness/Until"

/** Milliseconds a test may take on a machine with other load. */
const slow = 240_000
const network = "base"
const openOfVault = 3
const openOfWallet = 4

const proxied = running({
  env: {
    WAIT_SECONDS: "2",
    RPC_TIMEOUT_MS: "1000",
    MAX_OPEN_PER_VAULT: String(openOfVault),
    MAX_OPEN_PER_WALLET: String(openOfWallet)
  },
  books: (books) => Effect.map(RpcProxy, ({ inFront }) => inFront(books))
}).pipe(Layer.provideMerge(RpcProxy.layer))

const failedAs = ({ body, status, text }: Answer, errorType: ErrorType, saying: RegExp) => {
  assert.deepStrictEqual([status, body["status"], body["status_code"]], [400, "fail", executionCodes[errorType]], text)
  assert.match(String(body["message"]), saying)
}
const pending = ({ fields, text }: Answer): string => {
  assert.strictEqual(fields["status"], "pending", text)
  return String(fields["intent_id"])
}

interface Trader {
  readonly apiKey: string
  readonly pool: Address
}
let last = 0
/** A trade with a unique amount. */
const trade = ({ apiKey, pool }: Trader, query: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(Running, ({ ask }) => {
    last += 1
    return ask("/vaultTrade", {
      query: { apiKey, network, pool, from: "USDC", to: "DAI", amount: `1.${String(last).padStart(4, "0")}`, ...query }
    })
  })

/** Waits for the outcome of an intent. */
const ended = ({ apiKey }: Trader, id: string) => Effect.flatMap(Running, ({ ask }) => Answers.ended(ask, apiKey, id))

/** Waits for the signature of an intent's transaction. */
const untilSigned = (id: string) =>
  until(
    "a signature",
    Effect.map(rows(`select 1 from attempts where submission_key like '${id}/%'`), (found) => found[0])
  )

/** A trade that must end as stopped by the switch, however long the machine takes. */
const stopped = (mine: Trader, saying: RegExp) =>
  Effect.gen(function*() {
    const answer = yield* trade(mine)
    if (answer.fields["status"] !== "pending") return failedAs(answer, "paused", saying)
    const { message, status_code } = (yield* ended(mine, pending(answer)))["failure"] as Fields
    assert.strictEqual(status_code, executionCodes.paused, answer.text)
    assert.match(String(message), saying)
  })

/** A trade that must succeed, however long the machine takes. */
const traded = (mine: Trader) =>
  Effect.gen(function*() {
    const { fields, text } = yield* trade(mine)
    const end = fields["status"] === "pending" ? yield* ended(mine, String(fields["intent_id"])) : fields
    assert.strictEqual(end["status"], "success", text)
  })

const appoint = (pool: Address, address: Address) =>
  Effect.flatMap(Devnet, (devnet) => Effect.orDie(devnet.setTrader({ network, pool, trader: address })))

/** All read-only requests. */
const reads = ({ apiKey, pool }: Trader) =>
  Effect.flatMap(Running, ({ ask }) =>
    Effect.all({
      balance: ask("/getGasBalance", { query: { apiKey, network } }),
      composition: ask("/poolComposition", { query: { apiKey, network, pool } }),
      intents: ask("/getIntents", { query: { apiKey } }),
      introspection: ask("/llmIntrospect")
    }, { concurrency: "unbounded" }))

/** Transactions are signed but do not reach the node. */
const nothingIsSent = Effect.flatMap(
  RpcProxy,
  ({ decide }) => decide((methods) => methods.includes("eth_sendRawTransaction") ? "lose" : "forward")
)
const nodesAreBack = Effect.flatMap(RpcProxy, ({ decide }) => decide(() => "forward"))

/** Runs `npm run switch` on the running service's data directory. */
const killSwitch = (...args: ReadonlyArray<string>) =>
  Effect.flatMap(Running, ({ dataDir }) =>
    Effect.promise(async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [programFile, "switch", ...args], {
        env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir }
      })
      return stdout.trim()
    }))

layer(proxied, { timeout: slow, excludeTestServices: true })("a bad situation answers clearly", (it) => {
  it.effect(
    "full: excess requests are answered as busy before anything is accepted, and there is room again when one has ended",
    () =>
      Effect.gen(function*() {
        const mine = yield* trader()
        yield* nothingIsSent
        const first = yield* trade(mine, { idempotency_key: "full", amount: "1" })
        const ids = [pending(first)]
        for (let n = 1; n < openOfVault; n++) ids.push(pending(yield* trade(mine)))
        yield* untilSigned(pending(first))
        const before = yield* ledger
        const tooMuch = yield* Effect.all(Array.from({ length: 10 }, () => trade(mine)), { concurrency: "unbounded" })
        for (const answer of tooMuch) {
          failedAs(answer, "busy", /^This vault has 3 requests of this wallet open.*Nothing was accepted/)
        }
        assert.deepStrictEqual(yield* ledger, before)
        // A repeat of an accepted request is answered all the same.
        assert.strictEqual(pending(yield* trade(mine, { idempotency_key: "full", amount: "1" })), ids[0])
        failedAs(yield* trade(mine, { idempotency_key: "another", amount: "1" }), "busy", /Nothing was accepted/)

        // The wallet's other vault has room, until the wallet has none.
        const other = { ...mine, pool: yield* OnChain.createVault(network, 100n) }
        yield* appoint(other.pool, mine.address)
        ids.push(pending(yield* trade(other)))
        failedAs(yield* trade(other), "busy", /^This wallet has 4 requests open.*Nothing was accepted/)
        for (const answer of Object.values(yield* reads(mine))) {
          Answers.succeeded(answer)
        }

        yield* nodesAreBack
        for (const id of ids) assert.strictEqual((yield* ended(mine, id))["status"], "success")
        assert.strictEqual(yield* OnChain.transactionCount(network, mine.address), openOfWallet)
        yield* traded(mine)
      }),
    slow
  )

  it.effect(
    "full: of many that come at once no more are accepted than there is room for",
    () =>
      Effect.gen(function*() {
        const mine = yield* trader()
        yield* nothingIsSent
        const answers = yield* Effect.all(Array.from({ length: 20 }, () => trade(mine)), { concurrency: "unbounded" })
        const [row] = yield* rows(`select count(*)::int as many from intents where wallet = '${mine.address}'`)
        const accepted = answers.filter(({ fields }) => fields["status"] === "pending")
        assert.strictEqual(row!["many"], accepted.length)
        assert.isTrue(accepted.length >= 1 && accepted.length <= openOfVault, `${accepted.length} accepted`)
        for (const answer of answers.filter((each) => !accepted.includes(each))) {
          failedAs(answer, "busy", /Nothing was accepted/)
        }
        yield* nodesAreBack
        for (const answer of accepted) {
          assert.strictEqual((yield* ended(mine, pending(answer)))["status"], "success")
        }
        assert.strictEqual(yield* OnChain.transactionCount(network, mine.address), accepted.length)
      }),
    slow
  )

  it.effect(
    "no node: what is accepted waits and completes once they are back, new writes and reads get 2020 and change nothing",
    () =>
      Effect.gen(function*() {
        const mine = yield* trader()
        const proxy = yield* RpcProxy
        // One is signed and not sent, one waits behind it; from then on nothing reaches the node.
        yield* nothingIsSent
        const signed = pending(yield* trade(mine))
        const ids = [signed, pending(yield* trade(mine))]
        yield* untilSigned(signed)
        yield* proxy.decide(() => "lose")
        const before = yield* ledger
        const { balance, composition, intents, introspection } = yield* reads(mine)
        failedAs(balance, "rpc_unavailable", /Nothing was sent/)
        failedAs(composition, "rpc_unavailable", /Nothing was sent/)
        Answers.succeeded(intents)
        Answers.succeeded(introspection)
        failedAs(yield* trade(mine), "rpc_unavailable", /Nothing was sent/)
        assert.deepStrictEqual(yield* ledger, before)
        // Long enough for several rounds of every retry.
        yield* until(
          "the wait to go on",
          Effect.map(
            rows(
              `select 1 from intents where id = '${
                ids[0]
              }' and status = 'submitted' and updated_at < now() - interval '25 seconds'`
            ),
            (found) => found[0]
          )
        )
        assert.deepStrictEqual(yield* ledger, before)
        yield* nodesAreBack
        for (const id of ids) assert.strictEqual((yield* ended(mine, id))["status"], "success")
        yield* traded(mine)
        assert.strictEqual(yield* OnChain.transactionCount(network, mine.address), ids.length + 1)
      }),
    slow
  )

  it.effect(
    "stopped by the switch: nothing more is signed, accepted before or not, everything else answers, and it " +
      "continues when the switch is off",
    () =>
      Effect.gen(function*() {
        const mine = yield* trader()
        const proxy = yield* RpcProxy
        // Signed before the switch: it continues. Behind it on the same vault, accepted and not signed: it does not.
        yield* nothingIsSent
        const signed = pending(yield* trade(mine))
        const behind = pending(yield* trade(mine))
        yield* untilSigned(signed)
        assert.strictEqual(yield* killSwitch("pause", "service", "a", "test"), "Signing is stopped for service.")
        assert.strictEqual(yield* killSwitch("list"), "service: a test")
        yield* nodesAreBack
        assert.strictEqual((yield* ended(mine, signed))["status"], "success")
        const refused = yield* ended(mine, behind)
        assert.strictEqual((refused["failure"] as Fields)["status_code"], executionCodes.paused)

        yield* proxy.forget
        yield* stopped(mine, /the whole service \(a test\)\. Nothing was sent/)
        yield* stopped(yield* trader(), /the whole service/)
        for (const answer of Object.values(yield* reads(mine))) Answers.succeeded(answer)
        assert.notInclude(yield* proxy.methods, "eth_sendRawTransaction")
        assert.strictEqual(yield* OnChain.transactionCount(network, mine.address), 1)
        assert.strictEqual(yield* killSwitch("resume", "service"), "Signing resumes for service.")
        const again = yield* trader()
        yield* traded(again)

        yield* killSwitch("pause", again.address)
        yield* stopped(again, /this wallet/)
        assert.strictEqual(yield* OnChain.transactionCount(network, again.address), 1)
        const third = yield* trader()
        yield* traded(third)
        yield* killSwitch("resume", again.address)
        yield* appoint(again.pool, again.address)
        yield* traded(again)
        assert.strictEqual(yield* killSwitch("list"), "Nothing is stopped.")
      }),
    slow
  )
})
