/** `npm run workers`: one runner of actors; any number of them on one PostgreSQL. */
import type { Network } from "@vault-trader/core/chain/Network"
import { Chains } from "@vault-trader/workers/chain/Chains"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Cluster from "../Cluster.ts"
import { SharedDatabase } from "../Database.ts"
import { main } from "../Main.ts"
import { Metrics } from "../MetricsServer.ts"
import { required, withDevnetKey } from "../Networks.ts"
import { Actors, Nodes } from "../Parts.ts"
import { ready } from "../ReadyLine.ts"

const head = (network: Network) =>
  Effect.flatMap(Chains, (chains) => Effect.flatMap(chains.get(network), (chain) => chain.head))

main(
  (settings) =>
    Layer.unwrap(Effect.map(Effect.flatMap(required(settings), (books) => withDevnetKey(settings, books)), (served) => {
      const networks = served.books.map(({ network }) => network)
      const nodes = Nodes(settings, served)
      return ready(
        Effect.succeed(
          `runner at ${settings.workers.runnerHost}:${settings.workers.runnerPort} · networks ${networks.join(", ")}`
        )
      ).pipe(
        Layer.provide(Actors(settings, served, nodes)),
        Layer.provide(Layer.provide(Metrics(settings, networks, head), nodes)),
        Layer.provide(Cluster.Runner(settings))
      )
    })).pipe(Layer.provide(SharedDatabase(settings))),
  "vault-trader-workers"
)
