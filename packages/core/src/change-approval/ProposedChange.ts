/**
 * The exact change that a request asks for, its differences in words, and its digest. Approvers sign a sentence that
 * ends with the digest, so a signature is about exactly one request.
 */
import * as CanonicalJson from "../audit/CanonicalJson.ts"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Address, type Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { format } from "../chain/Quantity.ts"
import { KeyLimits } from "../gas-wallet/KeyLimits.ts"
import { LaneQuarantineKind, UnexplainedTransaction } from "../gas-wallet/LaneQuarantine.ts"

/** Values of settings by name. A setting that is not set has no entry. */
export const SettingValues = Schema.Record(Schema.String, Schema.String)
export type SettingValues = typeof SettingValues.Type

export const LimitsChange = Schema.TaggedStruct("limits", {
  wallet: Address,
  before: KeyLimits,
  after: KeyLimits,
  /** The manager who may raise the limits again; null after a change by the operator. */
  manager: Schema.NullOr(Address)
})
export type LimitsChange = typeof LimitsChange.Type

const SettingsChange = { before: SettingValues, after: SettingValues }

export const LaneChange = Schema.TaggedStruct("lanes", {
  network: Network,
  wallet: Address,
  /** The quarantine with the evidence that the release declares explained. */
  quarantine: Schema.Struct({
    kind: LaneQuarantineKind,
    since: Schema.String,
    count: Schema.NullOr(Schema.String),
    transactions: Schema.Array(UnexplainedTransaction)
  }),
  runsRequests: Schema.Boolean,
  by: Schema.String
})
export type LaneChange = typeof LaneChange.Type

export const ProposedChange = Schema.Union([
  LimitsChange,
  Schema.TaggedStruct("treasury", SettingsChange),
  Schema.TaggedStruct("policy", SettingsChange),
  LaneChange
]).annotate({ identifier: "ProposedChange" })
export type ProposedChange = typeof ProposedChange.Type

/** A change under the id of its request, at one service: the content that approvers sign. */
const Proposal = Schema.Struct({
  id: Schema.String,
  /** Identifies the service, so that an approval given to one deployment does not count at another. */
  service: Schema.String,
  change: ProposedChange
})
export type Proposal = typeof Proposal.Type

const encodeProposal = Schema.encodeSync(Proposal)
const encodeChange = Schema.encodeSync(ProposedChange)

/** Returns the canonical JSON of a proposal. */
export const textOf = (proposal: Proposal): string => CanonicalJson.textOf(encodeProposal(proposal))

/** Reads a proposal from its canonical JSON. */
export const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Proposal))

/** Returns the digest of a proposal's canonical JSON. */
export const digestOf = (text: string): Effect.Effect<Hash> =>
  Effect.map(CanonicalJson.sha256(text), (hex): Hash => `0x${hex}`)

/** Checks whether two changes are the same. */
export const isSame = (one: ProposedChange, other: ProposedChange): boolean =>
  CanonicalJson.textOf(encodeChange(one)) === CanonicalJson.textOf(encodeChange(other))

/** One field of a change. */
export interface Difference {
  readonly field: string
  readonly before: string
  readonly after: string
}

const usdOrOff = (usd18: bigint | null) => usd18 === null ? "off" : format(usd18, 18)

const limitFields = ({ maxUsd18PerDay, maxUsd18PerTrade, readOnly, vaults }: KeyLimits): SettingValues => ({
  vaults: vaults === null ? "any" : vaults.length === 0 ? "none" : vaults.join(" "),
  max_usd_per_trade: usdOrOff(maxUsd18PerTrade),
  max_usd_per_day: usdOrOff(maxUsd18PerDay),
  read_only: readOnly ? "on" : "off"
})

const settingDifferences = (before: SettingValues, after: SettingValues): ReadonlyArray<Difference> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((field) => {
    const [old = "not set", next = "not set"] = [before[field], after[field]]
    return old === next ? [] : [{ field, before: old, after: next }]
  })

/** Lists the fields that differ between before and after the change. */
export const differencesOf = (change: ProposedChange): ReadonlyArray<Difference> => {
  switch (change._tag) {
    case "limits":
      return settingDifferences(limitFields(change.before), limitFields(change.after))
    case "treasury":
    case "policy":
      return settingDifferences(change.before, change.after)
    case "lanes":
      return [
        { field: "lane", before: `quarantined: ${change.quarantine.kind}`, after: "released" },
        ...change.quarantine.transactions.map(({ hash, nonce }) => ({
          field: `nonce ${nonce}`,
          before: "unexplained",
          after: `declared explained: ${hash ?? "no transaction known"}`
        })),
        { field: "open requests", before: "waiting", after: change.runsRequests ? "executed" : "ended" }
      ]
  }
}

const subjectOf = (change: ProposedChange): string => {
  switch (change._tag) {
    case "limits":
      return `Raise the limits of wallet ${change.wallet}`
    case "treasury":
      return "Pay charges to other addresses"
    case "policy":
      return "Change the policy of transfers"
    case "lanes":
      return `Release wallet ${change.wallet} on ${change.network}`
  }
}

/** Longest value of a field in a summary; the digest covers the whole value. */
const longest = 120
const shortened = (text: string) =>
  text.length <= longest ? text : `${text.slice(0, longest)}... (${text.length} characters)`

/** Most fields in a summary; the digest covers all of them. */
const mostFields = 6

/** Returns the change in one sentence of ASCII characters, which wallets display unchanged. */
export const summaryOf = (change: ProposedChange): string => {
  const all = differencesOf(change)
  const fields = all.slice(0, mostFields).map(({ after, before, field }) =>
    `${field} from ${shortened(before)} to ${shortened(after)}`
  )
  const rest = all.length > mostFields ? [`and ${all.length - mostFields} more`] : []
  return `${subjectOf(change)}: ${[...fields, ...rest].join("; ")}`.replace(/[^\x20-\x7e]/g, "?")
}

/** Returns the sentence that approvers sign. */
export const sentenceOf = (summary: string, digest: Hash): string => `${summary} [${digest}]`

/** Returns the wallet and the network of a change; null where it has none. */
export const placeOf = (
  change: ProposedChange
): { readonly wallet: Address | null; readonly network: Network | null } => ({
  wallet: "wallet" in change ? change.wallet : null,
  network: "network" in change ? change.network : null
})
