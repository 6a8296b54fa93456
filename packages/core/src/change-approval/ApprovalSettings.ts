/**
 * The operator's settings for changes that need approvals. The gate and the actors read them, so they must be the same
 * in all processes of a service. Only this configuration says who approves; no row does.
 */
import * as Context from "effect/Context"
import { type Address, parse as parseAddress } from "../chain/Address.ts"
import * as Setting from "../configuration/Setting.ts"
import { type ChangeKind, changeKinds } from "./ChangeKind.ts"

/** The approvers, the changes that need them, and the number of approvals of a change. */
export interface ApprovalPolicy {
  readonly approvers: ReadonlyArray<Address>
  /** Approvals that a change needs; 0: changes need none. */
  readonly needed: number
  /** Hours after its first approval after which a change takes effect without the rest; 0: never. */
  readonly delayHours: number
  /** The kinds of changes that need approvals. */
  readonly kinds: ReadonlySet<ChangeKind>
}

/** No change needs approvals. */
export const noApprovals: ApprovalPolicy = { approvers: [], needed: 0, delayHours: 0, kinds: new Set(changeKinds) }

/** The approval policy of this process. */
export const ApprovalPolicy = Context.Reference<ApprovalPolicy>("vault-trader/core/change-approval/ApprovalPolicy", {
  defaultValue: () => noApprovals
})

/** Checks whether changes of a kind need approvals. */
export const needsApproval = ({ kinds, needed }: ApprovalPolicy, kind: ChangeKind): boolean =>
  needed > 0 && kinds.has(kind)

const addresses = Setting.meaning(
  "must be addresses (0x + 40 hex characters), comma-separated, each once",
  (text): ReadonlyArray<Address> | undefined => {
    const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
    const parsed = parts.flatMap((part) => parseAddress(part) ?? [])
    return parsed.length === parts.length && new Set(parsed).size === parsed.length ? parsed : undefined
  }
)

const kinds = Setting.meaning(
  `must be one or more of ${changeKinds.join(", ")}, comma-separated`,
  (text): ReadonlySet<ChangeKind> | undefined => {
    const words = text.split(",").map((word) => word.trim()).filter((word) => word !== "")
    const known = words.flatMap((word) => changeKinds.filter((kind) => kind === word))
    return known.length === words.length && known.length > 0 ? new Set(known) : undefined
  }
)

export const approvalSettings = {
  approvers: Setting.make<ReadonlyArray<Address>>({
    name: "APPROVERS",
    description: "Accounts of the managers and operators who approve changes, comma-separated. Each approval is a " +
      "signature (EIP-712) by one of these accounts.",
    config: addresses,
    fallback: [],
    shown: "none"
  }),
  needed: Setting.make({
    name: "APPROVALS_NEEDED",
    description: "Approvals that a change of APPROVALS_FOR needs before it takes effect, at most the number of " +
      "APPROVERS; 0: changes take effect at once. Lowering and stopping never need any.",
    config: Setting.atLeast(0),
    fallback: 0
  }),
  delayHours: Setting.make({
    name: "APPROVAL_DELAY_HOURS",
    description: "Hours after its first approval after which a change without a veto takes effect without the other " +
      "approvals; 0: never.",
    config: Setting.atLeast(0),
    fallback: 0
  }),
  kinds: Setting.make<ReadonlySet<ChangeKind>>({
    name: "APPROVALS_FOR",
    description: "The changes that need approvals: `limits` (raising the limits of a key), `treasury` (TREASURY_*), " +
      "`policy` (TOP_UP_*), `lanes` (releasing a quarantined lane).",
    config: kinds,
    fallback: new Set(changeKinds),
    shown: changeKinds.join(", ")
  })
}

/** Returns why a policy cannot be satisfied; undefined when it can. */
export const faultOf = ({ approvers, needed }: ApprovalPolicy): string | undefined =>
  needed <= approvers.length
    ? undefined
    : `APPROVALS_NEEDED=${needed} cannot be met: APPROVERS names ${approvers.length} ${
      approvers.length === 1 ? "account" : "accounts"
    }.`
