/** The kill switch of one threshold bot. */

/** A threshold bot, by its vault and the addresses of its pair. */
interface BotPlace {
  readonly network: string
  readonly pool: string
  readonly base: string
  readonly quote: string
}

/** Returns the scope of the kill switch that stops a threshold bot alone. */
export const scopeOfBot = ({ base, network, pool, quote }: BotPlace): string =>
  `bot/${network}/${pool}/${base}/${quote}`
