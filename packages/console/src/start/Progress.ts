/**
 * The manager's progress through the first steps. Each step is read from the service and the chain; nothing is stored.
 */
import { useBalances, useWallets } from "../gas-wallet/GasWallets.ts"
import { useLive } from "../connection/useLive.ts"
import { useBots } from "../bots/Bots.ts"
import { aboutOf, type Check, useReadiness } from "../threshold-bot/Readiness.ts"
import type { About } from "../trading/Plans.ts"
import { useComposition } from "../vault/Composition.ts"
import { type Link, useLinks } from "../vault/Links.ts"

const useStatus = (about: About | undefined) =>
  useLive(
    ["bot-status", about?.wallet, about?.network, about?.pool],
    about && ((client) =>
      client.live["wallet.getBotStatus"]({ wallet: about.wallet, network: about.network, pool: about.pool })),
    ({ data }) => data
  )

const checking: Check = { state: "asking", says: "Checking." }
const check = (known: boolean, done: boolean, yes: string, no: string): Check =>
  !known ? checking : done ? { state: "done", says: yes } : { state: "missing", says: no }

const statusCheck = ({ data, error }: ReturnType<typeof useStatus>, has: boolean): Check => {
  if (!has) return { state: "missing", says: "Once a bot is set, its first decision appears here." }
  if (data === undefined) return error === null ? checking : { state: "unknown", says: error.message }
  const decided = data.bots.find(({ active, last_decision }) => active && last_decision !== null)
  if (decided !== undefined) {
    return {
      state: "done",
      says:
        `${decided.pair} is active, side ${decided.side}. Last decision: ${decided.last_decision?.action}. ${decided.last_decision?.reason}`
    }
  }
  return {
    state: data.active ? "asking" : "missing",
    says: data.active
      ? "The bot is active; its first decision is pending."
      : "The bot is not active. Trading Bots shows why."
  }
}

/** Suggests a pair of assets the vault may hold. */
const pairOf = (symbols: ReadonlyArray<string>): string => {
  if (symbols.length === 0 || (symbols.includes("WETH") && symbols.includes("USDC"))) return "WETH-USDC"
  return symbols.slice(0, 2).join("-")
}

/** Returns the steps of a wallet and one of its vaults. */
export const useProgress = (wallet: string, link: Link | undefined) => {
  const wallets = useWallets()
  const balances = useBalances()
  const links = useLinks()
  const bots = useBots()
  const about = link === undefined ? undefined : aboutOf(link)
  const held = useComposition(about)
  const bot = bots.data?.bots.find(({ network, pool }) => network === link?.network && pool === link.pool)
  const pair = bot?.pair ??
    pairOf((held.data?.composition ?? []).filter(({ kind }) => kind === "token").map(({ symbol }) => symbol))
  const readiness = useReadiness({
    wallet,
    network: link?.network ?? "",
    pool: link?.pool ?? "",
    pair: held.data === undefined && bot === undefined ? "" : pair
  })
  const gas =
    balances.data?.filter((balance) =>
      balance.address === wallet && balance.balance !== null && Number(balance.balance) > 0
    ) ?? []
  const funded = link === undefined
    ? check(
      balances.data !== undefined,
      gas.length > 0,
      `It has gas on ${gas.map(({ network }) => network).join(", ")}.`,
      "It has no gas on any network."
    )
    : readiness.funded
  const missing = readiness.approvals.find(({ state }) => state !== "done")
  return {
    about,
    bot,
    pair,
    readiness,
    created: check(
      wallets.data !== undefined,
      wallet !== "",
      `${wallets.data?.length === 1 ? "One gas wallet is" : `${wallets.data?.length} gas wallets are`} in your list.`,
      "There is no gas wallet in your list."
    ),
    funded: wallet === "" ? { state: "missing", says: "Once there is a wallet." } as Check : funded,
    linked: check(
      links.data !== undefined,
      link !== undefined,
      link === undefined ? "" : `Vault ${link.pool} on ${link.network}.`,
      "No vault is linked to this gas wallet."
    ),
    trader: link === undefined ? { state: "missing", says: "Once a vault is linked." } as Check : readiness.trader,
    approved: link === undefined
      ? { state: "missing", says: "Once a vault is linked." } as Check
      : readiness.approvals.length === 0
      ? checking
      : missing ?? { state: "done", says: `${pair.replace("-", " and ")} are approved.` } as Check,
    set: check(
      bots.data !== undefined,
      bot !== undefined,
      bot === undefined ? "" : `${bot.pair}, side ${bot.side}.`,
      "No bot is set for this vault."
    ),
    status: statusCheck(useStatus(bot === undefined ? undefined : about), bot !== undefined)
  }
}
