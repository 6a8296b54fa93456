/** Settings of the networks' endpoints. */
import * as Setting from "@vault-trader/core/configuration/Setting"
import type { networks } from "../address-book/AddressBook.ts"
import * as PrivateSeconds from "./PrivateSeconds.ts"

type RealNetwork = typeof networks[number]

const rpcUrls = (network: RealNetwork) =>
  Setting.make<ReadonlyArray<string>>({
    name: `RPC_URL_${network.toUpperCase()}`,
    description:
      `JSON-RPC endpoints of ${network}, comma-separated, best first. With any RPC_URL_* set the devnet is not ` +
      "started and only the configured networks are served.",
    config: Setting.list,
    fallback: [],
    shown: "not set"
  })

const privateRpcUrls = (network: RealNetwork) =>
  Setting.make<ReadonlyArray<string>>({
    name: `RPC_PRIVATE_URL_${network.toUpperCase()}`,
    description:
      `Endpoints of ${network} that only take signed bytes (private order flow), comma-separated. The bytes of calls ` +
      "go to them alone for `RPC_PRIVATE_SECONDS`, after that to every endpoint. Nothing is read from them.",
    config: Setting.list,
    fallback: [],
    shown: "not set"
  })

export const rpcSettings = {
  optimism: rpcUrls("optimism"),
  base: rpcUrls("base"),
  arbitrum: rpcUrls("arbitrum"),
  polygon: rpcUrls("polygon"),
  ethereum: rpcUrls("ethereum"),
  hyperliquid: rpcUrls("hyperliquid"),
  plasma: rpcUrls("plasma"),
  optimismPrivate: privateRpcUrls("optimism"),
  basePrivate: privateRpcUrls("base"),
  arbitrumPrivate: privateRpcUrls("arbitrum"),
  polygonPrivate: privateRpcUrls("polygon"),
  ethereumPrivate: privateRpcUrls("ethereum"),
  hyperliquidPrivate: privateRpcUrls("hyperliquid"),
  plasmaPrivate: privateRpcUrls("plasma"),
  privateSeconds: Setting.make<PrivateSeconds.PrivateSeconds>({
    name: "RPC_PRIVATE_SECONDS",
    description: "Seconds for which the bytes of a call go to private endpoints only, for all networks or as " +
      "`network=seconds`, comma-separated.",
    config: Setting.meaning("must be 1 to 3600 seconds, or network=seconds, comma-separated", PrivateSeconds.read),
    fallback: () => PrivateSeconds.defaultSeconds,
    shown: String(PrivateSeconds.defaultSeconds)
  })
}
