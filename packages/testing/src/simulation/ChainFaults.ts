/** What befalls a chain from block to block: lost transactions, reorgs, dear gas, strangers with our keys, a manager who stops trading. */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { Fault } from "@vault-trader/devnet/test-chain/NodeFault"
import type { Faults } from "@vault-trader/devnet/test-chain/FaultyNode"
import * as Effect from "effect/Effect"
import type { Chance } from "@vault-trader/app/SeededRandom"
import type { Stage, Wallet } from "./Fixture.ts"
import type { Kind, Tally } from "./FaultCounts.ts"
import type { Trace } from "./Trace.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Weather } from "./FaultProfile.ts"

export interface ChainTrouble {
  /** Makes the next block, after whatever happens before it. */
  readonly block: Effect.Effect<void>
  /** Nothing happens any more; what was changed is changed back. */
  readonly calm: Effect.Effect<void>
  /** Hashes of what strangers sent, and with whose key. */
  readonly foreign: ReadonlyMap<Hash, Address>
}

const gwei = 1_000_000_000n

export const make = (life: {
  readonly chance: Chance
  readonly clock: VirtualClock
  readonly stage: Stage
  readonly tally: Tally
  readonly trace: Trace
  readonly weather: Weather
  readonly nodes: ReadonlyArray<Pick<Faults, "rule">>
  readonly fork: (effect: Effect.Effect<void>) => void
}): ChainTrouble => {
  const { chance, clock, fork, nodes, stage: { chain, vaults, wallets }, tally, trace, weather } = life
  const foreign = new Map<Hash, Address>()
  let isTroubled = true
  let isDear = false

  const drop = Effect.gen(function*() {
    const waiting = yield* chain.waiting
    const one = waiting[chance.below(waiting.length)]
    if (one === undefined) return
    tally.count("mempool dropped")
    yield* chance.happens(0.5) ? chain.dropAll : chain.drop(one.hash)
  })

  /** After the wallet's own transactions, or in the place of the first that waits. */
  const stranger = ({ address, privateKey }: Wallet) =>
    Effect.gen(function*() {
      const first = (yield* chain.waiting).filter(({ from }) => from === address).sort((a, b) => (a.nonce < b.nonce ? -1 : 1))[0]
      const takes = first !== undefined && chance.happens(0.5)
      const sent = yield* Effect.result(chain.foreign(privateKey, takes ? { nonce: first.nonce } : {}))
      if (sent._tag === "Failure") return
      foreign.set(sent.success, address)
      tally.count(takes ? "foreign transaction at a nonce of ours" : "foreign transaction")
    })

  const spike = Effect.gen(function*() {
    if (isDear) return
    isDear = true
    const beyond = chance.happens(0.3)
    tally.count(beyond ? "base fee beyond the cap" : "base fee times ten")
    yield* chain.setBaseFee((yield* chain.head).baseFee * (beyond ? 100n : 10n))
    clock.after(6_000 + chance.below(30_000), () => {
      isDear = false
      tally.count("base fee back")
      fork(chain.setBaseFee(gwei))
    })
  })

  /** What is on its way when trading stops is mined and reverts. */
  const pause = Effect.suspend(() => {
    const vault = vaults[chance.below(vaults.length)]
    if (vault === undefined) return Effect.void
    tally.count("trading paused")
    clock.after(3_000 + chance.below(10_000), () => fork(chain.setTradingPaused(vault.pool, false)))
    return chain.setTradingPaused(vault.pool, true)
  })

  const reorg = Effect.gen(function*() {
    const { number } = yield* chain.head
    const depth = 1 + chance.below(5)
    const keep = chance.happens(0.7)
    if (number < BigInt(depth)) return
    const kinds = ["reorg of depth 1", "reorg of depth 2", "reorg of depth 3", "reorg of depth 4", "reorg of depth 5"] as const satisfies ReadonlyArray<Kind>
    tally.count(kinds[depth - 1] ?? "reorg of depth 1")
    const removed = (yield* chain.blocks).slice(-depth)
    if (!keep && removed.some(({ transactions }) => transactions.length > 0)) tally.count("reorg that lost transactions")
    yield* chain.reorg(depth, { keep })
  })

  /** One node returns null for what is in blocks, or refuses to read the state of old ones, for some calls in a row. */
  const forget = Effect.gen(function*() {
    const node = nodes[chance.below(nodes.length)]
    if (node === undefined) return
    const times = 5 + chance.below(120)
    if (chance.happens(0.6)) {
      tally.count("node without index")
      return yield* node.rule({ method: /^eth_getTransaction(Receipt|ByHash)$/, fault: Fault.Malformed({ result: null }), times })
    }
    tally.count("node without old state")
    yield* node.rule({
      method: "eth_getTransactionCount",
      when: ([, block]) => block !== "latest" && block !== "pending",
      fault: Fault.Refuse({ code: -32000, reason: "missing trie node", forwarded: false }),
      times
    })
  })

  const trouble = Effect.gen(function*() {
    if (chance.happens(weather.drops)) yield* drop
    const wallet = wallets[chance.below(wallets.length)]
    if (chance.happens(weather.foreign) && wallet !== undefined) yield* stranger(wallet)
    if (chance.happens(weather.spikes)) yield* spike
    if (chance.happens(weather.pauses)) yield* pause
    if (chance.happens(weather.reorgs)) yield* reorg
    if (chance.happens(weather.forgets)) yield* forget
  })

  return {
    foreign,
    block: Effect.gen(function*() {
      if (isTroubled) yield* trouble
      const { hash, number, transactions } = yield* chain.mine()
      trace.add("block", number, hash, ...transactions.map(({ transaction }) => transaction.hash))
    }),
    calm: Effect.gen(function*() {
      isTroubled = false
      yield* chain.setBaseFee(gwei)
      yield* Effect.forEach(vaults, ({ pool }) => chain.setTradingPaused(pool, false), { discard: true })
    })
  }
}
