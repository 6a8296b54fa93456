/** Explains why a set bot does nothing: it paused after failures or a kill switch stops it. Offers to resume it. */
import { Alert, Button, Group, Text } from "@mantine/core"
import { t } from "../text/Text.ts"

/** `resume` sets the bot again with the same terms, which ends its pause. */
export function BotStoppedAlert({ isResuming, kill_switch, paused_reason, resume }: {
  readonly paused_reason: string | null
  readonly kill_switch: string | null
  readonly resume: () => void
  readonly isResuming: boolean
}) {
  return (
    <>
      {paused_reason !== null && (
        <Alert color="red" title={t("Paused after repeated failures")}>
          <Text size="sm">{paused_reason}</Text>
          <Text size="sm">
            {t(
              "Fix the cause first (gas, the vault’s trader, its assets, the slippage limit or the trade " +
                "size), then resume."
            )}
          </Text>
          <Group mt="xs">
            <Button size="xs" color="red" loading={isResuming} onClick={resume}>{t("Resume the bot")}</Button>
          </Group>
        </Alert>
      )}
      {kill_switch !== null && (
        <Alert color="red" title={t("Stopped")}>
          {t("{killSwitch}. It cannot sign anything.", { killSwitch: kill_switch })}
        </Alert>
      )}
    </>
  )
}
