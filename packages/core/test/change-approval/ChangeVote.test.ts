import { assert, describe, it } from "@effect/vitest"
import type { Address } from "../../src/chain/Address.ts"
import { type ApprovalPolicy, faultOf, needsApproval, noApprovals } from "../../src/change-approval/ApprovalSettings.ts"
import { changeKinds } from "../../src/change-approval/ChangeKind.ts"
import { tally, type Verdict } from "../../src/change-approval/ChangeVote.ts"
import * as Metrics from "../../src/telemetry/Metrics.ts"

const account = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`
const policyOf = (changes: Partial<ApprovalPolicy>): ApprovalPolicy => ({
  ...noApprovals,
  approvers: [account(1), account(2), account(3)],
  needed: 2,
  ...changes
})
const hour = 3_600_000
const createdAt = 1_000_000 * hour
const vote = (n: number, hours = 0, verdict: Verdict = "approve") => ({
  approver: account(n),
  verdict,
  issuedAt: (createdAt + hours * hour) / 1000
})

describe("the tally of a change", () => {
  it("counts configured approvers, each once", () => {
    const completeBy = (...votes: ReadonlyArray<ReturnType<typeof vote>>) =>
      tally(policyOf({}), createdAt, votes, createdAt).isComplete
    assert.isFalse(completeBy())
    assert.isFalse(completeBy(vote(1)))
    assert.isFalse(completeBy(vote(1), vote(1, 1)))
    assert.isFalse(completeBy(vote(1), vote(4)))
    assert.isTrue(completeBy(vote(1), vote(3)))
  })

  it("is never complete with a veto, nor where no approvals are needed", () => {
    assert.isFalse(tally(policyOf({}), createdAt, [vote(1), vote(2), vote(3, 0, "veto")], createdAt).isComplete)
    const locked = policyOf({ delayHours: 1 })
    assert.isFalse(tally(locked, createdAt, [vote(1), vote(2, 0, "veto")], createdAt + 99 * hour).isComplete)
    assert.isFalse(tally(policyOf({ needed: 0 }), createdAt, [vote(1), vote(2)], createdAt).isComplete)
    // A veto of an account that is no approver, or no longer one, is none.
    assert.isTrue(tally(policyOf({}), createdAt, [vote(1), vote(2), vote(4, 0, "veto")], createdAt).isComplete)
  })

  it("opens the time lock after the delay from the first approval, and not before the request existed", () => {
    const locked = policyOf({ delayHours: 24 })
    const at = (now: number, ...votes: ReadonlyArray<ReturnType<typeof vote>>) => tally(locked, createdAt, votes, now)
    assert.deepInclude(at(createdAt + 999 * hour), { isComplete: false, takesEffectAt: null })
    assert.deepInclude(at(createdAt + 26 * hour - 1, vote(1, 2)), {
      isComplete: false,
      takesEffectAt: createdAt + 26 * hour
    })
    assert.isTrue(at(createdAt + 26 * hour, vote(1, 2)).isComplete)
    assert.isFalse(at(createdAt + 24 * hour - 1, vote(1, -100)).isComplete)
    assert.isFalse(at(createdAt + 999 * hour, vote(9)).isComplete)
    assert.isTrue(at(createdAt, vote(1), vote(2)).isComplete)
    assert.isFalse(tally(policyOf({}), createdAt, [vote(1)], createdAt + 999_999 * hour).isComplete)
  })
})

describe("the approval policy", () => {
  it("needs no more approvals than there are approvers", () => {
    assert.isUndefined(faultOf(noApprovals))
    assert.isUndefined(faultOf(policyOf({ needed: 3 })))
    assert.strictEqual(
      faultOf(policyOf({ needed: 4 })),
      "APPROVALS_NEEDED=4 cannot be met: APPROVERS names 3 accounts."
    )
  })

  it("is about the configured kinds of changes, which are those of the metric", () => {
    assert.deepStrictEqual(Metrics.changeKinds, changeKinds)
    const some = policyOf({ kinds: new Set(["treasury"]) })
    assert.deepStrictEqual([needsApproval(some, "treasury"), needsApproval(some, "limits")], [true, false])
    assert.isFalse(needsApproval(noApprovals, "treasury"))
  })
})
