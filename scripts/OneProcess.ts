/** The whole service in one process: database, chains, actors, gate. */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkBook"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Cluster from "./Cluster.ts"
import { Database } from "./Database.ts"
import { Metrics } from "./Metrics.ts"
import { configured } from "./Networks.ts"
import { Actors, address, Gate } from "./Parts.ts"
import { ready } from "./Ready.ts"
import type { Settings } from "./Settings.ts"

/** Actors and gate on these networks, over the database that is given. */
export const Application = (settings: Settings, books: ReadonlyArray<NetworkBook>) =>
  Gate(settings, books.map(({ network }) => network)).pipe(Layer.provide(Actors(settings, books)), Layer.provide(Cluster.Alone))

const announced = (settings: Settings, books: ReadonlyArray<NetworkBook>, origin: "configured" | "devnet") => {
  const database = settings.service.databaseUrl === undefined ? `PostgreSQL under ${settings.service.dataDir}` : "PostgreSQL at DATABASE_URL"
  const networks = books.map(({ network }) => network).join(", ")
  return ready(Effect.map(address(settings), (where) => `${where} (reference at ${where}/__docs__) · networks ${networks} (${origin}) · ${database}`)).pipe(
    Layer.provide(Application(settings, books)),
    Layer.provide(Metrics(settings, books.map(({ network }) => network)))
  )
}

/** Everything, ready when built: on the configured networks, or on the devnet when none is configured. */
export const OneProcess = (settings: Settings) =>
  Layer.unwrapEffect(Effect.map(configured(settings), (books) =>
    books.length > 0
      ? announced(settings, books, "configured")
      : Layer.unwrapEffect(Effect.map(Devnet, (devnet) => announced(settings, devnet.books, "devnet"))).pipe(
        Layer.provide(Devnet.layer({ dataDir: settings.service.dataDir }))
      ))).pipe(Layer.provide(Database(settings)))
