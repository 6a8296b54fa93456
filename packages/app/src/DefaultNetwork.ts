/** The network of a request that names none. */
import type { Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { DirectoryShape } from "@vault-trader/server/gate/ServedNetworks"
import { fallbackNetwork } from "@vault-trader/server/ServerSettings"

/**
 * Returns the default network. Outside private chains, which have no explorer, the operator must choose it among
 * several.
 */
export const defaultNetworkOf = (
  chosen: Network | undefined,
  books: ReadonlyArray<Pick<NetworkBook, "network" | "explorer">>
): Required<Pick<DirectoryShape, "defaultNetwork" | "namesRequired">> => {
  const networks = books.map(({ network }) => network)
  const wanted = chosen ?? fallbackNetwork
  const isPrivate = books.every(({ explorer }) => explorer === undefined)
  return {
    defaultNetwork: networks.includes(wanted) ? wanted : networks[0] ?? wanted,
    namesRequired: chosen === undefined && networks.length > 1 && !isPrivate
  }
}
