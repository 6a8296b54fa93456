/**
 * Bulk stops of bots, and their end. A threshold bot has a switch of its own, which stops nothing else; an index has only
 * that of its vault.
 */
import type { AnyBot } from "../bots/BotState.tsx"
import type { BulkLine } from "../bulk/BulkLine.ts"
import { call } from "../connection/RpcConnection.ts"
import { signAction } from "../session/SignedAction.ts"
import { t } from "../text/Text.ts"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { resumeLines, type Switch } from "../vault/VaultStops.ts"

/** A bot with its vault's name. */
export interface NamedBot extends AnyBot {
  readonly vault: string
}

/** The selected bots, all bots, and the switches that are on. */
export interface FleetStops {
  readonly selected: ReadonlyArray<NamedBot>
  readonly everyBot: ReadonlyArray<NamedBot>
  readonly switches: ReadonlyArray<Switch>
}

export const titleOf = ({ name, vault }: Pick<NamedBot, "name" | "vault">) => t("{name} on {vault}", { name, vault })

const isAtSameVault = (one: NamedBot, other: NamedBot): boolean =>
  one.network === other.network && one.pool === other.pool

const switchOf = ({ ownScope }: NamedBot, switches: ReadonlyArray<Switch>) =>
  ownScope === null ? undefined : switches.find(({ scope }) => scope === ownScope)

const switchesOfVault = ({ network, pool }: NamedBot, switches: ReadonlyArray<Switch>) =>
  switches.filter(({ scope }) => scope === `bot/${network}/${pool}`)

const pauseAlone = (bot: NamedBot, pair: string, switches: ReadonlyArray<Switch>): BulkLine => {
  const isStopped = switchOf(bot, switches) !== undefined
  return {
    key: bot.key,
    name: titleOf(bot),
    effect: isStopped
      ? t("It is already stopped.")
      : bot.state === "stopped"
      ? t("Also stops this bot alone: it stays stopped when what stops it now ends.")
      : t("Stops this bot alone. The other bots and orders of its vault continue."),
    send: isStopped
      ? undefined
      : () =>
        call((client) => client.wallet.pauseBot({ ...vaultRefOf(bot), pair, reason: "stopped in the console" }))
          .then(({ message }) => message)
  }
}

const pauseWithVault = (bot: NamedBot, { everyBot, switches }: FleetStops): BulkLine => {
  const isStopped = switchesOfVault(bot, switches).some(({ by }) => by !== "guardian")
  const others = everyBot.filter((each) => each.key !== bot.key && isAtSameVault(each, bot))
  return {
    key: bot.key,
    name: titleOf(bot),
    effect: isStopped
      ? t("Its bots and orders are already stopped.")
      : others.length === 0
      ? t("Is stopped with its vault: also its orders and all else that trades it.")
      : t("Is stopped with its vault: also its orders and all else that trades it, such as {others}.", {
        others: others.map(({ name }) => name).join(", ")
      }),
    send: isStopped
      ? undefined
      : () =>
        call((client) => client.wallet.pauseBot({ ...vaultRefOf(bot), reason: "stopped in the console" }))
          .then(({ message }) => message)
  }
}

/** Returns one line for each selected bot. What is stopped already is left as it is. */
export const pauseLines = (fleet: FleetStops): ReadonlyArray<BulkLine> =>
  fleet.selected.map((bot) =>
    bot.pair === null ? pauseWithVault(bot, fleet) : pauseAlone(bot, bot.pair, fleet.switches)
  )

const resumeAlone = (bot: NamedBot, pair: string, { selected, switches }: FleetStops): BulkLine => {
  const mayResume = switchOf(bot, switches)?.by === "owner"
  const ofVault = switchesOfVault(bot, switches)
  // The vault's own line ends what the manager has stopped.
  const staysStopped = ofVault.some(({ by }) => by !== "owner") ||
    (ofVault.length > 0 && !selected.some((each) => isAtSameVault(each, bot)))
  return {
    key: bot.key,
    name: titleOf(bot),
    effect: !mayResume
      ? t("The operator has stopped this bot; only the operator can resume it.")
      : staysStopped
      ? t("Ends this bot’s own stop, with a signature of your wallet. It waits until its vault is resumed, too.")
      : t("Resumes this bot, which was stopped alone, with a signature of your wallet."),
    send: mayResume
      ? async () => {
        const which = { ...vaultRefOf(bot), pair }
        const signature = await signAction({ action: "resumeBot", ...which })
        return call((client) => client.resumeBot({ ...which, signature }))
      }
      : undefined
  }
}

/**
 * Returns the lines that resume stopped bots: one for each bot with a switch of its own, and one for each vault that is
 * stopped as a whole. Bots there that are stopped alone stay so, unless they are selected.
 */
export const resumeStoppedLines = (fleet: FleetStops): ReadonlyArray<BulkLine> => {
  const { everyBot, switches } = fleet
  const stopped = fleet.selected.filter(({ state }) => state === "stopped")
  const isAlone = (bot: NamedBot) => switchOf(bot, switches) !== undefined
  const withVault = stopped.filter((bot) => !isAlone(bot) || switchesOfVault(bot, switches).length > 0)
  const resumed = everyBot.filter((bot) => !isAlone(bot) || stopped.includes(bot))
  return [
    ...stopped.flatMap((bot) => bot.pair !== null && isAlone(bot) ? [resumeAlone(bot, bot.pair, fleet)] : []),
    ...resumeLines(withVault, resumed, switches)
  ]
}
