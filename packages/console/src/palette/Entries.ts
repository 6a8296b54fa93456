/** The entries of the command palette: pages, vaults, bots and gas wallets, and what can be done with a bot. */
import { type AnyBot, stateLabels } from "../bots/BotState.tsx"
import { networkName } from "../shell/Icons.tsx"
import { t, type TextValues } from "../text/Text.ts"

export type EntryKind = "page" | "vault" | "bot" | "wallet" | "command"

export interface Entry {
  readonly id: string
  readonly kind: EntryKind
  readonly label: string
  readonly description: string
  /** Words that it is also found by. */
  readonly keywords: string
  /** A path of the console. */
  readonly to: string
  /** The command that is reviewed, instead of opening the path. */
  readonly command?: BotCommand
}

/** A bot to pause or to resume, after a review. */
export interface BotCommand {
  readonly action: "pause" | "resume"
  readonly bot: AnyBot
}

const pages = [
  ["/", t("Home"), "g h"],
  ["/vaults", t("Managed Vaults"), "g v"],
  ["/bots", t("Trading Bots"), "g b"],
  ["/orders", t("Orders"), "g o"],
  ["/activity", t("Activity"), "g a"],
  ["/gas-wallets", t("Gas Wallets"), "g w"],
  ["/charts", t("Charts"), ""],
  ["/backtest", t("Backtest"), ""],
  ["/strategies", t("Strategies"), ""],
  ["/followers", t("Copy Trading"), ""],
  ["/guardians", t("Guardians"), ""],
  ["/notifications", t("Notifications"), ""],
  ["/webhooks", t("Webhooks"), ""],
  ["/keys", t("Keys"), ""],
  ["/links", t("API Linked Vaults"), ""],
  ["/create", t("Create Vault"), ""],
  ["/charges", t("Charges"), ""],
  ["/audit", t("Audit"), ""],
  ["/start", t("First steps"), ""]
] as const

export const pageEntries: ReadonlyArray<Entry> = pages.map(([to, label, keys]) => ({
  id: `page ${to}`,
  kind: "page",
  label,
  description: keys === "" ? t("Page") : t("Page · {keys}", { keys }),
  keywords: "",
  to
}))

type VaultName = (network: string, pool: string) => string

interface Place {
  readonly network: string
  readonly pool: string
}

/** Lists vaults, each once. */
export const vaultEntries = (vaults: ReadonlyArray<Place>, vaultName: VaultName): ReadonlyArray<Entry> =>
  [...new Map(vaults.map((vault) => [`${vault.network}/${vault.pool}`, vault]))].map(([key, { network, pool }]) => ({
    id: `vault ${key}`,
    kind: "vault",
    label: vaultName(network, pool),
    description: t("Vault on {network}", { network: networkName(network) }),
    keywords: `${pool} ${network}`,
    to: `/vaults/${key}`
  }))

const pathOf = ({ network, pair, pool }: AnyBot): string => `/bots/${network}/${pool}/${pair ?? "index"}`

export const botEntries = (bots: ReadonlyArray<AnyBot>, vaultName: VaultName): ReadonlyArray<Entry> => {
  const descriptions = new Map<string, string>()
  const described = ({ network, state }: AnyBot): string => {
    const key = `${state} ${network}`
    const found = descriptions.get(key) ??
      t("Bot · {state} · {network}", { state: stateLabels[state], network: networkName(network) })
    descriptions.set(key, found)
    return found
  }
  return bots.map((bot) => ({
    id: `bot ${bot.key}`,
    kind: "bot",
    label: t("{name} on {vault}", { name: bot.name, vault: vaultName(bot.network, bot.pool) }),
    description: described(bot),
    keywords: `${bot.network} ${bot.pool}`,
    to: pathOf(bot)
  }))
}

const commandLabels = {
  pause: (names: BotNames) => t("Pause {name} on {vault}", names),
  resume: (names: BotNames) => t("Resume {name} on {vault}", names)
}

interface BotNames extends TextValues {
  readonly name: string
  readonly vault: string
}

/** Lists what can be done with bots: those that do not act are resumed, the others paused. */
export const commandEntries = (bots: ReadonlyArray<AnyBot>, vaultName: VaultName): ReadonlyArray<Entry> =>
  bots.map((bot) => {
    const action = bot.state === "stopped" || bot.state === "paused" ? "resume" : "pause"
    return {
      id: `${action} ${bot.key}`,
      kind: "command",
      label: commandLabels[action]({ name: bot.name, vault: vaultName(bot.network, bot.pool) }),
      description: t("Shows what happens before anything is done"),
      keywords: `${bot.network} ${bot.pool}`,
      to: pathOf(bot),
      command: { action, bot }
    }
  })

/** Returns true if the text begins to name a command. */
export const namesCommand = (query: string): boolean => {
  const [verb = ""] = query.trim().toLowerCase().split(/\s+/)
  return verb.length > 1 && [t("Pause"), t("Resume")].some((each) => each.toLowerCase().startsWith(verb))
}

export const walletEntries = (
  wallets: ReadonlyArray<{ readonly address: string; readonly name: string }>
): ReadonlyArray<Entry> =>
  wallets.map(({ address, name }) => ({
    id: `wallet ${address}`,
    kind: "wallet",
    label: name,
    description: t("Gas wallet"),
    keywords: address,
    to: "/gas-wallets"
  }))

/** Returns what contains every word: first what has all of them in its name, at most as many as are listed. */
export const entriesFor = (query: string, entries: ReadonlyArray<Entry>, limit: number): ReadonlyArray<Entry> => {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "")
  const named: Array<Entry> = []
  const others: Array<Entry> = []
  for (const entry of entries) {
    if (named.length === limit) break
    const label = entry.label.toLowerCase()
    if (words.every((word) => label.includes(word))) named.push(entry)
    else if (others.length < limit) {
      const all = `${label} ${entry.description} ${entry.keywords}`.toLowerCase()
      if (words.every((word) => all.includes(word))) others.push(entry)
    }
  }
  return [...named, ...others].slice(0, limit)
}
