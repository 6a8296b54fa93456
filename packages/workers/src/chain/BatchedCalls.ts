/** Makes several calls in one `eth_call`, by multicall: reads, or a simulation on behalf of an address. */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { decodeFunctionResult } from "viem"
import type { ReadFailure, Reads, Results } from "./Contract.ts"
import { multicall3Abi } from "./Multicall3.ts"
import { type RpcFailure, RpcRefused } from "./RpcFailure.ts"
import { Bytes, hex } from "./RpcSchema.ts"
import * as TtlCache from "./TtlCache.ts"
import type { TypedRpc } from "./TypedRpc.ts"
import * as Calldata from "./Calldata.ts"

/** How long the code of a contract that never changes is cached. */
const codeMillis = 3_600_000

/** Decodes the results of `aggregate3`; any other answer is a refusal, for the given reason. */
export const decodeResults = (data: Hex, reason: string) =>
  Effect.mapError(
    Effect.try({
      try: () => decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data }),
      catch: () => "malformed" as const
    }),
    () => new RpcRefused({ code: 0, reason })
  )

/** Encodes reads as one call of the multicall. */
export const encodeReads = (reads: Reads): Hex =>
  Calldata.encode({
    abi: multicall3Abi,
    functionName: "aggregate3",
    args: [reads.map((read) => ({ target: read.to, allowFailure: true, callData: read.data }))]
  })

/** Decodes the answer to `encodeReads`. */
export const decodeReads = <const R extends Reads>(
  { multicall3 }: NetworkBook,
  reads: R,
  answer: Hex
): Effect.Effect<Results<R>, RpcRefused> =>
  Effect.flatMap(
    decodeResults(answer, `there is no Multicall3 at ${multicall3}`),
    (results) =>
      results.length === reads.length
        ? Effect.succeed(
          results.map(({ returnData, success }, index) =>
            success
              ? Result.mapError(
                reads[index]!.decode(returnData),
                (reason): ReadFailure => ({ data: undefined, reason })
              )
              : Result.fail<ReadFailure>({ data: returnData, reason: "reverted" })
          ) as unknown as Results<R>
        )
        : new RpcRefused({ code: 0, reason: "the node returned another number of results than reads" })
  )

/** Makes reads at one block, the newest unless another is given, in one call. */
export type ReadAll = <const R extends Reads>(reads: R, block?: bigint) => Effect.Effect<Results<R>, RpcFailure>

/** Builds `readAll`. */
export const makeReadAll = (book: NetworkBook, { request }: TypedRpc): ReadAll => (reads, at) => {
  const data = encodeReads(reads)
  const block = at === undefined ? "latest" : hex(at)
  return Effect.flatMap(
    request(Bytes, "eth_call", [{ to: book.multicall3, data }, block]),
    (answer) => decodeReads(book, reads, answer)
  )
}

/** Builds `simulateCalls`: makes calls as an address, one after the other, without sending anything. */
export const makeSimulateCalls = (book: NetworkBook, { request }: TypedRpc) =>
  Effect.gen(function*() {
    // The state override gives the address the multicall's code, so that the called contracts see the address as the
    // caller.
    const multicallCode = yield* TtlCache.make(request(Bytes, "eth_getCode", [book.multicall3, "latest"]), codeMillis)
    return (by: Address, calls: ReadonlyArray<{ readonly to: Address; readonly data: Hex }>) =>
      Effect.gen(function*() {
        const args = [calls.map(({ data, to }) => ({ target: to, allowFailure: true, callData: data }))] as const
        const data = Calldata.encode({ abi: multicall3Abi, functionName: "aggregate3", args })
        const answer = yield* request(Bytes, "eth_call", [{ to: by, data }, "latest", {
          [by]: { code: yield* multicallCode }
        }])
        const results = yield* decodeResults(
          answer,
          "the node does not support state overrides of an address's code"
        )
        return results.map(({ returnData, success }) =>
          success ? Result.succeed(returnData) : Result.fail<ReadFailure>({ data: returnData, reason: "reverted" })
        )
      })
  })
