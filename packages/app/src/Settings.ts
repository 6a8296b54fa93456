/** Every setting of the one-command service, read once. */
import { billingSettings } from "@vault-trader/core/billing/BillingSettings"
import { approvalSettings } from "@vault-trader/core/change-approval/ApprovalSettings"
import * as Setting from "@vault-trader/core/configuration/Setting"
import { serverSettings } from "@vault-trader/server/ServerSettings"
import { workersSettings } from "@vault-trader/workers/WorkersSettings"
import * as Config from "effect/Config"
import type * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"

const levels: Readonly<Record<string, LogLevel.LogLevel>> = {
  debug: "Debug",
  info: "Info",
  warning: "Warn",
  error: "Error",
  none: "None"
}

const logLevel = Setting.meaning(
  `must be one of ${Object.keys(levels).join(", ")}`,
  (text) => Object.hasOwn(levels, text.toLowerCase()) ? levels[text.toLowerCase()] : undefined
)

/** A URL without credentials: they would appear in every error about it. */
const collector = Setting.meaning(
  "must be an http or https URL without user, password or query; credentials go into OTLP_HEADERS",
  (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}` === ""
      ? text
      : undefined
  }
)

const headers = Setting.meaning(
  "must be name=value pairs, comma-separated",
  (text): Readonly<Record<string, Redacted.Redacted<string>>> | undefined => {
    const pairs = text.split(",").map((pair) => /^\s*([\w-]+)=(\S.*?)\s*$/.exec(pair))
    return pairs.every((pair) => pair !== null)
      ? Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name.toLowerCase(), Redacted.make(value)]))
      : undefined
  }
)

const serviceSettings = {
  dataDir: Setting.make({
    name: "DATA_DIR",
    description: "Folder of everything that must survive a restart.",
    config: Config.String,
    fallback: ".data"
  }),
  databaseUrl: Setting.optional({
    name: "DATABASE_URL",
    description: "A PostgreSQL database to use instead of the embedded one (`postgres://…`).",
    config: (name) => Config.Redacted(name)
  }),
  arbitrageSeconds: Setting.make({
    name: "DEVNET_ARBITRAGE_SECONDS",
    description:
      "Seconds between two passes in which the devnet's pools are traded back to the prices of its feeds, as " +
      "arbitrageurs do on live networks; 0 for never.",
    config: Setting.atLeast(0),
    fallback: 10
  }),
  priceSeconds: Setting.make({
    name: "DEVNET_PRICE_SECONDS",
    description:
      "Seconds between two small moves of the devnet's prices (at most 0.15 % each, around where they were set); 0 for " +
      "never.",
    config: Setting.atLeast(0),
    fallback: 15
  }),
  devnetSampleSeconds: Setting.make({
    name: "DEVNET_SAMPLE_SECONDS",
    description:
      "Seconds from one sample of a vault's value to the next on the devnet of `npm start`, where a curve should show " +
      "within minutes; at most PERFORMANCE_SAMPLE_SECONDS.",
    config: Setting.atLeast(1),
    fallback: 30
  }),
  networksFile: Setting.optional({
    name: "NETWORKS_FILE",
    description:
      "JSON file with the networks to serve: endpoints and contracts, or parts that override the built-in ones " +
      "(`npm run devnet` writes one). Instead of RPC_URL_*.",
    config: Config.String
  }),
  pepperFile: Setting.optional({
    name: "PEPPER_FILE",
    description:
      "File of the secret under which API keys are hashed (64 hex characters). Made on the first start; once the " +
      "database holds wallets it must be there.",
    config: Config.String,
    shown: "DATA_DIR/pepper"
  }),
  runnerSecretFile: Setting.optional({
    name: "RUNNER_SECRET_FILE",
    description: "File of the secret that servers and runners prove to each other before any message (64 hex " +
      "characters), the same on all of them. Made in DATA_DIR when it is absent; required when RUNNER_HOST is not a " +
      "loopback address.",
    config: Config.String,
    shown: "DATA_DIR/runner-secret"
  }),
  runnerTlsCert: Setting.optional({
    name: "RUNNER_TLS_CERT",
    description: "Certificate chain (PEM file) of this process for connections between servers and runners, instead " +
      "of RUNNER_SECRET_FILE; a runner's names RUNNER_HOST. Read at the start.",
    config: Config.String
  }),
  runnerTlsKey: Setting.optional({
    name: "RUNNER_TLS_KEY",
    description: "Private key (PEM file) of RUNNER_TLS_CERT.",
    config: Config.String
  }),
  runnerTlsCa: Setting.optional({
    name: "RUNNER_TLS_CA",
    description: "Authority (PEM file) that signed the certificates of all servers and runners, and nothing else.",
    config: Config.String
  }),
  metricsPort: Setting.optional({
    name: "METRICS_PORT",
    description:
      "Port of `/metrics` (Prometheus), `/health/live` and `/health/ready` of this process. Without it they are " +
      "not served there; a runner (`npm run workers`) has them nowhere else.",
    config: Setting.port
  }),
  metricsHost: Setting.make({
    name: "METRICS_HOST",
    description: "Address METRICS_PORT is served on.",
    config: Config.String,
    fallback: "127.0.0.1"
  }),
  otlpUrl: Setting.optional({
    name: "OTLP_URL",
    description:
      "Where traces, metrics and logs are sent (OTLP/HTTP, JSON), without `/v1/…`. Without it nothing is traced or sent.",
    config: collector
  }),
  otlpHeaders: Setting.make({
    name: "OTLP_HEADERS",
    description: "Headers for OTLP_URL, `name=value`, comma-separated; for its credentials.",
    config: headers,
    fallback: {},
    shown: "none"
  }),
  otlpSeconds: Setting.make({
    name: "OTLP_INTERVAL_SECONDS",
    description: "How often traces, metrics and logs are sent.",
    config: Setting.atLeast(1),
    fallback: 5
  }),
  traceShare: Setting.make({
    name: "OTLP_TRACE_SHARE",
    description:
      "Share of traces that are sent, from 0 to 1. Failures are always sent, and traces a caller has sampled.",
    config: Setting.share,
    fallback: 0.01
  }),
  logLevel: Setting.make<LogLevel.LogLevel>({
    name: "LOG_LEVEL",
    description: "Least severe log line written: debug, info, warning, error, none.",
    config: logLevel,
    fallback: "Info",
    shown: "info"
  })
}

const valuesOf = <S extends Readonly<Record<string, Setting.Setting<unknown>>>>(settings: S) =>
  Config.all(Object.fromEntries(Object.entries(settings).map(([key, { config }]) => [key, config]))) as Config.Config<
    { readonly [K in keyof S]: S[K] extends Setting.Setting<infer A> ? A : never }
  >

/** The settings in groups, as documents list them. */
export const settingGroups = {
  Service: serviceSettings,
  Gate: serverSettings,
  Workers: workersSettings,
  Billing: billingSettings,
  Approvals: approvalSettings
}

export const Settings = Config.all({
  service: valuesOf(serviceSettings),
  server: valuesOf(serverSettings),
  workers: valuesOf(workersSettings),
  billing: valuesOf(billingSettings),
  approvals: valuesOf(approvalSettings)
})
export type Settings = Config.Success<typeof Settings>
