/**
 * The schema of this service's tables, as ordered migrations. One process migrates at a time, under an advisory lock.
 */
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { approvalSchema } from "./migrations/ApprovalSchema.ts"
import { auditSchema } from "./migrations/AuditSchema.ts"
import { authoritySchema } from "./migrations/AuthoritySchema.ts"
import { authorityViewSchema } from "./migrations/AuthorityViewSchema.ts"
import { autoEnableSchema } from "./migrations/AutoEnableSchema.ts"
import { billingSchema } from "./migrations/BillingSchema.ts"
import { capIndexSchema } from "./migrations/CapIndexSchema.ts"
import { channelSchema } from "./migrations/ChannelSchema.ts"
import { chargeCorrectionSchema } from "./migrations/ChargeCorrectionSchema.ts"
import { botImpactSchema } from "./migrations/BotImpactSchema.ts"
import { botPartSchema } from "./migrations/BotPartSchema.ts"
import { botPauseSchema } from "./migrations/BotPauseSchema.ts"
import { botSwitchSchema } from "./migrations/BotSwitchSchema.ts"
import { runnersPrefix } from "./ClusterTables.ts"
import { estimateSchema } from "./migrations/EstimateSchema.ts"
import { eventSourceSchema } from "./migrations/EventSourceSchema.ts"
import { executedOrderSchema } from "./migrations/ExecutedOrderSchema.ts"
import { exchangeBracketSchema } from "./migrations/ExchangeBracketSchema.ts"
import { exchangeExitEventSchema } from "./migrations/ExchangeExitEventSchema.ts"
import { exchangeSchema } from "./migrations/ExchangeSchema.ts"
import { gasLevelSchema } from "./migrations/GasLevelSchema.ts"
import { followerSchema } from "./migrations/FollowerSchema.ts"
import { guardianSchema } from "./migrations/GuardianSchema.ts"
import { pushChannelSchema } from "./migrations/PushChannelSchema.ts"
import { strategySchema } from "./migrations/StrategySchema.ts"
import { idempotencySchema } from "./migrations/IdempotencySchema.ts"
import { indexBotSchema } from "./migrations/IndexBotSchema.ts"
import { initialSchema } from "./migrations/InitialSchema.ts"
import { intentTwinSchema } from "./migrations/IntentTwinSchema.ts"
import { intentWaitingSchema } from "./migrations/IntentWaitingSchema.ts"
import { keyNotificationSchema } from "./migrations/KeyNotificationSchema.ts"
import { keyLimitSchema } from "./migrations/KeyLimitSchema.ts"
import { keyProviderSchema } from "./migrations/KeyProviderSchema.ts"
import { laneQuarantineSchema } from "./migrations/LaneQuarantineSchema.ts"
import { listIndexSchema } from "./migrations/ListIndexSchema.ts"
import { managerSchema } from "./migrations/ManagerSchema.ts"
import { nonceBaselineSchema } from "./migrations/NonceBaselineSchema.ts"
import { operationsSchema } from "./migrations/OperationsSchema.ts"
import { orderNotificationSchema } from "./migrations/OrderNotificationSchema.ts"
import { performanceSchema, vaultLedgerSchema } from "./migrations/PerformanceSchema.ts"
import { perpetualSchema } from "./migrations/PerpetualSchema.ts"
import { rateLimitSchema } from "./migrations/RateLimitSchema.ts"
import { retentionSchema } from "./migrations/RetentionSchema.ts"
import { sessionSchema } from "./migrations/SessionSchema.ts"
import { setAsideSchema } from "./migrations/SetAsideSchema.ts"
import { signalRuleSchema } from "./migrations/SignalRuleSchema.ts"
import { signalSchema } from "./migrations/SignalSchema.ts"
import { spendingSchema } from "./migrations/SpendingSchema.ts"
import { subKeySchema } from "./migrations/SubKeySchema.ts"
import { submissionMacSchema } from "./migrations/SubmissionMacSchema.ts"
import { thresholdBotSchema } from "./migrations/ThresholdBotSchema.ts"
import { vaultGroupSchema } from "./migrations/VaultGroupSchema.ts"
import { vaultIndexSchema } from "./migrations/VaultIndexSchema.ts"
import { vaultOrderSchema } from "./migrations/VaultOrderSchema.ts"
import { vaultRuleSchema } from "./migrations/VaultRuleSchema.ts"
import { vaultSnapshotSchema } from "./migrations/VaultSnapshotSchema.ts"
import { venueBanSchema } from "./migrations/VenueBanSchema.ts"
import { venuePauseSchema } from "./migrations/VenuePauseSchema.ts"
import { waitingSettingSchema } from "./migrations/WaitingSettingSchema.ts"
import { walletPurgeSchema } from "./migrations/WalletPurgeSchema.ts"
import { walletWatchSchema } from "./migrations/WalletWatchSchema.ts"
import { watchedBracketSchema } from "./migrations/WatchedBracketSchema.ts"
import { webhookSchema } from "./migrations/WebhookSchema.ts"
import { webhookTokenSchema } from "./migrations/WebhookTokenSchema.ts"
import { webhookTurnSchema } from "./migrations/WebhookTurnSchema.ts"
import { finalCheckpointSchema } from "./migrations/FinalCheckpointSchema.ts"
import { importTimeSchema } from "./migrations/ImportTimeSchema.ts"
import { withdrawnIntentSchema } from "./migrations/WithdrawnIntentSchema.ts"

/** Advisory lock key; any number that no other user of the database locks. */
const migrationLock = 874_629_130

const statements = (list: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.forEach(list, (text) => sql.unsafe(text), { discard: true })
  })

/** All migrations, by number and name. */
export const migrations = {
  "0001_initial": statements(initialSchema),
  "0002_retention": statements(retentionSchema),
  "0003_key_limits": statements(keyLimitSchema),
  "0004_estimates": statements(estimateSchema),
  "0006_venue_bans": statements(venueBanSchema),
  "0007_vault_snapshots": statements(vaultSnapshotSchema),
  "0008_vault_index": statements(vaultIndexSchema),
  "0009_threshold_bots": statements(thresholdBotSchema),
  "0010_index_bots": statements(indexBotSchema),
  "0011_bot_switches": statements(botSwitchSchema),
  "0012_billing": statements(billingSchema),
  "0013_managers": statements(managerSchema),
  "0014_exchanges": statements(exchangeSchema),
  "0015_webhook_tokens": statements(webhookTokenSchema),
  "0016_webhooks": statements(webhookSchema),
  "0017_gas_levels": statements(gasLevelSchema),
  "0020_sessions": statements(sessionSchema),
  "0021_perpetual_moves": statements(perpetualSchema),
  "0022_spending": statements(spendingSchema),
  "0023_idempotency_keys": statements(idempotencySchema),
  "0024_nonce_baselines": statements(nonceBaselineSchema),
  "0026_waiting_settings": statements(waitingSettingSchema),
  "0028_set_aside_rows": statements(setAsideSchema),
  "0029_authority": statements(authoritySchema),
  "0031_webhook_turns": statements(webhookTurnSchema),
  "0033_operations": statements(operationsSchema),
  "0034_lane_quarantines": statements(laneQuarantineSchema),
  "0035_wallet_watch": statements(walletWatchSchema),
  "0036_audit": statements(auditSchema),
  "0038_approvals": statements(approvalSchema),
  "0039_authority_views": statements(authorityViewSchema),
  "0040_rate_limits": statements(rateLimitSchema),
  "0041_wallet_purges": statements(walletPurgeSchema),
  "0042_key_providers": statements(keyProviderSchema),
  "0043_venue_pauses": statements(venuePauseSchema),
  "0044_submission_macs": statements(submissionMacSchema),
  "0045_key_notifications": statements(keyNotificationSchema),
  "0047_auto_enable": statements(autoEnableSchema),
  "0048_intent_waiting": statements(intentWaitingSchema),
  "0049_intent_twins": statements(intentTwinSchema),
  "0050_charge_corrections": statements(chargeCorrectionSchema),
  "0051_signals": statements(signalSchema),
  "0052_signal_rules": statements(signalRuleSchema),
  "0054_vault_orders": statements(vaultOrderSchema),
  "0058_guardians": statements(guardianSchema),
  "0059_orders_and_bots": statements([...orderNotificationSchema, ...botImpactSchema]),
  "0060_channels": statements(channelSchema),
  "0061_event_sources": statements(eventSourceSchema),
  "0062_performance": statements(performanceSchema),
  "0063_vault_ledger": statements(vaultLedgerSchema),
  "0064_sub_keys": statements(subKeySchema),
  "0067_strategies": statements(strategySchema),
  "0069_followers": statements(followerSchema),
  "0070_vault_groups": statements(vaultGroupSchema),
  "0072_exchange_brackets": statements(exchangeBracketSchema),
  "0073_list_indexes": statements(listIndexSchema),
  "0074_exchange_exit_events": statements(exchangeExitEventSchema),
  "0076_executed_orders": statements(executedOrderSchema),
  "0077_cap_indexes": statements(capIndexSchema),
  "0079_watched_brackets": statements(watchedBracketSchema),
  "0080_vault_rules": statements(vaultRuleSchema),
  "0081_bot_pauses": statements(botPauseSchema),
  "0082_push_channels": statements(pushChannelSchema),
  "0083_bot_parts": statements(botPartSchema),
  "0084_withdrawn_intents": statements(withdrawnIntentSchema),
  "0085_import_time": statements(importTimeSchema),
  "0086_final_checkpoints": statements(finalCheckpointSchema)
}

const run = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "vault_trader_migrations" })

/** Migrates the database to the newest schema; safe to call from any number of processes at once. */
export const migrate = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`select pg_advisory_xact_lock(${migrationLock})`
    // Without its table, the migrator's first query would fail and abort this transaction.
    yield* sql`create table if not exists vault_trader_migrations (
      migration_id integer primary key, created_at timestamptz not null default now(), name text not null)`
    // The cluster creates its own tables, but concurrent first starts race for these, so they are created here.
    yield* sql`create table if not exists cluster_migrations (
      migration_id integer primary key, created_at timestamptz not null default now(), name text not null)`
    yield* sql`create table if not exists ${sql(`${runnersPrefix}_runner_migrations`)} (
      migration_id integer primary key, created_at timestamptz not null default now(), name text not null)`
    yield* sql`create table if not exists ${sql(`${runnersPrefix}_runners`)} (
      machine_id serial primary key, address varchar(255) not null unique, runner text not null, healthy boolean not null default true,
      last_heartbeat timestamp not null default now())`
    yield* run
  }))
}).pipe(Effect.withSpan("Migrations.migrate"))
