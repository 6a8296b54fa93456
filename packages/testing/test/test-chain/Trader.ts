/** A chain with one vault and its trader, with which most tests here start. */
import * as Effect from "effect/Effect"
import { privateKeyToAddress } from "viem/accounts"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { RpcFailure } from "../../src/test-chain/Rpc.ts"
import * as TestChain from "../../src/test-chain/TestChain.ts"
import * as Transaction from "../../src/test-chain/Transaction.ts"
import { type Call, number } from "./Calls.ts"

export const gwei = 1_000_000_000n
export const ether = 10n ** 18n
export const usd = 1_000_000n

export const traderKey: Hex = `0x${"a1".repeat(32)}`
export const strangerKey: Hex = `0x${"b2".repeat(32)}`
export const managerKey: Hex = `0x${"c3".repeat(32)}`
export const ownerOf = (key: Hex): Address => `0x${privateKeyToAddress(key).slice(2).toLowerCase()}`
export const trader = ownerOf(traderKey)
export const stranger = ownerOf(strangerKey)
export const manager = ownerOf(managerKey)

/** The fields of a transaction that tests vary; all others are ample. */
export interface Draft {
  readonly key?: Hex
  readonly nonce?: bigint | number
  readonly chainId?: number
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
  readonly gas?: bigint
  readonly maxFee?: bigint
  readonly tip?: bigint
}

export const signed = (
  {
    chainId = 10,
    data = "0x",
    gas,
    key = traderKey,
    maxFee = 10n * gwei,
    nonce = 0,
    tip = gwei,
    to = stranger,
    value = 0n
  }: Draft
) =>
  Transaction.sign(key, {
    ...{ chainId, to, data, value },
    nonce: BigInt(nonce),
    gas: gas ?? (data === "0x" ? 21_000n : 1_000_000n),
    maxFeePerGas: maxFee,
    maxPriorityFeePerGas: tip
  })

/**
 * A chain at a pinned gwei whose vault holds 100,000 USDC and 10 WETH; trader, manager and stranger have 100 ether
 * each.
 */
export const start = (options: Partial<TestChain.Options> = {}) =>
  Effect.gen(function*() {
    const chain = yield* TestChain.make({ network: "optimism", baseFee: gwei, ...options })
    const vault = yield* chain.createVault({ manager, trader, holdings: { USDC: 100_000n * usd, WETH: 10n * ether } })
    for (const owner of [trader, manager, stranger]) yield* chain.setBalance(owner, 100n * ether)
    const send = (draft: Draft): Effect.Effect<Hex, RpcFailure> =>
      Effect.flatMap(signed({ chainId: chain.chainId, ...draft }), (raw) =>
        Effect.map(chain.request("eth_sendRawTransaction", [raw]), (hash) =>
          hash as Hex /* what a node answers to a send */))
    const nonce = (tag: string, who = trader) =>
      Effect.map(chain.request("eth_getTransactionCount", [who, tag]), number)
    const call = (from: Address, { data, to }: Call) =>
      chain.request("eth_call", [{ from, to, data }, "latest"])
    return { chain, vault, send, nonce, call, router: chain.deployed.uniswapV3.router }
  })

/** Returns the node's refusal. Dies if it accepts or does not answer. */
export const refusal = <A>(effect: Effect.Effect<A, RpcFailure>) =>
  Effect.flatMap(
    Effect.flip(effect),
    (failure) => failure._tag === "RpcRefused" ? Effect.succeed(failure) : Effect.die(failure)
  ).pipe(Effect.orDie)

export const reasonOf = <A>(effect: Effect.Effect<A, RpcFailure>) => Effect.map(refusal(effect), ({ reason }) => reason)
