/** Compares pairs as callers name them with those of bots. */
import { symbolOf } from "./Token.ts"

/** Returns true if these legs, as a caller names them, are the bot's. */
export const isOfLegs = (
  bot: { readonly base: string; readonly quote: string; readonly pair: string },
  base: string,
  quote: string
): boolean =>
  (bot.base === base.toLowerCase() && bot.quote === quote.toLowerCase()) ||
  bot.pair.toUpperCase() === `${symbolOf(base)}-${symbolOf(quote)}`.toUpperCase()
