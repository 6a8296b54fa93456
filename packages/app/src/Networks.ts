/** Selects the served networks: those of a file, those with an RPC URL, or none, in which case the devnet is used. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Extra } from "@vault-trader/server/ServerOptions"
import { bookOf, networks as realNetworks } from "@vault-trader/workers/address-book/AddressBook"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./StartupFailure.ts"

/** The content of a NETWORKS_FILE whose networks are described completely. */
export const NetworksFile = Schema.fromJsonString(Schema.NonEmptyArray(NetworkBook))

const Entries = Schema.fromJsonString(Schema.NonEmptyArray(Schema.Record(Schema.String, Schema.Unknown)))
const encodeBook = Schema.encodeSync(NetworkBook)

/** Nothing is read from it: an entry of the file names its network's nodes. */
const noNode = "http://127.0.0.1:1"

/**
 * Returns the built-in configuration of a network with the fields that an entry overrides. An entry with a `chainId` is
 * complete and inherits nothing.
 */
const completed = (entry: Readonly<Record<string, unknown>>): unknown => {
  const network = realNetworks.find((name) => name === entry["network"])
  if (network === undefined || entry["chainId"] !== undefined || entry["rpcUrls"] === undefined) return entry
  return { ...encodeBook(bookOf(network, [noNode])), ...entry }
}

const fromFile = (file: string) =>
  Effect.try({
    try: () => Fs.readFileSync(file, "utf8"),
    catch: () => new CannotStart({ message: `The NETWORKS_FILE ${file} cannot be read.` })
  }).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(
        Effect.flatMap(
          Schema.decodeUnknownEffect(Entries)(text),
          (entries) => Schema.decodeUnknownEffect(Schema.NonEmptyArray(NetworkBook))(entries.map(completed))
        ),
        (error) =>
          new CannotStart({
            message: `The NETWORKS_FILE ${file} is not a list of networks: ${
              error.message.replaceAll(/\s*\n\s*/g, " ")
            }`
          })
      )
    )
  )

/** Returns the built-in configuration of a network as an entry of a NETWORKS_FILE. */
export const builtIn = (network: Network): unknown => ({ ...encodeBook(bookOf(network, [noNode])), rpcUrls: [] })

/** Builds the networks that have an RPC URL. */
const fromUrls = ({ workers }: Settings): ReadonlyArray<NetworkBook> =>
  realNetworks.flatMap((network) => {
    const [first, ...others] = workers[network]
    const corrections = {
      ...(network === "hyperliquid"
        ? { platformFactory: workers.hyperliquidFactory, infoUrl: workers.hyperliquidInfoUrl }
        : {}),
      privateRpcUrls: workers[`${network}Private`],
      privateFallbackMillis: workers.privateSeconds(network) * 1000
    }
    return first === undefined ? [] : [bookOf(network, [first, ...others], corrections)]
  })

/** Returns why a private endpoint would not be used; `undefined` where all of them are. */
const unusedPrivateUrl = ({ service, workers }: Settings): string | undefined => {
  const unused = realNetworks.find((network) =>
    workers[`${network}Private`].length > 0 && (service.networksFile !== undefined || workers[network].length === 0)
  )?.toUpperCase()
  return unused === undefined
    ? undefined
    : service.networksFile !== undefined
    ? `RPC_PRIVATE_URL_${unused} has no effect beside NETWORKS_FILE; set privateRpcUrls in that file.`
    : `RPC_PRIVATE_URL_${unused} needs RPC_URL_${unused}: nothing is read from a private endpoint.`
}

/** Reads the configured networks; empty when none is configured. */
export const configured = (settings: Settings): Effect.Effect<ReadonlyArray<NetworkBook>, CannotStart> => {
  const message = unusedPrivateUrl(settings)
  if (message !== undefined) return Effect.fail(new CannotStart({ message }))
  return settings.service.networksFile !== undefined
    ? fromFile(settings.service.networksFile)
    : Effect.succeed(fromUrls(settings))
}

/** Reads the configured networks; fails when there are none, because a separate process has no devnet. */
export const required = (settings: Settings): Effect.Effect<ReadonlyArray<NetworkBook>, CannotStart> =>
  Effect.flatMap(configured(settings), (books) =>
    books.length > 0
      ? Effect.succeed(books)
      : new CannotStart({
        message:
          "No network is configured; set NETWORKS_FILE or an RPC_URL_* (npm run devnet writes one for the devnet)."
      }))

/** The networks that actors trade on. */
export interface Networks {
  readonly books: ReadonlyArray<NetworkBook>
  /** Credential of the devnet's fake aggregators, where they are in use. */
  readonly devnetKey?: Redacted.Redacted<string> | undefined
  /** Receives payments for charges where no setting names a treasury: the devnet's own treasury. */
  readonly treasury?: Address
  /** Base URLs of the exchanges on the devnet. */
  readonly exchangeUrls?: Readonly<Record<string, string>>
  /** Additional routes of the gate: the devnet's wallet. */
  readonly extra?: Extra
}

const Fakes = Schema.fromJsonString(Schema.Struct({
  aggregators: Schema.Struct({ urls: Schema.Record(Schema.String, Schema.String), apiKey: Schema.String })
}))

/** Returns whether every aggregator of these networks is one of the devnet's. */
const areFake = (books: ReadonlyArray<NetworkBook>, urls: Readonly<Record<string, string>>) =>
  books.flatMap(({ aggregators }) => Object.values(aggregators)).every((aggregator) =>
    aggregator?.url !== undefined && Object.values(urls).includes(aggregator.url)
  )

/** Adds the devnet's aggregator key to the NETWORKS_FILE that `npm run devnet` writes; other networks get none. */
export const withDevnetKey = (
  { service: { networksFile } }: Settings,
  books: ReadonlyArray<NetworkBook>
): Effect.Effect<Networks> =>
  networksFile === undefined ?
    Effect.succeed({ books }) :
    Effect.try(() => Fs.readFileSync(Path.join(Path.dirname(networksFile), "devnet.json"), "utf8")).pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(Fakes)),
      Effect.map(({ aggregators: { apiKey, urls } }) =>
        areFake(books, urls) ? { books, devnetKey: Redacted.make(apiKey) } : { books }
      ),
      Effect.orElseSucceed(() => ({ books }))
    )
