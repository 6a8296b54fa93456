/** Handlers of the gas wallet endpoints. */
import { facts as networkFacts, type Network } from "@vault-trader/core/chain/Network"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { GasWallet, idOf } from "@vault-trader/core/gas-wallet/GasWallet"
import { GasWalletApi } from "@vault-trader/core/gas-wallet/GasWalletApi"
import { Keyring } from "@vault-trader/core/gas-wallet/Keyring"
import * as Effect from "effect/Effect"
import { answered } from "../gate/Asking.ts"
import { Directory } from "../gate/Directory.ts"

export const GasWalletApiLive = GasWalletApi.toLayer(Effect.gen(function*() {
  const keyrings = yield* Keyring.client
  const wallets = yield* GasWallet.client
  const directory = yield* Directory
  // Keyrings keep nothing: any will do, and a fresh name spreads them over the runners.
  const keyring = Effect.sync(() => keyrings(crypto.randomUUID().slice(0, 2)))

  const balanceOf = (network: Network, wallet: Address, usd: boolean) =>
    Effect.map(answered(wallets(idOf(network, wallet)).balance({ usd })), ({ wei, usd18 }) => ({
      token: networkFacts[network].native,
      balance: Quantity.format(wei, 18),
      ...(usd ? { balance_usd: usd18 === null ? null : Quantity.usd(usd18) } : {})
    }))

  return {
    createGasWallet: () =>
      Effect.gen(function*() {
        const { address, privateKey, apiKey } = yield* answered((yield* keyring).create())
        return { status: "success" as const, address, private_key: privateKey, apiKey }
      }),
    getNewApiKey: ({ privateKey }) =>
      Effect.gen(function*() {
        const { address, apiKey, revoked } = yield* answered((yield* keyring).issue({ privateKey }))
        const message = revoked ? "New API key issued; the previous one is revoked." : "API key issued."
        return { status: "success" as const, address, apiKey, message }
      }),
    getGasBalance: ({ network, USD }) =>
      Effect.gen(function*() {
        const { wallet } = yield* Caller
        const usd = USD ?? false
        if (network !== "all") return { status: "success" as const, address: wallet, ...(yield* balanceOf(network, wallet, usd)) }
        const balances = yield* Effect.forEach(directory.networks, (each) =>
          balanceOf(each, wallet, usd).pipe(
            // One network that cannot be reached does not hide the others.
            Effect.catchAll(({ message }) => Effect.succeed({ token: networkFacts[each].native, balance: null, error: message })),
            Effect.map((balance) => ({ network: each, address: wallet, ...balance }))
          ), { concurrency: "unbounded" })
        return { status: "success" as const, address: wallet, balances }
      })
  }
}))
