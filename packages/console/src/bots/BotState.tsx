/** The state of a bot, the same on every page: as a badge, as a sort order, and as a word to filter by. */
import { thresholdBotScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { readable } from "../shell/Format.ts"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { vaultRefOf } from "../vault/VaultRef.ts"
import type { Bot, Index } from "./Bots.ts"
import { once } from "../shell/Once.ts"
import { t } from "../text/Text.ts"

export type BotState = "stopped" | "paused" | "active" | "paper" | "on hold" | "off"

/** The states, those that need a person first. */
export const states: ReadonlyArray<BotState> = ["stopped", "paused", "active", "paper", "on hold", "off"]

export const stateOf = (
  { active, kill_switch, paper, paused_reason, side }:
    & Pick<Bot, "active" | "kill_switch" | "paper" | "paused_reason">
    & { readonly side?: string }
): BotState =>
  kill_switch !== null
    ? "stopped"
    : paused_reason !== null
    ? "paused"
    : active
    ? paper ? "paper" : "active"
    : side === "hold"
    ? "on hold"
    : "off"

/** The states as people read them. */
export const stateLabels: Readonly<Record<BotState, string>> = {
  stopped: t("stopped"),
  paused: t("paused"),
  active: t("active"),
  paper: t("paper"),
  "on hold": t("on hold"),
  off: t("off")
}

const colours: Readonly<Record<BotState, string>> = {
  stopped: "red",
  paused: "red",
  active: "green",
  paper: "cyan",
  "on hold": "gray",
  off: "gray"
}

export function StateBadge({ state }: { readonly state: BotState }) {
  return <StatusBadge color={colours[state]} label={stateLabels[state]} />
}

/** A bot of any kind at a vault, as lists show it. */
export interface AnyBot {
  readonly key: string
  readonly kind: "threshold" | "index"
  readonly name: string
  readonly pair: string | null
  /** The scope of the switch that stops it alone; null where there is none of its kind. */
  readonly ownScope: string | null
  readonly network: string
  readonly pool: string
  readonly gasWallet: string
  readonly state: BotState
  readonly stance: string
  readonly reason: string
  readonly decidedAt: string | null
  readonly nextCheck: string | null
}

const thresholdOf = once((bot: Bot): AnyBot => ({
  key: `${bot.network}/${bot.pool}/${bot.pair}`,
  kind: "threshold",
  name: bot.pair,
  pair: bot.pair,
  ownScope: thresholdBotScope({ ...bot, ...vaultRefOf(bot) }),
  network: bot.network,
  pool: bot.pool,
  gasWallet: bot.gasWallet,
  state: stateOf(bot),
  stance: bot.side,
  reason: readable(bot.kill_switch ?? bot.paused_reason ?? bot.last_decision?.reason ?? t("No decision yet.")),
  decidedAt: bot.last_decision?.at ?? null,
  nextCheck: bot.next_check
}))

const indexOf = once((bot: Index): AnyBot => ({
  key: `${bot.network}/${bot.pool}/index`,
  kind: "index",
  name: t("Index of {count}", { count: bot.targets.length }),
  pair: null,
  ownScope: null,
  network: bot.network,
  pool: bot.pool,
  gasWallet: bot.gasWallet,
  state: stateOf(bot),
  stance: bot.targets.map(({ asset, weight }) => `${asset} ${weight} %`).join(", "),
  reason: readable(bot.kill_switch ?? bot.paused_reason ?? bot.last_decision ?? t("No decision yet.")),
  decidedAt: bot.last_decided_at,
  nextCheck: bot.next_run_at
}))

interface All {
  readonly bots: ReadonlyArray<Bot>
  readonly index_bots: ReadonlyArray<Index>
}

const listOf = once(({ bots, index_bots }: All): ReadonlyArray<AnyBot> => [
  ...bots.map(thresholdOf),
  ...index_bots.map(indexOf)
])

const none: ReadonlyArray<AnyBot> = []

/** Lists threshold and index bots together: the same list, and the same bots in it, while the answer has them. */
export const allBots = (bots: All | undefined): ReadonlyArray<AnyBot> => bots === undefined ? none : listOf(bots)
