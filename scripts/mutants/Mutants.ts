/**
 * Mutants: deliberate faults, one at a time. `npm run mutants` runs the simulation against each fault of the engine, and
 * a test file against each fault outside of it; a mutant that nothing detects shows an invariant that is not tested.
 */
import { oneEndpoint } from "./EndpointMutants.ts"
import type { Edit, Mutant } from "./Mutant.ts"
import { tested } from "./TestedMutants.ts"

const lanes = "packages/workers/src/gas-wallet"
const core = "packages/core/src"

const actorChargesReverts: Edit = {
  file: "packages/workers/src/vault/IntentOutcome.ts",
  from: `          return failedOnChain(explain(meaning, "reverted"))`,
  to: `          const failed = failedOnChain(explain(meaning, "reverted"))
          return { ...failed, charge: Option.some(yield* prices.charge(network, action.charge, intent.wallet)) }`
}

/** The mutants that runs of the simulation must detect, and four of the engine that runs cannot, or hardly ever. */
const simulated: ReadonlyArray<Mutant> = [
  {
    name: "bytes broadcast before they are committed",
    edits: [{
      file: `${lanes}/LaneSignatures.ts`,
      from: "...fees\n            }))\n          )",
      to: "...fees\n            }))\n          ).pipe(Effect.tap((all) => chain.broadcast(all.map(({ raw }) => raw))))"
    }]
  },
  {
    name: "nonces from a counter instead of rows and chain",
    edits: [{
      file: `${core}/gas-wallet/LaneNonces.ts`,
      from: `  const ours = BigInt(next ?? "0")
  const first = ours > chainNonce ? ours : chainNonce
`,
      to: `  const counters = (globalThis.counters ??= new Map())
  const lane = submissions[0].network + submissions[0].wallet
  const first = counters.get(lane) ?? chainNonce
  counters.set(lane, first + BigInt(submissions.length))
`
    }]
  },
  {
    name: "a fresh nonce after \"nonce too low\"",
    edits: [
      {
        file: `${lanes}/InFlight.ts`,
        from: `      if (failure._tag === "RpcRefused" && alreadyKnown(failure)) return Effect.void
`,
        to: `      if (failure._tag === "RpcRefused" && alreadyKnown(failure)) return Effect.void
      if (/nonce too low/i.test(failure.reason)) (globalThis.tooLow ??= new Set()).add(submissionKey)
`
      },
      {
        file: `${lanes}/FlightCheck.ts`,
        from: `    // A transaction above the chain's count`,
        to: `    for (const flight of LaneState.inNonceOrder(MutableRef.get(state))) {
      if (globalThis.tooLow?.delete(flight.key)) yield* supersede(tracking, flight)
    }
    // A transaction above the chain's count`
      }
    ]
  },
  {
    name: "a reverted transaction is charged, by the actor and the tables",
    edits: [
      actorChargesReverts,
      {
        file: `${core}/intent/IntentEnd.ts`,
        from: "if (isExecuted && Option.isSome(charge)) yield* insertCharge",
        to: "if (Option.isSome(charge)) yield* insertCharge"
      },
      {
        file: `${core}/intent/IntentEnd.ts`,
        from: "const booked = outcome._tag === \"Succeeded\" ? Option.getOrUndefined(charge) : undefined",
        to: "const booked = Option.getOrUndefined(charge)"
      }
    ]
  },
  {
    // The tables refuse such a charge: no run can notice it.
    name: "a reverted transaction is charged, by the actor alone",
    test: "packages/workers/test/vault/IntentOutcome.test.ts",
    edits: [actorChargesReverts]
  },
  {
    name: "superseded at the first missing receipt",
    threat: 1,
    edits: [{
      file: `${lanes}/FlightCheck.ts`,
      from: `    const use = yield* conflicts.investigate(flight, head.number)
`,
      to: `    const use = { _tag: "Foreign", block: 0n }
`
    }]
  },
  {
    name: "a foreign transaction counts before it is final",
    edits: [{
      file: `${lanes}/FlightCheck.ts`,
      from: "const isFinal = use.block <= (yield* finalBlockOf(chain))",
      to: "const isFinal = use.block >= 0n"
    }]
  },
  {
    name: "transactions that no node has are never broadcast again",
    edits: [{
      file: `${lanes}/FlightCheck.ts`,
      from:
        "    yield* send(tracking, LaneState.unsentSince(MutableRef.get(state), missingKeys, now, rebroadcastMillis))\n",
      to: ""
    }]
  },
  {
    name: "outcomes removed by a reorg are not reverted",
    edits: [{
      file: `${lanes}/FinalityTracker.ts`,
      from: `    yield* retryForever(store.revertMined(flight.key, receipt.blockHash))
    yield* Metrics.count(Metrics.reorgs, { network })
    mined.delete(flight.key)
    yield* removed(flight)
`,
      to: `    yield* Metrics.count(Metrics.reorgs, { network })
    mined.delete(flight.key)
`
    }]
  },
  {
    name: "a slow transaction is reported as failed",
    edits: [{
      file: "packages/workers/src/vault/IntentExecution.ts",
      from: `      Effect.timeout("30 seconds"),
      retryForever
`,
      to: `      Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => Effect.succeed({
        _tag: "Refused",
        failure: IntentOutcome.planningDefect
      }) }),
      retryForever
`
    }]
  },
  {
    // A reorg must come between the check and the commit: on Effect 4 no run of 200 has reached that.
    name: "an outcome is written without checking its receipt again",
    test: "packages/core/test/gas-wallet/SubmissionStore.test.ts",
    edits: [{
      file: `${core}/intent/IntentEnd.ts`,
      from: "    return current.length > 0\n",
      to: "    return current.length >= 0\n"
    }]
  },
  {
    name: "an outcome is written without checking its receipt again, in one statement",
    test: "packages/core/test/gas-wallet/SubmissionStore.test.ts",
    edits: [{
      file: `${core}/intent/IntentEnd.ts`,
      from: "and exists (select 1 from current)",
      to: "and (select count(*) from current) >= 0"
    }]
  },
  {
    name: "a foreign transaction counts although endpoints contradict each other",
    threat: 1,
    edits: [{
      file: `${lanes}/NonceUse.ts`,
      from: "const agree = others.every((other) => useIn(other, question)?.hash === use.hash)",
      to: "const agree = others.length >= 0"
    }]
  },
  {
    // The search of block bodies finds ours all the same: runs end right, only later.
    name: "other endpoints are not queried for a receipt",
    threat: 1,
    test: "packages/workers/test/gas-wallet/NonceConflict.test.ts",
    edits: [{
      file: `${lanes}/NonceUse.ts`,
      from: "const receipts = yield* chain.receiptsAnywhere(question.hashes)",
      to: "const receipts = []"
    }]
  },
  {
    name: "used nonces of idle wallets are not noticed",
    threat: 5,
    edits: [{
      file: `${lanes}/NonceWatch.ts`,
      from: "baseline === null || count <= baseline ? 0n : count - baseline - ours",
      to: "baseline === null || count <= baseline ? 0n : (count - baseline - ours) * 0n"
    }]
  },
  {
    name: "final transactions are never read again",
    threat: 10,
    edits: [{
      file: `${lanes}/FinalityTracker.ts`,
      from: "if (checkAll) yield* trackFinalAgain(lane, mined)",
      to: ""
    }]
  },
  {
    name: "a check of the flights needs state of an old block",
    threat: 11,
    edits: [{
      file: `${lanes}/FlightCheck.ts`,
      from: "    const [below, ahead] = Arr.partition(",
      to: `    const old = head.number - BigInt(chain.book.finalityDepth)
    if (old > 0n) yield* chain.nonce(wallet, old)
    const [below, ahead] = Arr.partition(`
    }]
  },
  {
    name: "an endpoint's chain id is read once",
    threat: 16,
    edits: [
      {
        file: "packages/workers/src/chain/ChainIdGuard.ts",
        from: `if (state._tag === "right" && now - state.at < rightTtlMillis) return Effect.void`,
        to: `if (state._tag === "right") return Effect.void`
      },
      {
        file: "packages/workers/src/chain/ChainIdGuard.ts",
        from: `if (mayReconnect(failure) && state._tag === "right") state = { _tag: "unknown" }`,
        to: "void mayReconnect(failure)"
      }
    ]
  },
  {
    name: "rows behind the chain and the signing record are signed after",
    threat: 4,
    edits: [
      {
        file: `${core}/gas-wallet/SigningBatch.ts`,
        from: "if (lane.chainNonce > explained) return yield* new RowsBehindChain({ wallet, explained })",
        to: "void explained"
      },
      {
        file: `${lanes}/LaneSignatures.ts`,
        from: "    const next = Option.getOrElse(yield* record.nextNonce(chainId, wallet), () => 0n)\n",
        to: `    if (numbered.length >= 0) return
    const next = Option.getOrElse(yield* record.nextNonce(chainId, wallet), () => 0n)
`
      },
      {
        file: `${lanes}/AttemptRecord.ts`,
        from: "const commit = (some: ReadonlyArray<SigningEntry>) => record.commit(some)",
        to: "const commit = (some: ReadonlyArray<SigningEntry>) => Effect.ignore(record.commit(some))"
      }
    ]
  },
  {
    name: "a follower that is set again begins with an unused cap",
    edits: [{
      file: `${core}/intent/FollowerTradeStore.ts`,
      from: "where f.network = ${network} and f.pool = ${pool}\n        and t.begun_at",
      to: "where f.network = ${network} and f.pool = ${pool} and f.ended_at is null\n        and t.begun_at"
    }]
  },
  {
    name: "a follower's cap of an interval is not enforced",
    edits: [
      {
        file: `${core}/intent/FollowerTradeStore.ts`,
        from: "if (terms.maxUsdInInterval18 !== null && spent18 + trade.usd18 > terms.maxUsdInInterval18) {",
        to: "if (terms.maxUsdInInterval18 !== null && trade.usd18 > terms.maxUsdInInterval18) {"
      },
      {
        file: `${core}/follower/FollowerDecision.ts`,
        from: "maxUsdInInterval18 === null ? maxUsd18 : maxUsdInInterval18 - spent18",
        to: "maxUsdInInterval18 === null ? maxUsd18 : maxUsdInInterval18 - spent18 * 0n"
      }
    ]
  },
  {
    name: "a group's trades have a key of their own at each repeat",
    edits: [{
      file: `${core}/vault-group/VaultGroup.ts`,
      from: "`${groupKeyPrefix}${callId}-${index + 1}`",
      to: "`${groupKeyPrefix}${callId}-${index + 1}-${globalThis.repeats = (globalThis.repeats ?? 0) + 1}`"
    }]
  },
  {
    name: "signed calls have no end",
    threat: 6,
    edits: [{
      file: `${lanes}/InFlight.ts`,
      from: "boolean => validUntil !== null && now >= validUntil",
      to: "boolean => validUntil !== null && now < 0"
    }]
  }
]

export const mutants: ReadonlyArray<Mutant> = [...simulated, ...tested, ...oneEndpoint]
