/**
 * The authority model of docs/authority.md as a small executable program: for each request it says if the actor may do
 * it, and what changes. It shares no code with the service.
 */

/** The wallets, managers and networks of a sequence. `contract` is a contract wallet on polygon. */
export type WalletName = "first" | "second"
export type ManagerName = "owner" | "thief" | "contract"
export type NetworkName = "base" | "polygon"
export const walletNames: ReadonlyArray<WalletName> = ["first", "second"]
export const managerNames: ReadonlyArray<ManagerName> = ["owner", "thief", "contract"]
export const networkNames: ReadonlyArray<NetworkName> = ["base", "polygon"]
export const accessKinds = ["managers", "sessions", "tokens", "webhooks"] as const
export type AccessKind = typeof accessKinds[number]

/** Limits of a wallet's key; null is no limit. */
export interface Limits {
  readonly vaults: ReadonlyArray<NetworkName> | null
  readonly usdPerDay: number | null
  readonly readOnly: boolean
}

/** An API key: the wallet's current one (also when it was leaked), a revoked one, or a random one. */
export type KeyName = "current" | "revoked" | "random"
/** A manager's signature over a request: `signer` made it, and the request names `network`. */
export interface Signature {
  readonly manager: ManagerName
  readonly signer: ManagerName
  readonly network: NetworkName | null
}
/** How a console request is signed: freshly, not at all, or with a signature for another action. */
export type Freshness = "fresh" | "none" | "otherAction"

export type By =
  | { readonly _tag: "key"; readonly key: KeyName }
  | { readonly _tag: "session"; readonly manager: ManagerName }
  | { readonly _tag: "token" }
type Proof =
  | { readonly _tag: "key"; readonly key: KeyName }
  | ({ readonly _tag: "signature" } & Signature)
  | { readonly _tag: "privateKey"; readonly isOwn: boolean }
type ConsoleSignature = {
  readonly _tag: "console"
  readonly manager: ManagerName
  readonly signer: ManagerName
  readonly freshness: Freshness
}

/** A request of an actor, or a change of the world. */
export type Command =
  | { readonly _tag: "create"; readonly wallet: WalletName; readonly by: ManagerName | null }
  | { readonly _tag: "signIn"; readonly manager: ManagerName; readonly signer: ManagerName; readonly chain: NetworkName }
  | {
    readonly _tag: "associate"
    readonly wallet: WalletName
    readonly key: KeyName
    readonly privateKey: "none" | "own" | "other"
    readonly by: ({ readonly _tag: "signature" } & Signature) | ConsoleSignature
  }
  | { readonly _tag: "rotate"; readonly wallet: WalletName; readonly keep: ReadonlyArray<AccessKind> }
  | { readonly _tag: "rotateInConsole"; readonly wallet: WalletName; readonly by: ConsoleSignature }
  | {
    readonly _tag: "limit"
    readonly wallet: WalletName
    readonly limits: Limits
    readonly by: Exclude<Proof, { readonly _tag: "privateKey" }> | { readonly _tag: "operator" }
  }
  | {
    readonly _tag: "trade" | "link" | "createToken" | "setBot"
    readonly wallet: WalletName
    readonly network: NetworkName
    readonly by: By
  }
  | { readonly _tag: "alert"; readonly wallet: WalletName; readonly network: NetworkName }
  | {
    readonly _tag: "stop"
    readonly wallet: WalletName
    readonly scope: "wallet" | NetworkName
    readonly by: By | { readonly _tag: "operator" }
  }
  | {
    readonly _tag: "resume"
    readonly wallet: WalletName
    readonly scope: "wallet" | NetworkName
    readonly by: Proof | ConsoleSignature | { readonly _tag: "operator" }
  }
  | {
    readonly _tag: "remove"
    readonly wallet: WalletName
    readonly by: ({ readonly _tag: "signature" } & Signature) | { readonly _tag: "session"; readonly manager: ManagerName }
  }
  | { readonly _tag: "setTrader"; readonly network: NetworkName; readonly trader: WalletName | null }
  | { readonly _tag: "read"; readonly wallet: WalletName; readonly by: Proof }

/** An entry of a manager's list; `network` null: on all networks. */
export interface Entry {
  readonly manager: ManagerName
  readonly network: NetworkName | null
}

type Stopped = "owner" | "operator"

interface WalletState {
  lists: ReadonlyArray<Entry>
  limits: Limits
  /** The manager who may raise the limits. */
  limitsBy: ManagerName | null
  /** Vaults that the service connects with the wallet for good. */
  readonly knownVaults: Set<NetworkName>
  /** Networks of the live chart alert token, if there is one for it. */
  readonly tokens: Set<NetworkName>
  stopped: Stopped | null
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
export const isUnlimited = ({ readOnly, usdPerDay, vaults }: Limits) => vaults === null && usdPerDay === null && !readOnly

/** The network of the contract wallet. */
const contractNetwork: NetworkName = "polygon"
/** The manager, on chain, of the vault of each network. */
export const vaultManagers: Readonly<Record<NetworkName, ManagerName>> = { base: "owner", polygon: "contract" }

/** Returns the authority that a signature proves, or undefined for a signature that does not count. */
const authorityOf = ({ manager, network, signer }: Signature): Entry | undefined =>
  manager !== signer
    ? undefined
    : manager !== "contract"
    ? { manager, network: null }
    : network === contractNetwork
    ? { manager, network }
    : undefined

const isListed = ({ lists }: WalletState, { manager, network }: Entry) =>
  lists.some((entry) => entry.manager === manager && (network === null || entry.network === network))

const isRefusedByLimits = ({ limits }: WalletState, network: NetworkName | null) =>
  limits.readOnly || (network !== null && limits.vaults !== null && !limits.vaults.includes(network))

/** Returns the session's authority over the wallet on a network (null: on all), or undefined without one. */
const sessionOver = (state: State, wallet: WalletState, manager: ManagerName, network: NetworkName | null) => {
  const session = state.sessions.get(manager)
  if (session === undefined || !isListed(wallet, { manager, ...session })) return undefined
  return session.network === null || session.network === network ? { manager, ...session } : undefined
}

/** Checks if the actor acts as the wallet on a network; limits are separate. */
const actsAs = (state: State, wallet: WalletState, by: By, network: NetworkName | null) =>
  by._tag === "key"
    ? by.key === "current"
    : by._tag === "session" && sessionOver(state, wallet, by.manager, network) !== undefined

const mayWrite = (state: State, wallet: WalletState, by: By, network: NetworkName) =>
  actsAs(state, wallet, by, network) && !isRefusedByLimits(wallet, network)

/** Checks that the console request is signed by the session's manager, and that the session covers the network. */
const isSigned = (state: State, wallet: WalletState, by: ConsoleSignature, network: NetworkName | null) =>
  by.freshness === "fresh" && by.signer === by.manager &&
  sessionOver(state, wallet, by.manager, network) !== undefined

const add = (wallet: WalletState, entry: Entry) => {
  if (wallet.lists.some((each) => each.manager === entry.manager && each.network === entry.network)) return
  wallet.lists = [...wallet.lists, entry]
}

/** Returns all vaults that the service connects with a wallet. */
const connectedVaults = (state: State, name: WalletName, wallet: WalletState) =>
  networkNames.filter((network) => wallet.knownVaults.has(network) || state.bots.get(network) === name)

/** Checks that the manager manages every vault that the wallet trades, at least one, within the authority. */
const managesAll = (state: State, name: WalletName, wallet: WalletState, { manager, network }: Entry) => {
  const managers = [manager, ...wallet.lists.map((entry) => entry.manager)]
  const traded = networkNames.filter((each) =>
    state.traders.get(each) === name &&
    (connectedVaults(state, name, wallet).includes(each) || managers.includes(vaultManagers[each]))
  )
  return traded.length > 0 &&
    traded.every((each) => vaultManagers[each] === manager && (network === null || network === each))
}

const isNew = (state: State, name: WalletName, wallet: WalletState, { manager, network }: Entry) =>
  connectedVaults(state, name, wallet).length === 0 &&
  wallet.lists.every((entry) => entry.manager === manager && (network === null || entry.network === network))

/** Checks if a valid key and a proven manager suffice to add the wallet to the list. */
const mayAssociate = (
  state: State,
  { privateKey, wallet: name }: Extract<Command, { readonly _tag: "associate" }>,
  wallet: WalletState,
  entry: Entry
) => {
  if (wallet.limits.readOnly || privateKey === "other") return false
  if (privateKey === "own") return true
  return isUnlimited(wallet.limits) &&
    (isListed(wallet, entry) || isNew(state, name, wallet, entry) || managesAll(state, name, wallet, entry))
}

const associate = (state: State, command: Extract<Command, { readonly _tag: "associate" }>, wallet: WalletState) => {
  const { by } = command
  const session = by._tag === "console" ? state.sessions.get(by.manager) : undefined
  const entry = by._tag === "signature"
    ? authorityOf(by)
    : session !== undefined && by.freshness === "fresh" && by.signer === by.manager
    ? { manager: by.manager, network: session.network }
    : undefined
  if (entry === undefined || command.key !== "current" || !mayAssociate(state, command, wallet, entry)) return false
  add(wallet, entry)
  return true
}

/** Ends all access to the wallet that is not kept: its lists, their managers' sessions, its tokens. */
const evict = (state: State, wallet: WalletState, keep: ReadonlyArray<AccessKind>) => {
  if (!keep.includes("sessions")) for (const { manager } of wallet.lists) state.sessions.delete(manager)
  if (!keep.includes("managers")) wallet.lists = []
  if (!keep.includes("tokens")) wallet.tokens.clear()
}

const smaller = (one: number | null, other: number | null) =>
  one === null ? other : other === null ? one : Math.min(one, other)

const tightest = (one: Limits, other: Limits): Limits => ({
  vaults: one.vaults === null
    ? other.vaults
    : one.vaults.filter((vault) => other.vaults === null || other.vaults.includes(vault)),
  usdPerDay: smaller(one.usdPerDay, other.usdPerDay),
  readOnly: one.readOnly || other.readOnly
})

const limit = (
  { by, limits }: Extract<Command, { readonly _tag: "limit" }>,
  wallet: WalletState
) => {
  if (by._tag === "operator") {
    wallet.limits = limits
    wallet.limitsBy = null
    return true
  }
  const authority = by._tag === "signature" ? authorityOf(by) : undefined
  const may = by._tag === "key"
    ? by.key === "current" && !wallet.limits.readOnly
    : authority !== undefined && isListed(wallet, authority)
  if (!may) return false
  const mayRaise = authority !== undefined && authority.network === null &&
    (isUnlimited(wallet.limits) || wallet.limitsBy === authority.manager)
  if (mayRaise) wallet.limitsBy = authority.manager
  wallet.limits = mayRaise ? limits : tightest(wallet.limits, limits)
  return true
}

/** Checks if a wallet may stop and resume the vault's bots: it set one, or it trades a vault that has one. */
const ownsBots = (state: State, name: WalletName, network: NetworkName) => {
  const setter = state.bots.get(network)
  return setter !== undefined && (setter === name || state.traders.get(network) === name)
}

const stop = (state: State, { by, scope, wallet: name }: Extract<Command, { readonly _tag: "stop" }>, wallet: WalletState) => {
  if (by._tag === "operator") {
    if (scope === "wallet") wallet.stopped = "operator"
    else state.stoppedBots.set(scope, "operator")
    return true
  }
  if (scope === "wallet") {
    // A contract wallet's session may stop the wallet, although that applies to all networks.
    const may = by._tag === "session"
      ? sessionOver(state, wallet, by.manager, contractNetwork) !== undefined
      : actsAs(state, wallet, by, null)
    if (!may || wallet.limits.readOnly) return false
    wallet.stopped ??= "owner"
    return true
  }
  if (!mayWrite(state, wallet, by, scope) || !ownsBots(state, name, scope)) return false
  if (!state.stoppedBots.has(scope)) state.stoppedBots.set(scope, "owner")
  return true
}

/** Checks the proof for resuming; a key alone suffices only while the wallet has no manager. */
const mayResume = (
  state: State,
  { by, scope }: Extract<Command, { readonly _tag: "resume" }>,
  wallet: WalletState
): boolean => {
  const network = scope === "wallet" ? null : scope
  switch (by._tag) {
    case "operator":
      return true
    case "key":
      return by.key === "current" && wallet.lists.length === 0 && !isRefusedByLimits(wallet, network)
    case "privateKey":
      return by.isOwn
    case "console":
      return isSigned(state, wallet, by, network)
    case "signature": {
      // The request names the bots' network; the wallet's switch has none.
      const authority = authorityOf({ ...by, network })
      return authority !== undefined && isListed(wallet, authority)
    }
  }
}

const resume = (state: State, command: Extract<Command, { readonly _tag: "resume" }>, wallet: WalletState) => {
  const { by, scope, wallet: name } = command
  if (!mayResume(state, command, wallet)) return false
  if (by._tag !== "operator" && scope !== "wallet" && !ownsBots(state, name, scope)) return false
  const stopped = scope === "wallet" ? wallet.stopped : state.stoppedBots.get(scope) ?? null
  if (stopped === "operator" && by._tag !== "operator") return false
  if (scope === "wallet") wallet.stopped = null
  else state.stoppedBots.delete(scope)
  return true
}

const remove = (state: State, { by }: Extract<Command, { readonly _tag: "remove" }>, wallet: WalletState) => {
  const session = by._tag === "session" ? state.sessions.get(by.manager) : undefined
  const entry = by._tag === "signature"
    ? authorityOf(by)
    : session === undefined
    ? undefined
    : { manager: by.manager, network: session.network }
  if (entry === undefined || !isListed(wallet, entry)) return false
  wallet.lists = wallet.lists.filter((each) =>
    each.manager !== entry.manager || (entry.network !== null && each.network !== entry.network)
  )
  return true
}

const mayRead = ({ by }: Extract<Command, { readonly _tag: "read" }>, wallet: WalletState) => {
  if (by._tag === "key") return by.key === "current"
  if (by._tag === "privateKey") return by.isOwn
  const authority = authorityOf(by)
  return authority !== undefined && isListed(wallet, authority)
}

const create = (state: State, { by, wallet: name }: Extract<Command, { readonly _tag: "create" }>) => {
  const session = by === null ? undefined : state.sessions.get(by)
  if (by !== null && session === undefined) return false
  state.wallets.set(name, {
    lists: by === null || session === undefined ? [] : [{ manager: by, network: session.network }],
    limits: noLimits,
    limitsBy: null,
    knownVaults: new Set(),
    tokens: new Set(),
    stopped: null
  })
  return true
}

/** Checks if the request is possible in this state at all; impossible ones are not sent. */
export const isPossible = (state: State, command: Command): boolean =>
  command._tag === "signIn"
    ? true
    : command._tag === "setTrader"
    ? command.trader === null || state.wallets.has(command.trader)
    : state.wallets.has(command.wallet) !== (command._tag === "create")

/** Returns if the request is allowed, and changes the state as the request does. */
export const step = (state: State, command: Command): boolean => {
  if (command._tag === "signIn") {
    const { chain, manager, signer } = command
    const may = signer === manager && (manager !== "contract" || chain === contractNetwork)
    if (may) state.sessions.set(manager, { network: manager === "contract" ? chain : null })
    return may
  }
  if (command._tag === "setTrader") {
    if (command.trader === null) state.traders.delete(command.network)
    else state.traders.set(command.network, command.trader)
    return true
  }
  if (command._tag === "create") return create(state, command)
  const wallet = state.wallets.get(command.wallet)
  if (wallet === undefined) throw new Error(`there is no ${command.wallet} wallet`)
  switch (command._tag) {
    case "associate":
      return associate(state, command, wallet)
    case "rotate":
      evict(state, wallet, command.keep)
      return true
    case "rotateInConsole":
      return isSigned(state, wallet, command.by, null)
    case "limit":
      return limit(command, wallet)
    case "trade":
    case "link":
    case "createToken": {
      const { network } = command
      if (!mayWrite(state, wallet, command.by, network) || state.traders.get(network) !== command.wallet) return false
      wallet.knownVaults.add(network)
      if (command._tag === "createToken") wallet.tokens.add(network)
      return true
    }
    case "setBot":
    case "alert": {
      const { network, wallet: name } = command
      const may = command._tag === "alert"
        ? wallet.tokens.has(network) && !isRefusedByLimits(wallet, network)
        : mayWrite(state, wallet, command.by, network)
      if (!may || (state.bots.get(network) !== name && state.traders.get(network) !== name)) return false
      state.bots.set(network, name)
      return true
    }
    case "stop":
      return stop(state, command, wallet)
    case "resume":
      return resume(state, command, wallet)
    case "remove":
      return remove(state, command, wallet)
    case "read":
      return mayRead(command, wallet)
  }
}
