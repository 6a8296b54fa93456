/** Makes the run's one dishonest endpoint lie for a while, consistently; the others are honest. */
import type { SeededRandom } from "@vault-trader/app/SeededRandom"
import * as Effect from "effect/Effect"
import { Lie } from "../test-chain/Lie.ts"
import type { LyingNode } from "../test-chain/LyingNode.ts"
import type { ChainProfile } from "./ChainProfile.ts"
import type { FaultCounts, Kind } from "./FaultCounts.ts"
import type { Fixture } from "./RunFixture.ts"
import type { Trace } from "./Trace.ts"
import type { VirtualClock } from "./VirtualClock.ts"

interface Options {
  readonly chance: SeededRandom
  readonly clock: VirtualClock
  readonly counts: FaultCounts
  readonly trace: Trace
  readonly profile: ChainProfile
  readonly nodes: ReadonlyArray<LyingNode>
  readonly wallets: Fixture["wallets"]
  /** Runs an effect outside of any process: no crash interrupts it. */
  readonly fork: (effect: Effect.Effect<void>) => void
}

export interface NodeLies {
  /** Draws whether a lie starts; call it with each block. */
  readonly onBlock: Effect.Effect<void>
  /** Ends the current lie. */
  readonly stop: Effect.Effect<void>
}

/** Probability that the first block starts a lie. */
const firstLies = 0.5

/** An id of another chain that the service knows. */
const otherChainId = 10

const drawLie = (
  { chance, wallets }: Pick<Options, "chance" | "wallets">,
  isFirst: boolean
): readonly [lie: Lie, kind: Kind] => {
  const fork = () => ({ depth: 1 + chance.below(12), keep: chance.happens(0.5) })
  const wallet = chance.one(wallets)
  // A process reads some things once, at its beginning.
  switch (isFirst && chance.happens(0.5) ? 7 : chance.below(8)) {
    case 0:
      return [Lie.Fork(fork()), "endpoint on a fork"]
    case 7:
      return [
        Lie.WrongNumbers({ decimals: chance.one([-2, 2]), priceTimes: BigInt(1 + chance.below(3)) }),
        "endpoint with wrong decimals and prices"
      ]
    case 6:
      return [Lie.Fork({ ...fork(), foreignBy: wallet.privateKey }), "endpoint on a fork that used a nonce"]
    case 1:
      return [Lie.WrongNonce({ by: BigInt(1 + chance.below(3)) }), "endpoint with a nonce too high"]
    case 2:
      return [Lie.WrongNonce({ by: -BigInt(1 + chance.below(3)) }), "endpoint with a nonce too low"]
    case 3:
      return [Lie.NoHistory({ blocks: 1 + chance.below(8) }), "endpoint without history"]
    case 4:
      return [Lie.OtherChain({ chainId: otherChainId, copied: chance.happens(0.5) }), "endpoint on another chain"]
    default:
      return [Lie.EmptyIndex(), "endpoint with an empty index"]
  }
}

export const make = ({ chance, clock, counts, fork, nodes, profile, trace, wallets }: Options): NodeLies => {
  const liar = nodes[profile.liar]
  if (liar === undefined || profile.lies === 0) return { onBlock: Effect.void, stop: Effect.void }
  let isFirst = true
  const lie = Effect.gen(function*() {
    const [content, kind] = drawLie({ chance, wallets }, isFirst)
    isFirst = false
    // Up to a minute: finality takes 16 seconds, so a lie may last for several times as long.
    const millis = 4_000 + chance.below(chance.happens(0.3) ? 60_000 : 15_000)
    counts.count(kind)
    trace.add("lie", profile.liar, kind, clock.now(), millis)
    yield* liar.lie(content)
    clock.after(millis, () => {
      trace.add("truth", profile.liar, clock.now())
      fork(liar.stop)
    })
  })
  let blocks = 0
  /** Half of the liars lie from the first block on. */
  const starts = () => chance.happens(blocks++ === 0 ? Math.max(firstLies, profile.lies) : profile.lies)
  return {
    onBlock: Effect.andThen(
      liar.advance,
      Effect.suspend(() => liar.isLying() || !starts() ? Effect.void : lie)
    ),
    stop: liar.stop
  }
}
