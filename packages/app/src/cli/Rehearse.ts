/**
 * `vault-trader rehearse --network base --vault 0x…`: simulates, on a real node or on a local fork of it, all that the
 * network offers to one vault, in the name of its trader. Uses no key and no database; signs and sends nothing. Exits
 * with code 0 only if everything would work that the vault has enabled.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { readDecimal } from "@vault-trader/core/endpoint/Params"
import { ActionsWithoutDatabase } from "@vault-trader/workers/ActionTable"
import { bookOf } from "@vault-trader/workers/address-book/AddressBook"
import { Chains } from "@vault-trader/workers/chain/Chains"
import { Tokens } from "@vault-trader/workers/chain/Tokens"
import { HealthFactorFloor } from "@vault-trader/workers/lending/HealthFactor"
import { InfoAccess } from "@vault-trader/workers/perpetual/HyperCoreInfo"
import * as Rehearsal from "@vault-trader/workers/rehearsal/Rehearsal"
import type { Step } from "@vault-trader/workers/rehearsal/Step"
import { VenueAccess } from "@vault-trader/workers/venue/AggregatorClient"
import * as BigDecimal from "effect/BigDecimal"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { configuration } from "../Configuration.ts"
import type { Networks } from "../Networks.ts"
import type { Settings } from "../Settings.ts"
import { CannotStart } from "../StartupFailure.ts"
import { venueAccess } from "../VenueKeys.ts"
import { forkOf } from "./LocalTools.ts"
import { configuredNetworks, knownNetworks, openNetwork } from "./OpenNetwork.ts"
import * as ParsedParam from "./ParsedParam.ts"
import * as ReadOnlyNode from "./ReadOnlyNode.ts"

/** Value of each simulated call, USD, unless `--usd` is given: large enough that rounding does not matter. */
const defaultUsd = 10

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const marks: Readonly<Record<Step["status"], string>> = {
  works: "works      ",
  limited: "limited    ",
  fails: "FAILS      ",
  not_enabled: "not enabled",
  not_offered: "not offered",
  not_tried: "not tried  "
}

const lineOf = ({ detail, name, status }: Step) => `  ${marks[status]}  ${name}: ${detail}`

interface Flags {
  readonly network: Network
  readonly vault: Address
  readonly rpc: string | undefined
  readonly fork: boolean
  readonly json: boolean
  readonly from: string | undefined
  readonly to: string | undefined
  readonly usd: number | undefined
}

/**
 * Returns the network's configuration, with `--rpc` in place of its nodes. The built-in one is used where none is
 * configured; a devnet on DATA_DIR only without `--rpc`, because its contracts are on no other chain.
 */
const chosenBook = (settings: Settings, { network, rpc }: Flags) =>
  Effect.gen(function*() {
    const known: Networks = yield* (rpc === undefined ? knownNetworks(settings) : configuredNetworks(settings))
    const found = known.books.find((book) => book.network === network)
    if (rpc !== undefined) {
      const book = found === undefined ? bookOf(network, [rpc]) : NetworkBook.make({ ...found, rpcUrls: [rpc] })
      return { book, devnetKey: known.devnetKey }
    }
    if (found === undefined) {
      return yield* new CannotStart({
        message: `No node of ${network} is known: give one with --rpc URL, or set RPC_URL_${network.toUpperCase()}.`
      })
    }
    return { book: found, devnetKey: known.devnetKey }
  })

/** Connects to the network's nodes, or to a fork of the first one. Fails when one of them serves another chain. */
const opened = (settings: Settings, book: NetworkBook, fork: boolean) =>
  Effect.gen(function*() {
    const timeout = settings.workers.rpcTimeoutMillis
    const nodes = yield* Effect.forEach(book.rpcUrls, (url) => ReadOnlyNode.listen(url, timeout))
    const real = yield* openNetwork(book, timeout, nodes)
    const wrong = real.endpoints.find(({ status }) => status === "failed")
    if (wrong !== undefined) {
      return yield* new CannotStart({
        message: `The ${wrong.check} is no node of ${book.network}: it ${wrong.detail}. Give a node of ` +
          `${book.network} (chain ${facts[book.network].chainId}) with --rpc URL.`
      })
    }
    if (real.endpoints.every(({ status }) => status === "warning")) {
      return yield* new CannotStart({
        message: `No node of ${book.network} answers (${
          real.endpoints.map(({ check }) => check).join(", ")
        }). Check the URL, or give another one with --rpc URL.`
      })
    }
    if (!fork) return real.chain
    const url = yield* forkOf(book, nodes[0])
    return (yield* openNetwork(book, timeout, [url])).chain
  })

const countText = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`

const print = (flags: Flags, book: NetworkBook, rehearsal: Rehearsal.Rehearsal) =>
  Effect.gen(function*() {
    const { sender, steps, works } = rehearsal
    const count = (...wanted: ReadonlyArray<Step["status"]>) =>
      steps.filter(({ status }) => wanted.includes(status)).length
    if (flags.json) {
      const { network } = book
      yield* say(JSON.stringify({ network, chain_id: book.chainId, fork: flags.fork, ...rehearsal }, null, 2))
    } else {
      const as = sender === null ? "" : `, as its ${sender.role} ${sender.address}`
      yield* say(`${book.network} (chain ${book.chainId}${flags.fork ? ", forked" : ""}), vault ${flags.vault}${as}`)
      yield* Effect.forEach(steps, (step) => say(lineOf(step)), { discard: true })
    }
    const triable = steps.length - count("not_offered", "not_enabled")
    const summary = `${count("works", "limited")} of ${countText(triable, "step")} would work` +
      (count("not_enabled") === 0 ? "" : `, ${count("not_enabled")} not enabled in the vault`) +
      (count("not_tried") === 0 ? "" : `, ${count("not_tried")} not tried`)
    if (!works) return yield* new CannotStart({ message: `Not everything would work: ${summary}. Nothing was sent.` })
    if (!flags.json) yield* say(`Everything that is enabled would work: ${summary}. Nothing was sent.`)
  })

/** Settings of the planner, as a runner has them. */
const planner = (settings: Settings, devnetKey: Networks["devnetKey"]) =>
  Layer.mergeAll(
    Layer.succeed(VenueAccess, venueAccess(settings, devnetKey)),
    Layer.succeed(InfoAccess, { timeoutMillis: settings.workers.perpetualTimeoutMillis }),
    Layer.succeed(HealthFactorFloor, settings.workers.healthFactorFloor)
  )

const run = (flags: Flags) =>
  Effect.gen(function*() {
    const settings = yield* configuration
    const { book, devnetKey } = yield* chosenBook(settings, flags)
    const chain = yield* opened(settings, book, flags.fork)
    const { from, to, usd = defaultUsd, vault: pool } = flags
    const rehearsal = yield* Rehearsal.run(chain, { pool, from, to, usd }).pipe(
      Effect.provide(
        Layer.merge(ActionsWithoutDatabase, Tokens.layer).pipe(
          Layer.provide(Chains.layerOf(new Map([[book.network, chain]]))),
          Layer.provide(planner(settings, devnetKey))
        )
      ),
      Effect.mapError(({ message }) => new CannotStart({ message }))
    )
    yield* print(flags, book, rehearsal)
  }).pipe(Effect.provide(NodeHttpClient.layerUndici), Effect.scoped)

const parseUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined

const parseUsd = (text: string) => {
  const decimal = readDecimal(text)
  const usd = decimal === undefined ? 0 : BigDecimal.toNumberUnsafe(decimal)
  return usd >= 1 && usd <= 1_000_000 ? usd : undefined
}

const parseAsset = (text: string) => text.trim() === "" ? undefined : text.trim()

export const rehearse = Command.make(
  "rehearse",
  {
    network: ParsedParam.networkFlag,
    vault: ParsedParam.addressFlag("vault").pipe(Flag.withDescription("The vault to rehearse")),
    rpc: ParsedParam.optional(ParsedParam.flag("rpc", "URL", "an http or https URL", parseUrl)).pipe(
      Flag.withDescription("A node to read from, in place of the configured ones")
    ),
    fork: ParsedParam.toggle("fork").pipe(
      Flag.withDescription("Simulates on a local fork of the node's chain (anvil), for nodes that simulate little")
    ),
    from: ParsedParam.optional(ParsedParam.flag("from", "asset", "a symbol or an address", parseAsset)).pipe(
      Flag.withDescription("The asset to sell; the vault's most valuable one without it")
    ),
    to: ParsedParam.optional(ParsedParam.flag("to", "asset", "a symbol or an address", parseAsset)).pipe(
      Flag.withDescription("The asset to buy; another one of the vault without it")
    ),
    usd: ParsedParam.optional(ParsedParam.flag("usd", "amount", "USD from 1 to 1000000", parseUsd)).pipe(
      Flag.withDescription(`Maximum value of each simulated call (${defaultUsd})`)
    ),
    json: ParsedParam.toggle("json").pipe(Flag.withDescription("Prints the result as JSON"))
  },
  run
).pipe(
  Command.withDescription(
    "Simulates everything that a network offers to one vault, by its trader, and prints what would work. Needs no key " +
      "and sends nothing; exits with code 0 only if everything would work."
  ),
  Command.withExamples([
    {
      command: "vault-trader rehearse --network base --vault 0x… --rpc https://…",
      description: "Read-only, on your node"
    },
    { command: "vault-trader rehearse --network base --vault 0x… --fork", description: "On a local fork of it" }
  ])
)
