/** Dry runs of trades over HTTP: planned, quoted and simulated, and not sent. */
import type { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Bench, Options } from "../Bench.ts"
import { type Finding, shown } from "../Row.ts"
import { ServiceUnderTest, type Process, type Trader } from "../engine/ServiceUnderTest.ts"
import * as Vaults from "../engine/Vaults.ts"
import * as Contest from "./Contest.ts"
import * as LoadGenerator from "./LoadGenerator.ts"
import * as ServiceProfile from "./ServiceProfile.ts"
import * as TradingPeer from "./TradingPeer.ts"

const connections = 8
/** Vaults of each side; two wallets trade them. */
const [vaults, wallets] = [10, 2]

const measure = (options: Options) =>
  Effect.gen(function*(): Effect.fn.Return<
    ReadonlyArray<Finding>,
    never,
    ServiceUnderTest | Devnet | SqlClient.SqlClient | Scope
  > {
    const { start } = yield* ServiceUnderTest
    const service = yield* start("start")
    const generator = yield* LoadGenerator.start
    const traders = yield* Vaults.traders(service.baseUrl, { vaults: 2 * vaults, wallets })
    const [ours, theirs] = [traders.slice(0, vaults), traders.slice(vaults)]
    const peer = yield* TradingPeer.start(service.baseUrl, theirs)
    const found = yield* Contest.rounds(generator, {
      ours: { pid: service.pid, load: loadOf(service.baseUrl, "/vaultTrade", ours) },
      peer: { pid: peer.pid, load: loadOf(peer.baseUrl, "/dryRun", theirs) }
    }, { name: "dry-run", connections, count: options.rounds ?? 3 })
    const note =
      `vaultTrade with dryRun over ${connections} connections and ${vaults} vaults; p99 ${
        shown(Contest.medianOf(found.ours, ({ p99 }) => p99))
      } ms, ${shown(Contest.medianOf(found.ours, ({ cpuMicros }) => cpuMicros / 1000))} ms of our CPU each; ` +
      "the peer estimates the gas of a planned swap"
    return [
      Contest.finding(
        { name: "dry-run", unit: "requests/s", peer: "Fastify + viem estimateGas", note },
        found,
        ({ perSecond }) => perSecond
      )
    ]
  })

const loadOf = (baseUrl: string, path: string, traders: ReadonlyArray<Trader>): Contest.Contender["load"] => ({
  origins: [baseUrl],
  requests: traders.map((trader) => ({
    method: "GET",
    path: TradingPeer.pathOf(path, TradingPeer.queryOf(trader, { dryRun: "true" }))
  })),
  expects: `"status":["success"]`
})

const profiled = (_: Options) =>
  Effect.gen(function*() {
    const generator = yield* LoadGenerator.start
    const load = ({ baseUrl }: Process, traders: ReadonlyArray<Trader>, seconds: number) =>
      generator.run({ ...loadOf(baseUrl, "/vaultTrade", traders), connections, seconds })
    return yield* ServiceProfile.render("dry-run", {
      prepared: (service) =>
        Effect.tap(
          Vaults.traders(service.baseUrl, { vaults, wallets }),
          (traders) => load(service, traders, 3)
        ),
      measured: (service, traders) => Effect.map(load(service, traders, 10), ({ count }) => count)
    })
  })

export const dryRuns: Bench = {
  rows: ["dry-run"],
  run: (options) =>
    Effect.scoped(options.profile ? profiled(options) : measure(options)).pipe(
      Effect.provide(ServiceUnderTest.layer)
    )
}
