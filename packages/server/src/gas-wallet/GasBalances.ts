/** Reads wallets' balances of native tokens. */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts as networkFacts, type Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { GasWallet, idOf } from "@vault-trader/core/gas-wallet/GasWallet"
import * as Effect from "effect/Effect"
import { read } from "../gate/ActorCall.ts"

export const gasBalances = Effect.gen(function*() {
  const wallets = yield* GasWallet.client
  const balanceOf = (network: Network, wallet: Address, usd: boolean) =>
    Effect.map(read(wallets(idOf(network, wallet)).balance({ usd })), ({ wei, usd18 }) => ({
      token: networkFacts[network].native,
      balance: Quantity.format(wei, 18),
      ...(usd ? { balance_usd: usd18 === null ? null : Quantity.usd(usd18) } : {})
    }))

  /** Returns a balance, or the error in its place: an unreachable network must not hide the others. */
  const balanceOrError = (network: Network, wallet: Address, usd: boolean) =>
    Effect.catch(
      balanceOf(network, wallet, usd),
      ({ message }) => Effect.succeed({ token: networkFacts[network].native, balance: null, error: message })
    )
  return { balanceOf, balanceOrError }
})
