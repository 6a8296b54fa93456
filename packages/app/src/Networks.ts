/** Which networks are served: those of a file, those with an RPC URL, or none (then it is the devnet's turn). */
import type { Address } from "@vault-trader/core/chain/Address"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Extra } from "@vault-trader/server/Server"
import { bookOf, networks as realNetworks } from "@vault-trader/workers/chain/AddressBook"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./StartupFailure.ts"

/** The content of a NETWORKS_FILE. */
export const NetworksFile = Schema.fromJsonString(Schema.NonEmptyArray(NetworkBook))

const fromFile = (file: string) =>
  Effect.try({
    try: () => Fs.readFileSync(file, "utf8"),
    catch: () => new CannotStart({ message: `The NETWORKS_FILE ${file} cannot be read.` })
  }).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(
        Schema.decodeUnknownEffect(NetworksFile)(text),
        (error) => new CannotStart({ message: `The NETWORKS_FILE ${file} is not a list of networks: ${error.message.replaceAll(/\s*\n\s*/g, " ")}` })
      )
    )
  )

/** The configured books; empty when nothing is configured. */
export const configured = (settings: Settings): Effect.Effect<ReadonlyArray<NetworkBook>, CannotStart> =>
  settings.service.networksFile !== undefined
    ? fromFile(settings.service.networksFile)
    : Effect.succeed(realNetworks.flatMap((network) => {
      const [first, ...others] = settings.workers[network]
      const corrections = network === "hyperliquid" ? { platformFactory: settings.workers.hyperliquidFactory, infoUrl: settings.workers.hyperliquidInfoUrl } : {}
      return first === undefined ? [] : [bookOf(network, [first, ...others], corrections)]
    }))

/** The configured books; a process of its own has no devnet to fall back on. */
export const required = (settings: Settings): Effect.Effect<ReadonlyArray<NetworkBook>, CannotStart> =>
  Effect.flatMap(configured(settings), (books) =>
    books.length > 0
      ? Effect.succeed(books)
      : new CannotStart({ message: "No network is configured; set NETWORKS_FILE or an RPC_URL_* (npm run devnet writes one for the devnet)." }))

/** What actors are given to trade on. */
export interface Networks {
  readonly books: ReadonlyArray<NetworkBook>
  /** What the devnet's fake aggregators take for a credential, where they are the ones that answer. */
  readonly devnetKey?: Redacted.Redacted<string> | undefined
  /** Who is paid for charges where no setting says so: the devnet's own treasury. */
  readonly treasury?: Address
  /** Where exchanges answer on the devnet. */
  readonly exchangeUrls?: Readonly<Record<string, string>>
  /** What the gate serves besides: the devnet's wallet. */
  readonly extra?: Extra
}

const Fakes = Schema.fromJsonString(Schema.Struct({
  aggregators: Schema.Struct({ urls: Schema.Record(Schema.String, Schema.String), apiKey: Schema.String })
}))

/** Whether every aggregator that is asked on these networks is one of the devnet's. */
const areFake = (books: ReadonlyArray<NetworkBook>, urls: Readonly<Record<string, string>>) =>
  books.flatMap(({ aggregators }) => Object.values(aggregators)).every((aggregator) =>
    aggregator?.url !== undefined && Object.values(urls).includes(aggregator.url))

/** `npm run devnet` writes a NETWORKS_FILE beside its devnet.json, which has the key; other books get none. */
export const withDevnetKey = ({ service: { networksFile } }: Settings, books: ReadonlyArray<NetworkBook>): Effect.Effect<Networks> =>
  networksFile === undefined ? Effect.succeed({ books }) : Effect.try(() => Fs.readFileSync(Path.join(Path.dirname(networksFile), "devnet.json"), "utf8")).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Fakes)),
    Effect.map(({ aggregators: { apiKey, urls } }) => areFake(books, urls) ? { books, devnetKey: Redacted.make(apiKey) } : { books }),
    Effect.orElseSucceed(() => ({ books }))
  )
