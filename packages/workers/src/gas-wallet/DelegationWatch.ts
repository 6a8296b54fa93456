/**
 * Reads the code at the addresses of gas wallets. An account with a private key has none, except after an EIP-7702
 * delegation: then other accounts can move its funds and trade its vaults without using a nonce.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { delegateOf } from "@vault-trader/core/chain/Delegation"
import type { Network } from "@vault-trader/core/chain/Network"
import { NonceBaselineStore } from "@vault-trader/core/gas-wallet/NonceBaselineStore"
import { WalletCodeStore } from "@vault-trader/core/gas-wallet/WalletCodeStore"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { Chains } from "../chain/Chains.ts"
import { WalletAlerts } from "./WalletAlerts.ts"

/** Number of wallets whose code is read together. */
const pageSize = 500

const raise = (network: Network, wallet: Address, code: Hex) =>
  Effect.flatMap(WalletAlerts, (alerts) => {
    const delegate = delegateOf(code)
    return alerts.raise({
      kind: "wallet_delegated",
      network,
      wallet,
      message: delegate === undefined
        ? `There is code at the address of ${wallet} on ${network}: others may move its funds and trade its vaults.`
        : `${wallet} is delegated to the contract ${delegate} on ${network} (EIP-7702): everyone that the contract ` +
          "permits can move its funds and trade its vaults without its key.",
      details: { delegate: delegate ?? null }
    })
  })

/** Checks every active wallet of a network whose code was not read within the last hour. */
export const check = (network: Network) =>
  Effect.gen(function*() {
    const store = yield* WalletCodeStore
    const due = yield* store.due(network, yield* (yield* NonceBaselineStore).active(network))
    if (due.length === 0) return
    const chain = yield* (yield* Chains).get(network)
    const known = new Map(due.map(({ known, wallet }) => [wallet, known]))
    for (const page of Arr.chunksOf(due, pageSize)) {
      const codes = yield* chain.codes(page.map(({ wallet }) => wallet))
      // A code is stored as known only once its alert is written.
      const reported = yield* Effect.filter(codes, ({ code, wallet }) =>
        code === "0x" || code === known.get(wallet) ? Effect.succeed(true) : raise(network, wallet, code))
      yield* store.put(network, reported)
    }
  }).pipe(Effect.withSpan("DelegationWatch.check", { attributes: { network } }, { captureStackTrace: false }))
