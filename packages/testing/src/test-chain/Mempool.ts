/**
 * Transactions waiting for a block, by geth's rules: one per sender and nonce, replaced only for a tenth more on both
 * fees.
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { type Reply, refuse, serverError } from "./Rpc.ts"
import { costOf, intrinsicGas, type SignedTransaction } from "./Transaction.ts"
import * as ChainState from "./ChainState.ts"

export interface Pooled {
  readonly transaction: SignedTransaction
  /** Earlier transactions go first where the tips are equal. */
  readonly arrival: number
}

export interface Mempool {
  /** In order of nonces. */
  readonly bySender: HashMap.HashMap<Address, ReadonlyArray<Pooled>>
  readonly arrivals: number
}

export const empty: Mempool = { bySender: HashMap.empty(), arrivals: 0 }

export const of = ({ bySender }: Mempool, sender: Address): ReadonlyArray<Pooled> =>
  Option.getOrElse(HashMap.get(bySender, sender), () => [])

export const all = ({ bySender }: Mempool): ReadonlyArray<Pooled> =>
  Array.from(HashMap.values(bySender)).flat().sort((one, other) => one.arrival - other.arrival)

export const find = (pool: Mempool, hash: Hash): SignedTransaction | undefined => {
  for (const waiting of HashMap.values(pool.bySender)) {
    const found = waiting.find(({ transaction }) => transaction.hash === hash)
    if (found !== undefined) return found.transaction
  }
  return undefined
}

const withSender = (pool: Mempool, sender: Address, waiting: ReadonlyArray<Pooled>): Mempool => ({
  ...pool,
  bySender: waiting.length === 0 ? HashMap.remove(pool.bySender, sender) : HashMap.set(pool.bySender, sender, waiting)
})

/** Returns the transactions whose nonces follow the chain's without a gap; the others are queued. */
export const pendingOf = (pool: Mempool, world: ChainState.World, sender: Address): ReadonlyArray<Pooled> => {
  const next = ChainState.slot(world, ChainState.nonce(sender))
  return of(pool, sender).filter(({ transaction }, index) => transaction.nonce === next + BigInt(index))
}

/** Returns the nonce after the chain's and those of pending transactions. */
export const pendingNonce = (pool: Mempool, world: ChainState.World, sender: Address): bigint =>
  ChainState.slot(world, ChainState.nonce(sender)) + BigInt(pendingOf(pool, world, sender).length)

export interface Rules {
  readonly chainId: number
  readonly blockGasLimit: bigint
}

const refuseWith = (reason: string): Reply<never> => refuse(serverError, reason)

/** Validates a transaction by itself, with geth's checks in geth's order. */
const validate = (rules: Rules, transaction: SignedTransaction): Reply<void> => {
  const { chainId, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction
  if (gas > rules.blockGasLimit) return refuseWith("exceeds block gas limit")
  if (maxFeePerGas < maxPriorityFeePerGas) {
    return refuseWith(
      `max priority fee per gas higher than max fee per gas: ${maxPriorityFeePerGas}, maxFeePerGas: ${maxFeePerGas}`
    )
  }
  if (chainId !== rules.chainId) {
    return refuseWith(`invalid sender: invalid chain id for signer: have ${chainId} want ${rules.chainId}`)
  }
  const minGas = intrinsicGas(transaction)
  return gas < minGas ? refuseWith(`intrinsic gas too low: gas ${gas}, minimum needed ${minGas}`) : Result.void
}

const tenthMore = (fee: bigint) => fee * 110n / 100n

/** Returns whether `next` pays enough more than `old` to replace it. */
const outbids = (next: SignedTransaction, old: SignedTransaction): boolean =>
  next.maxFeePerGas > old.maxFeePerGas && next.maxPriorityFeePerGas > old.maxPriorityFeePerGas &&
  next.maxFeePerGas >= tenthMore(old.maxFeePerGas) && next.maxPriorityFeePerGas >= tenthMore(old.maxPriorityFeePerGas)

const funds = "insufficient funds for gas * price + value"

/**
 * Adds a transaction, or refuses it with geth's message. One that pays less than the base fee is accepted and waits.
 */
export const add = (
  pool: Mempool,
  world: ChainState.World,
  rules: Rules,
  transaction: SignedTransaction
): Reply<Mempool> => {
  const { from, hash, nonce } = transaction
  const waiting = of(pool, from)
  if (waiting.some((other) => other.transaction.hash === hash)) return refuseWith("already known")
  const valid = validate(rules, transaction)
  if (Result.isFailure(valid)) return Result.fail(valid.failure)
  const next = ChainState.slot(world, ChainState.nonce(from))
  if (nonce < next) return refuseWith(`nonce too low: next nonce ${next}, tx nonce ${nonce}`)
  const balance = ChainState.slot(world, ChainState.native(from))
  const cost = costOf(transaction)
  if (balance < cost) return refuseWith(`${funds}: balance ${balance}, tx cost ${cost}, overshot ${cost - balance}`)
  const old = waiting.find((other) => other.transaction.nonce === nonce)?.transaction
  // As in geth, those behind a gap do not count.
  const others = pendingOf(pool, world, from).filter((other) => other.transaction.nonce !== nonce)
  const queued = others.reduce((sum, other) => sum + costOf(other.transaction), 0n)
  if (balance < queued + cost) {
    return refuseWith(
      `${funds}: balance ${balance}, queued cost ${queued}, tx cost ${cost}, overshot ${queued + cost - balance}`
    )
  }
  if (old !== undefined && !outbids(transaction, old)) return refuseWith("replacement transaction underpriced")
  return Result.succeed(put(pool, transaction))
}

/** Adds a transaction without checks. */
export const put = (pool: Mempool, transaction: SignedTransaction): Mempool => {
  const others = of(pool, transaction.from).filter((other) => other.transaction.nonce !== transaction.nonce)
  const waiting = [...others, { transaction, arrival: pool.arrivals }]
    .sort((one, other) => (one.transaction.nonce < other.transaction.nonce ? -1 : 1))
  return { ...withSender(pool, transaction.from, waiting), arrivals: pool.arrivals + 1 }
}

/** Removes one transaction; those after it stay, queued. */
export const remove = (pool: Mempool, { from, hash }: SignedTransaction): Mempool =>
  withSender(pool, from, of(pool, from).filter(({ transaction }) => transaction.hash !== hash))

/** Removes transactions that a changed state makes impossible, by nonce or by the sender's balance. */
export const prune = (pool: Mempool, world: ChainState.World): Mempool =>
  Array.from(HashMap.entries(pool.bySender)).reduce((pruned, [sender, waiting]) => {
    const next = ChainState.slot(world, ChainState.nonce(sender))
    const balance = ChainState.slot(world, ChainState.native(sender))
    const left = waiting.filter(({ transaction }) => transaction.nonce >= next && costOf(transaction) <= balance)
    return left.length === waiting.length ? pruned : withSender(pruned, sender, left)
  }, pool)
