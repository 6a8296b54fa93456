/** The scopes of changes: the groups of the catalogue in which an agent, or a sub-key, may change something. */

/** The scope of each group's changes, by the group's title. Changes of a group without a scope are for no agent. */
const scopeOfTitle = {
  "Gas wallets": "wallets",
  "Kill switches": "switches",
  Trading: "trade",
  "Vault groups": "trade",
  Lending: "lend",
  Liquidity: "liquidity",
  "Perpetual contracts": "perpetuals",
  "Manager fees": "fees",
  "Threshold bots": "bots",
  "Index bots": "bots",
  Orders: "orders",
  Guardians: "guardians",
  Followers: "followers",
  Strategies: "bots",
  "Exchange accounts and their bots": "exchange",
  Charges: "exchange"
} as const

export type Scope = (typeof scopeOfTitle)[keyof typeof scopeOfTitle]

const byTitle: Readonly<Record<string, Scope | undefined>> = scopeOfTitle

/** Returns the scope of a group's changes. */
export const ofTitle = (title: string): Scope | undefined => byTitle[title]

/** Every scope, in the order of the catalogue's groups. */
export const scopes: ReadonlyArray<Scope> = [...new Set(Object.values(scopeOfTitle))]

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text)

/** The accepted values of a list of scopes, completing the sentence "expected …". */
export const accepted = `all, or a list of ${scopes.join(", ")}`

/** Parses a comma list of scopes, or `all`; `undefined` when one is unknown. */
export const parse = (text: string): ReadonlySet<Scope> | undefined => {
  const names = text.split(",").map((name) => name.trim().toLowerCase())
  if (names.length === 1 && names[0] === "all") return new Set(scopes)
  return names.every(isScope) ? new Set(names) : undefined
}
