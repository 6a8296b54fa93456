/** `npm run demo`: the quickstart against a running service on the devnet. Prints each request and each answer. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import type { Address } from "@vault-trader/core/chain/Address"
import { format, toRaw } from "@vault-trader/core/chain/Quantity"
import { readDecimal } from "@vault-trader/core/endpoint/Params"
import * as DevnetClient from "@vault-trader/devnet/devnet/DevnetClient"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Path from "node:path"
import { CannotStart } from "./Stop.ts"

const base = process.env["BASE_URL"] ?? `http://127.0.0.1:${process.env["PORT"] ?? "8080"}`
const devnetFile = Path.join(process.env["DATA_DIR"] ?? ".data", "devnet.json")
const network = "base"

type Fields = Readonly<Record<string, unknown>>
type Params = Readonly<Record<string, string>>

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

/** A terminal's scrollback is a log too: of a secret only its ends are shown. */
const masked = (name: string, value: unknown) =>
  /^(private_?key|apikey)$/i.test(name) && typeof value === "string" ? `${value.slice(0, 4)}…${value.slice(-4)}` : value

const shown = (params: Params) => Object.entries(params).map(([name, value]) => `${name}=${String(masked(name, value))}`).join("&")

/** One-element arrays opened, as every client does. */
const opened = (body: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

const ask = (method: "GET" | "POST", path: string, params: Params): Effect.Effect<Fields, CannotStart> =>
  Effect.gen(function*() {
    const url = method === "GET" ? `${base}${path}?${new URLSearchParams(params).toString()}` : `${base}${path}`
    const init = method === "GET" ? { method } : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(params) }
    yield* say(`\n→ ${method} ${path} ${shown(params)}`)
    const response = yield* Effect.tryPromise({
      try: () => fetch(url, init),
      catch: () => new CannotStart({ message: `Nothing answers at ${base}; run npm start first.` })
    })
    if (response.status === 503) {
      const wait = Number(response.headers.get("retry-after") ?? 2)
      yield* say(`  throttled; trying again in ${wait} s`)
      return yield* Effect.delay(ask(method, path, params), `${wait} seconds`)
    }
    const body = yield* Effect.promise(() => response.json() as Promise<Record<string, unknown>>)
    const fields = opened(body)
    yield* say(`← ${response.status} ${JSON.stringify(fields, masked)}`)
    if (fields["status"] !== "success") return yield* new CannotStart({ message: `The demo stops: ${String(fields["message"])}` })
    return fields
  })

const compositionLines = (fields: Fields) =>
  (fields["composition"] as ReadonlyArray<Fields>)
    .filter(({ amount }) => amount !== "0")
    .map(({ symbol, amount, value_usd }) => `    ${String(symbol).padEnd(6)} ${String(amount).padStart(26)}   $ ${Number(value_usd).toFixed(2)}`)

/** Quickstart: wallet, gas, trader, read first, approve, trade; then the chain is asked whether it is true. */
const quickstart = Effect.gen(function*() {
  const devnet = yield* Effect.mapError(DevnetClient.fromFile(devnetFile), () =>
    new CannotStart({ message: `There is no devnet at ${devnetFile}; run npm start first (the demo never touches a real network).` }))
  const vault = devnet.file.networks[network]?.vaults[0]
  if (vault === undefined) return yield* new CannotStart({ message: `${devnetFile} has no vault on ${network}.` })
  const { pool } = vault

  const wallet = yield* ask("GET", "/createGasWallet", {})
  const apiKey = String(wallet["apiKey"])
  const address = String(wallet["address"]) as Address

  yield* say(`\n  the devnet's faucet sends 1 ETH to ${address} on ${network}`)
  yield* devnet.faucet({ network, address, amountWei: 10n ** 18n })
  yield* ask("GET", "/getGasBalance", { apiKey, network, USD: "true" })

  yield* say(`\n  the vault's manager makes the gas wallet its trader`)
  yield* devnet.setTrader({ network, pool, trader: address })
  yield* ask("GET", "/isPoolTrader", { apiKey, network, pool, trader: address })

  const before = yield* ask("GET", "/poolComposition", { apiKey, network, pool })
  yield* ask("POST", "/approve", { apiKey, network, pool, asset: "USDC" })
  yield* ask("GET", "/vaultTrade", { apiKey, network, pool, from: "USDC", to: "WETH", amount: "1000", dryRun: "true" })
  const trade = yield* ask("GET", "/vaultTrade", { apiKey, network, pool, from: "USDC", to: "WETH", amount: "1000" })
  const after = yield* ask("GET", "/poolComposition", { apiKey, network, pool })

  yield* say("\n  before")
  yield* Effect.forEach(compositionLines(before), say)
  yield* say("  after")
  yield* Effect.forEach(compositionLines(after), say)
  yield* confirm(before, after, trade)
  yield* say(`\nDone: transaction ${String(trade["tx_hash"])} is mined, and what it moved is what the vault holds.`)
})

/** The difference of the two compositions must be what the receipt says was sold and bought. */
const confirm = (before: Fields, after: Fields, trade: Fields) =>
  Effect.gen(function*() {
    const moved = (symbol: string) => amountOf(after, symbol) - amountOf(before, symbol)
    const sold = raw(trade["sold"])
    const bought = raw(trade["bought"])
    if (moved("USDC") !== -sold || moved("WETH") !== bought) {
      return yield* new CannotStart({
        message: `The compositions differ by ${format(moved("USDC"), 18)} USDC and ${format(moved("WETH"), 18)} WETH, which is not what was sold and bought.`
      })
    }
  })

interface Line {
  readonly symbol: string
  readonly amount: string
}
const scaled = (text: string) => {
  const decimal = readDecimal(text)
  return decimal === undefined ? 0n : toRaw(decimal, 18)
}
const amountOf = (composition: Fields, symbol: string) =>
  scaled((composition["composition"] as ReadonlyArray<Line>).find((line) => line.symbol === symbol)?.amount ?? "0")
const raw = (quantity: unknown) => scaled((quantity as Line).amount)

const demo = quickstart.pipe(
  Effect.tapError((failure) => Effect.sync(() => process.stderr.write(`${failure.message}\n`))),
  Effect.provide(Logger.json)
)

NodeRuntime.runMain(demo, { disableErrorReporting: true, disablePrettyLogger: true })
