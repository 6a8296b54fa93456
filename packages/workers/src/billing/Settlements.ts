/**
 * Pays the charges of gas wallets: converts charges that wait for a price, claims final ones, passes each payment to
 * its wallet's own lane, and records its outcome. One instance per service, and no trade ever waits for it. Every round
 * reads the rows again, so that the next instance continues the work of one that died.
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
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Chains } from "../chain/Chains.ts"
import { ApprovedSettings } from "../change-approval/ApprovedSettings.ts"
import * as DataFee from "../chain/DataFee.ts"
import { Prices } from "./Prices.ts"

interface Policy {
  /** The address that is paid on each network; on a network without one charges stay outstanding. */
  readonly treasuries: ReadonlyMap<Network, Address>
  /** Minimum USD at which a wallet's charges on a network are paid. */
  readonly aboveUsd: number
  /** Maximum value of one payment, USD with 18 decimals; undefined without a cap. */
  readonly maxUsd18?: bigint
}

/** No network has a treasury, so charges stay outstanding. */
const defaultPolicy: Policy = { treasuries: new Map(), aboveUsd: 0 }

/** The settlement policy of this process. */
export const SettlementPolicy = Context.Reference<Policy>("vault-trader/workers/billing/SettlementPolicy", {
  defaultValue: () => defaultPolicy
})

/** Gas units reserved for the payment itself: a treasury may be a contract. */
const paymentGas = 60_000n

/** Maximum number of wallets paid concurrently. */
const maxConcurrent = 16

const convert = Effect.gen(function*() {
  const charges = yield* ChargeStore
  const prices = yield* Prices
  yield* Effect.forEach(yield* charges.unconverted, (network) =>
    Effect.gen(function*() {
      const price = yield* prices.usable(network)
      if (Option.isNone(price)) return
      const { readAt, source, usd18 } = price.value
      const converted = yield* charges.convert(network, { usd18, source, at: readAt })
      yield* Effect.logInfo("charges that waited for a price were converted").pipe(
        Effect.annotateLogs({ network, charges: converted })
      )
    }), { discard: true })
})

/**
 * Claims the charges that a lane can pay. Skips a wallet without enough funds or under a kill switch: its charges stay
 * outstanding.
 */
const claim = ({ maxUsd18, treasuries }: Policy, { nativeWei, network, wallet }: Due) =>
  Effect.gen(function*() {
    const treasury = treasuries.get(network)
    const chain = yield* Effect.option((yield* Chains).get(network))
    if (treasury === undefined || Option.isNone(chain) || (yield* (yield* SubmissionStore).isPaused(wallet))) return
    const [balance, { maxFeePerGas }, dataPrice] = yield* Effect.all(
      [chain.value.balance(wallet), chain.value.recentFees, chain.value.dataPrice],
      { concurrency: "unbounded" }
    )
    const affordable = balance - paymentGas * maxFeePerGas - DataFee.ofCall(dataPrice, "0x")
    const most = maxUsd18 === undefined ? affordable : yield* maxPayment(network, maxUsd18)
    const claimed = yield* (yield* SettlementStore).claim({
      ...{ network, wallet, treasury },
      affordable: most < affordable ? most : affordable
    })
    if (Option.isSome(claimed)) yield* pay(claimed.value)
    else if (affordable < nativeWei) {
      yield* Effect.logInfo("a gas wallet cannot pay what it owes; it stays outstanding").pipe(
        Effect.annotateLogs({ network, wallet })
      )
    }
  })

/**
 * Returns the maximum sum of one payment, native smallest units: three quarters of the cap, so that a move of the price
 * before it is signed does not make it too large. Zero while there is no price.
 */
const maxPayment = (network: Network, maxUsd18: bigint) =>
  Effect.map(
    Effect.flatMap(Prices, (prices) => prices.usable(network)),
    Option.match({
      onNone: () => 0n,
      onSome: ({ usd18 }) => maxUsd18 * 3n * 10n ** 18n / (usd18 * 4n)
    })
  )

/** Passes a payment to its lane. Does not wait for the outcome, which the lane's rows record. */
const pay = ({ key, network, wallet }: Open) =>
  Effect.flatMap(
    GasWallet.client,
    (wallets) => Effect.ignore(Effect.timeout(wallets(idOf(network, wallet)).submit({ key }), "2 seconds"))
  )

const conclude = Effect.gen(function*() {
  const ended = yield* (yield* SettlementStore).conclude
  yield* Effect.forEach(ended, ({ network, status, usd, wallet }) =>
    Effect.all([
      Metrics.count(Metrics.settlements, { network, outcome: status }),
      status === "paid"
        ? Metrics.count(Metrics.settledUsd, { network }, usd)
        : Effect.logWarning("a settlement failed; its charges are outstanding again").pipe(
          Effect.annotateLogs({ network, wallet })
        )
    ], { discard: true }), { discard: true })
})

const logFailure = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) => Effect.logWarning(`${what} failed and is retried`, cause))

/** Warns once, after the first round, about networks without a treasury. */
const warnUnpaid = ({ treasuries }: Policy) =>
  Effect.flatMap(Chains, ({ networks }) => {
    const unpaid = networks.filter((network) => !treasuries.has(network))
    return unpaid.length === 0
      ? Effect.void
      : Effect.logWarning(
        `no treasury on ${
          unpaid.join(", ")
        }: charges are recorded and stay outstanding; set TREASURY to the address to pay`
      )
  })

/** Runs one round. Any part of it may fail, or run twice at once for a moment. */
const round = (policy: Policy) =>
  withoutTracing((traced) =>
    Effect.gen(function*() {
      const settlements = yield* SettlementStore
      yield* logFailure("ending settlements", conclude)
      yield* logFailure("converting charges", convert)
      const open = yield* settlements.open
      // Nothing is claimed for a treasury that is not approved: the charges stay outstanding.
      const due = (yield* (yield* ApprovedSettings).isApproved("treasury"))
        ? yield* settlements.due({ networks: [...policy.treasuries.keys()], aboveUsd: policy.aboveUsd })
        : []
      if (open.length + due.length === 0) return
      yield* Effect.gen(function*() {
        yield* Effect.forEach(open, pay, { concurrency: maxConcurrent, discard: true })
        yield* Effect.forEach(due, (lane) => logFailure("a settlement", claim(policy, lane)), {
          concurrency: maxConcurrent,
          discard: true
        })
        yield* logFailure("ending settlements", conclude)
      }).pipe(
        Effect.withSpan("Settlements.round", { attributes: { open: open.length, due: due.length } }, {
          captureStackTrace: false
        }),
        traced
      )
    })
  )

const SettlementsLive = (policy: Policy) => {
  const rounds = logFailure("a round of settlements", round(policy)).pipe(Effect.andThen(Effect.sleep("2 seconds")))
  return Singleton.make(
    "Settlements",
    rounds.pipe(Effect.andThen(warnUnpaid(policy)), Effect.andThen(Effect.forever(rounds)))
  )
}

/** The settlements under the configured policy, with the stores that only they use. */
export const layer = Layer.unwrap(Effect.map(SettlementPolicy, SettlementsLive)).pipe(
  Layer.provide([ChargeStore.layer, SettlementStore.layer])
)
