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
  ledgerDays: Setting.make({
    name: "RETENTION_LEDGER_DAYS",
    description: "Days after its end for which a submission, its signed bytes, its receipt and its plan are kept. Intents, outcomes and charges are kept for ever.",
    config: Setting.atLeast(1),
    fallback: 30
  }),
  messageDays: Setting.make({
    name: "RETENTION_MESSAGES_DAYS",
    description: "Days for which answered messages between actors are kept.",
    config: Setting.atLeast(1),
    fallback: 7
  }),
  optimism: rpcUrls("optimism"),
  base: rpcUrls("base"),
  arbitrum: rpcUrls("arbitrum"),
  polygon: rpcUrls("polygon"),
  ethereum: rpcUrls("ethereum")
}
