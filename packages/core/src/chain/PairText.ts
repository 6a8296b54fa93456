/** Reading pairs that people typed; without schemas, so that pages can use it lightly. */
import { symbolOf } from "./Token.ts"

const leg = "(0x[0-9a-fA-F]{40}|[A-Za-z0-9.$]{1,32})"
export const pairPattern = new RegExp(`^${leg}[-/_]${leg}$`)

/** Returns the legs of a pair as the caller named them. */
export const legsOf = (pair: string): readonly [base: string, quote: string] => {
  const [, base = "", quote = ""] = pairPattern.exec(pair) ?? []
  return [base, quote]
}

/** Returns true if these legs, as a caller names them, are the bot's. */
export const isOfLegs = (
  bot: { readonly base: string; readonly quote: string; readonly pair: string },
  base: string,
  quote: string
): boolean =>
  (bot.base === base.toLowerCase() && bot.quote === quote.toLowerCase()) ||
  bot.pair.toUpperCase() === `${symbolOf(base)}-${symbolOf(quote)}`.toUpperCase()
