/** The audit entries of bots at exchanges. */
import type * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"

/** The row of a bot that a statement changed, and what it was before; null for a new bot. Numbers are text. */
export interface ChangedBot {
  readonly id: string
  readonly pair: string
  readonly symbol: string
  readonly side: string
  readonly strategy: string
  readonly maxUsd: string
  readonly share: number
  readonly takeProfit: number | null
  readonly stopLoss: number | null
  readonly active: boolean
  readonly pausedReason: string | null
  readonly revision: number
  readonly wasActive: boolean | null
  readonly wasRevision: number | null
  readonly wallet: Address
  /** The exchange and the account's name. */
  readonly account: string
}

export const changeOf = (
  action: "bot.set" | "bot.paused" | "bot.deleted",
  { account, id, pair, wallet }: ChangedBot,
  details: Audit.Change["details"] = {}
): Audit.Change => ({ action, subject: id, wallet, details: { bot: "exchange", account, pair, ...details } })

/** Returns the audit entry of a bot that was set; none when its terms are the same and it was active. */
export const setChange = (row: ChangedBot): Audit.Change | undefined =>
  row.wasRevision === row.revision && row.wasActive === true ? undefined : changeOf("bot.set", row, {
    side: row.side,
    strategy: row.strategy,
    share: row.share,
    max_usd: row.maxUsd,
    take_profit: row.takeProfit,
    stop_loss: row.stopLoss,
    revision: row.revision,
    was: row.wasRevision === null ? null : { active: row.wasActive }
  })
