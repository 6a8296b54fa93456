/**
 * Downtime of bots when their runner is lost: `npm start` is killed and restarted; measured until each vault has been
 * checked again.
 */
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "@vault-trader/app/Networks"
import { type Bench, type Options, say } from "../Bench.ts"
import { type Finding, median, shown } from "../Row.ts"
import { freePort, network, started } from "../engine/ServiceUnderTest.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import * as SimulatedVaults from "./SimulatedVaults.ts"

const sizes = [100, 10_000, 100_000] as const
/** Number of bots that the row reports. */
const reportedBots = 10_000

/** Timeout of the wait, in seconds. */
const timeoutSeconds = 600

/** Formats the seconds, or that the timeout was reached. */
const secondsText = (seconds: number) => Number.isFinite(seconds) ? shown(seconds) : `more than ${timeoutSeconds}`

/** Waits until all vaults were checked; false on timeout. */
const all = (front: SimulatedVaults.VaultsFront, bots: number) =>
  Effect.map(front.seen, ({ vaults }) => vaults >= bots).pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: (looked) => looked }),
    Effect.timeoutOrElse({ duration: `${timeoutSeconds} seconds`, orElse: () => Effect.succeed(false) })
  )

interface Found {
  readonly bots: number
  readonly seconds: ReadonlyArray<number>
  /** Part of these seconds until the process was ready. */
  readonly ready: ReadonlyArray<number>
}

const measure = ({ rounds = 2 }: Options) =>
  Effect.gen(function*() {
    const postgres = yield* EmbeddedPostgres
    const devnet = yield* Devnet
    const [book] = devnet.books
    const [base, quote] = ["WETH", "USDC"].map((symbol) => devnet.file.networks[network]?.tokens[symbol]?.address)
    if (book === undefined || base === undefined || quote === undefined) {
      return yield* Effect.die(new Error(`${network} is not in the devnet`))
    }
    const front = yield* SimulatedVaults.start(book, { [base]: String(10n ** 18n), [quote]: "5000000" })
    const dataDir = yield* temporaryFolder
    const networks = Path.join(dataDir, "networks.json")
    Fs.writeFileSync(
      networks,
      yield* Schema.encodeEffect(NetworksFile)([NetworkBook.make({ ...book, aggregators: {}, rpcUrls: [front.url] })])
    )
    const socket = new URLSearchParams({ host: postgres.socketDir }).toString()
    const env = {
      ...{
        DATA_DIR: dataDir,
        DATABASE_URL: `postgres://${postgres.username}@localhost/${postgres.database}?${socket}`
      },
      ...{ NETWORKS_FILE: networks, RATE_LIMIT: "off", LOG_LEVEL: "warning" }
    }
    const service = Effect.flatMap(freePort, (port) => started("start", { ...env, PORT: port, RUNNER_PORT: port }))
    // Creates the tables.
    yield* Effect.scoped(service)
    const restart = (bots: number) =>
      Effect.gen(function*() {
        yield* Effect.scoped(Effect.gen(function*() {
          yield* front.forget
          const { ended, signal } = yield* service
          yield* all(front, bots)
          yield* signal("SIGKILL")
          yield* ended
        }))
        yield* front.forget
        const began = performance.now()
        const seconds = () => (performance.now() - began) / 1000
        return yield* Effect.scoped(Effect.gen(function*() {
          yield* service
          const ready = seconds()
          return { ready, seconds: (yield* all(front, bots)) ? seconds() : Infinity }
        }))
      })
    const found: Array<Found> = []
    for (const bots of sizes) {
      yield* SimulatedVaults.bots(book, { base, quote }, bots)
      const times = yield* Effect.forEach(Array.from({ length: rounds }), () => restart(bots))
      yield* say(
        `  ${shown(bots)} bots: ${
          times.map(({ ready, seconds }) => `${secondsText(seconds)} s (ready after ${shown(ready)} s)`).join(", ")
        }`
      )
      found.push({ bots, seconds: times.map(({ seconds }) => seconds), ready: times.map(({ ready }) => ready) })
    }
    return findings(found)
  }).pipe(Effect.orDie)

const findings = (found: ReadonlyArray<Found>): ReadonlyArray<Finding> =>
  found.filter(({ bots }) => bots === reportedBots).map(({ ready, seconds }) => ({
    name: "bots-resume",
    unit: "s",
    rounds: seconds,
    note:
      `from the start after kill -9 until each of ${
        shown(reportedBots)
      } vaults was checked; the process was ready after ${shown(median(ready))} s; ` +
      `by bots ${found.map((each) => `${shown(each.bots)}: ${secondsText(median(each.seconds))}`).join(", ")}`
  }))

const services = Layer.unwrap(
  Effect.map(EmbeddedPostgres, (postgres) => PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 2 }))
).pipe(
  Layer.provideMerge(Layer.unwrap(Effect.map(temporaryFolder, (dataDir) => EmbeddedPostgres.layer({ dataDir })))),
  Layer.provideMerge(Devnet.layer({ networks: [network], heartbeat: false })),
  Layer.orDie
)

export const resume: Bench = {
  rows: ["bots-resume"],
  run: (options) => Effect.scoped(measure(options)).pipe(Effect.provide(services))
}
