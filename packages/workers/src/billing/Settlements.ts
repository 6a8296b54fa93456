/**
 * Pays what gas wallets owe: converts charges that wait for a price, claims what is final, hands each payment to its wallet's own
 * lane, and writes down what became of it. One a service, beside everybody's way: a trade never waits for it. Every round reads the
 * rows anew, so that a job that dies is gone on with by the next.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ChargeStore } from "@vault-trader/core/billing/ChargeStore"
import { type Due, type Open, SettlementStore } from "@vault-trader/core/billing/SettlementStore"
import { GasWallet, idOf } from "@vault-trader/core/gas-wallet/GasWallet"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import { withoutTracing } from "@vault-trader/core/telemetry/UntracedLoop"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Chains } from "../chain/Chains.ts"
import { Prices } from "./Prices.ts"

export interface Policy {
  /** Who is paid; on a network without one charges stay outstanding. */
  readonly treasuries: ReadonlyMap<Network, Address>
  /** USD from which on a wallet's charges on a network are paid. */
  readonly aboveUsd: number
}

/** Nobody is paid. */
export const standardPolicy: Policy = { treasuries: new Map(), aboveUsd: 0 }

/** Gas units kept back for the payment itself: a treasury may be a contract. */
const paymentGas = 60_000n

/** Wallets paid at the same time. */
const atOnce = 16

const convert = Effect.gen(function*() {
  const charges = yield* ChargeStore
  const prices = yield* Prices
  yield* Effect.forEach(yield* charges.unconverted, (network) =>
    Effect.gen(function*() {
      const price = yield* prices.usable(network)
      if (Option.isNone(price)) return
      const { readAt, source, usd18 } = price.value
      const converted = yield* charges.convert(network, { usd18, source, at: readAt })
      yield* Effect.logInfo("charges that waited for a price were converted").pipe(Effect.annotateLogs({ network, charges: converted }))
    }), { discard: true })
})

/** Claims what a lane can pay. A wallet without enough, or under a kill switch, is left alone: what it owes stays outstanding. */
const claim = ({ treasuries }: Policy, { nativeWei, network, wallet }: Due) =>
  Effect.gen(function*() {
    const treasury = treasuries.get(network)
    const chain = yield* Effect.option((yield* Chains).get(network))
    if (treasury === undefined || Option.isNone(chain) || (yield* (yield* SubmissionStore).paused(wallet))) return
    const [balance, { maxFeePerGas }] = yield* Effect.all([chain.value.balance(wallet), chain.value.recentFees], { concurrency: "unbounded" })
    const affordable = balance - paymentGas * maxFeePerGas
    const claimed = yield* (yield* SettlementStore).claim({ network, wallet, treasury, affordable })
    if (Option.isSome(claimed)) yield* pay(claimed.value)
    else if (affordable < nativeWei) {
      yield* Effect.logInfo("a gas wallet cannot pay what it owes; it stays outstanding").pipe(Effect.annotateLogs({ network, wallet }))
    }
  })

/** The lane takes it from here: its rows say what became of it, so nobody waits. */
const pay = ({ key, network, wallet }: Open) =>
  Effect.flatMap(GasWallet.client, (wallets) =>
    Effect.ignore(Effect.timeout(wallets(idOf(network, wallet)).submit({ key }), "2 seconds")))

const conclude = Effect.gen(function*() {
  const ended = yield* (yield* SettlementStore).conclude
  yield* Effect.forEach(ended, ({ network, status, usd, wallet }) =>
    Effect.all([
      Metrics.count(Metrics.settlements, { network, outcome: status }),
      status === "paid"
        ? Metrics.count(Metrics.settledUsd, { network }, usd)
        : Effect.logWarning("a settlement came to nothing; its charges are outstanding again").pipe(Effect.annotateLogs({ network, wallet }))
    ], { discard: true }), { discard: true })
})

const logged = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) => Effect.logWarning(`${what} failed and is tried again`, cause))

/** Told once by who does the settling, when the service has been up for a moment. */
const unpaidTold = ({ treasuries }: Policy) =>
  Effect.flatMap(Chains, ({ networks }) => {
    const unpaid = networks.filter((network) => !treasuries.has(network))
    return unpaid.length === 0
      ? Effect.void
      : Effect.logWarning(`no treasury on ${unpaid.join(", ")}: charges are written down and stay outstanding; TREASURY says who is paid`)
  })

/** One round. Any part of it may fail, or be done by two at once for a moment. */
export const round = (policy: Policy) =>
  withoutTracing((loudly) => Effect.gen(function*() {
    const settlements = yield* SettlementStore
    yield* logged("ending settlements", conclude)
    yield* logged("converting charges", convert)
    const open = yield* settlements.open
    const due = yield* settlements.due({ networks: [...policy.treasuries.keys()], aboveUsd: policy.aboveUsd })
    if (open.length + due.length === 0) return
    yield* Effect.gen(function*() {
      yield* Effect.forEach(open, pay, { concurrency: atOnce, discard: true })
      yield* Effect.forEach(due, (lane) => logged("a settlement", claim(policy, lane)), { concurrency: atOnce, discard: true })
      yield* logged("ending settlements", conclude)
    }).pipe(Effect.withSpan("Settlements.round", { attributes: { open: open.length, due: due.length } }, { captureStackTrace: false }), loudly)
  }))

export const SettlementsLive = (policy: Policy) => {
  const rounds = logged("a round of settlements", round(policy)).pipe(Effect.andThen(Effect.sleep("2 seconds")))
  return Singleton.make("Settlements", rounds.pipe(Effect.andThen(unpaidTold(policy)), Effect.andThen(Effect.forever(rounds))))
}
