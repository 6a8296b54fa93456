/**
 * `vault-trader ledger check`: compares the tables of the billing ledger with each other and with the configured chains.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { type Account, check as checkTables } from "@vault-trader/core/billing/LedgerCheck"
import { SettledLedger } from "@vault-trader/core/billing/SettledLedger"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { format } from "@vault-trader/core/chain/Quantity"
import { reconcile, type Reconciliation } from "@vault-trader/workers/billing/LedgerReconciliation"
import { Chains } from "@vault-trader/workers/chain/Chains"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { configuration } from "../Configuration.ts"
import { configured } from "../Networks.ts"
import { RunningDatabase } from "../RunningDatabase.ts"
import { CannotStart } from "../StartupFailure.ts"
import * as ParsedParam from "./ParsedParam.ts"

const write = (text: string) => Effect.sync(() => process.stdout.write(text))

const lineOf = (
  {
    charges,
    chargedUsd,
    chargedWei,
    network,
    outstandingUsd,
    outstandingWei,
    settledUsd,
    settledWei,
    unconverted,
    wallet
  }: Account
) => {
  const { native } = facts[network]
  const waiting = unconverted > 0 ? `, ${unconverted} waiting for a price` : ""
  return `${wallet} ${network}: ${charges} charges of ${chargedUsd} USD (${format(chargedWei, 18)} ${native}) = ` +
    `${settledUsd} USD (${format(settledWei, 18)}) settled + ${outstandingUsd} USD (${
      format(outstandingWei, 18)
    }) outstanding${waiting}\n`
}

/** Checks the tables with each other; returns the sentences about what does not add up. */
const compareTables = Effect.gen(function*() {
  const { accounts, faults } = yield* checkTables
  yield* Effect.forEach(accounts, (account) => write(lineOf(account)), { discard: true })
  if (faults.length === 0) yield* write(`The ledger balances: ${accounts.length} accounts.\n`)
  return faults
})

const chainLineOf = ({ charges, faults, network, settledWei, settlements, wallets }: Reconciliation) => {
  const result = faults.length === 0 ? "as on the chain" : `${faults.length} differences`
  return `${network}: ${settlements} payments of ${format(settledWei, 18)} ${
    facts[network].native
  }, ${charges} charges ` +
    `and the nonces of ${wallets} wallets: ${result}\n`
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)

/** Compares the ledger of a network with its chain; returns the differences. */
const compareChain = (network: Network, since: Date | undefined) =>
  Effect.gen(function*() {
    const chain = yield* Effect.orDie((yield* Chains).get(network))
    const found = yield* reconcile(network, chain, since)
    yield* write(chainLineOf(found))
    return found.faults
  }).pipe(
    Effect.catchTag("ReconciliationInterrupted", ({ faults, reason, until }) => {
      const rest = until ?? since
      const hint = rest === undefined ? "Repeat the command." : `Continue with --since ${dayOf(rest)}.`
      return new CannotStart({
        message: [`The comparison with ${network} was interrupted: ${reason}. ${hint}`, ...faults].join("\n")
      })
    })
  )

/** Selects the networks to compare; none where the tables alone are compared. */
const selectBooks = (
  books: ReadonlyArray<NetworkBook>,
  { chain, network }: { readonly chain: boolean | undefined; readonly network: Network | undefined }
): Effect.Effect<ReadonlyArray<NetworkBook>, CannotStart> => {
  const served = books.filter((book) => network === undefined || book.network === network)
  if (chain === false) return Effect.succeed([])
  if (served.length > 0 || (chain === undefined && network === undefined)) return Effect.succeed(served)
  const names = books.length === 0 ? "none" : books.map((book) => book.network).join(", ")
  return new CannotStart({
    message: `No endpoint of ${network ?? "any network"} is configured (configured: ${names}); ` +
      "set RPC_URL_<NETWORK> or NETWORKS_FILE, or compare the tables alone with --chain off."
  })
}

const onOff = (text: string) => /^on$/i.test(text) ? true : /^off$/i.test(text) ? false : undefined

export const checkFlags = {
  chain: ParsedParam.optional(ParsedParam.flag("chain", "on|off", "on or off", onOff)).pipe(
    Flag.withDescription("Compare with the chains; on where an endpoint is configured")
  ),
  network: ParsedParam.optional(ParsedParam.networkFlag).pipe(
    Flag.withDescription("Only the chain of this network")
  ),
  since: ParsedParam.dayFlag("since").pipe(
    Flag.withDescription("Only payments and charges from this day (UTC) on are compared with the chains")
  )
}

const checked = ({ chain, network, since }: Command.Command.Config.Infer<typeof checkFlags>) =>
  Effect.gen(function*() {
    const settings = yield* configuration
    const books = yield* selectBooks(yield* configured(settings), { chain, network })
    const inTables = yield* compareTables
    if (books.length === 0) yield* write("The ledger was not compared with a chain.\n")
    const onChains = yield* Effect.forEach(books, (book) => compareChain(book.network, since)).pipe(
      Effect.provide(
        Chains.layer(books, settings.workers.rpcTimeoutMillis).pipe(Layer.provide(NodeHttpClient.layerUndici))
      ),
      Effect.catchTag("WrongChain", ({ message }) => new CannotStart({ message }))
    )
    const faults = [...inTables, ...onChains.flat()]
    if (faults.length === 0) return
    return yield* new CannotStart({
      message: [
        ...(inTables.length === 0 ? [] : ["The ledger does not balance:", ...inTables]),
        ...(onChains.flat().length === 0 ? [] : ["The ledger differs from the chain:", ...onChains.flat()])
      ].join("\n")
    })
  })

export const check = Command.make(
  "check",
  checkFlags,
  (flags) => Effect.provide(checked(flags), SettledLedger.layer.pipe(Layer.provideMerge(RunningDatabase)))
).pipe(
  Command.withDescription(
    "Checks that charges and payments add up and are on the chain; exits with code 1 when they are not."
  )
)
