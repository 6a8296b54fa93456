/** Lists what needs a person now, the most urgent first: each with one thing to do. */
import type { ActivityEntry } from "@vault-trader/core/intent/Activity"
import { type AnyBot, allBots } from "../bots/BotState.tsx"
import { useBots } from "../bots/Bots.ts"
import { useApprovals } from "../change-approval/Approvals.ts"
import { guardianLabel } from "../guardian/GuardianLabels.ts"
import { lowUsd, nameOf, useBalances, useWallets } from "../gas-wallet/GasWallets.ts"
import { actionLabelOf } from "../intent/ActionLabels.ts"
import { money, summaryOf } from "../shell/Format.ts"
import { networkName } from "../shell/Icons.tsx"
import { useAuthorities } from "../vault/Authorities.ts"
import { useVaultName } from "../vault/Names.ts"
import { useLinks, useManaged } from "../vault/useVaults.ts"
import { t, type TextValues } from "../text/Text.ts"

const levels = ["red", "orange", "blue"] as const

export interface Concern {
  readonly key: string
  readonly level: typeof levels[number]
  readonly title: string
  readonly text: string
  readonly action: string
  /** A path of the console. */
  readonly to: string
}

const botConcerns = (bots: ReadonlyArray<AnyBot>, vaultName: (network: string, pool: string) => string) =>
  bots.filter(({ state }) => state === "paused").map((bot): Concern => ({
    key: bot.key,
    level: "red",
    title: t("{name} on {vault} paused itself", { name: bot.name, vault: vaultName(bot.network, bot.pool) }),
    text: summaryOf(bot.reason).summary,
    action: t("View bot"),
    to: `/bots/${bot.network}/${bot.pool}/${bot.pair ?? "index"}`
  }))

type Guardian = NonNullable<ReturnType<typeof useAuthorities>["data"]>[number]["guardians"][number]

/**
 * Lists guardians that have tripped, whose actions fail, or that act now. A tripped one does nothing more until it is
 * armed again; that of prices arms itself.
 */
const guardianConcerns = (
  guardians: ReadonlyArray<Guardian>,
  vaultName: (network: string, pool: string) => string
): ReadonlyArray<Concern> => {
  const tripped = guardians.filter(({ state }) => state === "tripped")
  const acting = guardians.filter(({ state }) => state === "acting")
  const failing = guardians.filter(({ failures, state }) => state !== "tripped" && failures > 0)
  const concernOf = (
    guardian: Guardian,
    some: Pick<Concern, "level" | "action"> & { readonly what: (names: TextValues) => string }
  ) => {
    const { guardian_id, kind, network, pool, reason } = guardian
    const { what, ...rest } = some
    return {
      key: `guardian/${guardian_id}`,
      title: what({ kind: guardianLabel(kind), vault: vaultName(network, pool) }),
      text: summaryOf(reason).summary,
      to: `/guardians/${network}/${pool}/${kind}`,
      ...rest
    }
  }
  return [
    ...tripped.map((each) =>
      concernOf(each, {
        what: (names) => t("{kind} guardian of {vault} tripped", names),
        level: "red",
        action: each.kind === "oracle" || each.kind === "gas" ? t("View guardian") : t("Review, then arm again")
      })
    ),
    ...failing.map((each) =>
      concernOf(each, {
        what: (names) =>
          t("{kind} guardian of {vault} failed {failures, plural, one {# time} other {# times}}", {
            ...names,
            failures: each.failures
          }),
        level: "red",
        action: t("View guardian")
      })
    ),
    ...acting.filter(({ failures }) => failures === 0).map((each) =>
      concernOf(each, {
        what: (names) => t("{kind} guardian of {vault} is acting now", names),
        level: "orange",
        action: t("View guardian")
      })
    )
  ]
}

const dayMillis = 86_400_000

const failures = (activity: ReadonlyArray<ActivityEntry>): ReadonlyArray<Concern> => {
  const failed = activity.filter(({ created_at, status }) =>
    status === "failed" && Date.now() - Date.parse(created_at) < dayMillis
  )
  const [last] = failed
  return last === undefined ? [] : [{
    key: "failures",
    level: "orange",
    title: failed.length === 1
      ? t("{action} failed", { action: actionLabelOf(last.action) })
      : t("{count, plural, one {# request} other {# requests}} failed in the last 24 hours", { count: failed.length }),
    text: summaryOf(last.message).summary,
    action: t("View failures"),
    to: "/activity?status=failed"
  }]
}

/** Returns the concerns; undefined while the data they come from is loading. */
export const useConcerns = (activity: ReadonlyArray<ActivityEntry> | undefined): ReadonlyArray<Concern> | undefined => {
  const bots = useBots().data
  const wallets = useWallets().data
  const links = useLinks().data
  const balances = useBalances().data
  const managed = useManaged().data
  const approvals = useApprovals().data
  const authorities = useAuthorities().data
  const vaultName = useVaultName()
  if (bots === undefined || wallets === undefined || links === undefined) return undefined
  const trades = (wallet: string, network: string) =>
    links.some((link) => link.wallet === wallet && link.network === network)
  const gas = (balances ?? []).filter(({ address, balance, balance_usd, network }) =>
    trades(address, network) && balance !== null && (balance === "0" || (balance_usd ?? lowUsd) < lowUsd)
  )
  const concerns: ReadonlyArray<Concern> = [
    ...guardianConcerns(
      // A wallet's list also has the guardians of others at its vaults.
      [...new Map(authorities?.flatMap(({ guardians }) => guardians.map((each) => [each.guardian_id, each]))).values()],
      vaultName
    ),
    ...botConcerns(allBots(bots), vaultName),
    ...(managed ?? []).filter(({ isRead }) => !isRead).map(({ network }): Concern => ({
      key: `unread/${network}`,
      level: "orange",
      title: t("{network} can’t be read right now", { network: networkName(network) }),
      text: t("Values and names of vaults there are the last known ones. Bots there wait."),
      action: t("View vaults"),
      to: "/vaults"
    })),
    ...gas.map(({ address, balance, balance_usd, network }): Concern => ({
      key: `gas/${address}/${network}`,
      level: balance === "0" ? "red" : "orange",
      title: balance === "0"
        ? t("{name} has no gas on {network}", {
          name: nameOf(wallets.find((each) => each.address === address) ?? { address, label: null }),
          network: networkName(network)
        })
        : t("{name} is low on gas on {network}", {
          name: nameOf(wallets.find((each) => each.address === address) ?? { address, label: null }),
          network: networkName(network)
        }),
      text: balance === "0"
        ? t("It cannot send transactions there until you refill it.")
        : t("{balanceUsd} left. Refill it before its bots stop.", { balanceUsd: money(balance_usd) }),
      action: t("Refill"),
      to: "/gas-wallets"
    })),
    ...links.filter(({ is_trader }) => is_trader === false).map(({ label, network, pool, wallet }): Concern => ({
      key: `trader/${network}/${pool}/${wallet}`,
      level: "orange",
      title: t("{name} can’t trade {vault} yet", {
        name: nameOf({ address: wallet, label }),
        vault: vaultName(network, pool)
      }),
      text: t("Make it the vault’s trader; until then its bots and orders cannot trade."),
      action: t("View vault"),
      to: `/vaults/${network}/${pool}`
    })),
    ...failures(activity ?? []),
    ...(approvals !== undefined && approvals.requests.length > 0
      ? [{
        key: "approvals",
        level: "blue" as const,
        title: t("{count, plural, one {# change} other {# changes}} waiting for approval", {
          count: approvals.requests.length
        }),
        text: t("Nothing changes until enough approvers have signed."),
        action: t("Review"),
        to: "/approvals"
      }]
      : [])
  ]
  return concerns.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))
}
