/** The state of the authority model, and what a proof means in it. */
import {
  type By,
  type ConsoleSignature,
  type Limits,
  type ManagerName,
  type NetworkName,
  networkNames,
  type Signature,
  type SubKeyBounds,
  usdPerTrade,
  type WalletName
} from "./AuthorityCommand.ts"

/** An entry of a manager's list; `network` null: on all networks. */
export interface Entry {
  readonly manager: ManagerName
  readonly network: NetworkName | null
}

export type Stopped = "owner" | "operator"

export interface WalletState {
  lists: ReadonlyArray<Entry>
  limits: Limits
  /** The manager who may raise the limits. */
  limitsBy: ManagerName | null
  /** Vaults that the service connects with the wallet for good. */
  readonly knownVaults: Set<NetworkName>
  /** Networks of the live chart alert token, if there is one for it. */
  readonly tokens: Set<NetworkName>
  stopped: Stopped | null
  /** The sub-key that was made last; null before the first, and when it ended. */
  subKey: (SubKeyBounds & { sold: number }) | null
  /** USD that all sub-keys of the wallet have sold. */
  sold: number
}

export interface State {
  readonly wallets: Map<WalletName, WalletState>
  /** The session of a manager; a contract wallet's is bound to its network. */
  readonly sessions: Map<ManagerName, { readonly network: NetworkName | null }>
  /** The trader of the one vault of each network. */
  readonly traders: Map<NetworkName, WalletName>
  /** The wallet that set the vault's bot. */
  readonly bots: Map<NetworkName, WalletName>
  readonly stoppedBots: Map<NetworkName, Stopped>
}

export const initial = (): State => ({
  wallets: new Map(),
  sessions: new Map(),
  traders: new Map(),
  bots: new Map(),
  stoppedBots: new Map()
})

export const noLimits: Limits = { vaults: null, usdPerDay: null, readOnly: false }
export const isUnlimited = ({ readOnly, usdPerDay, vaults }: Limits) =>
  vaults === null && usdPerDay === null && !readOnly

/** The network of the contract wallet. */
export const contractNetwork: NetworkName = "polygon"
/** The manager, on chain, of the vault of each network. */
export const vaultManagers: Readonly<Record<NetworkName, ManagerName>> = { base: "owner", polygon: "contract" }

/** Returns the authority that a signature proves, or undefined for a signature that does not count. */
export const authorityOf = ({ manager, network, signer }: Signature): Entry | undefined =>
  manager !== signer
    ? undefined
    : manager !== "contract"
    ? { manager, network: null }
    : network === contractNetwork
    ? { manager, network }
    : undefined

export const isListed = ({ lists }: WalletState, { manager, network }: Entry) =>
  lists.some((entry) => entry.manager === manager && (network === null || entry.network === network))

export const isRefusedByLimits = ({ limits }: WalletState, network: NetworkName | null) =>
  limits.readOnly || (network !== null && limits.vaults !== null && !limits.vaults.includes(network))

/** Returns the session's authority over the wallet on a network (null: on all), or undefined without one. */
export const sessionOver = (state: State, wallet: WalletState, manager: ManagerName, network: NetworkName | null) => {
  const session = state.sessions.get(manager)
  if (session === undefined || !isListed(wallet, { manager, ...session })) return undefined
  return session.network === null || session.network === network ? { manager, ...session } : undefined
}

/** Checks if the actor acts as the wallet on a network; limits are separate. */
export const actsAs = (state: State, wallet: WalletState, by: By, network: NetworkName | null) =>
  by._tag === "key"
    ? by.key === "current"
    : by._tag === "session" && sessionOver(state, wallet, by.manager, network) !== undefined

export const mayWrite = (state: State, wallet: WalletState, by: By, network: NetworkName) =>
  actsAs(state, wallet, by, network) && !isRefusedByLimits(wallet, network)

/** Checks that the console request is signed by the session's manager, and that the session covers the network. */
export const isSigned = (state: State, wallet: WalletState, by: ConsoleSignature, network: NetworkName | null) =>
  by.freshness === "fresh" && by.signer === by.manager &&
  sessionOver(state, wallet, by.manager, network) !== undefined

/** Checks if the wallet's sub-key may request a trade of a vault. What it sells is checked when that is planned. */
export const subKeyMayRequest = (wallet: WalletState, network: NetworkName) => {
  const { subKey } = wallet
  return subKey !== null && subKey.usdPerDay !== null && (subKey.vaults === null || subKey.vaults.includes(network)) &&
    !isRefusedByLimits(wallet, network)
}

/** Counts a trade of the wallet's sub-key; returns false if it exceeds the sub-key's maximum or the wallet's. */
export const countSale = (wallet: WalletState) => {
  const { limits, sold, subKey } = wallet
  if (subKey === null || subKey.sold + usdPerTrade > (subKey.usdPerDay ?? 0)) return false
  if (limits.usdPerDay !== null && sold + usdPerTrade > limits.usdPerDay) return false
  subKey.sold += usdPerTrade
  wallet.sold += usdPerTrade
  return true
}

export const add = (wallet: WalletState, entry: Entry) => {
  if (wallet.lists.some((each) => each.manager === entry.manager && each.network === entry.network)) return
  wallet.lists = [...wallet.lists, entry]
}

/** Returns all vaults that the service connects with a wallet. */
const connectedVaults = (state: State, name: WalletName, wallet: WalletState) =>
  networkNames.filter((network) => wallet.knownVaults.has(network) || state.bots.get(network) === name)

/** Checks that the manager manages every vault that the wallet trades, at least one, within the authority. */
export const managesAll = (state: State, name: WalletName, wallet: WalletState, { manager, network }: Entry) => {
  const managers = [manager, ...wallet.lists.map((entry) => entry.manager)]
  const traded = networkNames.filter((each) =>
    state.traders.get(each) === name &&
    (connectedVaults(state, name, wallet).includes(each) || managers.includes(vaultManagers[each]))
  )
  return traded.length > 0 &&
    traded.every((each) => vaultManagers[each] === manager && (network === null || network === each))
}

export const isNew = (state: State, name: WalletName, wallet: WalletState, { manager, network }: Entry) =>
  connectedVaults(state, name, wallet).length === 0 &&
  wallet.lists.every((entry) => entry.manager === manager && (network === null || entry.network === network))
