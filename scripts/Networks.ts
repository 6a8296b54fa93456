/** Which networks are served: those of a file, those with an RPC URL, or none (then it is the devnet's turn). */
import { NetworkBook } from "@vault-trader/core/chain/NetworkBook"
import { bookOf, networks as realNetworks } from "@vault-trader/workers/chain/AddressBook"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./Stop.ts"

/** The content of a NETWORKS_FILE. */
export const NetworksFile = Schema.parseJson(Schema.NonEmptyArray(NetworkBook))

const fromFile = (file: string) =>
  Effect.try({
    try: () => Fs.readFileSync(file, "utf8"),
    catch: () => new CannotStart({ message: `The NETWORKS_FILE ${file} cannot be read.` })
  }).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(
        Schema.decodeUnknown(NetworksFile)(text),
        (error) => new CannotStart({ message: `The NETWORKS_FILE ${file} is not a list of networks: ${error.message.split("\n").at(-1)?.trim() ?? ""}` })
      )
    )
  )

/** The configured books; empty when nothing is configured. */
export const configured = (settings: Settings): Effect.Effect<ReadonlyArray<NetworkBook>, CannotStart> =>
  settings.service.networksFile !== undefined
    ? fromFile(settings.service.networksFile)
    : Effect.succeed(realNetworks.flatMap((network) => {
      const [first, ...others] = settings.workers[network]
      return first === undefined ? [] : [bookOf(network, [first, ...others])]
    }))

/** The configured books; a process of its own has no devnet to fall back on. */
export const required = (settings: Settings): Effect.Effect<ReadonlyArray<NetworkBook>, CannotStart> =>
  Effect.flatMap(configured(settings), (books) =>
    books.length > 0
      ? Effect.succeed(books)
      : new CannotStart({ message: "No network is configured; set NETWORKS_FILE or an RPC_URL_* (npm run devnet writes one for the devnet)." }))
