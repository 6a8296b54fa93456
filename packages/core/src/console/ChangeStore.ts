/**
 * Detects changes in the data that the console shows a manager, with one statement for all watched managers. Everything
 * a page shows from the database has a line here; each is read from an index or from few rows, however long the ledger
 * is.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address } from "../chain/Address.ts"

/**
 * A digest of a manager's data. Two equal marks mean that nothing the pages show from the database changed in between.
 */
interface Mark {
  readonly manager: Address
  readonly mark: string
}

const wallets = "manager_wallets w where w.manager = m.manager"
const joinWallets = (table: string) =>
  `join manager_wallets w on w.wallet = ${table}.wallet where w.manager = m.manager`
const newestIds = (table: string) =>
  `select string_agg(n.id::text, ',' order by n.id) from (select w.wallet from ${wallets}) w
    cross join lateral (select t.id from ${table} t where t.wallet = w.wallet order by t.id desc limit 1) n`

/**
 * Queries that each return one text for the manager `m.manager`. Final rows never change, so a ledger's newest row and
 * open rows suffice.
 */
const queries: ReadonlyArray<string> = [
  `select string_agg(concat(w.wallet, w.label), ',' order by w.wallet) from ${wallets}`,
  "select string_agg(s.digest, ',' order by s.digest) from sessions s where s.manager = m.manager and s.expires_at > now()",
  "select string_agg(concat(k.scope, k.reason), ',' order by k.scope) from kill_switches k",
  `select string_agg(concat(l.wallet, l.network, l.pool), ',' order by l.wallet, l.network, l.pool) from vault_links l ${
    joinWallets("l")
  }`,
  newestIds("intents"),
  `select string_agg(concat(i.id, i.status, i.updated_at), ',' order by i.id) from intents i ${
    joinWallets("i")
  } and i.status in ('accepted', 'submitted')`,
  `select string_agg(concat(s.key, s.status, s.waiting_for_gas), ',' order by s.key) from submissions s ${
    joinWallets("s")
  }
    and s.status in ('queued', 'signed', 'mined')`,
  `select concat(count(*), max(b.updated_at)) from threshold_bots b ${joinWallets("b")}`,
  `select concat(count(*), max(b.updated_at)) from index_bots b ${joinWallets("b")}`,
  `select string_agg(concat(r.id, r.updated_at), ',' order by r.id) from index_runs r ${
    joinWallets("r")
  } and r.state = 'running'`,
  `select concat(count(*), max(a.created_at), max(b.updated_at)) from exchange_accounts a
    left join exchange_bots b on b.account_id = a.id ${joinWallets("a")}`,
  newestIds("exchange_orders"),
  `select string_agg(concat(o.id, o.status), ',' order by o.id) from exchange_orders o ${
    joinWallets("o")
  } and o.status in ('accepted', 'decided', 'sending')`,
  `select concat(count(*), max(t.created_at), max(t.used_at), max(t.revoked_at)) from webhook_tokens t ${
    joinWallets("t")
  }`,
  `select string_agg(n.seq::text, ',' order by n.seq) from (select w.wallet from ${wallets}) w
    cross join lateral (select e.seq from audit_entries e where e.wallet = w.wallet order by e.seq desc limit 1) n`,
  "select max(e.seq)::text from audit_entries e where e.wallet is null and e.subject = m.manager",
  newestIds("charges"),
  `select string_agg(s.id::text, ',' order by s.id) from settlements s ${joinWallets("s")} and s.status = 'open'`,
  `select string_agg(concat(g.network, g.wallet), ',' order by g.network, g.wallet) from gas_levels g ${
    joinWallets("g")
  } and g.low`
]

export class ChangeStore extends Context.Service<ChangeStore, {
  /** Computes the marks of several managers. */
  readonly marks: (managers: ReadonlyArray<Address>) => Effect.Effect<ReadonlyArray<Mark>, SqlError>
}>()("vault-trader/core/console/ChangeStore") {
  static readonly layer = Layer.effect(
    ChangeStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const texts = sql.literal(queries.map((query) => `(${query})`).join(", "))
      return {
        marks: (managers) =>
          sql<Mark>`select m.manager, md5(jsonb_build_array(${texts})::text) as mark
            from jsonb_array_elements_text(${JSON.stringify(managers)}::jsonb) as m(manager)`
      }
    })
  )
}
