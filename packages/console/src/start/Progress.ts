/**
 * The manager's progress through the first steps. Each step is read from the service and the chain; nothing is stored.
 */
import { useBalances, useWallets } from "../gas-wallet/GasWallets.ts"
import { useLive } from "../connection/useLive.ts"
import { type Bot, useBots } from "../bots/Bots.ts"
import { parseVaultRef, type Check, useReadiness } from "../threshold-bot/Readiness.ts"
import { readable } from "../shell/Format.ts"
import { networkName } from "../shell/Icons.tsx"
import { useVaultName } from "../vault/Names.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { type Link, useComposition, useLinks } from "../vault/useVaults.ts"
import { t } from "../text/Text.ts"

const useStatus = (vault: VaultRef | undefined) =>
  useLive(
    ["bot-status", vault?.wallet, vault?.network, vault?.pool],
    vault && ((client) =>
      client.live["wallet.getBotStatus"]({ wallet: vault.wallet, network: vault.network, pool: vault.pool })),
    ({ data }) => data
  )

const checking: Check = { state: "checking", text: t("Checking.") }
const missing = (text: string): Check => ({ state: "missing", text })
const check = (isKnown: boolean, isDone: boolean, yes: string, no: string): Check =>
  !isKnown ? checking : isDone ? { state: "done", text: yes } : missing(no)

const statusCheck = ({ data, error }: ReturnType<typeof useStatus>, hasBot: boolean): Check => {
  if (!hasBot) return missing(t("Once a bot is set, its first decision appears here."))
  if (data === undefined) return error === null ? checking : { state: "unknown", text: error.message }
  const bot = data.bots.find(({ active, last_decision }) => active && last_decision !== null)
  if (bot !== undefined) {
    const { last_decision, pair, side } = bot
    return {
      state: "done",
      text: t("{pair} is active, side {side}. Last decision: {action}. {reason}", {
        pair,
        side,
        action: last_decision?.action,
        reason: readable(last_decision?.reason ?? "")
      })
    }
  }
  return data.active
    ? { state: "checking", text: t("The bot is active; its first decision is pending.") }
    : missing(t("The bot is not active. Trading Bots shows why."))
}

/** Checks if the wallet has gas on any network, before a vault determines the network. */
const anyGasCheck = (wallet: string, balances: ReturnType<typeof useBalances>["data"]): Check => {
  const funded =
    balances?.filter(({ address, balance }) => address === wallet && balance !== null && Number(balance) > 0) ?? []
  return check(
    balances !== undefined,
    funded.length > 0,
    t("It has gas on {funded}.", { funded: funded.map(({ network }) => network).join(", ") }),
    t("It has no gas on any network.")
  )
}

const walletCheck = (count: number | undefined, wallet: string): Check =>
  check(
    count !== undefined,
    wallet !== "",
    count === 1 ? t("One gas wallet is in your list.") : t("{count} gas wallets are in your list.", { count }),
    t("There is no gas wallet in your list.")
  )

/** The gas wallet trades a vault: it is linked and the vault's trader. */
const vaultCheck = (
  link: Link | undefined,
  isKnown: boolean,
  trader: Check,
  vaultName: (network: string, pool: string) => string
): Check =>
  link === undefined || trader.state === "done"
    ? check(
      isKnown,
      link !== undefined,
      t("It trades {vault} on {network}.", {
        vault: vaultName(link?.network ?? "", link?.pool ?? ""),
        network: networkName(link?.network ?? "")
      }),
      t("Choose a vault that you manage. Your wallet makes the gas wallet its trader.")
    )
    : trader

/** Suggests a pair of assets the vault may hold. */
const pairOf = (symbols: ReadonlyArray<string>): string => {
  if (symbols.length === 0 || (symbols.includes("WETH") && symbols.includes("USDC"))) return "WETH-USDC"
  return symbols.slice(0, 2).join("-")
}

/** Returns the pair of the vault's bot, otherwise a suggestion; empty while the vault's assets are unknown. */
const usePair = (vault: VaultRef | undefined, bot: Bot | undefined) => {
  const { data } = useComposition(vault)
  const vaultUsd = data?.total_value_usd
  const symbols = data?.composition.filter(({ kind }) => kind === "token").map(({ symbol }) => symbol)
  return { pair: bot?.pair ?? pairOf(symbols ?? []), isKnown: bot !== undefined || symbols !== undefined, vaultUsd }
}

/** Returns the steps of a wallet and one of its vaults. */
export const useProgress = (wallet: string, link: Link | undefined) => {
  const wallets = useWallets()
  const balances = useBalances()
  const links = useLinks()
  const bots = useBots()
  const vault = link === undefined ? undefined : parseVaultRef(link)
  const bot = bots.data?.bots.find(({ network, pool }) => network === link?.network && pool === link.pool)
  const { isKnown, pair, vaultUsd } = usePair(vault, bot)
  const readiness = useReadiness({
    wallet,
    network: link?.network ?? "",
    pool: link?.pool ?? "",
    pair: isKnown ? pair : ""
  })
  const status = useStatus(bot === undefined ? undefined : vault)
  const vaultName = useVaultName()
  return {
    vault,
    bot,
    pair,
    vaultUsd,
    readiness,
    checks: {
      wallet: walletCheck(wallets.data?.length, wallet),
      gas: wallet === ""
        ? missing(t("Once there is a wallet."))
        : link === undefined
        ? anyGasCheck(wallet, balances.data)
        : readiness.gas,
      vault: wallet === ""
        ? missing(t("Once there is a wallet."))
        : vaultCheck(link, links.data !== undefined, readiness.trader, vaultName),
      bot: check(
        bots.data !== undefined,
        bot !== undefined,
        t("{pair}, side {side}.", { pair: bot?.pair, side: bot?.side }),
        t("A first bot with limits that suit the vault. You see its trades and what they cost before it starts.")
      ),
      status: statusCheck(status, bot !== undefined)
    }
  }
}

export type Progress = ReturnType<typeof useProgress>
