/** `npm run workers`: one runner of actors; any number of them on one PostgreSQL. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Cluster from "./Cluster.ts"
import { SharedDatabase } from "./Database.ts"
import { main } from "./Main.ts"
import { Metrics } from "./Metrics.ts"
import { required } from "./Networks.ts"
import { Actors } from "./Parts.ts"
import { ready } from "./Ready.ts"

main((settings) =>
  Layer.unwrapEffect(Effect.map(required(settings), (books) =>
    ready(Effect.succeed(`runner at ${settings.workers.runnerHost}:${settings.workers.runnerPort} · networks ${books.map(({ network }) => network).join(", ")}`)).pipe(
      Layer.provide(Actors(settings, books)),
      Layer.provide(Metrics(settings, books.map(({ network }) => network))),
      Layer.provide(Cluster.Runner(settings))
    ))).pipe(Layer.provide(SharedDatabase(settings))), "vault-trader-workers")
