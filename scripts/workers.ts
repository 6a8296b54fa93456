/** `npm run workers`: one runner of actors; any number of them on one PostgreSQL. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Cluster from "./Cluster.ts"
import { SharedDatabase } from "./Database.ts"
import { main } from "./Main.ts"
import { Metrics } from "./Metrics.ts"
import { required, withDevnetKey } from "./Networks.ts"
import { Actors } from "./Parts.ts"
import { ready } from "./Ready.ts"

main((settings) =>
  Layer.unwrapEffect(Effect.map(Effect.flatMap(required(settings), (books) => withDevnetKey(settings, books)), (served) =>
    ready(Effect.succeed(`runner at ${settings.workers.runnerHost}:${settings.workers.runnerPort} · networks ${served.books.map(({ network }) => network).join(", ")}`)).pipe(
      Layer.provide(Actors(settings, served)),
      Layer.provide(Metrics(settings, served.books.map(({ network }) => network))),
      Layer.provide(Cluster.Runner(settings))
    ))).pipe(Layer.provide(SharedDatabase(settings))), "vault-trader-workers")
