/** Compares the balances of gas wallets with the cost of their transactions, and reports every larger fall. */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { BalanceStore, type Observation, type ObservedBalance } from "@vault-trader/core/gas-wallet/BalanceStore"
import { NonceBaselineStore } from "@vault-trader/core/gas-wallet/NonceBaselineStore"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Chains } from "../chain/Chains.ts"
import { rollups } from "../chain/DataFee.ts"
import { WalletAlerts } from "./WalletAlerts.ts"

/** Number of wallets whose balances are read and compared together. */
const pageSize = 500

/** Maximum L1 data fee of a transaction whose receipt was recorded without one, native smallest units. */
const maxL1Fee = 10n ** 15n

/** Two observations of a wallet: every fall before the first is explained; the second is later. */
interface Candidate {
  readonly wallet: Address
  readonly base: Observation
  readonly next: Observation
}

/** The result of a comparison. */
interface Fall {
  /** Balance lost between the observations; negative where it rose. Native smallest units. */
  readonly wei: bigint
  /** Maximum cost of our own transactions between them. */
  readonly cost: bigint
}

const isSame = (one: Observation, other: Observation) => one.nonce === other.nonce && one.wei === other.wei

/** Reads an observation again; returns it unchanged where the node has no state of its block. */
const reread = (chain: ChainClient, wallet: Address, observation: Observation) =>
  Effect.map(
    Effect.option(chain.accounts([wallet], observation.block)),
    (found) =>
      Option.match(Option.flatMap(found, Arr.head), {
        onNone: () => observation,
        onSome: ({ nonce, wei }): Observation => ({ block: observation.block, nonce, wei })
      })
  )

const raise = (network: Network, { base, next, wallet }: Candidate, { cost, wei }: Fall) =>
  Effect.flatMap(WalletAlerts, (alerts) => {
    const { native } = facts[network]
    const amount = (raw: bigint) => `${Quantity.format(raw, 18)} ${native}`
    return alerts.raise({
      kind: "balance_drain",
      network,
      wallet,
      message: `The balance of ${wallet} on ${network} fell by ${amount(wei)} from block ${base.block} to block ` +
        `${next.block}, but this service's transactions cost ${amount(cost)}: ${amount(wei - cost)} left the wallet ` +
        "by a transaction that this service did not sign, or by a delegation of the wallet.",
      details: {
        fallen_wei: wei.toString(),
        explained_wei: cost.toString(),
        from_block: base.block.toString(),
        to_block: next.block.toString()
      }
    })
  })

/**
 * Decides about a fall that our transactions do not explain. Both observations are read again first: a reorg changes
 * them, and then the next check compares the new ones.
 */
const judgeDrain = (network: Network, chain: ChainClient, candidate: Candidate, fall: Fall) =>
  Effect.gen(function*() {
    const { base, next, wallet } = candidate
    const [baseNow, nextNow] = yield* Effect.all([reread(chain, wallet, base), reread(chain, wallet, next)])
    if (!isSame(base, baseNow) || !isSame(next, nextNow)) return { wallet, base: baseNow, next: nextNow }
    const isRaised = yield* raise(network, candidate, fall)
    return isRaised ? { wallet, base: next, next: null } : { wallet, base, next }
  })

/** Compares pairs of observations. A pair whose transactions are not all recorded yet waits for the next check. */
const judge = (network: Network, chain: ChainClient, candidates: ReadonlyArray<Candidate>) =>
  Effect.gen(function*() {
    const costs = yield* (yield* BalanceStore).costs(
      network,
      candidates.map(({ base, next, wallet }) => ({ wallet, from: base.nonce, to: next.nonce }))
    )
    return yield* Effect.forEach(candidates, (candidate): Effect.Effect<ObservedBalance, never, WalletAlerts> => {
      const { base, next, wallet } = candidate
      const known = costs.find((cost) => cost.wallet === wallet)
      if (known === undefined || known.unrecorded > 0) return Effect.succeed({ wallet, base, next })
      const allowance = rollups.has(network) ? maxL1Fee * BigInt(known.withoutL1Fee) : 0n
      const fall = { wei: base.wei - next.wei, cost: known.wei + allowance }
      return fall.wei <= fall.cost
        ? Effect.succeed({ wallet, base: next, next: null })
        : judgeDrain(network, chain, candidate, fall)
    }, { concurrency: 16 })
  })

/** Compares the observations of one page of wallets with the stored ones, and stores the result. */
const checkPage = (network: Network, chain: ChainClient, wallets: ReadonlyArray<Address>, block: bigint) =>
  Effect.gen(function*() {
    const store = yield* BalanceStore
    const accounts = yield* chain.accounts(wallets, block)
    const stored = yield* store.list(network, wallets)
    const known = new Set(stored.map(({ wallet }) => wallet))
    const first = accounts.flatMap(({ nonce, wallet, wei }) =>
      known.has(wallet) ? [] : [{ wallet, base: { block, nonce, wei }, next: null }]
    )
    // Observations that waited for receipts are compared first; the new ones are compared with the result.
    const waiting = yield* judge(
      network,
      chain,
      stored.flatMap(({ base, next, wallet }) => next === null ? [] : [{ wallet, base, next }])
    )
    const settled = new Map([...stored, ...waiting].map((balance) => [balance.wallet, balance]))
    const candidates = accounts.flatMap(({ nonce, wallet, wei }): ReadonlyArray<Candidate> => {
      const balance = settled.get(wallet)
      // A lagging node returns an older block than the stored one.
      return balance === undefined || balance.next !== null || balance.base.block >= block
        ? []
        : [{ wallet, base: balance.base, next: { block, nonce, wei } }]
    })
    const judged = yield* judge(network, chain, candidates)
    const changed = new Map([...first, ...waiting, ...judged].map((balance) => [balance.wallet, balance]))
    yield* store.put(network, [...changed.values()])
  })

/** Checks every active wallet of a network once. */
export const check = (network: Network) =>
  Effect.gen(function*() {
    const wallets = yield* (yield* NonceBaselineStore).active(network)
    if (wallets.length === 0) return
    const chain = yield* (yield* Chains).get(network)
    const { number: block } = yield* chain.head
    yield* Effect.forEach(Arr.chunksOf(wallets, pageSize), (page) => checkPage(network, chain, page, block), {
      discard: true
    })
  }).pipe(Effect.withSpan("BalanceWatch.check", { attributes: { network } }, { captureStackTrace: false }))
