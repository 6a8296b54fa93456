/** When a threshold bot was set, by whom and with which limits, from the audit log. */
import { Stack, Text } from "@mantine/core"
import type { AuditEntryView } from "@vault-trader/core/audit/AuditApi"
import { useLive } from "../connection/useLive.ts"
import { dollars, percent, shortHex } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { Time } from "../shell/Time.tsx"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"
import type { Bot } from "./Bots.ts"

/** How many settings of all bots of the wallet are searched for those of this one. */
const limit = 100

const useSettings = (bot: Bot) => {
  const { network, pool, wallet } = vaultRefOf(bot)
  return useLive(
    ["bot-history", wallet],
    (client) => client.live["manager.getAuditLog"]({ wallet, action: "bot.set", limit }),
    ({ entries }) =>
      entries.filter(({ details }) =>
        details["bot"] === "threshold" && details["network"] === network && details["pool"] === pool &&
        details["pair"] === bot.pair
      )
  )
}

const termsOf = ({ details }: AuditEntryView): string => {
  const terms = t("Side {side}, {share} of it per trade, worth at most {maxUsd}", {
    side: typeof details["side"] === "string" ? details["side"] : "",
    share: percent(Number(details["share"])),
    maxUsd: dollars(Number(details["max_usd"]))
  })
  return details["paper"] === true ? t("{terms}, on paper", { terms }) : terms
}

export function BotHistory({ bot }: { readonly bot: Bot }) {
  const settings = useSettings(bot)
  if (settings.error !== null && settings.data === undefined) {
    return <Problem title={t("The settings cannot be loaded right now")} message={settings.error.message} />
  }
  if (settings.data === undefined || settings.data.length === 0) return null
  return (
    <Section title={t("Settings")}>
      <Stack gap="xs" component="ol" aria-label={t("Settings")} style={{ listStyle: "none", margin: 0, padding: 0 }}>
        {settings.data.map((entry) => (
          <li key={entry.seq}>
            <Text size="sm">{termsOf(entry)}</Text>
            <Text size="xs" c="dimmed" component="div">
              <T
                message="{time}, by {actor}"
                values={{ time: <Time at={entry.at} />, actor: entry.actor === null ? "–" : shortHex(entry.actor) }}
              />
            </Text>
          </li>
        ))}
      </Stack>
    </Section>
  )
}
