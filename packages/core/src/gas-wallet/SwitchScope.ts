/** The scopes of kill switches, as their rows, the audit log and the console have them. */
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** The scope that a switch stops: the last two name the bots of a vault, and one threshold bot by its legs. */
export type Scope =
  | "service"
  | `wallet/${Address}`
  | `bot/${Network}/${Address}`
  | `bot/${Network}/${Address}/${Address}/${Address}`

export const walletScope = (wallet: Address): Scope => `wallet/${wallet}`

/** Returns the scope of one vault's bots: threshold, index and strategy bots, orders, guardians and follower. */
export const botScope = (network: Network, pool: Address): Scope => `bot/${network}/${pool}`

/** A threshold bot, by its vault and its legs. */
export interface ThresholdBotPlace {
  readonly network: Network
  readonly pool: Address
  readonly base: Address
  readonly quote: Address
}

/** Returns the scope of one threshold bot; its symbols may be those of other tokens, too. */
export const thresholdBotScope = ({ base, network, pool, quote }: ThresholdBotPlace): Scope =>
  `bot/${network}/${pool}/${base}/${quote}`

/** Returns the scope of the bots of the same vault for that of one of them; every other scope as it is. */
export const wideScopeOf = (scope: string): string => scope.split("/").slice(0, 3).join("/")
