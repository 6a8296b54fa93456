/** Actions that a session alone does not suffice for: the manager's own wallet signs each one. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { SignedAction } from "@vault-trader/core/console/ConsoleApi"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import type { SessionView } from "../connection/Session.ts"

/** Asks the manager's wallet to sign the action; the `signature` that the service verifies. Rejects with a sentence. */
export const signAction = async (action: SignedAction, wallet: Address): Promise<string> => {
  // Loaded when a wallet is to sign: the pages that offer it come without.
  const { accountsOf, findOwn, isRefusal, sentenceOf } = await import("./ManagerWallet.ts")
  const manager = queries.getQueryData<SessionView>(["session"])?.manager ?? ""
  const own = await findOwn(manager, true)
  const [selected] = await accountsOf(own.provider)
  if (selected !== own.account) throw new Error(`Your wallet is on another account than ${own.account}. Choose that one in the wallet. Nothing was done.`)
  const { prefix, typedData } = await call((client) => client.toSign({ action, wallet }))
  const signed = await own.provider.request({ method: "eth_signTypedData_v4", params: [own.account, JSON.stringify(typedData)] }).catch((error: unknown) => {
    throw new Error(isRefusal(error) ? "You declined in the wallet. Nothing was done." : sentenceOf(error))
  })
  return `${prefix}${String(signed)}`
}
