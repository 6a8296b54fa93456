/** The chain of blocks with its mempool, as one immutable value: a caller that keeps it can return to it. */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { createHash } from "node:crypto"
import type { Hash } from "@vault-trader/core/chain/Address"
import { envOf, type Executed, type Mined, run } from "./Execution.ts"
import * as Mempool from "./Mempool.ts"
import type { Reply } from "./Rpc.ts"
import { type SignedTransaction, tipAt } from "./Transaction.ts"
import * as ChainState from "./ChainState.ts"

/** A change of the state from outside, made by a test or an administrator of the chain. */
export type Edit = (world: ChainState.World) => ChainState.World

export interface Block {
  readonly number: bigint
  readonly hash: Hash
  readonly parentHash: Hash
  /** Unix seconds. */
  readonly timestamp: bigint
  /** Wei per gas. */
  readonly baseFee: bigint
  readonly gasUsed: bigint
  readonly transactions: ReadonlyArray<Mined>
  /** State after its transactions and edits. */
  readonly world: ChainState.World
  /** Edits made after this block. A reorganisation repeats them, because it undoes only transactions. */
  readonly edits: ReadonlyArray<Edit>
}

export interface Blocks {
  readonly chainId: number
  readonly seed: string
  readonly blockGasLimit: bigint
  /** Blocks by number; those after `head` do not count. */
  readonly byNumber: HashMap.HashMap<bigint, Block>
  readonly head: Block
  readonly mined: HashMap.HashMap<Hash, Mined>
  readonly mempool: Mempool.Mempool
  /** `undefined` lets the base fee move by EIP-1559. */
  readonly pinnedBaseFee: bigint | undefined
  readonly automine: boolean
  /** Increases with every reorganisation, so that no block hash is used twice. */
  readonly branch: number
}

/** Hashes the parts of a block. Real chains hash headers differently, but this is as unique, and native. */
const hashOf = (...parts: ReadonlyArray<unknown>): Hash =>
  `0x${createHash("sha256").update(parts.map(String).join("/")).digest("hex")}`

export const genesis = (options: {
  readonly chainId: number
  readonly seed: string
  readonly blockGasLimit: bigint
  readonly baseFee: bigint
  readonly pinned: boolean
  readonly timestamp: bigint
  readonly world: ChainState.World
}): Blocks => {
  const { baseFee, blockGasLimit, chainId, pinned, seed, timestamp, world } = options
  const head: Block = {
    number: 0n,
    hash: hashOf(chainId, seed, "genesis"),
    parentHash: `0x${"0".repeat(64)}`,
    timestamp,
    baseFee,
    // Half full, so that the first block's base fee is the requested one.
    gasUsed: blockGasLimit / 2n,
    transactions: [],
    world,
    edits: []
  }
  return {
    chainId,
    seed,
    blockGasLimit,
    byNumber: HashMap.make([0n, head]),
    head,
    mined: HashMap.empty(),
    mempool: Mempool.empty,
    pinnedBaseFee: pinned ? baseFee : undefined,
    automine: false,
    branch: 0
  }
}

export const blockAt = ({ byNumber, head }: Blocks, number: bigint): Block | undefined =>
  number > head.number ? undefined : Option.getOrUndefined(HashMap.get(byNumber, number))

/** Returns what a block of the current chain records of a transaction. */
export const minedAs = (blocks: Blocks, hash: Hash): Mined | undefined => {
  const mined = Option.getOrUndefined(HashMap.get(blocks.mined, hash))
  return mined === undefined || mined.blockNumber > blocks.head.number ? undefined : mined
}

/** Returns the next block's base fee: it changes by an eighth at most, as in EIP-1559, unless pinned. */
export const nextBaseFee = ({ blockGasLimit, head: { baseFee, gasUsed }, pinnedBaseFee }: Blocks): bigint => {
  if (pinnedBaseFee !== undefined) return pinnedBaseFee
  const target = blockGasLimit / 2n
  if (gasUsed === target) return baseFee
  if (gasUsed < target) return baseFee - baseFee * (target - gasUsed) / target / 8n
  const rise = baseFee * (gasUsed - target) / target / 8n
  return baseFee + (rise > 1n ? rise : 1n)
}

export interface Filled {
  readonly world: ChainState.World
  readonly gasUsed: bigint
  readonly done: ReadonlyArray<Executed & { readonly transaction: SignedTransaction }>
}

/**
 * Returns the next transaction of a block: the highest tip, then the earliest; of each sender only the next nonce, and
 * only if it pays the base fee.
 */
const best = (pool: Mempool.Mempool, world: ChainState.World, baseFee: bigint, skipped: ReadonlySet<string>) => {
  let chosen: Mempool.Pooled | undefined
  for (const [sender, waiting] of pool.bySender) {
    const next = ChainState.slot(world, ChainState.nonce(sender))
    const candidate = skipped.has(sender) ? undefined : waiting.find(({ transaction }) => transaction.nonce === next)
    if (candidate === undefined || tipAt(candidate.transaction, baseFee) < 0n) continue
    const more = chosen === undefined ? 1n : tipAt(candidate.transaction, baseFee) - tipAt(chosen.transaction, baseFee)
    if (chosen === undefined || more > 0n || (more === 0n && candidate.arrival < chosen.arrival)) chosen = candidate
  }
  return chosen
}

/** Returns what a block mined now would contain. */
export const fill = (blocks: Blocks, timestamp: bigint): Filled => {
  const env = envOf(blocks.head.number + 1n, timestamp)
  const baseFee = nextBaseFee(blocks)
  const skipped = new Set<string>()
  const done: Array<Filled["done"][number]> = []
  let { world } = blocks.head
  let gasUsed = 0n
  for (;;) {
    const chosen = best(blocks.mempool, world, baseFee, skipped)
    if (chosen === undefined) return { world, gasUsed, done }
    const { transaction } = chosen
    const fits = gasUsed + transaction.gas <= blocks.blockGasLimit
    const executed = fits ? run(world, env, baseFee, transaction) : undefined
    if (executed === undefined) skipped.add(transaction.from)
    else {
      done.push({ ...executed, transaction })
      gasUsed += executed.gasUsed
      world = executed.world
    }
  }
}

/**
 * Returns the next block's timestamp. No block is older than its parent; several may share a second, as on the fast
 * networks.
 */
export const timestampAfter = (head: Block, now: bigint): bigint => now > head.timestamp ? now : head.timestamp

const append = (blocks: Blocks, now: bigint, { done, gasUsed, world }: Filled): Blocks => {
  const { head } = blocks
  const timestamp = timestampAfter(head, now)
  const number = head.number + 1n
  const baseFee = nextBaseFee(blocks)
  const hash = hashOf(
    ...[blocks.chainId, blocks.seed, blocks.branch, head.hash, number, timestamp, baseFee],
    ...done.map(({ transaction }) => transaction.hash)
  )
  let cumulativeGasUsed = 0n
  let firstLog = 0
  const transactions = done.map(({ effectiveGasPrice, gasUsed, logs, succeeded, transaction }, index): Mined => {
    cumulativeGasUsed += gasUsed
    const before = firstLog
    firstLog += logs.length
    return {
      ...{ transaction, succeeded, gasUsed, effectiveGasPrice, logs },
      ...{ blockNumber: number, blockHash: hash, index, cumulativeGasUsed, firstLog: before }
    }
  })
  const block: Block = {
    number,
    hash,
    parentHash: head.hash,
    timestamp,
    baseFee,
    gasUsed,
    transactions,
    world,
    edits: []
  }
  return {
    ...blocks,
    head: block,
    byNumber: HashMap.set(blocks.byNumber, number, block),
    mined: transactions.reduce((all, one) => HashMap.set(all, one.transaction.hash, one), blocks.mined),
    mempool: Mempool.prune(blocks.mempool, world)
  }
}

/** Mines one more block, `now` in Unix seconds. */
export const mine = (blocks: Blocks, now: bigint): Blocks =>
  append(blocks, now, fill(blocks, timestampAfter(blocks.head, now)))

const mineEmpty = (blocks: Blocks, now: bigint): Blocks =>
  append(blocks, now, { world: blocks.head.world, gasUsed: 0n, done: [] })

/** Adds a transaction to the mempool, and mines it when automine is on. */
export const submit = (blocks: Blocks, transaction: SignedTransaction, now: bigint): Reply<Blocks> =>
  Result.map(Mempool.add(blocks.mempool, blocks.head.world, blocks, transaction), (mempool) => {
    const taken = { ...blocks, mempool }
    return blocks.automine ? mineAll(taken, now) : taken
  })

/** Mines while a block would take a transaction. */
export const mineAll = (blocks: Blocks, now: bigint): Blocks => {
  const filled = fill(blocks, timestampAfter(blocks.head, now))
  return filled.done.length === 0 ? blocks : mineAll(append(blocks, now, filled), now)
}

/** Changes the state after the head from outside. */
export const edit = (blocks: Blocks, change: Edit): Blocks => {
  const head = { ...blocks.head, world: change(blocks.head.world), edits: [...blocks.head.edits, change] }
  return {
    ...blocks,
    head,
    byNumber: HashMap.set(blocks.byNumber, head.number, head),
    mempool: Mempool.prune(blocks.mempool, head.world)
  }
}

/** Returns the chain as it was `depth` blocks ago, without later blocks and with an empty mempool. */
export const behind = (blocks: Blocks, depth: number): Blocks => {
  if (depth <= 0) return blocks
  const number = blocks.head.number - BigInt(depth)
  const head = blockAt(blocks, number > 0n ? number : 0n)
  return { ...blocks, head: head ?? blocks.head, mempool: Mempool.empty }
}

/** Returns the blocks after a number, in order. */
const after = (blocks: Blocks, number: bigint): ReadonlyArray<Block> =>
  Array.from(
    { length: Number(blocks.head.number - number) },
    (_, index) => blockAt(blocks, number + BigInt(index) + 1n)
  )
    .filter((block) => block !== undefined)

/** Returns all blocks from the first. */
export const all = (blocks: Blocks): ReadonlyArray<Block> => after(blocks, -1n)

export interface Replaced {
  /** Selects which of the replaced blocks' transactions return to the mempool; the others are lost. */
  readonly keep: (transaction: SignedTransaction) => boolean
  /** Number of new blocks, from the first one on, that are empty; those after them take what waits. */
  readonly empty: number
}

/** Replaces the last blocks by as many. Edits made on them are repeated. */
export const reorg = (blocks: Blocks, depth: number, { empty, keep }: Replaced, now: bigint): Blocks => {
  const maxDepth = Number(blocks.head.number)
  const base = behind(blocks, Math.min(depth, maxDepth))
  const removed = after(blocks, base.head.number)
  if (removed.length === 0) return blocks
  const transactions = removed.flatMap((block) => block.transactions.map(({ transaction }) => transaction))
  const waiting = Mempool.all(blocks.mempool).map(({ transaction }) => transaction)
  const rewound: Blocks = {
    ...base,
    branch: blocks.branch + 1,
    byNumber: removed.reduce((all, { number }) => HashMap.remove(all, number), blocks.byNumber),
    mined: transactions.reduce((all, { hash }) => HashMap.remove(all, hash), blocks.mined),
    mempool: { ...Mempool.empty, arrivals: blocks.mempool.arrivals }
  }
  // Transactions that were already waiting keep their place at a nonce, so a replacement may win.
  const returned = [...transactions.filter(keep), ...waiting]
  const replaced = removed.reduce((chain, { edits }, index) => {
    const filled = index === empty ? refill(chain, returned) : chain
    return edits.reduce(edit, index < empty ? mineEmpty(chain, now) : mine(filled, now))
  }, rewound)
  return empty < removed.length ? replaced : refill(replaced, returned)
}

/** Puts transactions into the mempool, but those that the state is past. */
const refill = (blocks: Blocks, transactions: ReadonlyArray<SignedTransaction>): Blocks => ({
  ...blocks,
  mempool: Mempool.prune(transactions.reduce(Mempool.put, blocks.mempool), blocks.head.world)
})

/** Removes a waiting transaction. */
export const drop = (blocks: Blocks, hash: Hash): Blocks => {
  const found = Mempool.find(blocks.mempool, hash)
  return found === undefined ? blocks : { ...blocks, mempool: Mempool.remove(blocks.mempool, found) }
}
