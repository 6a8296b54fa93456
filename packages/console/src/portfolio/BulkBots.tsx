/** Bulk actions on bots: pause, resume, remove. */
import { useState } from "react"
import type { BulkAction, BulkLine } from "../bulk/BulkLine.ts"
import { BulkReview } from "../bulk/BulkReview.tsx"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { useSwitches } from "../gas-wallet/KillSwitch.tsx"
import { paramsOf as indexParams, termsOf as indexTerms } from "../index-bot/IndexTerms.ts"
import { paramsOf, termsOf } from "../threshold-bot/BotTerms.ts"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { botsKey, type useBots } from "../bots/Bots.ts"
import { type FleetStops, type NamedBot, pauseLines, resumeStoppedLines, titleOf } from "./BotStops.ts"
import type { BotAction } from "./FleetOfBots.tsx"
import { t } from "../text/Text.ts"

type All = NonNullable<ReturnType<typeof useBots>["data"]>

/** Sets a bot that paused itself again, with the terms that it has when it is sent. */
const restart = (bot: NamedBot) => async (requestKey: string): Promise<string> => {
  const now = queries.getQueryData<All>(botsKey)
  const isHere = (each: { readonly network: string; readonly pool: string; readonly paused_reason: string | null }) =>
    each.network === bot.network && each.pool === bot.pool && each.paused_reason !== null
  const index = bot.pair === null ? now?.index_bots.find(isHere) : undefined
  const threshold = now?.bots.find((each) => isHere(each) && each.pair === bot.pair)
  // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
  if (index !== undefined) {
    const terms = { ...indexParams({ ...indexTerms(index), enabled: true }), wallet: bot.gasWallet }
    return (await call((client) => client.wallet.setIndexBot(terms as never))).message
  }
  if (threshold === undefined) throw new Error(t("This bot is no longer paused. Nothing was done."))
  const terms = { ...paramsOf(termsOf(threshold)), wallet: bot.gasWallet, idempotency_key: requestKey }
  await call((client) => client.wallet.setBot(terms as never))
  return t("The bot of {pair} is resumed.", { pair: threshold.pair })
}

const notPaused: Readonly<Record<string, string>> = {
  active: t("It runs already."),
  paper: t("It runs already."),
  "on hold": t("It is on hold, not paused: edit it to choose a side."),
  off: t("It is off, not paused: edit it to start it.")
}

const restartLine = (bot: NamedBot): BulkLine => ({
  key: bot.key,
  name: titleOf(bot),
  effect: bot.state === "paused"
    ? t("Starts again with the settings it has, and may trade at once.")
    : notPaused[bot.state] ?? "",
  send: bot.state === "paused" ? restart(bot) : undefined
})

const removeLine = (bot: NamedBot): BulkLine => ({
  key: bot.key,
  name: titleOf(bot),
  effect: bot.pair === null
    ? t("An index bot is disabled on its page, not removed.")
    : t("Is removed with its settings. A pending trade still completes."),
  send: bot.pair === null ?
    undefined :
    () =>
      call((client) => client.wallet.deleteBot({ ...vaultRefOf(bot), pair: bot.pair ?? "" })).then(({ message }) =>
        message
      )
})

const bulkOf = (name: BotAction, fleet: FleetStops): BulkAction => {
  const { selected } = fleet
  if (name === "pause") {
    return {
      title: t("Pause the selected bots"),
      action: t("Pause"),
      note: t(
        "Nothing more is signed for what is stopped until you resume it, also not by chart alerts or new " +
          "settings; transactions already sent still complete. The vaults keep their assets."
      ),
      lines: pauseLines(fleet),
      atOnce: 4
    }
  }
  if (name === "remove") {
    return {
      title: t("Remove the selected bots"),
      action: t("Remove"),
      note: t("The vaults keep their assets. This cannot be undone: a bot that is removed must be set up again."),
      lines: selected.map(removeLine),
      atOnce: 4,
      confirm: t("{count, plural, one {# bot} other {# bots}}", {
        count: selected.filter(({ pair }) => pair !== null).length
      })
    }
  }
  return {
    title: t("Resume the selected bots"),
    action: t("Resume"),
    note: t(
      "Bots that paused themselves start again. Bots and vaults that were stopped are resumed with a " +
        "signature of your wallet each."
    ),
    lines: [
      ...resumeStoppedLines(fleet),
      ...selected.filter(({ state }) => state !== "stopped").map((bot) => restartLine(bot))
    ],
    atOnce: 1
  }
}

/** Shows the review of an action on what is selected when it opens; it does not change while it is open. */
export function BulkBots({ bots, close, everyBot, name }: {
  readonly name: BotAction
  readonly bots: ReadonlyArray<NamedBot>
  readonly everyBot: ReadonlyArray<NamedBot>
  readonly close: () => void
}) {
  const switches = useSwitches().data
  return switches === undefined
    ? null
    : <Opened fleet={{ everyBot, selected: bots, switches }} name={name} close={close} />
}

function Opened({ close, fleet, name }: {
  readonly fleet: FleetStops
  readonly name: BotAction
  readonly close: () => void
}) {
  const [bulk] = useState(() => bulkOf(name, fleet))
  return <BulkReview bulk={bulk} close={close} />
}
