/**
 * Finds the newest final block: the node's block of the network's tag, or so many blocks below the head. With several
 * endpoints, two have to agree.
 */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { min } from "@vault-trader/core/chain/Quantity"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Block, BlockFollower } from "./BlockFollower.ts"
import { type RpcFailure, RpcUnavailable } from "./RpcFailure.ts"
import { RawBlock, toBlock } from "./RpcSchema.ts"
import * as TtlCache from "./TtlCache.ts"
import type { TypedRpc } from "./TypedRpc.ts"

/** Maximum age of a tag's block against the head, in seconds: beyond it the chain or the node does not move the tag. */
const maxTagAgeSeconds = 3_600
/** How many polls of the head a result is reused for. */
const reusedPolls = 4
/** Minimum number of endpoints that must agree, where so many are configured. */
const quorum = 2

export interface Finality {
  /**
   * Reads the number of the newest final block, cached so that lanes share it. Fails where two of several endpoints do
   * not answer: then nothing may become final.
   */
  readonly finalBlock: Effect.Effect<bigint, RpcFailure>
}

/** Returns the final block by an endpoint's tag, or by depth where the tag is missing or too old. */
const finalBy = (
  { finalityDepth }: NetworkBook,
  head: Block | null,
  tagged: Block | null | undefined
): bigint | undefined => {
  if (head === null) return undefined
  return tagged !== null && tagged !== undefined && head.time - tagged.time <= maxTagAgeSeconds
    ? min(tagged.number, head.number)
    : head.number - BigInt(finalityDepth)
}

type BlockAnswer = Result.Result<typeof RawBlock.Type, unknown> | undefined

const blockOf = (answer: BlockAnswer) =>
  answer !== undefined && Result.isSuccess(answer) ? toBlock(answer.success) : null

/** Builds the read of the final block. */
export const make = (
  book: NetworkBook,
  rpc: TypedRpc,
  { newest }: Pick<BlockFollower, "newest">
): Effect.Effect<Finality> =>
  Effect.gen(function*() {
    const { finality, network } = book
    const tags = finality === "depth" ? ["latest"] : ["latest", finality]
    const params = tags.map((tag) => [tag, false])
    const ttlMillis = book.blockPollMillis * reusedPolls

    const byOne = finality === "depth"
      ? Effect.map(newest, ({ number }) => number - BigInt(book.finalityDepth))
      : Effect.flatMap(rpc.requestAll(RawBlock, "eth_getBlockByNumber", params), ([head, tagged]) => {
        const final = finalBy(book, blockOf(head), blockOf(tagged))
        return final === undefined
          ? new RpcUnavailable({ network, reason: "the node has no latest block" })
          : Effect.succeed(final)
      })

    /** Reads something from the two best endpoints, and from the others where one of those does not answer. */
    const fromEach = <A>(
      read: (endpoint: number) => Effect.Effect<A | undefined, RpcFailure>,
      isEnough: (answers: ReadonlyArray<A>) => boolean
    ): Effect.Effect<ReadonlyArray<A>> =>
      Effect.gen(function*() {
        const ranking = yield* rpc.ranking
        const readAll = (endpoints: ReadonlyArray<number>) =>
          Effect.map(
            Effect.forEach(endpoints, (endpoint) => Effect.orElseSucceed(read(endpoint), () => undefined), {
              concurrency: "unbounded"
            }),
            (answers) => answers.filter((answer) => answer !== undefined)
          )
        const first = yield* readAll(ranking.slice(0, quorum))
        return isEnough(first) ? first : [...first, ...(yield* readAll(ranking.slice(quorum)))]
      })

    const bySeveral = Effect.gen(function*() {
      const answers = yield* fromEach(
        (endpoint) =>
          Effect.map(
            rpc.requestAllOf(endpoint, RawBlock, "eth_getBlockByNumber", params),
            ([latest, tagged]) => {
              const head = blockOf(latest)
              const final = finalBy(book, head, blockOf(tagged))
              return head === null || final === undefined ? undefined : { endpoint, head: head.number, final }
            }
          ),
        ({ length }) => length >= quorum
      )
      yield* rpc.compareHeads(answers)
      // The second highest: two endpoints report a block at least as new as this one as final.
      const [, second] = answers.map(({ final }) => final).sort((a, b) => (a > b ? -1 : 1))
      return second ?? (yield* new RpcUnavailable({ network, reason: "fewer than two endpoints report a final block" }))
    })

    const several = rpc.endpoints >= quorum
    // Failures are cached, too: an endpoint that hangs must not delay every check of every lane.
    const cached = yield* TtlCache.make(Effect.result(several ? bySeveral : byOne), ttlMillis)
    return {
      finalBlock: several || finality !== "depth" ? Effect.flatMap(cached, Effect.fromResult) : byOne
    }
  })
