/**
 * Whether anything of a manager's is different from a moment ago, told by one statement for all managers that look. What a page shows from the
 * database has a line here; each is answered from an index or from few rows, however long the ledger is.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address } from "../chain/Address.ts"

/** Two equal marks of a manager: nothing that pages show of the database has changed in between. */
export interface Mark {
  readonly manager: Address
  readonly mark: string
}

const wallets = "manager_wallets w where w.manager = m.manager"
const ofWallet = (table: string) => `join manager_wallets w on w.wallet = ${table}.wallet where w.manager = m.manager`
const newest = (table: string) =>
  `select string_agg(n.id::text, ',' order by n.id) from (select w.wallet from ${wallets}) w
    cross join lateral (select t.id from ${table} t where t.wallet = w.wallet order by t.id desc limit 1) n`

/** One text each, of a manager `m.manager`. What is final changes no more, so of ledgers the newest row and the open ones tell all. */
const facts: ReadonlyArray<string> = [
  `select string_agg(concat(w.wallet, w.label), ',' order by w.wallet) from ${wallets}`,
  "select string_agg(s.digest, ',' order by s.digest) from sessions s where s.manager = m.manager and s.expires_at > now()",
  "select string_agg(concat(k.scope, k.reason), ',' order by k.scope) from kill_switches k",
  `select string_agg(concat(l.wallet, l.network, l.pool), ',' order by l.wallet, l.network, l.pool) from vault_links l ${ofWallet("l")}`,
  newest("intents"),
  `select string_agg(concat(i.id, i.status, i.updated_at), ',' order by i.id) from intents i ${ofWallet("i")} and i.status in ('accepted', 'submitted')`,
  `select string_agg(concat(s.key, s.status, s.waiting_for_gas), ',' order by s.key) from submissions s ${ofWallet("s")}
    and s.status in ('queued', 'signed', 'mined')`,
  `select concat(count(*), max(b.updated_at)) from threshold_bots b ${ofWallet("b")}`,
  `select concat(count(*), max(b.updated_at)) from index_bots b ${ofWallet("b")}`,
  `select string_agg(concat(r.id, r.updated_at), ',' order by r.id) from index_runs r ${ofWallet("r")} and r.state = 'running'`,
  `select concat(count(*), max(a.created_at), max(b.updated_at)) from exchange_accounts a left join exchange_bots b on b.account_id = a.id ${ofWallet("a")}`,
  newest("exchange_orders"),
  `select string_agg(concat(o.id, o.status), ',' order by o.id) from exchange_orders o ${ofWallet("o")} and o.status in ('accepted', 'decided', 'sending')`,
  `select concat(count(*), max(t.created_at), max(t.used_at), max(t.revoked_at)) from webhook_tokens t ${ofWallet("t")}`,
  newest("charges"),
  `select string_agg(s.id::text, ',' order by s.id) from settlements s ${ofWallet("s")} and s.status = 'open'`,
  `select string_agg(concat(g.network, g.wallet), ',' order by g.network, g.wallet) from gas_levels g ${ofWallet("g")} and g.low`
]

export class ChangeStore extends Context.Service<ChangeStore, {
  readonly marks: (managers: ReadonlyArray<Address>) => Effect.Effect<ReadonlyArray<Mark>, SqlError>
}>()("vault-trader/core/console/ChangeStore") {
  static readonly layer = Layer.effect(
    ChangeStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const all = sql.literal(facts.map((fact) => `(${fact})`).join(", "))
      return {
        marks: (managers) =>
          sql<Mark>`select m.manager, md5(jsonb_build_array(${all})::text) as mark
            from jsonb_array_elements_text(${JSON.stringify(managers)}::jsonb) as m(manager)`
      }
    })
  )
}
