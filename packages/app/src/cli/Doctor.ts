/**
 * `vault-trader doctor [network]`: checks the configuration before money depends on it: nodes, contracts, guards, price
 * feeds, treasury and key files. Sends nothing and changes nothing. Exits with code 1 when a check failed.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { treasuriesOf } from "@vault-trader/core/billing/BillingSettings"
import type { Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { type Finding, run as checkNetwork } from "@vault-trader/workers/network/NetworkCheck"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { configuration } from "../Configuration.ts"
import * as KekFile from "../KekFile.ts"
import * as SecretFile from "../SecretFile.ts"
import type { Settings } from "../Settings.ts"
import { CannotStart } from "../StartupFailure.ts"
import { knownNetworks, openNetwork } from "./OpenNetwork.ts"
import * as ParsedParam from "./ParsedParam.ts"

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const marks = { ok: "ok     ", warning: "warning", failed: "FAILED " } as const
const lineOf = ({ check, detail, status }: Finding) => `  ${marks[status]}  ${check}: ${detail}.`

const checkBook = (book: NetworkBook, timeout: number) =>
  Effect.gen(function*() {
    const { chain, endpoints } = yield* openNetwork(book, timeout)
    return [...endpoints, ...(yield* checkNetwork(chain))]
  }).pipe(Effect.provide(NodeHttpClient.layerUndici), Effect.scoped)

/** Checks the key files of DATA_DIR as a start would, without creating them. */
const checkKeyFile = (what: string, file: string, read: Effect.Effect<unknown, CannotStart>): Effect.Effect<Finding> =>
  !Fs.existsSync(file)
    ? Effect.succeed({ check: what, status: "ok", detail: `${file} does not exist yet; the first start creates it` })
    : Effect.match(Effect.andThen(SecretFile.refuseShared(file, what), read), {
      onFailure: ({ message }): Finding => ({ check: what, status: "failed", detail: message.replace(/\.$/, "") }),
      onSuccess: (): Finding => ({ check: what, status: "ok", detail: file })
    })

const keyFiles = ({ service: { dataDir, pepperFile }, workers: { kekFile } }: Settings) => {
  const kek = kekFile ?? Path.join(dataDir, "kek")
  const pepper = pepperFile ?? Path.join(dataDir, "pepper")
  return Effect.all([
    checkKeyFile("key-encryption key", kek, KekFile.follow(kek)),
    checkKeyFile("API key pepper", pepper, SecretFile.read({ file: pepper, what: "API key pepper" }))
  ])
}

const treasuryFinding = (settings: Settings, network: Network): Finding => {
  const treasury = treasuriesOf(settings.billing).get(network)
  return treasury === undefined
    ? { check: "treasury", status: "warning", detail: "none is configured; charges stay outstanding" }
    : { check: "treasury", status: "ok", detail: treasury }
}

const report = (title: string, findings: ReadonlyArray<Finding>) =>
  Effect.forEach([title, ...findings.map(lineOf)], say, { discard: true })

const countText = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`

const examine = ({ network }: { readonly network: Option.Option<Network> }) =>
  Effect.gen(function*() {
    const settings = yield* configuration
    const { books: served } = yield* knownNetworks(settings)
    if (served.length === 0) {
      return yield* new CannotStart({
        message: "No network is configured: set RPC_URL_<NETWORK> or NETWORKS_FILE, then run this again."
      })
    }
    const chosen = served.filter((book) => Option.getOrElse(network, () => book.network) === book.network)
    if (chosen.length === 0) {
      return yield* new CannotStart({
        message: `The network is not configured; configured: ${served.map((book) => book.network).join(", ")}.`
      })
    }
    const own = yield* keyFiles(settings)
    yield* report("this process", own)
    const all = [...own]
    for (const book of chosen) {
      const findings = [
        ...(yield* checkBook(book, settings.workers.rpcTimeoutMillis)),
        treasuryFinding(settings, book.network)
      ]
      yield* report(`${book.network} (chain ${book.chainId})`, findings)
      all.push(...findings)
    }
    const count = (status: Finding["status"]) => all.filter((each) => each.status === status).length
    const summary = `${countText(count("failed"), "failure")}, ${countText(count("warning"), "warning")}`
    if (count("failed") > 0) return yield* new CannotStart({ message: `Not ready: ${summary}.` })
    yield* say(`Ready: ${summary}.`)
  })

export const doctor = Command.make(
  "doctor",
  { network: Argument.optional(ParsedParam.networkArgument) },
  examine
).pipe(
  Command.withDescription(
    "Checks nodes, contracts, guards, price feeds, the treasury and key files; exits with code 1 when a check failed."
  )
)
