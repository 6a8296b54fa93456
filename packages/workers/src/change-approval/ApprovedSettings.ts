/**
 * Compares the settings of this process that move money with those that were approved. Until they are, what depends on
 * them is not signed: it waits, and everything else continues.
 */
import { ApprovalPolicy, needsApproval } from "@vault-trader/core/change-approval/ApprovalSettings"
import { ChangeRequestStore } from "@vault-trader/core/change-approval/ChangeRequestStore"
import { isSame, type ProposedChange, type SettingValues } from "@vault-trader/core/change-approval/ProposedChange"
import type { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import { verify } from "./VoteCheck.ts"

export const settingKinds = ["treasury", "policy"] as const
export type SettingKind = typeof settingKinds[number]

/** The settings of this process that may need approval, by kind. */
export const MoneySettings = Context.Reference<Readonly<Record<SettingKind, SettingValues>>>(
  "vault-trader/workers/change-approval/MoneySettings",
  { defaultValue: () => ({ treasury: {}, policy: {} }) }
)

/** How long a verdict is reused. */
const fresh = "2 seconds"

/** Says whether the settings of a kind are approved as they are. Where nothing needs approval, they always are. */
export const ApprovedSettings = Context.Reference<{
  readonly isApproved: (kind: SettingKind) => Effect.Effect<boolean, SqlError>
}>("vault-trader/workers/change-approval/ApprovedSettings", {
  defaultValue: () => ({ isApproved: () => Effect.succeed(true) })
})

/** Returns the settings of a kind that were approved last, as far as their votes are still valid. */
export const approvedValues = (kind: SettingKind) =>
  Effect.gen(function*() {
    const last = yield* (yield* ChangeRequestStore).lastApplied(kind)
    if (Option.isNone(last)) return Option.none<SettingValues>()
    const verified = yield* verify(last.value)
    return Option.flatMap(verified, ({ change, tally }) =>
      change._tag === kind && tally.isComplete ? Option.some(change.after) : Option.none())
  })

/** Builds the change from approved values to those of this process. */
export const settingChange = (
  kind: SettingKind,
  before: Option.Option<SettingValues>,
  after: SettingValues
): ProposedChange => ({ _tag: kind, before: Option.getOrElse(before, (): SettingValues => ({})), after })

/** Checks whether the values of this process are the approved ones. Settings without a payee need no approval. */
export const isApproved = (kind: SettingKind) =>
  Effect.gen(function*() {
    const values = (yield* MoneySettings)[kind]
    if (!needsApproval(yield* ApprovalPolicy, kind) || Object.keys(values).length === 0) return true
    const approved = yield* approvedValues(kind)
    return Option.exists(approved, (known) =>
      isSame(settingChange(kind, Option.none(), known), settingChange(kind, Option.none(), values)))
  })

const layer: Layer.Layer<never, never, ApiKeyDigest | ChangeRequestStore> = Layer.effect(
  ApprovedSettings,
  Effect.gen(function*() {
    const context = yield* Effect.context<ApiKeyDigest | ChangeRequestStore>()
    const verdicts = yield* Effect.all({
      treasury: Effect.cachedWithTTL(Effect.provide(isApproved("treasury"), context), fresh),
      policy: Effect.cachedWithTTL(Effect.provide(isApproved("policy"), context), fresh)
    })
    return { isApproved: (kind: SettingKind) => verdicts[kind] }
  })
)

/** The approved settings, with the store of change requests, which every feature that needs approvals reads. */
export const ApprovedSettingsLive = Layer.provideMerge(layer, ChangeRequestStore.layer)
