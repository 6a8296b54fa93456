/** Mutants of parts that the simulation does not contain: each names the test file that must detect it. */
import type { Mutant } from "./Mutant.ts"

export const tested: ReadonlyArray<Mutant> = [
  {
    name: "a charge that was paid before a deep reorg is not corrected",
    threat: 10,
    test: "packages/core/test/gas-wallet/SubmissionStore.test.ts",
    edits: [{
      file: "packages/core/src/intent/IntentEnd.ts",
      from: "if (row.isCharged) yield* ChargeCorrection.book(sql, id, isExecuted)",
      to: "void ChargeCorrection.book"
    }]
  },
  {
    name: "a superseded call is sent again once a deep reorg has removed what used its nonce",
    threat: 10,
    test: "packages/workers/test/gas-wallet/TransactionTracker.test.ts",
    edits: [{
      file: "packages/core/src/gas-wallet/SubmissionOutcomes.ts",
      from: "set status = 'signed', valid_until = to_timestamp(0)",
      to: "set status = 'signed', valid_until = null"
    }]
  },
  {
    name: "transactions become final before what a deep reorg removed is reverted",
    threat: 10,
    test: "packages/workers/test/gas-wallet/FinalityTracker.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/FinalityTracker.ts",
      from: "      const doubtful = stands",
      to: "      yield* finalize(lane, mined, agreed, events)\n      const doubtful = stands"
    }]
  },
  {
    name: "a transaction becomes final that shows a deep reorg before the head does",
    threat: 10,
    test: "packages/workers/test/gas-wallet/FinalityTracker.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/FinalityTracker.ts",
      from: "if ((yield* chain.reorgs) !== reorgs) return",
      to: "void chain.reorgs"
    }]
  },
  {
    name: "a check of final transactions that reached no lane counts as complete",
    threat: 10,
    test: "packages/workers/test/gas-wallet/FinalityWatch.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/FinalityWatch.ts",
      from: "    if (!places.every(({ place }) => place === \"in place\")) return\n",
      to: ""
    }]
  },
  {
    name: "a queued submission that the record has at an explained nonce holds its lane forever",
    threat: 10,
    test: "packages/workers/test/gas-wallet/LaneReconciler.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/LaneAdoption.ts",
      from: "if (free.length === 0) return false",
      to: "if (free.length === 1) return false"
    }]
  },
  {
    name: "a forgotten call is sent again although its request was planned again since",
    threat: 10,
    test: "packages/workers/test/gas-wallet/LaneReconciler.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/LaneAdoption.ts",
      from: "isOvertaken ? { ...adopted, validUntil: 0 } : adopted",
      to: "adopted"
    }]
  },
  {
    name: "a foreign transaction is explained for later owners before it is final",
    threat: 10,
    test: "packages/workers/test/gas-wallet/LaneReconciler.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/LaneReconciler.ts",
      from: "(yield* firstOpen(chain, findings)) ?? end",
      to: "end"
    }]
  },
  {
    name: "a call that a restore forgot has no end",
    threat: 6,
    test: "packages/workers/test/gas-wallet/Lifetimes.test.ts",
    edits: [{
      file: "packages/core/src/gas-wallet/LaneReconciliationStore.ts",
      from: "valid_until: validUntil === null ? null : new Date(validUntil)",
      to: "valid_until: null"
    }]
  },
  {
    // Its runs need a lost signing record, and the hold of contested nonces covers most of them.
    name: "a forgotten transaction of our own is judged only once it is final",
    test: "packages/workers/test/gas-wallet/LaneReconciler.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/FlightCheck.ts",
      from: `if (use._tag === "Foreign") {`,
      to: `if (use._tag === "Foreign" && use.block <= (yield* finalBlockOf(chain))) {`
    }]
  },
  {
    name: "a lane signs although a node holds another transaction at a flight's nonce",
    test: "packages/workers/test/gas-wallet/LaneReconciler.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/TransactionTracker.ts",
      from: "conflicts.isUnexplained() || LaneState.isContested(MutableRef.get(state))",
      to: "conflicts.isUnexplained()"
    }]
  },
  {
    name: "what happens to a superseded submission reverts the step after it",
    threat: 10,
    test: "packages/core/test/gas-wallet/SubmissionStore.test.ts",
    edits: [{
      file: "packages/core/src/gas-wallet/SubmissionOutcomes.ts",
      from: `sql.literal("s.key = i.id::text || '/' || i.step")`,
      to: `sql.literal("s.key like i.id::text || '/%'")`
    }]
  },
  {
    name: "a read of a network that is not served is admitted by its cached key",
    test: "packages/server/test/endpoint/Admission.test.ts",
    edits: [{
      file: "packages/server/src/endpoint/KeyCallers.ts",
      from: "unservedValues(directory, facts, read, []).length === 0",
      to: "read !== undefined"
    }]
  },
  {
    name: "an idempotency key is not looked up before vault, trader and limits",
    threat: 17,
    test: "packages/server/test/endpoint/Admission.test.ts",
    edits: [{
      file: "packages/server/src/endpoint/Gatekeeper.ts",
      from: "const early = mayRepeat && key !== undefined ?",
      to: "const early = !mayRepeat && key !== undefined ?"
    }]
  },
  {
    name: "a refusal hides that the key was accepted meanwhile",
    threat: 17,
    test: "packages/server/test/gate/IdempotentWrites.test.ts",
    edits: [{
      file: "packages/server/src/gate/IdempotentWrites.ts",
      from: "if (Option.isSome(yield* named(claim.wallet, claim.name))) return yield* request\n",
      to: "yield* named(claim.wallet, claim.name)\n"
    }]
  },
  {
    name: "a frozen runner keeps others waiting in the database",
    threat: 18,
    test: "packages/app/test/cluster/ShardLocks.test.ts",
    edits: [{
      file: "packages/app/src/ShardLocks.ts",
      from: "and state in ('idle in transaction', 'idle in transaction (aborted)')",
      to: "and state in ('idle in transaction (aborted)')"
    }]
  },
  {
    name: "a frozen runner keeps its shards",
    threat: 18,
    test: "packages/app/test/cluster/Runners.deep.test.ts",
    edits: [{
      file: "packages/app/src/Cluster.ts",
      from: `shardLockExpiration: "6 seconds"`,
      to: `shardLockExpiration: "20 minutes"`
    }]
  },
  {
    name: "a service without a runner is ready",
    threat: 19,
    test: "packages/server/test/gate/HealthChecks.test.ts",
    edits: [{
      file: "packages/server/src/gate/HealthChecks.ts",
      from: `if (runners !== "ok") return "runners"`,
      to: `if (runners === "unknown") return "runners"`
    }]
  },
  {
    name: "a service whose database refuses writes is ready",
    threat: 19,
    test: "packages/server/test/gate/HealthChecks.test.ts",
    edits: [{
      file: "packages/server/src/gate/HealthChecks.ts",
      from: `if (database !== "ok") return "database"`,
      to: `if (database === "no answer") return "database"`
    }]
  },
  {
    name: "the answer of readiness waits for a frozen database",
    threat: 19,
    test: "packages/server/test/gate/HealthChecks.test.ts",
    edits: [{
      file: "packages/server/src/gate/HealthChecks.ts",
      from: "Effect.timeoutOption(Fiber.join(current.fiber), limit)",
      to: `Effect.timeoutOption(Fiber.join(current.fiber), "6 seconds")`
    }]
  },
  {
    name: "a row without its planner's MAC is signed",
    threat: 9,
    test: "packages/workers/test/gas-wallet/ForgedRows.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/SubmissionMac.ts",
      from: "timingSafeEqual(Buffer.from(submission.mac, \"hex\"), digest(submission))",
      to: "timingSafeEqual(digest(submission), digest(submission))"
    }]
  },
  {
    name: "a signer of its own signs again what its record has",
    threat: 9,
    test: "packages/workers/test/signer/SignerSocket.test.ts",
    edits: [{
      file: "packages/workers/src/signer/SignerServer.ts",
      from: "if (taken === undefined || !(yield* unrecorded(record, transactions))) {",
      to: "if (taken === undefined) {"
    }]
  },
  {
    name: "a signer of its own accepts a permit twice",
    threat: 9,
    test: "packages/workers/test/signer/SignerSocket.test.ts",
    edits: [{
      file: "packages/workers/src/signer/IssuedPermits.ts",
      from: "for (const key of keys) issued.delete(key)",
      to: "for (const key of keys) issued.has(key)"
    }]
  },
  {
    name: "the fee of a cancellation has no limit",
    test: "packages/workers/test/gas-wallet/Lifetimes.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/Replacement.ts",
      from: "attempts.filter(({ cancels }) => !cancels).reduce(",
      to: "attempts.reduce("
    }]
  },
  {
    name: "a misspelt setting is accepted",
    threat: 20,
    test: "packages/app/test/process/SettingNames.test.ts",
    edits: [{
      file: "packages/app/src/SettingNames.ts",
      from: "if (prefixes.some((prefix) => name.startsWith(prefix)) || isMisspelt(name, nearest)) return",
      to: "if (isMisspelt(name, nearest)) return"
    }]
  },
  {
    name: "another pepper is accepted",
    threat: 20,
    test: "packages/app/test/process/Start.deep.test.ts",
    edits: [{
      file: "packages/app/src/PepperCheck.ts",
      from: "if (row?.value !== value) {",
      to: "if (row === undefined) {"
    }]
  }
]
