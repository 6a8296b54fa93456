/**
 * The authority model of docs/authority.md as a small executable program: for each request it says if the actor may do
 * it, and what changes. It shares no code with the service.
 */
import type { AccessKind, Command, Limits, NetworkName, Of, WalletName } from "./AuthorityCommand.ts"
import {
  actsAs,
  add,
  authorityOf,
  contractNetwork,
  countSale,
  type Entry,
  isListed,
  isNew,
  isRefusedByLimits,
  isSigned,
  isUnlimited,
  managesAll,
  mayWrite,
  noLimits,
  sessionOver,
  subKeyMayRequest,
  type State,
  type WalletState
} from "./AuthorityState.ts"

/** Checks if a valid key and a proven manager suffice to add the wallet to the list. */
const mayAssociate = (
  state: State,
  { privateKey, wallet: name }: Of<"associate">,
  wallet: WalletState,
  entry: Entry
) => {
  if (wallet.limits.readOnly || privateKey === "other") return false
  if (privateKey === "own") return true
  return isUnlimited(wallet.limits) &&
    (isListed(wallet, entry) || isNew(state, name, wallet, entry) || managesAll(state, name, wallet, entry))
}

const associate = (state: State, command: Of<"associate">, wallet: WalletState) => {
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
  if (!keep.includes("sessions")) { for (const { manager } of wallet.lists) state.sessions.delete(manager) }
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
  { by, limits }: Of<"limit">,
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

const stop = (state: State, { by, scope, wallet: name }: Of<"stop">, wallet: WalletState) => {
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
  { by, scope }: Of<"resume">,
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

const resume = (state: State, command: Of<"resume">, wallet: WalletState) => {
  const { by, scope, wallet: name } = command
  if (!mayResume(state, command, wallet)) return false
  if (by._tag !== "operator" && scope !== "wallet" && !ownsBots(state, name, scope)) return false
  const stopped = scope === "wallet" ? wallet.stopped : state.stoppedBots.get(scope) ?? null
  if (stopped === "operator" && by._tag !== "operator") return false
  if (scope === "wallet") wallet.stopped = null
  else state.stoppedBots.delete(scope)
  return true
}

const remove = (state: State, { by }: Of<"remove">, wallet: WalletState) => {
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

/** Makes a sub-key; only the wallet's own key may. */
const makeSubKey = ({ bounds, by }: Of<"makeSubKey">, wallet: WalletState) => {
  if (by._tag !== "key" || by.key !== "current" || wallet.limits.readOnly) return false
  wallet.subKey = { ...bounds, sold: 0 }
  return true
}

const endSubKeys = ({ by }: Of<"endSubKeys">, wallet: WalletState) => {
  if (by._tag !== "key" || by.key !== "current" || wallet.limits.readOnly) return false
  wallet.subKey = null
  return true
}

const mayRead = ({ by }: Of<"read">, wallet: WalletState) => {
  if (by._tag === "key") return by.key === "current"
  if (by._tag === "privateKey") return by.isOwn
  const authority = authorityOf(by)
  return authority !== undefined && isListed(wallet, authority)
}

const create = (state: State, { by, wallet: name }: Of<"create">) => {
  const session = by === null ? undefined : state.sessions.get(by)
  if (by !== null && session === undefined) return false
  state.wallets.set(name, {
    lists: by === null || session === undefined ? [] : [{ manager: by, network: session.network }],
    limits: noLimits,
    limitsBy: null,
    knownVaults: new Set(),
    tokens: new Set(),
    stopped: null,
    subKey: null,
    sold: 0
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
      wallet.subKey = null
      return true
    case "rotateInConsole":
      if (!isSigned(state, wallet, command.by, null)) return false
      // A sub-key ends with the key that made it.
      wallet.subKey = null
      return true
    case "makeSubKey":
      return makeSubKey(command, wallet)
    case "endSubKeys":
      return endSubKeys(command, wallet)
    case "expireSubKeys":
      wallet.subKey = null
      return true
    case "limit":
      return limit(command, wallet)
    case "trade":
    case "link":
    case "createToken": {
      const { by, network } = command
      if (state.traders.get(network) !== command.wallet) return false
      if (by._tag === "subKey") {
        if (command._tag !== "trade" || !subKeyMayRequest(wallet, network)) return false
        // The request is accepted before its maximum is checked.
        wallet.knownVaults.add(network)
        return countSale(wallet)
      }
      if (!mayWrite(state, wallet, by, network)) return false
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
