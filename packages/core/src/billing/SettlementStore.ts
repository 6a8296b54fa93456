/**
 * Settlements: each is one payment from a wallet to the treasury for many of its charges on a network. Claiming the
 * charges, creating the settlement and queueing its submission are one database transaction. The outcome is read from
 * the submission's row, so that no crash can pay for a charge twice. Only charges that no reorg can undo are claimed.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { settlementKey } from "../gas-wallet/Submission.ts"
import { SubmissionMac, type SubmissionMacs } from "../gas-wallet/SubmissionMac.ts"
import * as Uuid from "../storage/Uuid.ts"

/** A lane that has charges to settle. */
export const Due = Schema.Struct({
  network: Network,
  wallet: Address,
  /** The sum of those charges, native smallest units. */
  nativeWei: Schema.BigIntFromString
}).annotate({ identifier: "Due" })
export type Due = typeof Due.Type

/** A settlement in progress. */
export interface Open {
  readonly key: string
  readonly network: Network
  readonly wallet: Address
}

/** The outcome of a settlement. */
interface Ended {
  readonly network: Network
  readonly wallet: Address
  readonly status: "paid" | "released"
  readonly usd: number
}

/** The required content of a settlement's transaction, according to the rows. */
export const Terms = Schema.Struct({
  key: Schema.String,
  network: Network,
  wallet: Address,
  treasury: Address,
  /** The sum of its charges, native smallest units. */
  nativeWei: Schema.BigIntFromString
}).annotate({ identifier: "Terms" })
export type Terms = typeof Terms.Type

/** A charge, or a correction of one, that a payment may cover. */
const Claimable = Schema.Struct({ id: Schema.String, nativeWei: Schema.BigIntFromString })
type Claimable = typeof Claimable.Type

const Dues = Schema.decodeUnknownEffect(Schema.Array(Due))
const AllTerms = Schema.decodeUnknownEffect(Schema.Array(Terms))
const Claims = Schema.decodeUnknownEffect(
  Schema.Array(Claimable)
)
const Owed = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ wei: Schema.BigIntFromString })]))

/** The maximum number of charges, and of credits, per settlement; the next settlement takes the rest. */
const maxCharges = 500

/** True when all submissions of the charge's intent have ended, so that no reorg can undo it. */
const isFinal = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `not exists (select 1 from submissions s where s.intent_id = coalesce(c.intent_id, c.corrects) ` +
      `and s.status in ('queued', 'signed', 'mined'))`
  )

/** Locks the oldest charges, or negative corrections, of a lane that can be claimed. */
const lockClaimable = (sql: SqlClient.SqlClient, network: Network, wallet: Address, sign: "charges" | "credits") =>
  Effect.flatMap(
    sql`select c.id::text as id, c.native_wei::text as "nativeWei" from charges c
      where c.network = ${network} and c.wallet = ${wallet}
      and c.settlement_id is null and c.native_wei ${sql.literal(sign === "credits" ? "< 0" : ">= 0")}
      and ${isFinal(sql)} order by c.created_at, c.id limit ${maxCharges} for update skip locked`,
    (rows) => Effect.orDie(Claims(rows))
  )

const sumOf = (claims: ReadonlyArray<Claimable>) => claims.reduce((sum, { nativeWei }) => sum + nativeWei, 0n)

/** Selects credits that leave something to pay, and charges up to the affordable sum. Returns an empty list otherwise. */
const select = (
  charges: ReadonlyArray<Claimable>,
  credits: ReadonlyArray<Claimable>,
  affordable: bigint
): ReadonlyArray<Claimable> => {
  let left = sumOf(charges)
  const isAll = charges.length < maxCharges && credits.length < maxCharges
  if (isAll && left + sumOf(credits) <= 0n) return []
  const credited = credits.filter(({ nativeWei }) => {
    if (left + nativeWei <= 0n) return false
    left += nativeWei
    return true
  })
  let sum = sumOf(credited)
  const charged = charges.filter(({ nativeWei }) => {
    if (sum + nativeWei > affordable) return false
    sum += nativeWei
    return true
  })
  return sum > 0n ? [...credited, ...charged] : []
}

const settlementReads = (
  sql: SqlClient.SqlClient
): Pick<SettlementStore["Service"], "due" | "open" | "terms" | "amountOwed"> => ({
  due: ({ aboveUsd, networks }) =>
    networks.length === 0 ? Effect.succeed([]) : Effect.flatMap(
      sql`select d.network, d.wallet, d.wei::text as "nativeWei" from (
          select c.network, c.wallet, sum(c.native_wei) as wei, sum(c.usd) as usd from charges c
          where c.settlement_id is null
            and c.native_wei is not null and c.network in ${sql.in(networks)} and ${
        isFinal(sql)
      } group by c.network, c.wallet) d
        left join lateral (select count(*) as times, max(r.ended_at) as last from settlements r
        where r.network = d.network and r.wallet = d.wallet
          and r.status = 'released' and r.ended_at > now() - interval '6 hours') r on true
        where d.wei > 0 and d.usd >= ${aboveUsd}
          and (r.last is null or r.last < now() - make_interval(mins => power(2, least(r.times, 6))::int))
          and not exists (select 1 from settlements o
          where o.network = d.network and o.wallet = d.wallet and o.status = 'open')`,
      (rows) => Effect.orDie(Dues(rows))
    ),
  open: sql<
    Open
  >`select 'settlement/' || id as key, network, wallet from settlements where status = 'open' order by id`,
  terms: (keys) =>
    keys.length === 0 ? Effect.succeed([]) : Effect.flatMap(
      sql`select 'settlement/' || t.id as key, t.network, t.wallet, t.treasury,
          (select coalesce(sum(c.native_wei), 0) from charges c where c.settlement_id = t.id)::text as "nativeWei"
        from settlements t where t.status = 'open' and 'settlement/' || t.id in ${sql.in(keys)}`,
      (rows) => Effect.orDie(AllTerms(rows))
    ),
  amountOwed: (network, wallet) =>
    Effect.map(
      Effect.flatMap(
        sql`select greatest(0, (select coalesce(sum(native_wei), 0) from charges
          where network = ${network} and wallet = ${wallet} and settlement_id is null)
          + (select coalesce(sum(t.native_wei), 0) from settlements t
          join submissions s on s.key = 'settlement/' || t.id
            where t.network = ${network} and t.wallet = ${wallet} and t.status = 'open'
            and s.status = 'queued'))::text as wei`,
        (rows) => Effect.orDie(Owed(rows))
      ),
      ([{ wei }]) => wei
    )
})

const makeClaim =
  (sql: SqlClient.SqlClient, macs: SubmissionMacs): SettlementStore["Service"]["claim"] =>
  ({ affordable, network, treasury, wallet }) =>
    sql.withTransaction(Effect.gen(function*() {
      // After a runner is lost, two settlement jobs can run briefly at the same time: the second waits here and
      // finds the first one's row.
      yield* sql`select pg_advisory_xact_lock(hashtextextended(${`settlements/${network}/${wallet}`}, 0))`
      const open =
        yield* sql`select id from settlements where network = ${network} and wallet = ${wallet} and status = 'open'`
      if (open.length > 0) return Option.none()
      const [locked, credits] = [
        yield* lockClaimable(sql, network, wallet, "charges"),
        yield* lockClaimable(sql, network, wallet, "credits")
      ]
      const claims = select(locked, credits, affordable)
      if (claims.length === 0) return Option.none()
      const sum = sumOf(claims)
      const id = yield* Uuid.v7
      const charges = JSON.stringify(claims.map(({ id }) => id))
      yield* sql`insert into settlements (id, network, wallet, treasury, native_wei, usd, charges)
      select ${id}::uuid, ${network}, ${wallet}, ${treasury}, sum(native_wei), sum(usd), count(*) from charges
      where id in (select jsonb_array_elements_text(${charges}::jsonb)::uuid)`
      yield* sql`update charges set settlement_id = ${id}::uuid
      where id in (select jsonb_array_elements_text(${charges}::jsonb)::uuid)`
      const key = settlementKey(id)
      yield* sql`insert into submissions ${
        sql.insert({
          ...{ key, network, wallet, to_address: treasury, data: "0x", value: sum.toString(), reserve: "0" },
          mac: macs.of({
            ...{ key, intentId: null, network, wallet, to: treasury, data: "0x", value: sum, reserve: 0n }
          })
        })
      }`
      return Option.some({ key, network, wallet })
    }))

export class SettlementStore extends Context.Service<SettlementStore, {
  /**
   * Lists the lanes of these networks whose final, converted and unsettled charges total `aboveUsd` or more. Lanes with
   * an open settlement are skipped, and so are, for a growing delay, lanes whose recent settlements were released.
   */
  readonly due: (
    query: { readonly networks: ReadonlyArray<Network>; readonly aboveUsd: number }
  ) => Effect.Effect<ReadonlyArray<Due>, SqlError>
  /**
   * Claims a lane's oldest charges, up to a total of `affordable` (native smallest units), and queues their payment.
   * None when there is nothing to claim.
   */
  readonly claim: (lane: {
    readonly network: Network
    readonly wallet: Address
    readonly treasury: Address
    readonly affordable: bigint
  }) => Effect.Effect<Option.Option<Open>, SqlError>
  /** Lists the open settlements. */
  readonly open: Effect.Effect<ReadonlyArray<Open>, SqlError>
  /**
   * Closes the open settlements whose submission has ended: either paid, or released with their charges. Safe to
   * repeat.
   */
  readonly conclude: Effect.Effect<ReadonlyArray<Ended>, SqlError>
  /** Returns the terms of these submissions, without those that belong to no open settlement. */
  readonly terms: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Terms>, SqlError>
  /**
   * Returns the amount a wallet must keep on a network for charges that no signed transaction pays yet, native smallest
   * units.
   */
  readonly amountOwed: (network: Network, wallet: Address) => Effect.Effect<bigint, SqlError>
}>()("vault-trader/core/billing/SettlementStore") {
  static readonly make: Effect.Effect<SettlementStore["Service"], never, SqlClient.SqlClient> = Effect.map(
    Effect.all([SqlClient.SqlClient, SubmissionMac]),
    ([sql, macs]) => ({
      ...settlementReads(sql),
      claim: makeClaim(sql, macs),
      conclude: sql<Ended>`with over as (
          -- The receipt of a cancelled payment is that of its cancellation, which pays nothing.
          select t.id, case when s.status = 'final' and s.cancelled is null and (s.receipt ->> 'succeeded')::boolean
          then 'paid' else 'released' end as how,
            s.receipt ->> 'transactionHash' as hash,
            (s.receipt ->> 'gasUsed')::numeric * (s.receipt ->> 'effectiveGasPrice')::numeric
              + coalesce((s.receipt ->> 'l1Fee')::numeric, 0) as gas
          from settlements t join submissions s on s.key = 'settlement/' || t.id
          where t.status = 'open' and s.status in ('final', 'refused', 'superseded')),
        freed as (update charges c set settlement_id = null from over o
        where c.settlement_id = o.id and o.how = 'released')
        update settlements t set status = o.how, tx_hash = o.hash, gas_wei = o.gas, ended_at = now() from over o
          where t.id = o.id and t.status = 'open' returning t.network, t.wallet, t.status, t.usd::float8 as usd`
    })
  )

  static readonly layer = Layer.effect(SettlementStore, SettlementStore.make)
}
