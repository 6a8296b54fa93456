/** Reads for decisions that one endpoint must not make alone: every endpoint that answers is included. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BlockFollower } from "./BlockFollower.ts"
import { textOf } from "./ReceiptQuorum.ts"
import { Bytes, hex, lower, Quantity, RawBlock, RawBody, RawReceipt, toBlock, toBody, toReceipt } from "./RpcSchema.ts"
import type { TypedRpc } from "./TypedRpc.ts"

/** Returns the parameters of a read of a block with its transactions. */
export const bodyAt = (number: bigint) => [hex(number), true] as const

/** Builds the reads that one endpoint must not answer alone: each endpoint that answers is included. */
export const make = (
  { compare, ranking, requestAllOf, requestEverywhere }: TypedRpc,
  knownHash: BlockFollower["knownHash"]
) => {
  /** Penalizes an endpoint whose block at a height is not the others'. */
  const compareBlocks = (
    number: bigint,
    answers: ReadonlyArray<{ readonly endpoint: number; readonly answer: { readonly hash: string } | null }>
  ) =>
    compare(
      `block ${number}`,
      answers.flatMap(({ answer, endpoint }) => answer === null ? [] : [{ endpoint, says: lower(answer.hash) }]),
      (says) => says === knownHash(number)
    )
  return {
    receiptsAnywhere: (hashes: ReadonlyArray<Hash>) =>
      Effect.map(
        Effect.forEach(hashes, (hash) => requestEverywhere(RawReceipt, "eth_getTransactionReceipt", [hash]), {
          concurrency: "unbounded"
        }),
        (all) => {
          const receipts = all.flat().flatMap(({ answer }) => toReceipt(answer) ?? [])
          return Arr.dedupeWith(
            receipts.filter(({ transactionHash }) => hashes.includes(transactionHash)),
            (one, other) => textOf(one) === textOf(other)
          )
        }
      ),
    initcodeOutputs: (code: Hex) =>
      Effect.flatMap(
        ranking,
        (endpoints) =>
          Effect.forEach(endpoints, (endpoint) =>
            Effect.option(requestAllOf(endpoint, Bytes, "eth_call", [[{ data: code }, "latest"]])), {
            concurrency: "unbounded"
          })
      ).pipe(
        Effect.map((all) =>
          Arr.getSomes(all).map(([output]) =>
            output !== undefined && Result.isSuccess(output) ? output.success : null
          )
        )
      ),
    noncesEverywhere: (wallet: Address, block: bigint) =>
      requestEverywhere(Quantity, "eth_getTransactionCount", [wallet, hex(block)]).pipe(
        Effect.map((all) => all.map(({ answer }) => answer))
      ),
    bodiesEverywhere: (number: bigint) =>
      requestEverywhere(RawBody, "eth_getBlockByNumber", bodyAt(number)).pipe(
        Effect.tap((all) => compareBlocks(number, all)),
        Effect.map((all) => all.map(({ answer }) => toBody(answer)))
      ),
    blocksEverywhere: (number: bigint) =>
      requestEverywhere(RawBlock, "eth_getBlockByNumber", [hex(number), false]).pipe(
        Effect.tap((all) => compareBlocks(number, all)),
        Effect.map((all) => all.map(({ answer }) => toBlock(answer)))
      )
  }
}
