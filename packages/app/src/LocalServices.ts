/**
 * The embedded PostgreSQL and the devnet, which `npm start` runs when nothing else is configured. A build has
 * LocalServicesAbsent.ts in its place (scripts/build.mjs).
 */
import type * as PgPool from "@effect/sql-pg/PgPool"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type { DevnetFile } from "@vault-trader/devnet/devnet/DevnetFile"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as WalletRoutes from "@vault-trader/devnet/wallet/WalletRoutes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { LiveDevnet } from "./LiveDevnet.ts"
import type { Networks } from "./Networks.ts"
import type { Settings } from "./Settings.ts"

export { buildDocumentation } from "./DocumentationBuild.ts"

/** Receives the payments for charges on the devnet: an address without a key, whose balance can be read by anyone. */
const treasury = "0x7ea500000000000000000000000000000007ea50"

/** Offers the devnet manager's account as a wallet to every browser on this machine that opens the console. */
export const devnetWallet = (file: DevnetFile) => ({
  routes: WalletRoutes.layer(file),
  scripts: [WalletRoutes.scriptPath]
})

/** Builds the clients of the embedded PostgreSQL under DATA_DIR, which runs as long as they do. */
export const onEmbeddedDatabase = <A, E>(
  { service: { dataDir } }: Settings,
  clients: (config: PgPool.Config) => Layer.Layer<A, E>
) =>
  Layer.unwrap(Effect.map(EmbeddedPostgres, (postgres) => clients(postgres.clientConfig()))).pipe(
    Layer.provide(EmbeddedPostgres.layer({ dataDir }))
  )

/** Builds a service on the devnet's networks, which run as long as it does. */
export const onDevnet = <A, E, R>(settings: Settings, service: (served: Networks) => Layer.Layer<A, E, R>) =>
  Layer.unwrap(Effect.map(Devnet, ({ books, file }) =>
    service({
      books,
      devnetKey: Redacted.make(file.aggregators.apiKey),
      treasury,
      exchangeUrls: file.exchanges.urls,
      extra: devnetWallet(file)
    }))).pipe(Layer.provide(LiveDevnet(settings)))
