/**
 * A chain inside the process, for tests and the simulation: the JSON-RPC methods the engine uses, geth's mempool,
 * blocks mined on demand, and a small model of the vault platform, Uniswap and tokens. Time is Effect's clock;
 * randomness comes from the seed.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Result from "effect/Result"
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Blocks from "./Blocks.ts"
import * as TestNetworkConfig from "./TestNetworkConfig.ts"
import type { Mined } from "./Execution.ts"
import * as ForeignTransaction from "./ForeignTransaction.ts"
import * as Genesis from "./Genesis.ts"
import * as Mempool from "./Mempool.ts"
import * as Node from "./Node.ts"
import { type Broadcast, invalidParams, methodNotFound, refused, type Request, type RpcFailure } from "./Rpc.ts"
import * as Fixture from "./Fixture.ts"
import { type Decoder, loadCurve, makeDecoder, type SignedTransaction } from "./Transaction.ts"
import type * as ChainState from "./ChainState.ts"

export interface Options {
  readonly network: Network
  /** Defaults to the network's. */
  readonly chainId?: number
  /** Determines the blocks' hashes: two chains with the same seed and the same calls are equal. */
  readonly seed?: string | number
  /** Wei per gas, pinned. When absent, the base fee starts at a gwei and moves by EIP-1559. */
  readonly baseFee?: bigint
  readonly blockGasLimit?: bigint
  /** `network` has the devnet's tokens, prices and pools; `none` only the contracts. */
  readonly market?: "network" | "none"
  /**
   * Chains that share a decoder recover each sender once. A separate decoder makes runs independent of earlier ones.
   */
  readonly decoder?: Decoder
}

/** The whole state of a chain at a moment. */
export type Snapshot = Blocks.Blocks

/** A transaction in a block of the current chain. */
export interface MinedTransaction {
  readonly hash: Hash
  readonly nonce: bigint
  readonly succeeded: boolean
  readonly blockNumber: bigint
  readonly to: Address | null
  readonly gasUsed: bigint
  readonly effectiveGasPrice: bigint
}

export interface TestChain extends Fixture.Fixture {
  readonly network: Network
  readonly chainId: number
  readonly request: Request
  readonly broadcast: Broadcast
  /** Mines blocks, one by default; returns the head. */
  readonly mine: (blocks?: number) => Effect.Effect<Blocks.Block>
  /** Sets whether every transaction that a block would take is mined at once. Off at first. */
  readonly automine: (on: boolean) => Effect.Effect<void>
  /** Pins the base fee of the next blocks; `undefined` lets it move. */
  readonly setBaseFee: (wei: bigint | undefined) => Effect.Effect<void>
  /**
   * Replaces the last blocks by as many. `keep` selects which of their transactions return to the mempool; all by
   * default. The first `empty` new blocks, all by default, have no transaction; those after them take what waits.
   * Changes made by the fixture stay.
   */
  readonly reorg: (depth: number, options?: {
    readonly keep?: boolean | ((transaction: SignedTransaction) => boolean)
    readonly empty?: number
  }) => Effect.Effect<void>
  /** Removes a waiting transaction; those after it become queued. */
  readonly drop: (hash: Hash) => Effect.Effect<void>
  readonly dropAll: Effect.Effect<void>
  /** Signs and submits a transaction; returns the hash, or fails with the mempool's refusal. */
  readonly foreign: (privateKey: Hex, transaction?: ForeignTransaction.Foreign) => Effect.Effect<Hash, RpcFailure>
  readonly head: Effect.Effect<Blocks.Block>
  readonly blocks: Effect.Effect<ReadonlyArray<Blocks.Block>>
  /** Waiting transactions, in order of arrival. */
  readonly waiting: Effect.Effect<ReadonlyArray<SignedTransaction>>
  /** Returns the sender's mined transactions, in the chain's order. */
  readonly transactionsOf: (address: Address) => Effect.Effect<ReadonlyArray<MinedTransaction>>
  readonly world: Effect.Effect<ChainState.World>
  readonly snapshot: Effect.Effect<Snapshot>
  readonly restore: (snapshot: Snapshot) => Effect.Effect<void>
  /** Makes another node that starts from this one's state and then diverges. */
  readonly fork: Effect.Effect<TestChain>
  /**
   * Reads this node's state of so many blocks ago, with nothing waiting; transactions still reach its current state.
   */
  readonly behind: (blocks: number) => Request
  /** Reads a snapshot only, for instance a branch that a reorganisation left. */
  readonly reading: (snapshot: Snapshot) => Request
  readonly deployed: Genesis.Deployed
  /** Returns the engine's network configuration; one confirmation is final by default. */
  readonly book: (changes?: TestNetworkConfig.Changes) => NetworkBook
}

const seconds = Effect.map(Clock.currentTimeMillis, (millis) => BigInt(Math.floor(millis / 1000)))

const toMinedTransaction = (
  { blockNumber, effectiveGasPrice, gasUsed, succeeded, transaction }: Mined
): MinedTransaction => ({
  ...{ hash: transaction.hash, nonce: transaction.nonce, to: transaction.to },
  ...{ blockNumber, effectiveGasPrice, gasUsed, succeeded }
})

const sendMethod = "eth_sendRawTransaction"

const reader = (state: () => Blocks.Blocks): Request => (method, params) =>
  Effect.flatMap(seconds, (now) => Effect.fromResult(Node.read(state(), method, params, now)))

/** Makes a node that starts from a state. */
const makeNode = (network: Network, decoder: Decoder, start: Blocks.Blocks): TestChain => {
  const state = MutableRef.make(start)
  const get = () => MutableRef.get(state)
  const select = <A>(what: (blocks: Blocks.Blocks) => A) => Effect.sync(() => what(get()))
  const change = (how: (blocks: Blocks.Blocks, now: bigint) => Blocks.Blocks) =>
    Effect.map(seconds, (now) => {
      MutableRef.update(state, (blocks) => how(blocks, now))
    })

  const submit = (transaction: SignedTransaction): Effect.Effect<SignedTransaction["hash"], RpcFailure> =>
    Effect.flatMap(seconds, (now) =>
      // Synchronous on purpose: between two steps, another fiber's transaction could arrive and be lost.
      Effect.fromResult(Result.map(Blocks.submit(get(), transaction, now), (blocks) => {
        MutableRef.set(state, blocks)
        return transaction.hash
      })))
  const send = (raw: unknown) =>
    typeof raw === "string"
      ? Effect.flatMap(decoder.decode(raw), submit)
      : Effect.fail(refused(invalidParams, "invalid argument 0: not bytes"))

  const withSend = (read: Request): Request => (method, params) =>
    method === sendMethod ? send(params[0]) : read(method, params)

  return {
    ...Fixture.make((edit) => change((blocks) => Blocks.edit(blocks, edit)), select(({ head }) => head.world)),
    network,
    chainId: start.chainId,
    request: withSend(reader(get)),
    broadcast: (raw) => Effect.asVoid(send(raw)),
    mine: (blocks = 1) =>
      Effect.andThen(
        change((before, now) => {
          let after = before
          for (let made = 0; made < blocks; made++) after = Blocks.mine(after, now)
          return after
        }),
        select(({ head }) => head)
      ),
    automine: (on) =>
      change((blocks, now) => on ? Blocks.mineAll({ ...blocks, automine: on }, now) : { ...blocks, automine: on }),
    setBaseFee: (wei) => change((blocks) => ({ ...blocks, pinnedBaseFee: wei })),
    reorg: (depth, { empty = depth, keep = true } = {}) =>
      change((blocks, now) =>
        Blocks.reorg(blocks, depth, { keep: typeof keep === "boolean" ? () => keep : keep, empty }, now)
      ),
    drop: (hash) => change((blocks) => Blocks.drop(blocks, hash)),
    dropAll: change((blocks) => ({ ...blocks, mempool: { ...blocks.mempool, bySender: Mempool.empty.bySender } })),
    foreign: (privateKey, transaction = {}) =>
      Effect.flatMap(
        Effect.suspend(() => ForeignTransaction.sign(get(), privateKey, transaction)),
        (raw) => Effect.flatMap(decoder.decode(raw), submit)
      ),
    head: select(({ head }) => head),
    blocks: select(Blocks.all),
    waiting: select(({ mempool }) => Mempool.all(mempool).map(({ transaction }) => transaction)),
    transactionsOf: (address) =>
      select((blocks) =>
        Blocks.all(blocks).flatMap(({ transactions }) =>
          transactions.filter(({ transaction }) => transaction.from === address).map(toMinedTransaction)
        )
      ),
    world: select(({ head }) => head.world),
    snapshot: select((blocks) => blocks),
    restore: (snapshot) => change(() => snapshot),
    fork: select((blocks) => makeNode(network, decoder, blocks)),
    behind: (blocks) => withSend(reader(() => Blocks.behind(get(), blocks))),
    reading: (snapshot) => (method, params) =>
      method === sendMethod
        ? Effect.fail(refused(methodNotFound, "a snapshot takes no transactions"))
        : reader(() => snapshot)(method, params),
    deployed: Genesis.deployed,
    book: (changes = {}) => TestNetworkConfig.make(network, get(), changes)
  }
}

/** Makes a chain with one block, its contracts deployed, without vaults and without native token. */
export const make = (
  { baseFee, blockGasLimit = 30_000_000n, chainId, decoder = makeDecoder(), market = "network", network, seed = 0 }:
    Options
): Effect.Effect<TestChain> =>
  Effect.map(Effect.andThen(loadCurve, seconds), (timestamp) =>
    makeNode(
      network,
      decoder,
      Blocks.genesis({
        chainId: chainId ?? facts[network].chainId,
        seed: String(seed),
        blockGasLimit,
        baseFee: baseFee ?? 1_000_000_000n,
        pinned: baseFee !== undefined,
        timestamp,
        world: Genesis.world(network, market)
      })
    ))
