/**
 * The commands and parts of commands that need the devnet or its binaries. A build has LocalToolsAbsent.ts in its place
 * (scripts/build.mjs).
 */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Anvil from "@vault-trader/devnet/anvil/Anvil"
import { entries } from "@vault-trader/devnet/devnet/DevnetFile"
import { networkBook } from "@vault-trader/devnet/devnet/DevnetNetworkConfig"
import * as DevnetStore from "@vault-trader/devnet/devnet/DevnetStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import type { Networks } from "../Networks.ts"
import type { Settings } from "../Settings.ts"
import { CannotStart } from "../StartupFailure.ts"
import { demo } from "./Demo.ts"
import { devnet } from "./Devnet.ts"
import { localGroup } from "./LocalGroup.ts"
import { market } from "./Market.ts"

export const commandGroups = [{ group: localGroup, commands: [devnet, demo, market] }] as const

/** Returns the devnet that was started on DATA_DIR; no networks where there is none. */
export const networksOnDisk = ({ service: { dataDir } }: Settings): Effect.Effect<Networks> =>
  Effect.map(
    Effect.option(DevnetStore.read(DevnetStore.devnetFilePath(dataDir))),
    Option.match({
      onNone: () => ({ books: [] }),
      onSome: (file) => ({
        books: entries(file).map(([network, entry]) => networkBook(network, entry, file.aggregators, file.perpetuals)),
        devnetKey: Redacted.make(file.aggregators.apiKey)
      })
    })
  )

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-rehearse-"))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
)

/** Forks the chain of a node on this machine; returns the fork's URL. */
export const forkOf = (
  { chainId, network }: NetworkBook,
  url: string
): Effect.Effect<string, CannotStart, Scope.Scope> =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const { rpcUrl } = yield* Effect.mapError(
      Anvil.start({ name: network, chainId, folder, persistent: false, fork: url }),
      (failure) =>
        new CannotStart({
          message: `The fork of ${network} did not start: ${failure.message}. Check the node, or run without --fork.`
        })
    )
    return rpcUrl
  })
