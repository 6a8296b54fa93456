/** Running transactions in a block: gas bought and given back, the base fee burnt, the tip paid, a revert undone. */
import * as Result from "effect/Result"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import * as Evm from "./Evm.ts"
import { type Env, type Log, type Message, type Outcome, revertData, returned } from "./Message.ts"
import { type Reply, refuse, reverted, serverError } from "./Rpc.ts"
import { intrinsicGas, type SignedTransaction, tipAt } from "./Transaction.ts"
import { Reader } from "./AbiWords.ts"
import * as ChainState from "./ChainState.ts"

/** Who takes the tips. */
export const coinbase: Address = ChainState.addressOf("block maker")

export interface Executed {
  readonly world: ChainState.World
  readonly succeeded: boolean
  readonly gasUsed: bigint
  readonly effectiveGasPrice: bigint
  readonly logs: ReadonlyArray<Log>
}

export const envOf = (number: bigint, timestamp: bigint): Env => ({ number, timestamp, call: Evm.call })

/** `undefined` when its sender cannot buy the gas. Nonce and base fee are the caller's to look at. */
export const run = (world: ChainState.World, env: Env, baseFee: bigint, transaction: SignedTransaction): Executed | undefined => {
  const { data, from, gas, maxFeePerGas, to, value } = transaction
  const balance = ChainState.slot(world, ChainState.native(from))
  if (balance < gas * maxFeePerGas + value) return undefined
  const tip = tipAt(transaction, baseFee)
  const price = baseFee + tip
  const key = ChainState.nonce(from)
  const bought = ChainState.withSlot(ChainState.withSlot(world, key, transaction.nonce + 1n), ChainState.native(from), balance - gas * price)
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

const add = (world: ChainState.World, key: string, amount: bigint) => ChainState.withSlot(world, key, ChainState.slot(world, key) + amount)

/** The words of `Error(string)`, when that is what the data is. */
const reasonIn = (data: string): string | undefined => {
  if (data.slice(2, 10) !== "08c379a0") return undefined
  const text = new Reader(data.slice(10)).bytes(0)
  return text === undefined ? undefined : Buffer.from(text.slice(2), "hex").toString("utf8")
}

const simulated = (world: ChainState.World, env: Env, message: Message): Reply<Outcome & { readonly _tag: "Returned" }> => {
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
  Result.map(simulated(world, env, message), ({ output }) => output)

/** `eth_estimateGas`: what the message takes in this world. */
export const estimate = (world: ChainState.World, env: Env, message: Message) =>
  Result.map(simulated(world, env, message), ({ gas }) => intrinsicGas(message) + gas)

/** A transaction in a block, with what it did there. */
export interface Mined extends Omit<Executed, "world"> {
  readonly transaction: SignedTransaction
  readonly blockNumber: bigint
  readonly blockHash: Hash
  readonly index: number
  /** Gas of the block up to and with this one. */
  readonly cumulativeGasUsed: bigint
  /** Logs of the block before this one's. */
  readonly firstLog: number
}
