/**
 * The engine over a real PostgreSQL, as a runner has it: stores, signer, lanes, and wallets whose intents it executes.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { Address } from "@vault-trader/core/chain/Address"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { LaneReconciliationStore } from "@vault-trader/core/gas-wallet/LaneReconciliationStore"
import { keyOf } from "@vault-trader/core/gas-wallet/Submission"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { WalletAlertStore } from "@vault-trader/core/gas-wallet/WalletAlertStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { PlannedStepStore } from "@vault-trader/core/intent/PlannedStepStore"
import { migrate } from "@vault-trader/core/storage/Migrations"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import { Chains } from "@vault-trader/workers/chain/Chains"
import { KeyLimitCheck } from "@vault-trader/workers/gas-wallet/KeyLimitCheck"
import * as NonceLane from "@vault-trader/workers/gas-wallet/NonceLane"
import { Signer } from "@vault-trader/workers/gas-wallet/Signer"
import { SigningPolicy } from "@vault-trader/workers/gas-wallet/SigningPolicy"
import { SigningRecord } from "@vault-trader/workers/gas-wallet/SigningRecord"
import * as SubmissionMac from "@vault-trader/workers/gas-wallet/SubmissionMac"
import { WalletAlerts } from "@vault-trader/workers/gas-wallet/WalletAlerts"
import { actions } from "@vault-trader/workers/ActionTable"
import * as BigDecimal from "effect/BigDecimal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import type { Scope } from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { randomBytes } from "node:crypto"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { type BenchNode, callNumber, type Counter } from "./BenchNode.ts"

/** As scripts/Database.ts gives a process. */
const connections = 16

/** A PostgreSQL server for the bench only. */
export const Postgres = Layer.unwrap(Effect.map(temporaryFolder, (dataDir) => EmbeddedPostgres.layer({ dataDir })))
  .pipe(Layer.orDie)

/** A separate database on that server, with all migrations applied. */
export const Database = (name: string) =>
  Layer.effectDiscard(migrate).pipe(
    Layer.provideMerge(Layer.unwrap(Effect.gen(function*() {
      const postgres = yield* EmbeddedPostgres
      yield* postgres.createDatabase(name)
      return PostgresClient.layer({ ...postgres.clientConfig(name), maxConnections: connections })
    }))),
    Layer.orDie
  )

const Stores = PlannedStepStore.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      GasWalletStore.layer,
      ApiKeyStore.layer,
      SubmissionStore.layer,
      IntentStore.layer,
      KeyLimitStore.layer,
      LaneQuarantineStore.layer,
      LaneReconciliationStore.layer
    )
  )
)

/** Permits everything: the bench calls a counter, which is not a platform's vault. */
const AnyPolicy = Layer.succeed(SigningPolicy, {
  review: (chain, from, submissions) =>
    Effect.succeed({
      forged: new Set(),
      permits: new Map(
        submissions.map(({ data, key, to, value }) => [key, { chainId: chain.book.chainId, from, to, data, value }])
      ),
      refusals: new Map()
    }),
  admits: () => true,
  isPayee: () => false
})

/** The engine's services over a database of this name, composed as a runner composes them. */
export const Engine = (name: string) =>
  Layer.mergeAll(
    Signer.layer({ version: 1, key: Redacted.make("a1".repeat(32)) }).pipe(Layer.provideMerge(AnyPolicy)),
    KeyLimitCheck.layer(actions),
    WalletAlerts.layer.pipe(Layer.provide(WalletAlertStore.layer)),
    // The record of a running service: its appends are part of what is measured.
    Layer.orDie(Layer.unwrap(Effect.map(temporaryFolder, (folder) => SigningRecord.layer(folder))))
  ).pipe(
    Layer.provideMerge(Stores),
    Layer.provideMerge(Database(name)),
    // As in a service: rows get MACs.
    Layer.provide(SubmissionMac.layer(Redacted.make("22".repeat(32)))),
    // As in a service without OTLP_URL.
    Layer.provideMerge(Layer.succeed(References.TracerEnabled, false))
  )

export type Engine =
  | Signer
  | SigningPolicy
  | KeyLimitCheck
  | LaneQuarantineStore
  | LaneReconciliationStore
  | SigningRecord
  | WalletAlerts
  | PlannedStepStore
  | KeyLimitStore
  | GasWalletStore
  | ApiKeyStore
  | SubmissionStore
  | IntentStore
  | SqlClient.SqlClient

/** A funded wallet on one network, its open lane, and the parameters of its intents. */
export interface Lane {
  readonly wallet: Address
  readonly keyId: string
  readonly node: BenchNode
  readonly lane: NonceLane.NonceLane
}

/** Opens lanes for this many wallets on each of the nodes: the same wallets on all of them, as a manager has them. */
export const lanes = (
  nodes: ReadonlyArray<BenchNode>,
  wallets: number,
  nonce = 0
): Effect.Effect<ReadonlyArray<Lane>, never, Engine | Scope> =>
  Effect.gen(function*() {
    const signer = yield* Signer
    const keys = yield* ApiKeyStore
    const chains = Context.get(
      yield* Layer.build(Chains.layer(nodes.map(({ book }) => book)).pipe(Layer.provide(NodeHttpClient.layerUndici))),
      Chains
    )
    const open = Effect.gen(function*() {
      const { address: wallet } = yield* signer.create
      const { keyId } = yield* keys.issue({ wallet, digest: randomBytes(32).toString("hex"), lastFour: "beef" })
      return yield* Effect.forEach(nodes, (node) =>
        Effect.gen(function*() {
          yield* node.fund(wallet, nonce)
          const chain = yield* chains.get(node.network)
          return { wallet, keyId, node, lane: yield* NonceLane.open({ network: node.network, wallet, chain }) }
        }))
    })
    return (yield* Effect.forEach(Array.from({ length: wallets }), () => open)).flat()
  }).pipe(Effect.orDie)

const amount = BigDecimal.fromStringUnsafe("1000")
const request = TradeRequest.make({ from: "USDC", to: "WETH", amount, slippage: 0.5, platform: "auto" })

/** A plan as large as that of a trade. */
const plan = {
  venue: "uniswapV3",
  route: ["uniswapV3 0.05%"],
  router: "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
  tokenIn: { address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", symbol: "USDC", decimals: 6 },
  tokenOut: { address: "0x4200000000000000000000000000000000000006", symbol: "WETH", decimals: 18 },
  amountIn: "1000000000",
  amountOut: "333000000000000000",
  minOut: "331000000000000000"
}

/** Commits an intent, as the server does when it accepts a request. Returns its id. */
const accept = ({ keyId, node, wallet }: Lane, { address }: Counter) =>
  Effect.map(
    Effect.flatMap(IntentStore, (intents) =>
      intents.accept({
        wallet,
        keyId,
        endpoint: "vaultTrade",
        network: node.network,
        pool: address,
        request,
        idempotencyKey: null
      })),
    ({ id }) => id
  )

/** Commits the plan of an intent, as a vault does. Returns the submission's key. */
const decide = ({ node, wallet }: Lane, { address }: Counter, id: string, index: number) =>
  Effect.gen(function*() {
    const plans = yield* PlannedStepStore
    const key = keyOf(id, 1)
    yield* plans.commit({
      step: 1,
      plan,
      vaults: [vaultId(node.network, address)],
      usd18: 0n,
      submission: {
        key,
        intentId: id,
        network: node.network,
        wallet,
        to: address,
        data: callNumber(index),
        value: 0n,
        reserve: 0n
      }
    })
    return key
  })

/** A burst: this many intents, distributed over the lanes in turn. */
export interface Burst {
  readonly lanes: ReadonlyArray<Lane>
  /** One counter per node. */
  readonly counters: ReadonlyMap<BenchNode, Counter>
  readonly count: number
}

/** Runs work for every intent. A failure is a defect: a burst that is not fully executed has no rate. */
const each = <A, E, R>(
  { count, counters, lanes }: Burst,
  work: (lane: Lane, counter: Counter, index: number) => Effect.Effect<A, E, R>
) =>
  Effect.orDie(Effect.forEach(Array.from({ length: count }, (_, index) => index), (index) => {
    const lane = lanes[index % lanes.length]
    const counter = lane === undefined ? undefined : counters.get(lane.node)
    return lane === undefined || counter === undefined
      ? Effect.die(new Error("a burst without a lane"))
      : work(lane, counter, index)
  }, { concurrency: "unbounded" }))

const submitted = (lane: Lane, key: string) =>
  Effect.flatMap(
    lane.lane.submit(key),
    (settled) => settled._tag === "Mined" ? Effect.void : Effect.die(new Error(`${key} ended as ${settled._tag}`))
  ).pipe(Effect.orDie)

/** Accepts, plans and executes each intent, all of them at once. */
export const fromIntents = (burst: Burst) =>
  Effect.asVoid(each(burst, (lane, counter, index) =>
    Effect.gen(function*() {
      const id = yield* accept(lane, counter)
      yield* submitted(lane, yield* decide(lane, counter, id, index))
    })))

/** The same in three steps, each for all intents before the next begins, so that each can be measured alone. */
export const accepted = (burst: Burst) =>
  each(burst, (lane, counter, index) => Effect.map(accept(lane, counter), (id) => ({ lane, counter, index, id })))

export const decided = (intents: Effect.Success<ReturnType<typeof accepted>>) =>
  Effect.orDie(
    Effect.forEach(intents, ({ counter, id, index, lane }) =>
      Effect.map(decide(lane, counter, id, index), (key) => ({ lane, key })), { concurrency: "unbounded" })
  )

export const carriedOut = (rows: Effect.Success<ReturnType<typeof decided>>) =>
  Effect.forEach(rows, ({ key, lane }) => submitted(lane, key), { concurrency: "unbounded", discard: true })

/** Waits until nothing is in progress: a lane's writes after a round must not count in the next one. */
export const quiet = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    sql<
      { readonly open: number }
    >`select count(*)::int as open from submissions where status in ('queued', 'signed', 'mined')`.pipe(
      Effect.delay("50 millis"),
      Effect.repeat({ while: ([row]) => row?.open !== 0 }),
      Effect.timeout("60 seconds"),
      Effect.orDie
    )
)
