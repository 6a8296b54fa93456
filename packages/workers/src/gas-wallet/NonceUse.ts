/**
 * Finds the transaction that used a nonce. A nonce counts as lost only after a foreign transaction was found in a block
 * body and no endpoint contradicts it: the absence of our own receipt proves nothing.
 */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { BlockBody, ChainClient } from "../chain/ChainClient.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"

export type NonceUse =
  /** One of our own transactions used it, with the receipts that endpoints have, none of them confirmed yet. */
  | { readonly _tag: "Ours"; readonly receipts: ReadonlyArray<Receipt> }
  /**
   * A transaction of the wallet that we did not sign used it: every endpoint that answers has it in this block, and two
   * do where so many are configured.
   */
  | { readonly _tag: "Foreign"; readonly hash: Hash; readonly block: bigint }
  /** The nonce is used and no block shows by which transaction, or endpoints contradict each other. */
  | { readonly _tag: "Unexplained"; readonly reason: string }

export interface Question {
  readonly wallet: Address
  readonly nonce: bigint
  /** Every transaction that we have signed under the nonce. */
  readonly hashes: ReadonlyArray<Hash>
  /** A block at which the nonce was used. */
  readonly head: bigint
  /** A block at which it was still free, where one is known. */
  readonly freeAt: bigint | undefined
}

/** Maximum number of block bodies that one search reads where a node has no state of old blocks. */
const maxBodies = 256n

/** Reads the wallet's transaction count at a block; none where the node has no state of that block. */
const countAt = (chain: ChainClient, wallet: Address, block: bigint) => Effect.option(chain.nonce(wallet, block))

/** The blocks between which the nonce was used: the count at `free` does not include it, the count at `used` does. */
interface Range {
  /** `undefined` when it is not known because the node has no state that old. */
  readonly free: bigint | undefined
  readonly used: bigint
}

/** Searches for a block at which the nonce was free, four times further back at each step. */
const findRange = (chain: ChainClient, { freeAt, head, nonce, wallet }: Question): Effect.Effect<Range> =>
  Effect.gen(function*() {
    if (freeAt !== undefined && freeAt < head) return { free: freeAt, used: head }
    let used = head
    for (let distance = 1n; distance <= head; distance *= 4n) {
      const count = yield* countAt(chain, wallet, head - distance)
      if (Option.isNone(count)) return { free: undefined, used }
      if (count.value <= nonce) return { free: head - distance, used }
      used = head - distance
    }
    return { free: -1n, used }
  })

/** Halves the range until it is one block, or until the node has no state of the block in its middle. */
const narrowRange = (chain: ChainClient, { nonce, wallet }: Question, range: Range): Effect.Effect<Range> =>
  Effect.gen(function*() {
    let { free, used } = range
    while (free !== undefined && used - free > 1n) {
      const middle: bigint = (free + used) / 2n
      const count = yield* countAt(chain, wallet, middle)
      if (Option.isNone(count)) break
      if (count.value > nonce) used = middle
      else free = middle
    }
    return { free, used }
  })

const useIn = (body: BlockBody | null, { nonce, wallet }: Question) =>
  body?.transactions.find((transaction) => transaction.from === wallet && transaction.nonce === nonce)

/** Reads block bodies from the newest down until one has the transaction. */
const scanBodies = (
  chain: ChainClient,
  question: Question,
  { free, used }: Range
): Effect.Effect<BlockBody | undefined, RpcFailure> =>
  Effect.gen(function*() {
    const last = free === undefined || used - free > maxBodies ? used - maxBodies : free
    for (let number = used; number > last && number >= 0n; number--) {
      const body = yield* chain.body(number)
      if (body !== null && useIn(body, question) !== undefined) return body
    }
    return undefined
  })

const ours = (receipts: ReadonlyArray<Receipt>): NonceUse => ({ _tag: "Ours", receipts })
const foreign = (hash: Hash, block: bigint): NonceUse => ({ _tag: "Foreign", hash, block })
const unexplained = (reason: string): NonceUse => ({ _tag: "Unexplained", reason })

/** Pause before endpoints that did not answer are asked again. */
const secondTry = "500 millis"

/** Reads a block from every endpoint, once more where fewer answered than must agree. */
const bodiesOf = (chain: ChainClient, number: bigint) =>
  Effect.flatMap(chain.bodiesEverywhere(number), (all) =>
    all.length >= chain.quorum
      ? Effect.succeed(all)
      : Effect.delay(chain.bodiesEverywhere(number), secondTry))

/** Explains a used nonce for which the first endpoint has no receipt of ours. */
export const explain = (chain: ChainClient, question: Question): Effect.Effect<NonceUse, RpcFailure> =>
  Effect.gen(function*() {
    const receipts = yield* chain.receiptsAnywhere(question.hashes)
    if (receipts.length > 0) return ours(receipts)
    const body = yield* scanBodies(
      chain,
      question,
      yield* narrowRange(chain, question, yield* findRange(chain, question))
    )
    const use = useIn(body ?? null, question)
    if (body === undefined || use === undefined) {
      return unexplained("no block was found that holds a transaction with this nonce")
    }
    if (question.hashes.includes(use.hash)) return ours([])
    const others = yield* bodiesOf(chain, body.number)
    if (others.length < chain.quorum) return unexplained(`no second endpoint has answered about block ${body.number}`)
    const agree = others.every((other) => useIn(other, question)?.hash === use.hash)
    return agree ? foreign(use.hash, body.number) : unexplained(`endpoints do not agree about block ${body.number}`)
  }).pipe(Effect.withSpan("NonceUse.explain", undefined, { captureStackTrace: false }))
