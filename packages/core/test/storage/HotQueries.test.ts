import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address, Hash } from "../../src/chain/Address.ts"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { FinalCheckpointStore } from "../../src/gas-wallet/FinalCheckpointStore.ts"
import { Receipt } from "../../src/gas-wallet/Submission.ts"
import { SubmissionStore } from "../../src/gas-wallet/SubmissionStore.ts"
import type { NewIntent } from "../../src/intent/IntentInsert.ts"
import { Backlog } from "../../src/intent/Backlog.ts"
import { Failed } from "../../src/intent/Intent.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import { IntentSummaryStore } from "../../src/intent/IntentSummaryStore.ts"
import { RetentionStore } from "../../src/storage/RetentionStore.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import * as ScanStatistics from "./ScanStatistics.ts"

/** Timeout in milliseconds, for a machine under load. */
const slow = 240_000

const Stores = Layer.mergeAll(
  IntentStore.layer,
  IntentSummaryStore.layer,
  SubmissionStore.layer,
  FinalCheckpointStore.layer,
  RetentionStore.layer,
  Backlog.layer({ ofVault: 200, ofWallet: 2_000, ofService: 20_000 })
).pipe(Layer.provideMerge(ScanStatistics.SingleConnection), Layer.orDie)

const address = (n: number, digit = "0"): Address => `0x${n.toString(16).padStart(40, digit)}`
const busy = address(0)
const lane = { network: "base", wallet: address(1) } as const
const keyId = "00000000-0000-4000-8000-000000000000"

/**
 * Writes a history of 30,000 intents, half of them of one wallet, and 200 open ones: queued and signed, of two wallets.
 */
const history = [
  `insert into gas_wallets (address, ciphertext) select '0x'||lpad(to_hex(n), 40, '0'), 'c' from generate_series(0, 49) n`,
  `insert into api_keys (id, wallet, digest, last_four) values ('${keyId}', '${busy}', repeat('0', 64), 'abcd')`,
  `create temporary table past as select n, uuidv7((n - 30000) * interval '2 minutes') as id,
      '0x'||lpad(to_hex(case when n % 2 = 0 then 0 else n % 50 end), 40, '0') as wallet, '0x'||lpad(to_hex(n % 300), 40, 'a') as pool,
      case when n % 3000 = 0 then 'ethereum' when n % 10 = 0 then 'polygon' else 'base' end as network,
      now() + (n - 30000) * interval '2 minutes' as at
    from generate_series(1, 30000) n`,
  `insert into intents (id, wallet, key_id, endpoint, network, pool, request, status, step, plan, tx_hash, outcome,
    idempotency_key, created_at, updated_at)
    select id, wallet, '${keyId}', 'vaultTrade', network, pool, jsonb_build_object('note', repeat('r', 100)),
      'succeeded', 1, jsonb_build_object('note', repeat('p', 200)),
      '0x'||lpad(to_hex(n), 64, '0'), jsonb_build_object('note', repeat('o', 200)), 'key-'||n, at, at from past`,
  `insert into submissions (key, intent_id, network, wallet, to_address, data, value, reserve, status, nonce,
    receipt, created_at, updated_at)
    select id||'/1', id, network, wallet, pool, '0x'||repeat('ab', 300), 0, 0, 'final', n, '{}', at, at from past`,
  `insert into attempts (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
    select network, wallet, n, 0, id||'/1', '0x'||lpad(to_hex(n), 64, '0'), '0x'||repeat('cd', 300), 1, 1, 1 from past`,
  `insert into charges (intent_id, wallet, network, action, usd) select id, wallet, network, 'trade', 0.1 from past`,
  `insert into intents (id, wallet, key_id, endpoint, network, pool, request, status)
    select uuidv7(), '0x'||lpad(to_hex(1 + n % 2), 40, '0'), '${keyId}', 'vaultTrade', 'base',
      '0x'||lpad(to_hex(n % 10), 40, 'a'), '{}', 'submitted' from generate_series(1, 200) n`,
  `insert into submissions (key, intent_id, network, wallet, to_address, data, value, reserve, status, nonce)
    select id||'/1', id, network, wallet, pool, '0x', 0, 0, case when n % 4 < 2 then 'queued' else 'signed' end,
      case when n % 4 < 2 then null else 100000 + n end
    from (select *, row_number() over (order by id) as n from intents where status = 'submitted') as open`,
  `insert into attempts (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
    select network, wallet, nonce, 0, key, '0x'||lpad(to_hex(nonce), 64, 'f'), '0x00', 1, 1, 1 from submissions where status = 'signed'`,
  ...["intents", "submissions", "attempts", "charges"].map((table) => `vacuum analyze ${table}`)
]

const sequentialScans = ScanStatistics.of(["intents", "submissions", "attempts", "charges"])

/** Every query of the product on the ledger, by name. */
const questions = Effect.gen(function*() {
  const intents = yield* IntentStore
  const summaries = yield* IntentSummaryStore
  const submissions = yield* SubmissionStore
  const backlog = yield* Backlog
  const checkpoints = yield* FinalCheckpointStore
  const retention = yield* RetentionStore
  const sql = yield* SqlClient.SqlClient
  const page = { wallet: busy, network: undefined, pool: undefined, before: undefined, limit: 21 } as const
  const rare = address(7, "b")
  const request = TradeRequest.make({ from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })
  const intent: NewIntent = {
    wallet: busy,
    keyId,
    endpoint: "vaultTrade",
    network: "base",
    pool: address(5, "a"),
    request,
    idempotencyKey: "key-2"
  }
  const hash = (n: number): Hash => `0x${n.toString(16).padStart(64, "e")}`
  const receipt = (n: number) =>
    Receipt.make({
      transactionHash: hash(n),
      blockHash: hash(1),
      blockNumber: 1n,
      succeeded: true,
      gasUsed: 1n,
      effectiveGasPrice: 1n,
      logs: []
    })
  const queued = Effect.flatMap(submissions.listQueued(lane.network, lane.wallet), submissions.findAll)
  const open = Effect.map(
    sql<{ readonly id: string }>`select id from intents where status = 'submitted' limit 1`,
    ([row]) => row!.id
  )

  const list: Readonly<Record<string, Effect.Effect<unknown, unknown>>> = {
    openLanes: submissions.openLanes,
    queued: submissions.listQueued(lane.network, lane.wallet),
    unsettled: submissions.listUnsettled(lane.network, lane.wallet),
    inFlight: submissions.inFlight(lane.network, lane.wallet),
    sign: Effect.flatMap(queued, (batch) =>
      submissions.sign({
        ...lane,
        chainNonce: 0n,
        revision: 0,
        submissions: batch,
        sign: (numbered) =>
          Effect.succeed(
            numbered.map(({ nonce }) => ({
              raw: "0x00",
              hash: hash(Number(nonce)),
              gasLimit: 1n,
              maxFeePerGas: 1n,
              maxPriorityFeePerGas: 1n
            }))
          )
      })),
    mined: Effect.flatMap(
      submissions.listUnsettled(lane.network, lane.wallet),
      (rows) => submissions.recordMined(rows.map(({ key }, n) => ({ key, receipt: receipt(n) })))
    ),
    unmined: Effect.flatMap(
      submissions.listUnsettled(lane.network, lane.wallet),
      ([row]) => submissions.revertMined(row!.key, row!.receipt?.blockHash ?? hash(0))
    ),
    finalize: Effect.flatMap(
      submissions.listUnsettled(lane.network, lane.wallet),
      ([, row]) => submissions.finalize([{ key: row!.key, blockHash: row!.receipt?.blockHash ?? hash(0) }])
    ),
    unfinished: intents.unfinished({ of: "vault", network: "base", address: address(5, "a") }),
    "unfinished of a wallet": intents.unfinished({ of: "wallet", network: "base", address: busy }),
    placeOf: Effect.flatMap(open, intents.placeOf),
    requested: Effect.flatMap(open, (id) => submissions.findIntents([id])),
    "plans of what is signed": Effect.flatMap(queued, (batch) => submissions.findPlanned(batch.map(({ key }) => key))),
    "blocks of the newest final submissions": checkpoints.newestFinal("base", -1n, 1_000),
    distrust: submissions.distrust([hash(1)], ["nobody/1"]),
    findStale: intents.findStale(0),
    "recordPlan and findInProgress": Effect.flatMap(
      open,
      (id) => Effect.andThen(intents.recordPlan(id, { step: 2, plan: {} }), Effect.exit(intents.findInProgress(id)))
    ),
    finish: Effect.flatMap(
      open,
      (id) =>
        intents.finish(
          id,
          Failed.make({ txHash: null, failure: new ExecutionFailure({ errorType: "internal", message: "." }) }),
          Option.none()
        )
    ),
    accept: intents.accept({ ...intent, idempotencyKey: "a new one" }),
    "accept a trade that absorbs": intents.accept({ ...intent, idempotencyKey: null, absorbed: true }),
    "accept its twin": intents.accept({ ...intent, idempotencyKey: null, absorbed: true }),
    "a key that was used": Effect.exit(intents.findAccepted(intent)),
    backlog: backlog.within(intent, Effect.void),
    "getIntents, first page": Effect.exit(summaries.list(page)),
    "getIntents of a network where there is little": Effect.exit(summaries.list({ ...page, network: "ethereum" })),
    "getIntents of a network where there is nothing": Effect.exit(summaries.list({ ...page, network: "optimism" })),
    "getIntents of a vault where there is nothing": Effect.exit(summaries.list({ ...page, pool: rare })),
    "getIntents of a network and a vault": Effect.exit(
      summaries.list({ ...page, network: "ethereum", pool: address(0, "a") })
    ),
    "retention of submissions": retention.workingPapers(30, null),
    "retention of keys": retention.idempotencyKeys(null)
  }
  return list
})

layer(Stores, { timeout: slow, excludeTestServices: true })("the ledger with a long history", (it) => {
  it.effect("answers every query through an index", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(history, (statement) => sql.unsafe(statement), { discard: true })
      // The check itself first: a query without an index is noticed.
      yield* ScanStatistics.forget
      yield* sql`select count(*) from charges where usd > 1`
      assert.deepStrictEqual(yield* sequentialScans, [{ table: "charges", scans: 1 }])
      for (const [name, ask] of Object.entries(yield* questions)) {
        yield* ScanStatistics.forget
        yield* ask
        assert.deepStrictEqual(yield* sequentialScans, [], name)
      }
    }), slow)
})
