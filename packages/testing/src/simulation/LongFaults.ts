/** Injects faults that last for minutes or hours: drained wallets, and fees beyond the cap while prices move. */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { SeededRandom } from "@vault-trader/app/SeededRandom"
import * as Effect from "effect/Effect"
import * as ChainState from "../test-chain/ChainState.ts"
import type { TestChain } from "../test-chain/TestChain.ts"
import type { ChainProfile } from "./ChainProfile.ts"
import type { FaultCounts } from "./FaultCounts.ts"
import type { Fixture, Wallet } from "./RunFixture.ts"
import type { VirtualClock } from "./VirtualClock.ts"

interface Options {
  readonly chance: SeededRandom
  readonly clock: VirtualClock
  readonly counts: FaultCounts
  readonly fixture: Fixture
  readonly profile: ChainProfile
  /** Hashes of foreign transactions, to which a drain by transfer is added. */
  readonly foreign: Map<Hash, Address>
  /** Runs an effect outside of any process: no crash interrupts it. */
  readonly fork: (effect: Effect.Effect<void>) => void
}

export interface LongFaults {
  /** Draws whether a fault starts; call it with each block of the fault phase. */
  readonly onBlock: Effect.Effect<void>
  /** Time at which the last of the faults so far ends, in milliseconds of the virtual clock. */
  readonly endsAt: () => number
  /** Returns whether the base fee is beyond the cap for long. */
  readonly isSpiking: () => boolean
}

const gwei = 1_000_000_000n
/** Balance of a refilled wallet, native smallest units. */
export const fullBalance = 10n ** 19n
/** Balance that a drain leaves: less than any transaction costs. */
const dust = 10n ** 9n
const beyondCap = 500n * gwei
const thief: Address = "0x00000000000000000000000000000000dead0001"

/** Takes a wallet's balance by a transfer that its own key signs; returns the transfer's hash. */
const transferAll = (chain: TestChain, { address, privateKey }: Wallet) =>
  Effect.gen(function*() {
    const maxFeePerGas = (yield* chain.head).baseFee * 2n + gwei
    const reserved = (yield* chain.waiting).filter(({ from }) => from === address)
      .reduce((sum, { gas, maxFeePerGas, value }) => sum + gas * maxFeePerGas + value, 0n)
    const balance = ChainState.slot(yield* chain.world, ChainState.native(address))
    const value = balance - reserved - 21_000n * maxFeePerGas - dust
    if (value <= 0n) return undefined
    const transfer = { to: thief, value, maxFeePerGas, maxPriorityFeePerGas: gwei }
    const sent = yield* Effect.result(chain.foreign(privateKey, transfer))
    return sent._tag === "Success" ? sent.success : undefined
  })

/** Returns an effect that empties a wallet and refills it later. */
const makeDrain = (
  { chance, clock, counts, fixture: { chain, wallets }, foreign, fork, profile }: Options,
  endsBy: (millis: number) => void
) => {
  const dry = new Set<Address>()
  return Effect.gen(function*() {
    const wallet = chance.one(wallets)
    if (dry.has(wallet.address)) return
    const { address } = wallet
    dry.add(address)
    if (chance.happens(0.5)) {
      counts.count("wallet drained by a transfer")
      const hash = yield* transferAll(chain, wallet)
      if (hash !== undefined) foreign.set(hash, address)
    } else {
      // As a contract does to which the wallet's account is delegated (EIP-7702): its nonce does not move.
      counts.count("wallet drained without a nonce")
      yield* chain.setBalance(address, dust)
    }
    if (profile.dryMillis >= 3_600_000) counts.count("wallet dry for an hour")
    endsBy(clock.now() + profile.dryMillis)
    clock.after(profile.dryMillis, () => {
      dry.delete(address)
      counts.count("wallet refilled")
      fork(chain.setBalance(address, fullBalance))
    })
  })
}

/** Returns an effect that raises the base fee beyond the cap and moves the price of WETH meanwhile. */
const makeSpike = (
  { chance, clock, counts, fixture: { chain }, fork, profile }: Options,
  endsBy: (millis: number) => void
) => {
  let isSpiking = false
  const spike = Effect.gen(function*() {
    if (isSpiking) return
    isSpiking = true
    counts.count(
      profile.spikeMillis >= 3_600_000 ? "base fee beyond the cap for hours" : "base fee beyond the cap for minutes"
    )
    yield* chain.setBaseFee(beyondCap)
    endsBy(clock.now() + profile.spikeMillis)
    const thousandths = chance.happens(0.5) ? 960n : 1_040n
    clock.after(profile.spikeMillis / 2, () => fork(chain.movePrice("WETH", thousandths)))
    clock.after(profile.spikeMillis, () => {
      isSpiking = false
      fork(chain.setBaseFee(gwei))
    })
  })
  return { spike, isSpiking: () => isSpiking }
}

export const make = (options: Options): LongFaults => {
  const { chance, profile } = options
  let endsAt = 0
  const endsBy = (millis: number) => {
    endsAt = Math.max(endsAt, millis)
  }
  const drain = makeDrain(options, endsBy)
  const { isSpiking, spike } = makeSpike(options, endsBy)
  return {
    onBlock: Effect.gen(function*() {
      if (chance.happens(profile.drains)) yield* drain
      if (chance.happens(profile.longSpikes)) yield* spike
    }),
    endsAt: () => endsAt,
    isSpiking
  }
}
