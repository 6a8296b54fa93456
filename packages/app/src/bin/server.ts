/**
 * `npm run server`: the gate alone, any number of them on one PostgreSQL. It hosts no actors, holds no keys and has no
 * RPC URL.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Cluster from "../Cluster.ts"
import { SharedDatabase } from "../Database.ts"
import { main } from "../Main.ts"
import { Metrics } from "../MetricsServer.ts"
import { required } from "../Networks.ts"
import { address, Gate } from "../Parts.ts"
import { ready } from "../ReadyLine.ts"

main(
  (settings) =>
    Layer.unwrap(
      Effect.map(required(settings), (books) =>
        ready(Effect.map(address(settings), (where) =>
          `${where} · networks ${
            books.map(({ network }) =>
              network
            ).join(", ")
          }`)).pipe(
            Layer.provide(Gate(settings, books)),
            Layer.provide(Metrics(
              settings,
              books.map(({ network }) => network)
            )),
            Layer.provide(Cluster.Client)
          ))
    ).pipe(Layer.provide(SharedDatabase(settings))),
  "vault-trader-server"
)
