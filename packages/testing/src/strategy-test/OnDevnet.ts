/** A service that runs on the devnet, called over HTTP; its chain is prepared through the devnet's file. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { DevnetClient } from "@vault-trader/devnet/devnet/DevnetClient"
import { Quantity } from "@vault-trader/devnet/anvil/RpcSchema"
import { movePrices } from "@vault-trader/devnet/devnet/MarketMaker"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fieldsOrRefused } from "./CallRefused.ts"
import { initialGas, network, NotSupported, type Params, type TestedService, toRaw } from "./TestedService.ts"

const post = (baseUrl: string, endpoint: string, params: Params) =>
  Effect.promise(async (signal) => {
    const response = await fetch(new URL(`/${endpoint}`, baseUrl), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(params),
      signal
    })
    return { status: response.status, text: await response.text() }
  })

const decimalsOf = (devnet: DevnetClient, symbol: string) => {
  const token = devnet.file.networks[network]?.tokens[symbol]
  return token === undefined
    ? Effect.die(new Error(`${network} has no token ${symbol}`))
    : Effect.succeed(token.decimals)
}

/** Creates a vault of the devnet's manager that holds these amounts and that the wallet trades. */
const createVault = (devnet: DevnetClient, wallet: Address, holdings: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    yield* devnet.faucet({ network, address: wallet, amountWei: initialGas })
    const { pool } = yield* devnet.createVault({ network, name: "Strategy test" })
    for (const [symbol, amount] of Object.entries(holdings)) {
      const raw = toRaw(amount, yield* decimalsOf(devnet, symbol))
      yield* devnet.mintToken({ network, symbol, address: pool, amount: raw })
    }
    yield* devnet.setTrader({ network, pool, trader: wallet })
    return pool
  }).pipe(Effect.orDie)

const inProcessOnly = (what: string) => () =>
  Effect.fail(new NotSupported({ message: `${what} in process only, not on the devnet.` }))

/** Makes the operations on the service at this URL, which uses the chains of this devnet. */
export const make = (baseUrl: string, devnet: DevnetClient): TestedService => {
  const call: TestedService["call"] = (endpoint, params = {}) =>
    Effect.flatMap(post(baseUrl, endpoint, params), fieldsOrRefused)
  return {
    call,
    vault: (holdings, trader) =>
      Effect.gen(function*() {
        const body = trader === undefined
          ? yield* Effect.orDie(call("createGasWallet"))
          : { apiKey: trader.apiKey, address: trader.wallet }
        const wallet = String(body["address"]) as Address
        const pool = yield* createVault(devnet, wallet, holdings)
        return { apiKey: String(body["apiKey"]), wallet, network, pool }
      }),
    setPrice: (symbol, usd) => Effect.orDie(movePrices(devnet, [{ network, symbol, usd }])),
    // A test's own clock does not move by itself, and the service does not follow it.
    advance: (duration) => Effect.provideService(Effect.sleep(duration), Clock.Clock, Clock.Clock.defaultValue()),
    setOraclePrice: inProcessOnly("The oracle's price moves without the pools"),
    restart: inProcessOnly("The service is killed"),
    killAt: inProcessOnly("The service is killed"),
    changeBalance: inProcessOnly("Balances are changed"),
    backup: Effect.suspend(inProcessOnly("The database is copied")),
    kills: Effect.succeed(0),
    skip: inProcessOnly("Time is skipped"),
    fault: inProcessOnly("Faults of a node are injected"),
    transactionCount: (address) =>
      devnet.rpc(network).pipe(
        Effect.flatMap((rpc) => rpc.request("eth_getTransactionCount", [address, "latest"], Quantity)),
        Effect.map(Number),
        Effect.orDie
      )
  }
}
