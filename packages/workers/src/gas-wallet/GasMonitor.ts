/**
 * Checks gas wallets at intervals: compares nonces, final blocks, balances, code and vault events with the ledger, notifies when the
 * gas of a watched wallet is low, and refills the configured ones.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { GasLevelStore, type Purse } from "@vault-trader/core/gas-wallet/GasLevelStore"
import { GasWallet, idOf } from "@vault-trader/core/gas-wallet/GasWallet"
import { BalanceStore } from "@vault-trader/core/gas-wallet/BalanceStore"
import { FinalCheckpointStore } from "@vault-trader/core/gas-wallet/FinalCheckpointStore"
import { NonceBaselineStore } from "@vault-trader/core/gas-wallet/NonceBaselineStore"
import { VaultEventStore } from "@vault-trader/core/gas-wallet/VaultEventStore"
import { WalletCodeStore } from "@vault-trader/core/gas-wallet/WalletCodeStore"
import * as Singleton from "effect/cluster/Singleton"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Prices } from "../billing/Prices.ts"
import { Chains } from "../chain/Chains.ts"
import { ApprovedSettings } from "../change-approval/ApprovedSettings.ts"
import { balanceRead } from "../chain/Multicall3.ts"
import * as BalanceWatch from "./BalanceWatch.ts"
import * as DelegationWatch from "./DelegationWatch.ts"
import { type GasAmounts, read as readAmounts, weiOf } from "./GasAmount.ts"
import * as FinalityWatch from "./FinalityWatch.ts"
import * as NonceWatch from "./NonceWatch.ts"
import * as VaultEventWatch from "./VaultEventWatch.ts"

/** Transfers from the operator's funder to the wallets that the operator configured. */
export interface TopUps {
  /** A gas wallet of this service. */
  readonly funder: Address
  readonly wallets: ReadonlyArray<Purse>
  /** Amount of one transfer. */
  readonly amount: GasAmounts
  readonly maxUsd18PerDay: bigint
}

export interface Policy {
  readonly seconds: number
  /** A wallet with a balance below this is low. */
  readonly low: GasAmounts
  readonly topUps: TopUps | undefined
}

export const defaultPolicy: Policy = { seconds: 60, low: readAmounts("5usd") ?? (() => undefined), topUps: undefined }

/** The thresholds and refills of this process. */
export const GasPolicy = Context.Reference<Policy>("vault-trader/workers/gas-wallet/GasPolicy", {
  defaultValue: () => defaultPolicy
})

/** Number of balances read by one call. */
const pageSize = 200

const logFailure = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) => Effect.logWarning(`${what} failed and is repeated`, cause))

const levelOf = (wei: bigint, threshold: bigint) =>
  wei < threshold ? "low" : wei * 10n >= threshold * 11n ? "full" : "between"

const balancesOf = (network: Network, wallets: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const chain = yield* (yield* Chains).get(network)
    const pages = Array.from({ length: Math.ceil(wallets.length / pageSize) }, (_, page) =>
      wallets.slice(page * pageSize, (page + 1) * pageSize))
    const balances = yield* Effect.forEach(pages, (page) =>
      Effect.map(
        chain.readAll(page.map((wallet) =>
          balanceRead(chain.book.multicall3, wallet)
        )),
        (answers) =>
          answers.flatMap((answer, index) =>
            Result.isSuccess(answer) ? [{ wallet: page[index]!, wei: answer.success }] : []
          )
      ))
    return balances.flat()
  })

/** Passes the transfer to the funder's lane. Does not wait for its outcome, which the lane's rows record. */
const send = (key: string, network: Network, funder: Address) =>
  Effect.flatMap(
    GasWallet.client,
    (wallets) => Effect.ignore(Effect.timeout(wallets(idOf(network, funder)).submit({ key }), "2 seconds"))
  )

const refill = (topUps: TopUps, purse: Purse, price: bigint | undefined) =>
  Effect.gen(function*() {
    const { funder, maxUsd18PerDay } = topUps
    const amount = topUps.amount(purse.network)
    const wei = amount === undefined ? undefined : weiOf(amount, price)
    // Without a price the daily cap cannot be checked.
    if (wei === undefined || price === undefined || purse.wallet === funder) return
    if (!(yield* (yield* ApprovedSettings).isApproved("policy"))) return
    const key = yield* (yield* GasLevelStore).refill({
      ...purse,
      funder,
      wei,
      usd18: wei * price / 10n ** 18n,
      maxUsd18PerDay
    })
    if (Option.isNone(key)) return
    yield* Effect.logInfo("a gas wallet is refilled").pipe(
      Effect.annotateLogs({ network: purse.network, wallet: purse.wallet, wei: wei.toString() })
    )
    yield* send(key.value, purse.network, funder)
  })

const checkBalances = (policy: Policy, network: Network, wallets: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const store = yield* GasLevelStore
    const price = Option.getOrUndefined(yield* (yield* Prices).native(network))
    const amount = policy.low(network)
    const threshold = amount === undefined ? undefined : weiOf(amount, price)
    if (amount === undefined || threshold === undefined) return
    for (const { wallet, wei } of yield* balancesOf(network, wallets)) {
      const level = levelOf(wei, threshold)
      const event = {
        network,
        gasWallet: wallet,
        balance: Quantity.format(wei, 18),
        token: facts[network].native,
        balance_usd: price === undefined ? null : Quantity.usd(wei * price / 10n ** 18n),
        threshold: amount.text
      }
      yield* store.seen({ network, wallet, wei, level, told: event })
      const { topUps } = policy
      if (
        level === "low" && topUps?.wallets.some((each) => each.network === network && each.wallet === wallet) === true
      ) {
        // A top-up moves money, so a spot price alone, which one trade can move, does not decide about it.
        const usable = Option.map(yield* (yield* Prices).usable(network), ({ usd18 }) => usd18)
        yield* refill(topUps, { network, wallet }, Option.getOrUndefined(usable))
      }
    }
  })

/** Compares a network's wallets with the ledger. Each comparison runs although another one fails. */
const compare = (network: Network) =>
  Effect.all([
    logFailure(`the nonce check of wallets on ${network}`, NonceWatch.check(network)),
    logFailure(`the check of final transactions on ${network}`, FinalityWatch.check(network)),
    logFailure(`the balance comparison of wallets on ${network}`, BalanceWatch.check(network)),
    logFailure(`the delegation check of wallets on ${network}`, DelegationWatch.check(network)),
    logFailure(`the check of vault events on ${network}`, VaultEventWatch.check(network))
  ], { discard: true })

/** Runs one round: unsigned transfers, comparisons with the ledger, balances, refills. */
export const round = (policy: Policy) =>
  Effect.gen(function*() {
    const store = yield* GasLevelStore
    const { networks } = yield* Chains
    for (const { funder, key, network } of yield* store.unsigned) yield* send(key, network, funder)
    yield* Effect.forEach(networks, compare, { concurrency: "unbounded", discard: true })
    const watched = [...(yield* store.listWatched(networks)), ...(policy.topUps?.wallets ?? [])]
    yield* Effect.forEach(networks, (network) => {
      const wallets = [
        ...new Set(watched.flatMap((each) => each.network === network ? [each.wallet] : []))
      ]
      return wallets.length === 0
        ? Effect.void
        : logFailure(`the balance check of wallets on ${network}`, checkBalances(policy, network, wallets))
    }, { concurrency: "unbounded", discard: true })
  })

export const GasWatchLive = (policy: Policy) =>
  Singleton.make(
    "GasWatch",
    logFailure("the check of gas wallets", round(policy)).pipe(
      Effect.andThen(Effect.sleep(`${policy.seconds} seconds`)),
      Effect.forever
    )
  )

/** The checks under the configured policy, with the stores that only they use. */
export const layer = Layer.unwrap(Effect.map(GasPolicy, GasWatchLive)).pipe(
  Layer.provide([
    GasLevelStore.layer,
    FinalCheckpointStore.layer,
    NonceBaselineStore.layer,
    BalanceStore.layer,
    WalletCodeStore.layer,
    VaultEventStore.layer
  ])
)
