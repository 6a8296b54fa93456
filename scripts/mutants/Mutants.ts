/**
 * The engine made wrong on purpose, one way at a time. `npm run mutants` runs the simulation against each: a mutant that no life notices is a
 * promise that nothing guards.
 */

/** One text of a source file, which occurs there exactly once, and what the mutant has in its place. */
export interface Edit {
  /** From the root of the project. */
  readonly file: string
  readonly from: string
  readonly to: string
}

export interface Mutant {
  readonly name: string
  readonly edits: ReadonlyArray<Edit>
}

const lanes = "packages/workers/src/gas-wallet"
const core = "packages/core/src"

/** Replaces the one occurrence of `from` in the text of a file; throws where there are more, or none. */
export const edited = (text: string, { file, from, to }: Edit): string => {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times, not once:\n${from}`)
  return parts.join(to)
}

const actorChargesReverts: Edit = {
  file: "packages/workers/src/vault/IntentEnd.ts",
  from: `          return failedOnChain(failureOf(meaning, "the transaction was mined and reverted, so only gas was spent"))`,
  to: `          const failed = failedOnChain(failureOf(meaning, "the transaction was mined and reverted, so only gas was spent"))
          return { ...failed, charge: Option.some(yield* prices.charge(network, action.charge, intent.wallet)) }`
}

export const mutants: ReadonlyArray<Mutant> = [
  {
    name: "bytes broadcast before they are committed",
    edits: [{
      file: `${lanes}/Departure.ts`,
      from: "...fees\n            })))",
      to: "...fees\n            }))).pipe(Effect.tap((all) => chain.broadcast(all.map(({ raw }) => raw))))"
    }]
  },
  {
    name: "nonces from a counter instead of rows and chain",
    edits: [{
      file: `${core}/gas-wallet/Signatures.ts`,
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
        file: `${lanes}/Flight.ts`,
        from: `      if (failure._tag === "RpcRefused" && alreadyKnown(failure)) return Effect.void
`,
        to: `      if (failure._tag === "RpcRefused" && alreadyKnown(failure)) return Effect.void
      if (/nonce too low/i.test(failure.reason)) (globalThis.tooLow ??= new Set()).add(submissionKey)
`
      },
      {
        file: `${lanes}/FlightDeck.ts`,
        from: `        if (flights.size === 0) return
        // A transaction above`,
        to: `        for (const flight of inNonceOrder()) if (globalThis.tooLow?.delete(flight.key)) yield* supersede(flight)
        if (flights.size === 0) return
        // A transaction above`
      }
    ]
  },
  {
    name: "a revert is charged, by the actor and the ledger",
    edits: [
      actorChargesReverts,
      {
        file: `${core}/intent/IntentStore.ts`,
        from: `if (row === undefined || outcome._tag === "Failed" || Option.isNone(charge)) return true`,
        to: "if (row === undefined || Option.isNone(charge)) return true"
      }
    ]
  },
  {
    name: "a revert is charged, by the actor alone",
    edits: [actorChargesReverts]
  },
  {
    name: "acknowledged as another's at the first receipt that is missing",
    edits: [{
      file: `${lanes}/FlightDeck.ts`,
      from: `        const use = yield* conflicts.investigate(flight, head.number)
        if (use._tag`,
      to: `        const use = { _tag: "Foreign", block: 0n }
        if (use._tag`
    }]
  },
  {
    name: "a foreign transaction is believed before it is final",
    edits: [{
      file: `${lanes}/FlightDeck.ts`,
      from: `if (use._tag === "Foreign" && head.number - use.block >= BigInt(chain.book.finalityDepth)) return yield* supersede(flight)`,
      to: `if (use._tag === "Foreign") return yield* supersede(flight)`
    }]
  },
  {
    name: "bytes that no node has are never offered again",
    edits: [{
      file: `${lanes}/FlightDeck.ts`,
      from: "        yield* send(unseen.filter(({ sentAt }) => now - sentAt >= lookAnywayMillis))\n",
      to: ""
    }]
  },
  {
    name: "what a reorg removes is not taken back",
    edits: [{
      file: `${lanes}/Landings.ts`,
      from: `      yield* persistently(store.unmined(flight.key, receipt.blockHash))
      yield* Metrics.count(Metrics.reorged, { network })
      landed.delete(flight.key)
      yield* told.removed(flight)
`,
      to: `      yield* Metrics.count(Metrics.reorged, { network })
      landed.delete(flight.key)
`
    }]
  },
  {
    name: "slow is told as failed",
    edits: [{
      file: "packages/workers/src/vault/IntentRunner.ts",
      from: `        Effect.timeout("30 seconds"),
        persistently
      )

    /** Fails once`,
      to: `        Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => Effect.succeed({
          _tag: "Refused",
          failure: new ExecutionFailure({ errorType: "internal", message: "It took too long." })
        }) }),
        persistently
      )

    /** Fails once`
    }]
  },
  {
    name: "an outcome is written without asking whether its receipt still stands",
    edits: [{
      file: `${core}/intent/IntentStore.ts`,
      from: "              if (standing.length === 0) return false\n",
      to: "              if (standing.length < 0) return false\n"
    }]
  },
  {
    name: "a foreign transaction is believed although endpoints contradict each other",
    edits: [{
      file: `${lanes}/NonceUse.ts`,
      from: "const agree = others.length > 0 && others.every((other) => useIn(other, question)?.hash === use.hash)",
      to: "const agree = others.length >= 0"
    }]
  },
  {
    name: "other endpoints are not asked for a receipt",
    edits: [{
      file: `${lanes}/NonceUse.ts`,
      from: "const [receipt] = yield* chain.receiptsAnywhere(question.hashes)",
      to: "const receipt = undefined"
    }]
  }
]
