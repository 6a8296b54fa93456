/** Calldata that an API hands out: read, held against what was asked for, and written anew before anybody signs it. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { NoQuote, type QuoteRequest, type Swap, type Venue } from "./Venue.ts"

/** An address in any spelling. */
export const AnyAddress = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u)).pipe(Schema.decodeTo(
  Schema.TemplateLiteral(["0x", Schema.String]),
  SchemaTransformation.transform({ decode: (text): Address => `0x${text.slice(2).toLowerCase()}`, encode: (address) => address })
))

/** Smallest units, as APIs write them: a string of digits, or a number. */
export const Amount = Schema.Union([
  Schema.String.check(Schema.isPattern(/^\d{1,78}$/u)),
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
]).pipe(Schema.decodeTo(
  Schema.BigInt,
  SchemaTransformation.transform<bigint, string | number>({ decode: (digits) => BigInt(digits), encode: (amount) => amount.toString() })
))

/** Calldata. */
export const Bytes = Schema.TemplateLiteral(["0x", Schema.String]).check(Schema.isPattern(/^0x([0-9a-fA-F]{2}){4,100000}$/u))

/** A transaction as an API hands it out. */
export interface AggregatorTransaction {
  readonly to: Address
  readonly data: Hex
  /** Wei. */
  readonly value: bigint
}

/** A swap an API wrote, that can be written anew. */
export interface EditableSwap {
  /** The minimum in it, smallest units. */
  readonly minOut: bigint
  /** The same swap with this minimum. */
  readonly withMinOut: (minOut: bigint) => Hex
}

/** An API that is told a slippage and takes less than so many tenths of the least that counts did not write what it was asked for. */
const leastTenths = 9n

/** Why a handed-out swap is not the one that was asked for. */
const mismatch = ({ amountIn, tokenIn, tokenOut, vault }: QuoteRequest, swap: Omit<Swap, "minOut">): string | undefined => {
  if (swap.receiver !== null && swap.receiver !== vault) return `pays ${swap.receiver}, not the vault`
  if (swap.tokenIn !== tokenIn.address) return `sells ${swap.tokenIn}, not ${tokenIn.symbol}`
  if (swap.tokenOut !== tokenOut.address) return `buys ${swap.tokenOut ?? "something else"}, not ${tokenOut.symbol}`
  return swap.amountIn === amountIn ? undefined : `sells ${Quantity.format(swap.amountIn, tokenIn.decimals)} ${tokenIn.symbol}, which is not the amount`
}

/** The call to sign: the one handed out, its minimum raised to ours and never lowered. Nothing of the bytes that came is signed unread. */
export const verify = (options: {
  readonly request: QuoteRequest
  readonly venue: Pick<Venue, "name" | "decode">
  /** The only contract the call may go to. */
  readonly router: Address
  readonly handout: AggregatorTransaction
  /** The call as its bytes are read; `undefined` when it is none of the venue's swaps. */
  readonly draft: EditableSwap | undefined
  /** What a swap buys whose bytes do not tell. */
  readonly bought?: Address | undefined
  /** The least that counts, smallest units. */
  readonly minOut: bigint
}): Effect.Effect<Hex, NoQuote> =>
  Effect.gen(function*() {
    const { bought, draft, handout, minOut, request, router, venue } = options
    const refuse = (what: string) =>
      Effect.andThen(
        Effect.logWarning(`${venue.name} on ${request.chain.book.network} hands out a transaction that ${what}`),
        new NoQuote({ reason: `its API hands out a transaction that ${what}` })
      )
    if (handout.to !== router) return yield* refuse(`goes to ${handout.to}, not to its router`)
    if (handout.value !== 0n) return yield* refuse("sends native money along")
    if (draft === undefined) return yield* refuse("is no plain swap")
    const data = draft.withMinOut(draft.minOut > minOut ? draft.minOut : minOut)
    const swap = venue.decode(data)
    if (swap === undefined || swap.minOut < minOut) return yield* refuse("is no plain swap")
    const difference = mismatch(request, { ...swap, tokenOut: swap.tokenOut ?? bought ?? null })
    if (difference !== undefined) return yield* refuse(difference)
    const { decimals, symbol } = request.tokenOut
    return draft.minOut * 10n < minOut * leastTenths ? yield* refuse(`is content with ${Quantity.format(draft.minOut, decimals)} ${symbol}`) : data
  })
