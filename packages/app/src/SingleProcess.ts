/** The whole service in one process: database, chains, actors, gateway. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Cluster from "./Cluster.ts"
import { Database } from "./Database.ts"
import { address, Gateway } from "./Gateway.ts"
import { Metrics } from "./MetricsServer.ts"
import { configured, type Networks, withDevnetKey } from "./Networks.ts"
import * as LocalServices from "./LocalServices.ts"
import { ready } from "./ReadyLine.ts"
import { Actors, Nodes } from "./Runner.ts"
import type { Settings } from "./Settings.ts"
import * as SigningPlace from "./SigningPlace.ts"

/** Actors and gateway on these networks, over the provided database. */
export const Application = (
  settings: Settings,
  served: Networks,
  { record, signer }: ReturnType<typeof SigningPlace.of> = SigningPlace.of(settings)
) =>
  Gateway(settings, served.books, served.extra).pipe(
    Layer.provide(Actors(settings, served, Nodes(settings, served), signer)),
    Layer.provide(Cluster.Alone),
    Layer.provide(record)
  )

const announced = (settings: Settings, served: Networks, origin: "configured" | "devnet") => {
  const { books } = served
  const database = settings.service.databaseUrl === undefined
    ? `PostgreSQL under ${settings.service.dataDir}`
    : "PostgreSQL at DATABASE_URL"
  const networks = books.map(({ network }) => network).join(", ")
  const place = SigningPlace.of(settings)
  return ready(
    Effect.map(
      address(settings),
      (url) =>
        `${url} · console ${url}/console · reference ${url}/__docs__ · networks ${networks} (${origin}) · ${database}`
    )
  ).pipe(
    Layer.provide(Application(settings, served, place)),
    Layer.provide(Layer.provide(Metrics(settings, books.map(({ network }) => network)), place.record))
  )
}

/** The settings on the devnet, which is tried for minutes: vaults are sampled more often. */
const sampledOften = ({ service, workers, ...settings }: Settings): Settings => ({
  ...settings,
  service,
  workers: { ...workers, performanceSeconds: Math.min(workers.performanceSeconds, service.devnetSampleSeconds) }
})

/** The whole service, ready when built: on the configured networks, or on the devnet when none is configured. */
export const SingleProcess = (settings: Settings) =>
  Layer.unwrap(
    Effect.map(
      Effect.flatMap(configured(settings), (books) => withDevnetKey(settings, books)),
      (served) =>
        served.books.length > 0
          ? announced(settings, served, "configured")
          : LocalServices.onDevnet(settings, (devnet) => announced(sampledOften(settings), devnet, "devnet"))
    )
  ).pipe(Layer.provide(Database(settings)))
