/** The workers' settings. */
import * as Setting from "@vault-trader/core/configuration/Setting"
import * as Config from "effect/Config"
import { type networks } from "./chain/AddressBook.ts"

type RealNetwork = typeof networks[number]

const rpcUrls = (network: RealNetwork) =>
  Setting.make<ReadonlyArray<string>>({
    name: `RPC_URL_${network.toUpperCase()}`,
    description: `JSON-RPC endpoints of ${network}, comma-separated, best first. With any RPC_URL_* set the devnet is not started and only the configured networks are served.`,
    config: Setting.list,
    fallback: [],
    shown: "not set"
  })

export const workersSettings = {
  kekFile: Setting.optional({
    name: "KEK_FILE",
    description: "File of the key-encryption key (64 hex characters). Made on the first start; once the database holds wallets it must be there.",
    config: Config.string,
    shown: "DATA_DIR/kek"
  }),
  rpcTimeoutMillis: Setting.make({
    name: "RPC_TIMEOUT_MS",
    description: "Hard limit of one JSON-RPC request, in milliseconds.",
    config: Setting.atLeast(100),
    fallback: 10_000
  }),
  runnerHost: Setting.make({
    name: "RUNNER_HOST",
    description: "Address at which other processes reach this runner (`npm run workers`).",
    config: Config.string,
    fallback: "127.0.0.1"
  }),
  runnerPort: Setting.make({
    name: "RUNNER_PORT",
    description: "Port at which other processes reach this runner.",
    config: Setting.port,
    fallback: 34431
  }),
  optimism: rpcUrls("optimism"),
  base: rpcUrls("base"),
  arbitrum: rpcUrls("arbitrum"),
  polygon: rpcUrls("polygon"),
  ethereum: rpcUrls("ethereum")
}
