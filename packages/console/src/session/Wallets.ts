/** The manager's wallets in this browser, discovered by EIP-6963 without third-party services. */
import { useSyncExternalStore } from "react"

export interface Provider {
  readonly request: (call: { readonly method: string; readonly params?: ReadonlyArray<unknown> }) => Promise<unknown>
  readonly on?: (event: string, listener: (value: unknown) => void) => void
  readonly removeListener?: (event: string, listener: (value: unknown) => void) => void
}

/** A wallet as it announces itself. */
export interface AnnouncedWallet {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon?: string; readonly rdns: string }
  readonly provider: Provider
}

let announced: ReadonlyArray<AnnouncedWallet> = []
const listeners = new Set<() => void>()

addEventListener("eip6963:announceProvider", (event) => {
  const { detail } = event as CustomEvent<AnnouncedWallet>
  if (announced.some(({ info }) => info.uuid === detail.info.uuid)) return
  announced = [...announced, detail]
  for (const listener of listeners) listener()
})
dispatchEvent(new Event("eip6963:requestProvider"))

/** Returns the wallets announced so far. */
export const announcedWallets = (): ReadonlyArray<AnnouncedWallet> => announced

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Follows the announced wallets. */
export const useAnnouncedWallets = () => useSyncExternalStore(subscribe, announcedWallets)

const recentKey = "vault-trader/wallet"

/** Returns true for the wallet that signed in last in this browser. */
export const isRecent = ({ info }: AnnouncedWallet): boolean => localStorage.getItem(recentKey) === info.rdns

/** Returns whether a manager has signed in with this browser. */
export const hasRecent = (): boolean => localStorage.getItem(recentKey) !== null

export const setRecent = ({ info }: AnnouncedWallet): void => localStorage.setItem(recentKey, info.rdns)

/** Connects a wallet. A wallet that already shares accounts is asked which, so that another one can be chosen. */
export const connect = async (
  { provider }: AnnouncedWallet
): Promise<{ readonly account: `0x${string}` | undefined; readonly chainId: number }> => {
  const shared = await provider.request({ method: "eth_accounts" }).catch(() => []) as ReadonlyArray<string>
  if (shared.length > 0) {
    await provider.request({ method: "wallet_requestPermissions", params: [{ eth_accounts: {} }] }).catch(
      (error: unknown) => {
        // Wallets that have no such choice offer the account that is selected in them.
        if ((error as { readonly code?: unknown } | null)?.code === 4001) throw error
      }
    )
  }
  const [account] = await provider.request({ method: "eth_requestAccounts" }) as ReadonlyArray<`0x${string}`>
  return { account, chainId: Number(await provider.request({ method: "eth_chainId" })) }
}
