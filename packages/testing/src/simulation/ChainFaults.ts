/**
 * Injects chain faults block by block: dropped transactions, reorgs, fee spikes, foreign transactions, paused trading.
 */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { Fault } from "../test-chain/NodeFault.ts"
import type { Faults } from "../test-chain/FaultyNode.ts"
import * as Effect from "effect/Effect"
import type { SeededRandom } from "@vault-trader/app/SeededRandom"
import type { Fixture, Wallet } from "./RunFixture.ts"
import type { Kind, FaultCounts } from "./FaultCounts.ts"
import type { Trace } from "./Trace.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { ChainProfile } from "./ChainProfile.ts"
import type { FaultProfile } from "./FaultProfile.ts"
import * as LongFaults from "./LongFaults.ts"

interface Options {
  readonly chance: SeededRandom
  readonly clock: VirtualClock
  readonly fixture: Fixture
  readonly counts: FaultCounts
  readonly trace: Trace
  readonly profile: FaultProfile & ChainProfile
  readonly nodes: ReadonlyArray<Pick<Faults, "rule">>
  readonly fork: (effect: Effect.Effect<void>) => void
}

export interface ChainFaults {
  /** Mines the next block, after the faults drawn for it. */
  readonly block: Effect.Effect<void>
  /** Stops injecting faults and reverts those that last, except for the ones that have their own end. */
  readonly stop: Effect.Effect<void>
  /** Time at which the last of them ends, in milliseconds of the virtual clock. */
  readonly endsAt: () => number
  /** Hashes of foreign transactions, with the wallet whose key signed them. */
  readonly foreign: ReadonlyMap<Hash, Address>
  /** Returns true once a reorg has replaced final blocks. */
  readonly hasReplacedFinal: () => boolean
  /** Returns true for a transaction that a block has, or had before a reorg. */
  readonly wasMined: (hash: Hash) => boolean
}

const gwei = 1_000_000_000n
/** Number of blocks on top of a transaction that make it final in all runs. */
export const finalityDepth = 8
/** Maximum depth of a reorg. */
const maxDepth = finalityDepth + 12

/** Drops a pending transaction, or all of them. */
const drop = ({ chance, counts, fixture: { chain } }: Options) =>
  Effect.gen(function*() {
    const pending = yield* chain.waiting
    const dropped = pending[chance.below(pending.length)]
    if (dropped === undefined) return
    counts.count("mempool dropped")
    yield* chance.happens(0.5) ? chain.dropAll : chain.drop(dropped.hash)
  })

/** Sends a foreign transaction at the wallet's next nonce, or at the nonce of its first pending transaction. */
const sendForeign = (
  { chance, counts, fixture: { chain } }: Options,
  foreign: Map<Hash, Address>,
  { address, privateKey }: Wallet
) =>
  Effect.gen(function*() {
    const first = (yield* chain.waiting).filter(({ from }) =>
      from === address
    ).sort((a, b) => (a.nonce < b.nonce ? -1 : 1))[0]
    const takesNonce = first !== undefined && chance.happens(0.5)
    const sent = yield* Effect.result(chain.foreign(privateKey, takesNonce ? { nonce: first.nonce } : {}))
    if (sent._tag === "Failure") return
    foreign.set(sent.success, address)
    counts.count(takesNonce ? "foreign transaction at a nonce of ours" : "foreign transaction")
  })

/** Returns an effect that raises the base fee for a while, unless it is already raised. */
const makeSpike = (
  { chance, clock, counts, fixture: { chain }, fork }: Options,
  { isSpiking: isSpikingForLong }: LongFaults.LongFaults
) => {
  let isSpiking = false
  return Effect.gen(function*() {
    if (isSpiking || isSpikingForLong()) return
    isSpiking = true
    const beyond = chance.happens(0.3)
    counts.count(beyond ? "base fee beyond the cap" : "base fee times ten")
    yield* chain.setBaseFee((yield* chain.head).baseFee * (beyond ? 100n : 10n))
    clock.after(6_000 + chance.below(30_000), () => {
      isSpiking = false
      counts.count("base fee back")
      if (!isSpikingForLong()) fork(chain.setBaseFee(gwei))
    })
  })
}

/** Pauses trading on one vault: its pending transactions are mined and revert. */
const pause = ({ chance, clock, counts, fixture: { chain, vaults }, fork }: Options) =>
  Effect.suspend(() => {
    const vault = vaults[chance.below(vaults.length)]
    if (vault === undefined) return Effect.void
    counts.count("trading paused")
    clock.after(3_000 + chance.below(10_000), () => fork(chain.setTradingPaused(vault.pool, false)))
    return chain.setTradingPaused(vault.pool, true)
  })

const reorgKinds = [
  "reorg of depth 1",
  "reorg of depth 2",
  "reorg of depth 3",
  "reorg of depth 4",
  "reorg of depth 5"
] as const satisfies ReadonlyArray<Kind>

/** Draws the number of empty blocks at the beginning of a new branch: half of the branches have only such ones. */
const emptyOf = (chance: Options["chance"], depth: number) => chance.happens(0.5) ? depth : chance.below(depth)

const reorg = ({ chance, counts, fixture: { chain } }: Options) =>
  Effect.gen(function*() {
    const { number } = yield* chain.head
    const depth = 1 + chance.below(5)
    const keep = chance.happens(0.7)
    if (number < BigInt(depth)) return
    counts.count(reorgKinds[depth - 1] ?? "reorg of depth 1")
    const removed = (yield* chain.blocks).slice(-depth)
    if (!keep && removed.some(({ transactions }) => transactions.length > 0)) {
      counts.count("reorg that lost transactions")
    }
    yield* chain.reorg(depth, { keep, empty: emptyOf(chance, depth) })
  })

/** Replaces more blocks than are final. Foreign transactions may be lost, after what they superseded was planned again. */
const deepReorg = ({ chance, counts, fixture: { chain } }: Options, foreign: ReadonlyMap<Hash, Address>) =>
  Effect.gen(function*() {
    const { number } = yield* chain.head
    const depth = finalityDepth + 1 + chance.below(maxDepth - finalityDepth)
    if (number < BigInt(depth)) return
    const keep = chance.happens(0.35)
    const keepsForeign = keep || chance.happens(0.5)
    counts.count("reorg beyond finality")
    const removed = (yield* chain.blocks).slice(-depth).flatMap(({ transactions }) => transactions)
    if (!keepsForeign && removed.some(({ transaction: { hash } }) => foreign.has(hash))) {
      counts.count("reorg beyond finality that lost foreign transactions")
    }
    yield* chain.reorg(depth, {
      keep: ({ hash }) => keep || (keepsForeign && foreign.has(hash)),
      empty: emptyOf(chance, depth)
    })
  })

/** Makes one node return null for mined transactions, or refuse to read old state, for a number of calls in a row. */
const forget = ({ chance, counts, nodes }: Options) =>
  Effect.gen(function*() {
    const node = nodes[chance.below(nodes.length)]
    if (node === undefined) return
    const times = 5 + chance.below(120)
    if (chance.happens(0.6)) {
      counts.count("node without index")
      return yield* node.rule({
        method: /^eth_getTransaction(Receipt|ByHash)$/,
        fault: Fault.Malformed({ result: null }),
        times
      })
    }
    counts.count("node without old state")
    yield* node.rule({
      method: "eth_getTransactionCount",
      when: ([, block]) => block !== "latest" && block !== "pending",
      fault: Fault.Refuse({ code: -32000, reason: "missing trie node", forwarded: false }),
      times
    })
  })

/** Returns an effect that draws the faults of a block and injects them. */
const makeInjection = (options: Options, foreign: Map<Hash, Address>, long: LongFaults.LongFaults) => {
  const { chance, fixture: { wallets }, profile } = options
  const spike = makeSpike(options, long)
  return Effect.gen(function*() {
    if (chance.happens(profile.drops)) yield* drop(options)
    const wallet = chance.one(wallets)
    if (chance.happens(profile.foreign)) yield* sendForeign(options, foreign, wallet)
    if (chance.happens(profile.spikes)) yield* spike
    if (chance.happens(profile.pauses)) yield* pause(options)
    if (chance.happens(profile.reorgs)) yield* reorg(options)
    if (chance.happens(profile.forgets)) yield* forget(options)
    if (chance.happens(profile.deepReorgs)) yield* deepReorg(options, foreign)
    yield* long.onBlock
  })
}

export const make = (options: Options): ChainFaults => {
  const { fixture: { chain, vaults }, trace } = options
  const foreign = new Map<Hash, Address>()
  const long = LongFaults.make({ ...options, foreign })
  const injectFaults = makeInjection(options, foreign, long)
  const mined = new Set<Hash>()
  let isActive = true

  return {
    foreign,
    hasReplacedFinal: () => (options.counts.faults()["reorg beyond finality"] ?? 0) > 0,
    wasMined: (hash) => mined.has(hash),
    endsAt: long.endsAt,
    block: Effect.gen(function*() {
      if (isActive) yield* injectFaults
      const { hash, number, transactions } = yield* chain.mine()
      // A reorg puts transactions into blocks of the new branch, too.
      for (const block of (yield* chain.blocks).slice(-maxDepth - 1)) {
        for (const { transaction } of block.transactions) mined.add(transaction.hash)
      }
      trace.add("block", number, hash, ...transactions.map(({ transaction }) => transaction.hash))
    }),
    stop: Effect.gen(function*() {
      isActive = false
      if (!long.isSpiking()) yield* chain.setBaseFee(gwei)
      yield* Effect.forEach(vaults, ({ pool }) => chain.setTradingPaused(pool, false), { discard: true })
    })
  }
}
