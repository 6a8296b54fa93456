/** Actions for which the session is not enough: the manager's wallet signs each one. */
import type { SignedAction } from "@vault-trader/core/console/SignedAction"
import type { Wire } from "../connection/Wire.ts"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import type { SessionView } from "../connection/Session.ts"
import { t } from "../text/Text.ts"

/** Typed data to sign, and the text that precedes its signature. */
interface ToSign {
  readonly typedData: unknown
  readonly prefix: string
}

/** Has the manager's wallet sign what `prepare` returns, and returns the `signature` for the service. Rejects with a message. */
export const signTypedData = async (prepare: () => Promise<ToSign>): Promise<string> => {
  // Loaded on demand, to keep it out of the pages' bundles.
  const { accountsOf, findManagerWallet, isRefusal, sentenceOf } = await import("./ManagerWallet.ts")
  const manager = queries.getQueryData<SessionView>(["session"])?.manager ?? ""
  const managerWallet = await findManagerWallet(manager, true)
  const [selected] = await accountsOf(managerWallet.provider)
  if (selected !== managerWallet.account) {
    throw new Error(
      t("Your wallet is on another account than {account}. Select that account in the wallet. Nothing was done.", {
        account: managerWallet.account
      })
    )
  }
  const { prefix, typedData } = await prepare()
  const signature = await managerWallet.provider.request({
    method: "eth_signTypedData_v4",
    params: [managerWallet.account, JSON.stringify(typedData)]
  }).catch((error: unknown) => {
    throw new Error(isRefusal(error) ? t("You declined in the wallet. Nothing was done.") : sentenceOf(error))
  })
  return `${prefix}${String(signature)}`
}

/** Has the manager's wallet sign an action on a gas wallet. */
export const signAction = (action: Wire<SignedAction>): Promise<string> =>
  signTypedData(() => call((client) => client.toSign(action)))
