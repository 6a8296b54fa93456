/**
 * A funded wallet on a separate chain, its rows in a real database, and lanes that can be opened and closed over both.
 */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { LaneReconciliationStore } from "@vault-trader/core/gas-wallet/LaneReconciliationStore"
import { keyOf } from "@vault-trader/core/gas-wallet/Submission"
import { type NewSubmission, SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { WalletAlertStore } from "@vault-trader/core/gas-wallet/WalletAlertStore"
import * as TestDatabase from "@vault-trader/testing/harness/TestDatabase"
import type { Changes } from "@vault-trader/testing/test-chain/TestNetworkConfig"
import * as FaultyNode from "@vault-trader/testing/test-chain/FaultyNode"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { randomBytes, randomUUID } from "node:crypto"
import { keccak256 } from "viem"
import * as ChainClient from "../../src/chain/ChainClient.ts"
import * as JsonRpc from "../../src/chain/JsonRpc.ts"
import type { Call, RpcEndpoint } from "../../src/chain/RpcEndpoint.ts"
import { RpcRefused, RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import * as NonceLane from "../../src/gas-wallet/NonceLane.ts"
import { KeyLimitCheck } from "../../src/gas-wallet/KeyLimitCheck.ts"
import { Signer } from "../../src/gas-wallet/Signer.ts"
import { WalletAlerts } from "../../src/gas-wallet/WalletAlerts.ts"
import { SigningPolicy } from "../../src/gas-wallet/SigningPolicy.ts"
import { actions } from "../../src/ActionTable.ts"
import * as SubmissionMac from "../../src/gas-wallet/SubmissionMac.ts"
import { SigningRecord } from "../../src/gas-wallet/SigningRecord.ts"
import { AnyPolicy } from "./AnyPolicy.ts"

export const network = "optimism"
export const gwei = 1_000_000_000n
export const ether = 10n ** 18n
/** An account without code that accepts payments. */
export const receiver: Address = "0x00000000000000000000000000000000000000bb"

const plannerKey = Redacted.make("3b".repeat(32))
/** The MACs of the planner in the tests, for rows that a test inserts itself. */
export const macs = SubmissionMac.make(plannerKey)
/** The same for the stores of a test. */
export const Macs = SubmissionMac.layer(plannerKey)

export const Database = TestDatabase.layer({ maxConnections: 30 })

/** The services of a lane, under this signing policy; without log output. */
export const storesUnder = <R extends SubmissionStore | SqlClient.SqlClient>(
  policy: Layer.Layer<SigningPolicy, never, R>
) =>
  Layer.mergeAll(
    Signer.layer({ version: 1, key: Redacted.make("a1".repeat(32)) }).pipe(
      Layer.provide(GasWalletStore.layer),
      Layer.provideMerge(policy)
    ),
    KeyLimitCheck.layer(actions).pipe(Layer.provideMerge(KeyLimitStore.layer)),
    KillSwitch.layer,
    LaneQuarantineStore.layer,
    LaneReconciliationStore.layer,
    SigningRecord.memory,
    WalletAlerts.layer.pipe(Layer.provide(WalletAlertStore.layer)),
    Layer.succeed(References.MinimumLogLevel, "None")
  ).pipe(
    Layer.provideMerge(SubmissionStore.layer),
    Layer.provideMerge(Database),
    Layer.provide(Macs)
  )

/** The same under a policy that permits everything: most calls of the tests are not actions of this service. */
export const Stores = storesUnder(AnyPolicy)

/**
 * Polls every few milliseconds until the value is the expected one; a test that waits in vain dies with the last value.
 */
export const until = <A, E, R>(look: Effect.Effect<A, E, R>, reached: (seen: A) => boolean): Effect.Effect<A, E, R> => {
  let last: unknown
  const again: Effect.Effect<A, E, R> = Effect.flatMap(look, (seen) => {
    last = seen
    return reached(seen) ? Effect.succeed(seen) : Effect.andThen(Effect.sleep("5 millis"), again)
  })
  return Effect.timeoutOrElse(again, {
    duration: "3 minutes",
    orElse: () => Effect.die(new Error(`waited in vain, seen last: ${JSON.stringify(last, shown)}`))
  })
}

const shown = (_: string, part: unknown) => typeof part === "bigint" ? part.toString() : part

/** A signed attempt as stored in its row. */
export interface AttemptRow {
  readonly key: string
  readonly status: string
  readonly nonce: number
  readonly attempt: number
  readonly hash: Hash
  readonly raw: Hex
  readonly maxFee: string
  readonly tip: string
}

/** Bytes sent to a node, and the rows that other sessions of the database saw of them at that moment. */
export interface Sent {
  readonly raw: Hex
  readonly rows: ReadonlyArray<AttemptRow>
}

/** The wallet of a bench, and its private key. */
interface Made {
  readonly address: Address
  readonly privateKey: Redacted.Redacted<string>
}

/** Services of a lane that replace the test's. */
export interface OtherServices {
  readonly signer?: Signer["Service"]
  readonly policy?: SigningPolicy["Service"]
  readonly record?: SigningRecord["Service"]
  readonly store?: SubmissionStore["Service"]
}

/** `made`: the wallet, when it is not one that the signer creates. */
export const make = (changes: Changes = {}, balance = ether, made?: Made) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const signer = yield* Signer
    const store = yield* SubmissionStore
    const limits = yield* KeyLimitCheck
    const policy = yield* SigningPolicy
    const alerts = yield* WalletAlerts
    const quarantines = yield* LaneQuarantineStore
    const reconciliations = yield* LaneReconciliationStore
    const record = yield* SigningRecord
    const context = yield* Effect.context<SqlClient.SqlClient>()
    const { address: wallet, privateKey } = made ?? (yield* signer.create)
    const privateKeyHex: Hex = `0x${Redacted.value(privateKey)}`
    const keyId = randomUUID()
    yield* sql`insert into api_keys ${
      sql.insert({ id: keyId, wallet, digest: randomBytes(32).toString("hex"), last_four: "beef" })
    }`

    const chain = yield* TestChain.make({ network, baseFee: gwei, seed: wallet })
    yield* chain.setBalance(wallet, balance)
    const faults = yield* FaultyNode.make(chain, { seed: 1 })
    const settings: Changes = { blockPollMillis: 5, patienceMillis: 50, finalityDepth: 3, ...changes }
    const calls: Array<Call> = []
    const sends: Array<Sent> = []
    const signed: Array<bigint> = []
    let hold: Effect.Effect<void> = Effect.void

    const rows = (condition: Fragment) =>
      sql<AttemptRow>`select s.key, s.status, a.nonce::int as nonce, a.attempt, a.hash, a.raw,
        a.max_fee_per_gas::text as "maxFee", a.max_priority_fee_per_gas::text as tip
        from attempts a join submissions s on s.key = a.submission_key where ${condition} order by a.nonce, a.attempt`

    /** The rows as another session sees them: without uncommitted changes of the lane. */
    const witness = (raw: Hex) =>
      Effect.map(
        Effect.orDie(
          Effect.updateContext(rows(sql`a.hash = ${keccak256(raw)}`), (_: Context.Context<never>) => context)
        ),
        (found) => {
          sends.push({ raw, rows: found })
        }
      )

    const endpoint: RpcEndpoint = {
      name: "test-chain",
      score: () => ({ latency: 50, errors: 0, head: 0n }),
      send: (call) =>
        Effect.gen(function*() {
          calls.push(call)
          if (call.method === "eth_sendRawTransaction") {
            yield* witness(call.params[0] as Hex)
            yield* hold
          }
          return yield* faults.request(call.method, call.params)
        }).pipe(
          Effect.mapError((failure) =>
            failure._tag === "RpcRefused" ? new RpcRefused(failure) : new RpcUnavailable(failure)
          )
        )
    }

    /** The signer, and the nonces that were requested from it. */
    const noted = (nonces: ReadonlyArray<bigint>) => Effect.sync(() => signed.push(...nonces))
    const watched: Signer["Service"] = {
      ...signer,
      sign: (from, transactions) =>
        Effect.andThen(noted(transactions.map(({ nonce }) => nonce)), signer.sign(from, transactions)),
      replace: (from, raw, fees) =>
        Effect.flatMap(signer.read(from, raw), (earlier) =>
          Effect.andThen(
            noted(Option.toArray(earlier).map(({ transaction }) => transaction.nonce)),
            signer.replace(from, raw, fees)
          )),
      fill: (from, empty) => Effect.andThen(noted([empty.nonce]), signer.fill(from, empty))
    }

    const put = (call: Partial<NewSubmission> = {}) =>
      Effect.gen(function*() {
        const intentId = randomUUID()
        yield* sql`insert into intents (id, wallet, key_id, endpoint, network, pool, request)
          values (${intentId}, ${wallet}, ${keyId}, 'vaultTrade', ${network}, ${receiver}, '{}'::jsonb)`
        const key = keyOf(intentId, 0)
        yield* store.put({ key, intentId, network, wallet, to: receiver, data: "0x", value: 1n, reserve: 0n, ...call })
        return key
      })

    const openOver = (
      endpoints: ReadonlyArray<RpcEndpoint>,
      other: Changes = {},
      privateEndpoints: ReadonlyArray<RpcEndpoint> = [],
      services: OtherServices = {}
    ) =>
      Effect.flatMap(
        ChainClient.make(
          chain.book({ ...settings, ...other }),
          JsonRpc.overEndpoints(network, endpoints, privateEndpoints)
        ),
        (client) => NonceLane.open({ network, wallet, chain: client })
      ).pipe(
        Effect.provideService(Signer, services.signer ?? watched),
        Effect.provideService(SubmissionStore, services.store ?? store),
        Effect.provideService(KeyLimitCheck, limits),
        Effect.provideService(SigningPolicy, services.policy ?? policy),
        Effect.provideService(WalletAlerts, alerts),
        Effect.provideService(LaneQuarantineStore, quarantines),
        Effect.provideService(LaneReconciliationStore, reconciliations),
        Effect.provideService(SigningRecord, services.record ?? record)
      )
    const openWith = (other: Changes) => openOver([endpoint], other)

    return {
      wallet,
      privateKey: privateKeyHex,
      chain,
      faults,
      /** All calls of a node, in order. */
      calls,
      sends,
      /** Nonces requested from the signer. */
      signed,
      /** Nothing reaches the node before this has ended. */
      holdSends: (effect: Effect.Effect<void>) =>
        Effect.sync(() => {
          hold = effect
        }),
      /** A lane with a separate client, as in another process. */
      open: openWith({}),
      /** The endpoint that `open` uses; faults may be injected. */
      endpoint,
      /** As `open`, with these endpoints. */
      openOver,
      /** As `open`, over services other than the test's. */
      openAmong: (services: OtherServices) => openOver([endpoint], {}, [], services),
      /** The wallet's alerts in the webhook outbox, for a webhook that receives all of them. */
      alerts: Effect.map(
        sql<
          { readonly kind: string }
        >`select data ->> 'kind' as kind from webhook_events where type = 'wallet.alert' and wallet = ${wallet} order by created_at`,
        (rows) => rows.map(({ kind }) => kind)
      ),
      /** Sets a webhook of the wallet that receives alerts. */
      hearAlerts: Effect.asVoid(sql`insert into webhooks (id, wallet, url, events, ciphertext)
        values (${randomUUID()}, ${wallet}, 'https://hooks.example.com/', '["wallet.alert"]'::jsonb, 'c')`),
      /** As `open`, after an operator has changed the configuration. */
      openWith,
      /** Queues a call with a new intent. */
      put,
      /** Gives a row the MAC that its planner would give it as it is now: as if the planner had been deceived. */
      seal: (key: string) =>
        Effect.gen(function*() {
          const row = yield* Effect.flatMap(store.find(key), Effect.fromOption)
          yield* sql`update submissions set mac = ${macs.of(row)} where key = ${key}`
        }),
      /** Reads its row, which must exist. */
      row: (key: string) => Effect.flatMap(store.find(key), (found) => Effect.orDie(Effect.fromOption(found))),
      attempts: (key: string) => rows(sql`s.key = ${key}`),
      /** All of the wallet's. */
      allAttempts: rows(sql`a.wallet = ${wallet}`),
      intent: (key: string) =>
        Effect.map(
          sql<
            { readonly status: string; readonly txHash: string | null; readonly charges: number }
          >`select i.status, i.tx_hash as "txHash",
            (select count(*)::int from charges c where c.intent_id = i.id) as charges from intents i where i.id = ${key
            .split("/")[0]!}::uuid`,
          ([found]) => found!
        ),
      /** Writes what the intent's runner writes when its transaction is mined. */
      succeed: (key: string) =>
        Effect.gen(function*() {
          const id = key.split("/")[0]!
          yield* sql`update intents set status = 'succeeded', outcome = '{}'::jsonb where id = ${id}::uuid`
          yield* sql`insert into charges ${sql.insert({ intent_id: id, wallet, network, action: "trade", usd: "0.1" })}`
        }),
      /** A block every ten milliseconds. */
      mining: Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.delay(chain.mine(), "10 millis")))),
      /** Counts the calls of a method. */
      asked: (method: string) => Effect.sync(() => calls.filter((call) => call.method === method).length)
    }
  })
