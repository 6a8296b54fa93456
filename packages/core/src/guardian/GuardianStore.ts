/** Stores guardians of vaults, what they remember, and their history. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { unlessGuardianStopped } from "../gas-wallet/KillSwitch.ts"
import * as TogetherRead from "../storage/TogetherRead.ts"
import { ActionRow, Guardian, GuardianEvent, GuardianMemory, OracleTerms } from "./Guardian.ts"

const Rows = Schema.decodeUnknownEffect(Schema.Array(Guardian))
const Actions = Schema.decodeUnknownEffect(Schema.Array(ActionRow))
const Events = Schema.decodeUnknownEffect(Schema.Array(GuardianEvent))
const Terms = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ terms: OracleTerms })))
export const encodeMemory = Schema.encodeSync(Schema.fromJsonString(GuardianMemory))

export const columnsOf = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `id::text as id, network, pool, wallet, key_id::text as "keyId", terms, paper, state, memory, revision, step,
    open_intent::text as "openIntent", failures, reason, tripped_at as "trippedAt", checked_at as "checkedAt",
    created_at as "createdAt", ended_at as "endedAt"`
  )

/** Decodes rows of guardians. A row that does not decode is a defect of this service. */
export const decodeGuardians = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))

/** Appends an entry to a guardian's history, in the transaction of the change. */
export const appendEvent = (
  sql: SqlClient.SqlClient,
  guardianId: string,
  kind: GuardianEvent["kind"],
  reason: string
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`insert into vault_guardian_events ${sql.insert({ guardian_id: guardianId, kind, reason })}`)

/** A reading that changes nothing but what the guardian remembers. */
export interface Note {
  /** The guardian as it was read: it is left alone when it has changed since. */
  readonly guardian: Guardian
  readonly memory: GuardianMemory
  readonly reason: string
  /** Seconds until the next reading. */
  readonly seconds: number
}

interface VaultKey {
  readonly network: Network
  readonly pool: Address
}

export class GuardianStore extends Context.Service<GuardianStore, {
  readonly find: (id: string) => Effect.Effect<Option.Option<Guardian>, SqlError>
  /** Lists the vault's guardians, those in force only. */
  readonly ofVault: (network: Network, pool: Address) => Effect.Effect<ReadonlyArray<Guardian>, SqlError>
  /** Returns the terms of the vault's oracle guardian, unless it is on paper. */
  readonly oracleTermsOf: (network: Network, pool: Address) => Effect.Effect<Option.Option<OracleTerms>, SqlError>
  /** Lists a guardian's actions, the newest first, at most fifty. */
  readonly actions: (id: string) => Effect.Effect<ReadonlyArray<ActionRow>, SqlError>
  /** Lists a guardian's history, the newest entry first, at most fifty. */
  readonly events: (id: string) => Effect.Effect<ReadonlyArray<GuardianEvent>, SqlError>
  /** Lists guardians of a network whose reading is due, and those whose action seems to be abandoned; a page. */
  readonly due: (
    network: Network,
    page: { readonly after: string | null; readonly size: number }
  ) => Effect.Effect<ReadonlyArray<Guardian>, SqlError>
  /** Stores a reading; a guardian that has changed since it was read is left alone. */
  readonly record: (note: Note) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/guardian/GuardianStore") {
  static readonly layer = Layer.effect(
    GuardianStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = columnsOf(sql)
      const oracleTerms = yield* TogetherRead.make<VaultKey, VaultKey>(sql, {
        read: (vaults) =>
          sql<VaultKey>`select network, pool, terms from vault_guardians
            where (network, pool) in (select k.network, k.pool
              from jsonb_to_recordset(${JSON.stringify(vaults)}::jsonb) as k(network text, pool text))
              and kind = 'oracle' and ended_at is null and not paper`,
        isOf: ({ network, pool }) => (row) => row.network === network && row.pool === pool
      })
      return {
        find: (id) =>
          Effect.map(
            decodeGuardians(sql`select ${columns} from vault_guardians where id = ${id}`),
            ([guardian]) => Option.fromNullishOr(guardian)
          ),
        ofVault: (network, pool) =>
          decodeGuardians(sql`select ${columns} from vault_guardians
            where network = ${network} and pool = ${pool} and ended_at is null order by kind`),
        oracleTermsOf: (network, pool) =>
          Effect.map(
            Effect.flatMap(oracleTerms({ network, pool }), (rows) => Effect.orDie(Terms(rows))),
            ([row]) => Option.fromNullishOr(row?.terms)
          ),
        actions: (id) =>
          Effect.flatMap(
            sql`select step, intent_id::text as "intentId", action, state, tx_hash as "txHash", message,
              begun_at as "begunAt", ended_at as "endedAt" from vault_guardian_actions where guardian_id = ${id}
              order by step desc limit 50`,
            (rows) => Effect.orDie(Actions(rows))
          ),
        events: (id) =>
          Effect.flatMap(
            sql`select at, kind, reason from vault_guardian_events where guardian_id = ${id}
              order by vault_guardian_events.id desc limit 50`,
            (rows) => Effect.orDie(Events(rows))
          ),
        due: (network, { after, size }) =>
          decodeGuardians(
            sql`select ${columns} from vault_guardians
              where network = ${network} and ended_at is null and next_check <= now()
                -- An action in progress is followed to its end whatever is stopped.
                and (open_intent is not null or (${unlessGuardianStopped(sql, "vault_guardians")}))
                and (open_intent is null or updated_at < now() - interval '10 seconds')
                and (${after}::uuid is null or id > ${after}::uuid)
              order by id limit ${size}`
          ),
        record: ({ guardian: { id, memory: before, revision, state }, memory, reason, seconds }) =>
          Effect.asVoid(sql`update vault_guardians set memory = ${encodeMemory(memory)}::jsonb, reason = ${reason},
              checked_at = now(), next_check = now() + make_interval(secs => ${seconds})
            where id = ${id} and revision = ${revision} and state = ${state} and open_intent is null
              and ended_at is null and memory = ${encodeMemory(before)}::jsonb`)
      }
    })
  )
}
