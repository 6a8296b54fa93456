/** The configured networks, accepted protocol names and default network. */
import { type Network } from "@vault-trader/core/chain/Network"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Brands } from "@vault-trader/core/lending/Brands"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface DirectoryShape {
  readonly networks: ReadonlyArray<Network>
  readonly defaultNetwork: Network
  /** True when a write must name its network, because the operator chose no default among several. */
  readonly namesRequired?: boolean
  /** Lower-case; the first is the default protocol. */
  readonly protocols: ReadonlyArray<string>
  /** Brand names of the lending markets. Default: `defaultBrands`. */
  readonly brands?: Brands
  /** Block explorer URLs by network; local chains have none. */
  readonly explorers?: Readonly<Partial<Record<Network, string>>>
}

export class Directory
  extends Context.Service<Directory, DirectoryShape>()("vault-trader/server/gate/ServedNetworks")
{}

/** Returns the request's network, or the default. */
export const networkOf = (network: Network | undefined): Effect.Effect<Network, never, Directory> =>
  Effect.map(Directory, ({ defaultNetwork }) => network ?? defaultNetwork)

/** Explains that a network is known but not served here. */
export const notServedReason = ({ networks }: DirectoryShape, network: string): string =>
  `'${network}' is not configured on this service; configured: ${networks.join(", ")}`

/** Builds the failure (1000) for a network that is known but not served here. */
export const networkNotServed = (directory: DirectoryShape, network: string): ValidationFailure =>
  new ValidationFailure({ code: "1000", message: `network: ${notServedReason(directory, network)}` })
