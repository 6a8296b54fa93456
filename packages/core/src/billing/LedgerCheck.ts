/**
 * Checks that the ledger balances: for every wallet and network, charges equal payments plus the outstanding amount.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"

/** The account of a wallet on a network. Native amounts are in smallest units. */
export const Account = Schema.Struct({
  wallet: Address,
  network: Network,
  charges: Schema.Int,
  chargedUsd: Schema.String,
  settledUsd: Schema.String,
  outstandingUsd: Schema.String,
  chargedWei: Schema.BigIntFromString,
  /** The total sent by paid settlements, according to their rows. */
  settledWei: Schema.BigIntFromString,
  outstandingWei: Schema.BigIntFromString,
  /** The number of charges without a native amount. */
  unconverted: Schema.Int
}).annotate({ identifier: "Account" })
export type Account = typeof Account.Type

/** The accounts, and a sentence about each inconsistency. */
interface Balance {
  readonly accounts: ReadonlyArray<Account>
  readonly faults: ReadonlyArray<string>
}

const Accounts = Schema.decodeUnknownEffect(Schema.Array(Account))

/**
 * Reads both sides from different tables: charged and outstanding amounts from the charges, paid amounts from the
 * settlements.
 */
const accounts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.flatMap(
    sql`with c as (select c.wallet, c.network, count(*)::int as charges, sum(c.usd) as usd, coalesce(sum(c.native_wei),
      0) as wei,
          coalesce(sum(c.usd) filter (where t.status is distinct from 'paid'), 0) as open_usd,
          coalesce(sum(c.native_wei) filter (where t.status is distinct from 'paid'), 0) as open_wei,
          (count(*) filter (where c.native_wei is null))::int as unconverted
        from charges c left join settlements t on t.id = c.settlement_id group by 1, 2),
      s as (select wallet, network, sum(usd) as usd, sum(native_wei) as wei from settlements where status = 'paid'
      group by 1, 2)
      select coalesce(c.wallet, s.wallet) as wallet, coalesce(c.network, s.network) as network, coalesce(c.charges,
      0) as charges,
        coalesce(c.usd, 0)::text as "chargedUsd", coalesce(s.usd, 0)::text as "settledUsd", coalesce(c.open_usd,
        0)::text as "outstandingUsd",
        coalesce(c.wei, 0)::text as "chargedWei", coalesce(s.wei, 0)::text as "settledWei", coalesce(c.open_wei,
        0)::text as "outstandingWei",
        coalesce(c.unconverted, 0) as unconverted
      from c full join s on s.wallet = c.wallet and s.network = c.network order by 1, 2`,
    (rows) => Effect.orDie(Accounts(rows))
  ))

const micros = (usd: string) => BigInt(Math.round(Number(usd) * 1e6))

const unbalanced = (
  { chargedUsd, chargedWei, network, outstandingUsd, outstandingWei, settledUsd, settledWei, wallet }: Account
) => [
  ...(chargedWei === settledWei + outstandingWei ? [] : [
    `${wallet} on ${network}: charged ${chargedWei} wei, but paid ${settledWei} and owes ${outstandingWei}`
  ]),
  ...(micros(chargedUsd) === micros(settledUsd) + micros(outstandingUsd) ? [] : [
    `${wallet} on ${network}: charged ${chargedUsd} USD, but paid ${settledUsd} and owes ${outstandingUsd}`
  ])
]

interface Inconsistency {
  readonly said: string
}

const inconsistencies = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.all([
    sql<
      Inconsistency
    >`select 'settlement ' || t.id || ' pays ' || t.native_wei || ' wei for charges of ' || coalesce(sum(c.native_wei),
    0) as said
      from settlements t left join charges c on c.settlement_id = t.id where t.status <> 'released'
      group by t.id having t.native_wei <> coalesce(sum(c.native_wei), 0) or t.charges <> count(c.id)`,
    sql<Inconsistency>`select 'released settlement ' || t.id || ' still holds charge ' || c.id as said
      from settlements t join charges c on c.settlement_id = t.id where t.status = 'released'`,
    sql<
      Inconsistency
    >`select 'charge ' || c.id || ' is not of the wallet and network of its settlement ' || t.id as said
      from charges c join settlements t on t.id = c.settlement_id where c.wallet <> t.wallet or c.network <> t.network`,
    sql<Inconsistency>`select 'settlement ' || t.id || ' is ' || t.status || ', its transaction ' || s.status as said
      from settlements t join submissions s on s.key = 'settlement/' || t.id
      where (t.status = 'paid'
          and (s.status <> 'final' or s.cancelled is not null or not (s.receipt ->> 'succeeded')::boolean))
        or (t.status = 'released' and s.status in ('queued', 'signed', 'mined')) or s.value <> t.native_wei
        or s.to_address <> t.treasury`
  ]))

/** Reads all accounts and inconsistencies in one snapshot of the database. */
export const check: Effect.Effect<Balance, SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`set transaction isolation level repeatable read, read only`
    const all = yield* accounts
    const sentences = (yield* inconsistencies).flat().map(({ said }) => said)
    return { accounts: all, faults: [...all.flatMap(unbalanced), ...sentences] }
  }))
}).pipe(Effect.withSpan("LedgerCheck.check"))
