/** Runs transactions in a block: buys and refunds gas, burns the base fee, pays the tip, undoes a revert. */
import * as Result from "effect/Result"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import * as Evm from "./Evm.ts"
import { type Env, type Log, type Message, type Outcome, revertData, returned } from "./Message.ts"
import { type Reply, refuse, reverted, serverError } from "./Rpc.ts"
import { intrinsicGas, type SignedTransaction, tipAt } from "./Transaction.ts"
import { Reader } from "./AbiWords.ts"
import * as ChainState from "./ChainState.ts"

/** The account that receives the tips. */
export const coinbase: Address = ChainState.addressOf("block maker")

export interface Executed {
  readonly world: ChainState.World
  readonly succeeded: boolean
  readonly gasUsed: bigint
  readonly effectiveGasPrice: bigint
  readonly logs: ReadonlyArray<Log>
}

export const envOf = (number: bigint, timestamp: bigint): Env => ({ number, timestamp, call: Evm.call })

/** Runs a transaction; returns `undefined` when its sender cannot buy the gas. The caller checks nonce and base fee. */
export const run = (
  world: ChainState.World,
  env: Env,
  baseFee: bigint,
  transaction: SignedTransaction
): Executed | undefined => {
  const { data, from, gas, maxFeePerGas, to, value } = transaction
  const balance = ChainState.slot(world, ChainState.native(from))
  if (balance < gas * maxFeePerGas + value) return undefined
  const tip = tipAt(transaction, baseFee)
  const price = baseFee + tip
  const key = ChainState.nonce(from)
  const bought = ChainState.withSlot(
    ChainState.withSlot(world, key, transaction.nonce + 1n),
    ChainState.native(from),
    balance - gas * price
  )
  const outcome: Outcome = to === null ? revertData("0x") : Evm.call(env, bought, { from, to, data, value })
  const needed = intrinsicGas(transaction) + outcome.gas
  const done = outcome._tag === "Returned" && needed <= gas ? outcome : returned(bought)
  const gasUsed = needed <= gas ? needed : gas
  const refunded = add(done.world, ChainState.native(from), (gas - gasUsed) * price)
  return {
    world: add(add(refunded, ChainState.native(coinbase), gasUsed * tip), ChainState.burnt, gasUsed * baseFee),
    succeeded: done === outcome,
    gasUsed,
    effectiveGasPrice: price,
    logs: done.logs
  }
}

const add = (world: ChainState.World, key: string, amount: bigint) =>
  ChainState.withSlot(world, key, ChainState.slot(world, key) + amount)

/** Returns the reason of an `Error(string)`, when the data is one. */
const reasonIn = (data: string): string | undefined => {
  if (data.slice(2, 10) !== "08c379a0") return undefined
  const text = new Reader(data.slice(10)).bytes(0)
  return text === undefined ? undefined : Buffer.from(text.slice(2), "hex").toString("utf8")
}

const simulate = (
  world: ChainState.World,
  env: Env,
  message: Message
): Reply<Outcome & { readonly _tag: "Returned" }> => {
  if (message.value > ChainState.slot(world, ChainState.native(message.from))) {
    return refuse(serverError, `insufficient funds for gas * price + value: address ${message.from}`)
  }
  const outcome = Evm.call(env, world, message)
  if (outcome._tag === "Returned") return Result.succeed(outcome)
  if (outcome.data === "0x") return refuse(serverError, "execution reverted")
  const reason = reasonIn(outcome.data)
  return refuse(reverted, reason === undefined ? "execution reverted" : `execution reverted: ${reason}`, outcome.data)
}

/** `eth_call`. */
export const call = (world: ChainState.World, env: Env, message: Message) =>
  Result.map(simulate(world, env, message), ({ output }) => output)

/** `eth_estimateGas`: the gas the message takes in this state. */
export const estimate = (world: ChainState.World, env: Env, message: Message) =>
  Result.map(simulate(world, env, message), ({ gas }) => intrinsicGas(message) + gas)

/** A transaction in a block, with its result there. */
export interface Mined extends Omit<Executed, "world"> {
  readonly transaction: SignedTransaction
  readonly blockNumber: bigint
  readonly blockHash: Hash
  readonly index: number
  /** Gas used by the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint
  /** Number of logs in the block before this transaction's. */
  readonly firstLog: number
}
