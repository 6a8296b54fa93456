/**
 * Checks calldata from an aggregator's API: decodes it, compares it with the request and encodes it again before it is
 * signed.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { NoQuote } from "./NoQuote.ts"
import type { QuoteRequest, Swap, Venue } from "./Venue.ts"

/** An address in any spelling. */
export const AnyAddress = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u)).pipe(Schema.decodeTo(
  Schema.TemplateLiteral(["0x", Schema.String]),
  SchemaTransformation.transform({
    decode: (text): Address => `0x${text.slice(2).toLowerCase()}`,
    encode: (address) => address
  })
))

/** An amount in smallest units as APIs write it: a string of digits, or a number. */
export const Amount = Schema.Union([
  Schema.String.check(Schema.isPattern(/^\d{1,78}$/u)),
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
]).pipe(Schema.decodeTo(
  Schema.BigInt,
  SchemaTransformation.transform<bigint, string | number>({
    decode: (digits) => BigInt(digits),
    encode: (amount) => amount.toString()
  })
))

/** Calldata of at least a selector. */
export const Bytes = Schema.TemplateLiteral(["0x", Schema.String]).check(
  Schema.isPattern(/^0x([0-9a-fA-F]{2}){4,100000}$/u)
)

/** A transaction as an API returns it. */
interface AggregatorTransaction {
  readonly to: Address
  readonly data: Hex
  /** Wei. */
  readonly value: bigint
}

/** A swap from an API that can be encoded again with another minimum. */
export interface EditableSwap {
  /** The swap's minimum, smallest units. */
  readonly minOut: bigint
  /** Encodes the same swap with this minimum. */
  readonly withMinOut: (minOut: bigint) => Hex
}

/**
 * Minimum tenths of `minOut` that the API's own minimum must reach. Below that, the API did not apply the requested
 * slippage.
 */
const minTenths = 9n

/** Returns the reason why a swap is not the requested one; `undefined` when it is. */
const mismatch = (
  { amountIn, tokenIn, tokenOut, vault }: QuoteRequest,
  swap: Omit<Swap, "minOut">
): string | undefined => {
  if (swap.receiver !== null && swap.receiver !== vault) return `pays ${swap.receiver}, not the vault`
  if (swap.tokenIn !== tokenIn.address) return `sells ${swap.tokenIn}, not ${tokenIn.symbol}`
  if (swap.tokenOut !== tokenOut.address) return `buys ${swap.tokenOut ?? "something else"}, not ${tokenOut.symbol}`
  return swap.amountIn === amountIn
    ? undefined
    : `sells ${Quantity.format(swap.amountIn, tokenIn.decimals)} ${tokenIn.symbol}, which is not the amount`
}

/**
 * Returns the call to sign: the API's swap with its minimum raised to ours, never lowered. No byte from the API is
 * signed unchecked.
 */
export const verify = (options: {
  readonly request: QuoteRequest
  readonly venue: Pick<Venue, "name" | "decode">
  /** The only contract that may be called. */
  readonly router: Address
  readonly handout: AggregatorTransaction
  /** The decoded call; `undefined` when it is not one of the venue's swaps. */
  readonly draft: EditableSwap | undefined
  /** The bought token, for swaps whose calldata does not name it. */
  readonly bought?: Address | undefined
  /** Our own minimum, smallest units. */
  readonly minOut: bigint
}): Effect.Effect<Hex, NoQuote> =>
  Effect.gen(function*() {
    const { bought, draft, handout, minOut, request, router, venue } = options
    const refuse = (what: string) =>
      Effect.andThen(
        Effect.logWarning(`${venue.name} on ${request.chain.book.network} returns a transaction that ${what}`),
        new NoQuote({ reason: `its API returns a transaction that ${what}` })
      )
    if (handout.to !== router) return yield* refuse(`goes to ${handout.to}, not to its router`)
    if (handout.value !== 0n) return yield* refuse("also sends native token")
    if (draft === undefined) return yield* refuse("is not a plain swap")
    const data = draft.withMinOut(draft.minOut > minOut ? draft.minOut : minOut)
    const swap = venue.decode(data)
    if (swap === undefined || swap.minOut < minOut) return yield* refuse("is not a plain swap")
    const difference = mismatch(request, { ...swap, tokenOut: swap.tokenOut ?? bought ?? null })
    if (difference !== undefined) return yield* refuse(difference)
    const { decimals, symbol } = request.tokenOut
    return draft.minOut * 10n < minOut * minTenths
      ? yield* refuse(`accepts as little as ${Quantity.format(draft.minOut, decimals)} ${symbol}`)
      : data
  })
