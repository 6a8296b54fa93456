/**
 * Proves a series of trades from the chains alone: reads every block since the series began, and does not rely on our
 * tables for transactions.
 */
import { assert } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Quantity } from "@vault-trader/devnet/anvil/RpcSchema"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import { decodeFunctionData, parseAbi } from "viem"
import { rows } from "./Harness.ts"
import * as OnChain from "./OnChain.ts"

/** A trade that succeeded. Its amount is unique, so the call data identifies its transaction. */
export interface Trade {
  readonly network: Network
  readonly wallet: Address
  readonly pool: Address
  /** USDC, in smallest units. */
  readonly sold: bigint
  readonly intentId: string
}

/** The relevant parts of a transaction in a block. */
interface Mined {
  readonly from: Address
  readonly to: Address
  readonly nonce: bigint
  readonly sold: bigint
}

const Transaction = Schema.Struct({
  from: Schema.String,
  to: Schema.NullOr(Schema.String),
  nonce: Quantity,
  input: Schema.String
})
const Block = Schema.Struct({ transactions: Schema.Array(Transaction) })

const poolAbi = parseAbi([
  "struct TxToExecute { address to; bytes data; }",
  "function execTransaction(address to, bytes data) returns (bool)",
  "function execTransactions(TxToExecute[] txs)"
])
const routerAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 minOut; uint160 limit; }",
  "struct Path { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(Single params) payable returns (uint256 amountOut)",
  "function exactInput(Path params) payable returns (uint256 amountOut)",
  "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)",
  "function approve(address, uint256)"
])

/** Sums the amounts that the calls inside a vault's transaction swap in. */
const soldBy = (input: Hex): bigint => {
  const vault = decodeFunctionData({ abi: poolAbi, data: input })
  const calls = vault.functionName === "execTransaction" ? [vault.args[1]] : vault.args[0].map(({ data }) => data)
  const swapped = (data: Hex): bigint => {
    const call = decodeFunctionData({ abi: routerAbi, data })
    if (call.functionName === "multicall") return call.args[1].reduce((sum, inner) => sum + swapped(inner), 0n)
    return call.functionName === "approve" ? 0n : call.args[0].amountIn
  }
  return calls.reduce((sum, data) => sum + swapped(data), 0n)
}

const node = (network: Network) => Effect.flatMap(Devnet, (devnet) => Effect.orDie(devnet.rpc(network)))
const head = (network: Network) => Effect.flatMap(node(network), ({ blockNumber }) => Effect.orDie(blockNumber))

/** Returns the transactions of these wallets between two blocks, in the order of the chain. */
const minedBetween = (network: Network, first: bigint, last: bigint, wallets: ReadonlySet<string>) =>
  Effect.gen(function*() {
    const { request } = yield* node(network)
    const numbers = Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index))
    const block = (number: bigint) => request("eth_getBlockByNumber", [`0x${number.toString(16)}`, true], Block)
    const blocks = yield* Effect.orDie(Effect.forEach(numbers, block, { concurrency: 8 }))
    return blocks.flatMap(({ transactions }) => transactions).filter(({ from }) => wallets.has(from.toLowerCase())).map(
      (sent): Mined => ({
        from: sent.from.toLowerCase() as Address,
        to: String(sent.to).toLowerCase() as Address,
        nonce: sent.nonce,
        sold: soldBy(sent.input as Hex)
      })
    )
  })

const nonces = (network: Network, wallet: Address) =>
  Effect.flatMap(
    node(network),
    ({ request }) =>
      Effect.orDie(
        Effect.forEach(["latest", "pending"], (block) => request("eth_getTransactionCount", [wallet, block], Quantity))
      )
  )

const ascending = <A>(of: (each: A) => bigint) => (a: A, b: A) => (of(a) < of(b) ? -1 : 1)

/** Renders a transaction for comparison. */
const line = (wallet: Address, pool: Address, sold: bigint) => `${wallet} sells ${sold} of ${pool}`

export interface ChainProof {
  /**
   * Adds these trades to those that have succeeded, and compares all of them with everything that happened on the
   * chains.
   */
  readonly holdsWith: (trades: ReadonlyArray<Trade>) => Effect.Effect<void, never, Devnet | SqlClient.SqlClient>
}

/** Starts watching the chains. Nothing else may trade these vaults or send from the service's wallets. */
export const begin = (
  vaults: ReadonlyArray<{ readonly network: Network; readonly pool: Address }>
): Effect.Effect<ChainProof, never, Devnet> =>
  Effect.gen(function*() {
    const networks = Array.from(new Set(vaults.map(({ network }) => network)))
    const next = new Map<Network, bigint>()
    const mined = new Map<Network, Array<Mined>>(networks.map((network) => [network, []]))
    for (const network of networks) next.set(network, (yield* head(network)) + 1n)
    const usdc = Effect.forEach(vaults, ({ network, pool }) => OnChain.balanceOf(network, "USDC", pool))
    const before = yield* usdc

    const holdsOn = (network: Network, trades: ReadonlyArray<Trade>, wallets: ReadonlySet<string>) =>
      Effect.gen(function*() {
        const last = yield* head(network)
        const all = mined.get(network) ?? []
        all.push(...(yield* minedBetween(network, next.get(network) ?? 0n, last, wallets)))
        next.set(network, last + 1n)
        const byAmount = <A extends { readonly sold: bigint }>(list: ReadonlyArray<A>) =>
          [...list].sort(ascending(({ sold }) => sold))
        assert.deepStrictEqual(
          byAmount(all).map(({ from, sold, to }) => line(from, to, sold)),
          byAmount(trades).map(({ pool, sold, wallet }) => line(wallet, pool, sold)),
          `${network} has one transaction for each trade`
        )
        for (const wallet of new Set(trades.map((trade) => trade.wallet))) {
          const used = all.filter(({ from }) => from === wallet).map(({ nonce }) => nonce)
          assert.deepStrictEqual(
            used,
            used.map((_, index) => BigInt(index)),
            `the nonces of ${wallet} on ${network} have no gap`
          )
          const count = BigInt(used.length)
          assert.deepStrictEqual(
            yield* nonces(network, wallet),
            [count, count],
            `nothing of ${wallet} waits on ${network}`
          )
        }
      })

    const holds = (trades: ReadonlyArray<Trade>) =>
      Effect.gen(function*() {
        const wallets = new Set((yield* rows("select address from gas_wallets")).map(({ address }) => String(address)))
        for (const network of networks) {
          yield* holdsOn(
            network,
            trades.filter((trade) => trade.network === network),
            wallets
          )
        }
        const after = yield* usdc
        const spent = vaults.map(({ network, pool }) =>
          trades.filter((trade) => trade.network === network && trade.pool === pool).reduce(
            (sum, { sold }) => sum + sold,
            0n
          )
        )
        assert.deepStrictEqual(
          vaults.map((_, index) => before[index]! - after[index]!),
          spent,
          "each vault has spent what its trades sold"
        )
        const charged = yield* rows("select intent_id::text as id from charges order by 1")
        assert.deepStrictEqual(
          charged.map(({ id }) => id),
          trades.map(({ intentId }) => intentId).sort(),
          "each trade is charged once"
        )
      })
    const succeeded: Array<Trade> = []
    return {
      holdsWith: (trades) =>
        Effect.suspend(() => {
          succeeded.push(...trades)
          return holds(succeeded)
        })
    }
  })
