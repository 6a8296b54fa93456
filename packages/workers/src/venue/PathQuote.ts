/**
 * Quotes several paths with an on-chain quoter and returns the best. Uniswap's and Algebra's quoters share this call.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import { NoQuote } from "./NoQuote.ts"

const quoterAbi = parseAbi(["function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut)"])

/** Returns the read of a path's quote; amounts in smallest units. */
export const read = (quoter: Address, path: Hex, amountIn: bigint) =>
  Contract.read(quoterAbi, quoter, "quoteExactInput", [path, amountIn])

/** Turns the failure of a read of quotes into that of the venue, or of the plan if no node answers. */
export const unreadable = (failure: RpcFailure): NoQuote | ExecutionFailure =>
  failure._tag === "RpcUnavailable" ? unavailable(failure) : new NoQuote({ reason: "the quoter could not be read" })

interface PathQuote<P> {
  readonly path: P
  readonly amountOut: bigint
}

/** Returns the path that pays most. Paths without a quote are skipped. */
export const bestOf = <P>(
  paths: ReadonlyArray<P>,
  answers: ReadonlyArray<Result.Result<bigint, unknown>>
): Effect.Effect<PathQuote<P>, NoQuote> =>
  Effect.gen(function*() {
    const found = paths.reduce<PathQuote<P> | undefined>((best, path, index) => {
      const answer = answers[index]
      if (answer === undefined || Result.isFailure(answer)) return best
      return best === undefined || answer.success > best.amountOut ? { path, amountOut: answer.success } : best
    }, undefined)
    if (found === undefined) return yield* new NoQuote({ reason: "no pool with liquidity connects the two assets" })
    if (found.amountOut === 0n) return yield* new NoQuote({ reason: "the amount is too small to buy anything" })
    return found
  })

/** Quotes all paths in one call. Paths without a pool or without liquidity are skipped; amounts in smallest units. */
export const best = <P>(
  chain: ChainClient,
  quoter: Address,
  paths: ReadonlyArray<P>,
  encode: (path: P) => Hex,
  amountIn: bigint
): Effect.Effect<PathQuote<P>, NoQuote | ExecutionFailure> =>
  Effect.flatMap(
    Effect.mapError(chain.readAll(paths.map((path) => read(quoter, encode(path), amountIn))), unreadable),
    (answers) => bestOf(paths, answers)
  )
