/**
 * Samples the values of a network's vaults. A slot is a time of the clock; its sample is of the last block at or before
 * it, once that block is final, so that every runner would store the same. A node without the state of that block gives
 * a sample of its newest block instead, which counts once that block is final.
 */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { VaultEventStore } from "@vault-trader/core/gas-wallet/VaultEventStore"
import { type Provisional, type SampledVault, ValueSampleStore } from "@vault-trader/core/performance/ValueSampleStore"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import { withoutTracing } from "@vault-trader/core/telemetry/UntracedLoop"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Chains } from "../chain/Chains.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import type * as BlockAt from "./BlockAt.ts"
import type { Sampling } from "./SamplingPolicy.ts"
import { chainReads, removed, type SlotPlace } from "./SlotPlace.ts"
import * as ValueReader from "./ValueReader.ts"

const daySeconds = 86_400
/** Maximum number of missed slots of a vault that are filled later; older ones stay a gap. */
const maxLate = 200
/** Days of the past that one round fills for a vault. */
const backfillsARound = 5
/** Maximum number of samples that one round takes back because their block is gone. */
const maxTakenBack = 50
/** Vaults read at a time. */
const concurrency = 4

const dateOf = (seconds: number) => new Date(seconds * 1_000)
const secondsOf = (date: Date) => Math.floor(date.getTime() / 1_000)
const slotBefore = (seconds: number, interval: number) => Math.floor(seconds / interval) * interval

/** The services and facts of a round. */
interface Round {
  readonly network: Network
  readonly chain: ChainClient
  readonly reads: ReturnType<typeof chainReads>
  readonly store: ValueSampleStore["Service"]
  readonly read: ReturnType<typeof ValueReader.make>
  readonly sampling: Sampling
  readonly final: BlockAt.TimedBlock
}

const counted = (network: Network, outcome: "taken" | "missed" | "removed") =>
  Metrics.count(Metrics.valueSamples, { network, outcome }, 1)

/** Takes one vault's sample of a slot, and stores it or why there is none. Returns false where there was no vault. */
const sample = (
  { chain, network, read, store }: Round,
  pool: Address,
  slot: number,
  intervalSeconds: number,
  place: SlotPlace
) =>
  Effect.gen(function*() {
    const vault = { network, pool }
    const at = dateOf(slot)
    const miss = (reason: string) =>
      Effect.as(
        Effect.andThen(store.miss(vault, at, intervalSeconds, reason.slice(0, 500)), counted(network, "missed")),
        true
      )
    if ("reason" in place) return yield* miss(place.reason)
    const found = yield* read(pool, place.number)
    if (found._tag === "absent") return false
    if (found._tag === "unknown") return yield* miss(`The value is not known: ${found.reason}`)
    // The block that was read must still be the one whose hash is stored.
    const hash = yield* Effect.orElseSucceed(chain.blockHash(place.number), () => null)
    if (hash !== place.hash) return yield* miss(removed)
    const { details, owed, supply, value18 } = found
    yield* store.add(
      vault,
      {
        ...{ slot: at, intervalSeconds, at: dateOf(place.time), block: Number(place.number), blockHash: place.hash },
        ...{ value18, supply, owed, details }
      },
      place.final
    )
    yield* counted(network, "taken")
    return true
  })

/** Makes samples final whose blocks are, and takes those back whose blocks are gone. */
const settle = ({ chain, final, network, store }: Round) =>
  Effect.gen(function*() {
    for (const found of yield* store.provisional(network, Number(final.number))) {
      const place = { network, pool: found.pool }
      if ((yield* chain.blockHash(BigInt(found.block))) === found.blockHash) yield* store.settle(place, found)
      else yield* Effect.andThen(store.discard(place, found, removed), counted(network, "removed"))
    }
  })

/**
 * Checks that a vault's newest samples are of blocks of the chain, and takes others back: a node that was wrong about
 * what is final, or a chain that was reorganised beyond that. Returns the slots to sample again.
 */
const takeBack = (
  { chain, network, store }: Round,
  pool: Address,
  hashes: Map<number, Hash | null>
) =>
  Effect.gen(function*() {
    const again: Array<Provisional> = []
    // The clock of the chain may be ahead of this one.
    let before = new Date("9999-01-01")
    for (let each = 0; each < maxTakenBack; each++) {
      const newest = Option.getOrUndefined(yield* store.newestBefore({ network, pool }, before))
      if (newest === undefined) break
      const known = hashes.has(newest.block)
        ? hashes.get(newest.block)
        : yield* chain.blockHash(BigInt(newest.block))
      hashes.set(newest.block, known ?? null)
      if (known === newest.blockHash) break
      yield* store.discard({ network, pool }, newest, removed)
      yield* counted(network, "removed")
      again.push(newest)
      before = newest.slot
    }
    return again
  })

/** Lists the slots of a vault that are due, oldest first. */
const dueSlots = ({ nextSlot }: SampledVault, newest: number, interval: number): ReadonlyArray<number> => {
  const from = nextSlot === null ? newest : Math.max(secondsOf(nextSlot), newest - maxLate * interval)
  const first = Math.ceil(from / interval) * interval
  return Array.from({ length: Math.max(0, (newest - first) / interval + 1) }, (_, index) => first + index * interval)
}

/** Fills days of a vault's past, later ones first. Ends where the node has no state or there was no vault. */
const backfill = (round: Round, vault: SampledVault, places: (slot: number) => Effect.Effect<SlotPlace, RpcFailure>) =>
  Effect.gen(function*() {
    const { backfillSlot, backfillUntil, pool } = vault
    if (backfillSlot === null || backfillUntil === null) return null
    let slot = secondsOf(backfillSlot)
    for (let each = 0; each < backfillsARound; each++, slot -= daySeconds) {
      if (slot < secondsOf(backfillUntil)) return null
      const place = yield* places(slot)
      if ("reason" in place || !(yield* sample(round, pool, slot, daySeconds, place))) return null
    }
    return dateOf(slot)
  })

/** Samples one vault: what is due, what was taken back, and some days of its past. */
const sampleVault = (
  round: Round,
  vault: SampledVault,
  places: (slot: number) => Effect.Effect<SlotPlace, RpcFailure>,
  hashes: Map<number, Hash | null>
) =>
  Effect.gen(function*() {
    const { network, sampling: { seconds }, store } = round
    const newest = slotBefore(round.final.time, seconds)
    const due = dueSlots(vault, newest, seconds)
    if (due.length === 0 && vault.backfillSlot === null) return
    const again = due.length === 0 ? [] : yield* takeBack(round, vault.pool, hashes)
    for (const { slot } of again) {
      yield* sample(round, vault.pool, secondsOf(slot), seconds, yield* places(secondsOf(slot)))
    }
    for (const slot of due) yield* sample(round, vault.pool, slot, seconds, yield* places(slot))
    yield* store.advance({ network, pool: vault.pool }, {
      nextSlot: dateOf(newest + seconds),
      backfillSlot: yield* backfill(round, vault, places),
      backfillUntil: vault.backfillUntil
    })
  })

/** Finds each slot's block once for all vaults of a round. */
const sharedPlaces = ({ final, reads, sampling: { seconds } }: Round) => {
  const newest = slotBefore(final.time, seconds)
  const known = new Map<number, SlotPlace>()
  return (slot: number): Effect.Effect<SlotPlace, RpcFailure> => {
    const place = known.get(slot)
    return place !== undefined
      ? Effect.succeed(place)
      : Effect.tap(reads.placeOf(slot, final, slot === newest), (found) => Effect.sync(() => known.set(slot, found)))
  }
}

/** Adds the vaults that wallets are linked to or have traded, and those with a bot or an open order. */
const register = ({ network, sampling: { backfillDays } }: Pick<Round, "network" | "sampling">) =>
  Effect.gen(function*() {
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const today = slotBefore(now, daySeconds)
    const store = yield* ValueSampleStore
    const watched = yield* (yield* VaultEventStore).vaults(network)
    yield* store.register(
      network,
      [...new Set([...watched, ...(yield* store.traded(network))])],
      backfillDays === 0
        ? { slot: null, until: null }
        : { slot: dateOf(today), until: dateOf(today - backfillDays * daySeconds) }
    )
  })

/** Resolves the benchmarks that the network has. */
const benchmarksOf = (network: Network, { benchmarks }: Sampling) =>
  Effect.gen(function*() {
    const tokens = yield* Tokens
    const found = yield* Effect.forEach(benchmarks, (symbol) => Effect.option(tokens.resolve(network, symbol, [])))
    return found.flatMap(Option.toArray)
  })

/** Makes a network's round. Each one registers new vaults, settles samples, and takes those that are due. */
export const make = (network: Network, sampling: Sampling) =>
  Effect.gen(function*() {
    const chain = yield* (yield* Chains).get(network)
    const tokens = yield* Tokens
    const store = yield* ValueSampleStore
    const reads = chainReads(chain)
    let reader: ReturnType<typeof ValueReader.make> | undefined
    const page = (round: Round, vaults: ReadonlyArray<SampledVault>) => {
      const places = sharedPlaces(round)
      const hashes = new Map<number, Hash | null>()
      return Effect.forEach(vaults, (vault) =>
        sampleVault(round, vault, places, hashes).pipe(
          Effect.catchCause((cause) =>
            Effect.logWarning(`the value of ${vault.pool} on ${network} was not sampled`, cause)
          )
        ), { concurrency, discard: true })
    }
    const round = Effect.gen(function*() {
      yield* register({ network, sampling })
      const final = yield* reads.timed(yield* chain.finalBlock)
      if (final === undefined) return
      reader ??= ValueReader.make(chain, tokens, yield* benchmarksOf(network, sampling))
      const facts: Round = { network, chain, reads, store, read: reader, sampling, final }
      yield* settle(facts)
      let after: Address | null = null
      for (;;) {
        const vaults: ReadonlyArray<SampledVault> = yield* store.vaults(network, after)
        yield* page(facts, vaults)
        const last = vaults.at(-1)
        if (last === undefined) return
        after = last.pool
      }
    }).pipe(Effect.withSpan("ValueSampler.round", { attributes: { network } }))
    return { round }
  })

/** Maximum time between two rounds, in seconds. */
const maxPause = 60

/** Runs rounds forever. While no node answers, nothing is stored; the slots are filled later where the node can. */
export const run = (network: Network, sampling: Sampling) =>
  Effect.gen(function*() {
    const { round } = yield* make(network, sampling)
    const pause = Math.min(maxPause, Math.max(1, Math.floor(sampling.seconds / 4)))
    const logged = withoutTracing(() => round).pipe(
      Effect.catchCause((cause) => Effect.logWarning(`a round of sampling values on ${network} failed`, cause))
    )
    return yield* Effect.forever(Effect.andThen(logged, Effect.sleep(`${pause} seconds`)))
  }).pipe(
    Effect.catch((failure) => Effect.logError(`the values of vaults on ${network} are not sampled: ${failure.message}`))
  )
