/** Actions for which the session is not enough: the manager's wallet signs each one. */
import type { SignedAction } from "@vault-trader/core/console/ConsoleApi"
import * as Redacted from "effect/Redacted"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import type { SessionView } from "../connection/Session.ts"

/** Has the manager's wallet sign the action and returns the `signature` for the service. Rejects with a message. */
export const signAction = async (action: SignedAction): Promise<Redacted.Redacted<string>> => {
  // Loaded on demand, to keep it out of the pages' bundles.
  const { accountsOf, findManagerWallet, isRefusal, sentenceOf } = await import("./ManagerWallet.ts")
  const manager = queries.getQueryData<SessionView>(["session"])?.manager ?? ""
  const managerWallet = await findManagerWallet(manager, true)
  const [selected] = await accountsOf(managerWallet.provider)
  if (selected !== managerWallet.account) {
    throw new Error(
      `Your wallet is on another account than ${managerWallet.account}. Select that account in the wallet. ` +
        "Nothing was done."
    )
  }
  const { prefix, typedData } = await call((client) => client.toSign(action))
  const signature = await managerWallet.provider.request({
    method: "eth_signTypedData_v4",
    params: [managerWallet.account, JSON.stringify(typedData)]
  }).catch((error: unknown) => {
    throw new Error(isRefusal(error) ? "You declined in the wallet. Nothing was done." : sentenceOf(error))
  })
  return Redacted.make(`${prefix}${String(signature)}`)
}
