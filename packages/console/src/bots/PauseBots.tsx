/** The kill switches of a vault's bots, and of one threshold bot alone. One that the operator has set is disabled. */
import { Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { botScope, thresholdBotScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { useSwitches } from "../gas-wallet/KillSwitch.tsx"
import { signAction } from "../session/SignedAction.ts"
import { showError, showSuccess } from "../shell/Notices.ts"
import { type VaultRef, vaultRefOf } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"
import type { Bot } from "./Bots.ts"

interface SwitchProps {
  readonly vault: VaultRef
  /** The threshold bot to stop alone; all bots of the vault without one. */
  readonly pair?: string
  readonly scope: string
  readonly texts: {
    readonly pause: string
    readonly resume: string
    readonly about: string
    /** Says that only the operator can resume. */
    readonly operator: string
  }
}

function PauseSwitch({ pair, scope, texts, vault }: SwitchProps) {
  const killSwitch = (useSwitches().data ?? []).find((each) => each.scope === scope)
  const which = pair === undefined ? {} : { pair }
  const switching = useMutation({
    mutationFn: async () => {
      if (killSwitch === undefined) {
        const { message } = await call((client) =>
          client.wallet.pauseBot({ ...vault, ...which, reason: "stopped in the console" })
        )
        return message
      }
      // Stopping needs the session only; resuming also needs a signature of the manager's wallet.
      const { network, pool, wallet } = vault
      const signature = await signAction({ action: "resumeBot", network, pool, wallet, ...which })
      return call((client) => client.resumeBot({ network, pool, wallet, ...which, signature }))
    },
    onSuccess: (message) => showSuccess(message),
    onError: showError(t("The kill switch was not changed")),
    onSettled: () => queries.invalidateQueries()
  })
  const isOfOperator = killSwitch?.by === "operator"
  return (
    <Button
      size="xs"
      variant="default"
      loading={switching.isPending}
      disabled={isOfOperator}
      onClick={() => switching.mutate()}
      title={isOfOperator ? texts.operator : texts.about}
    >
      {killSwitch === undefined ? texts.pause : texts.resume}
    </Button>
  )
}

export function PauseBots({ vault }: { readonly vault: VaultRef }) {
  return (
    <PauseSwitch
      vault={vault}
      scope={botScope(vault.network, vault.pool)}
      texts={{
        pause: t("Pause vault’s bots"),
        resume: t("Resume vault’s bots"),
        about: t("All bots of this vault, also those of other pairs"),
        operator: t("Stopped by the operator; only the operator can resume these bots")
      }}
    />
  )
}

export function PauseBot({ bot }: { readonly bot: Bot }) {
  return (
    <PauseSwitch
      vault={vaultRefOf(bot)}
      pair={bot.pair}
      scope={thresholdBotScope({ ...bot, ...vaultRefOf(bot) })}
      texts={{
        pause: t("Pause this bot"),
        resume: t("Resume this bot"),
        about: t("Only this bot. Chart alerts and new settings do not start it until you resume it."),
        operator: t("Stopped by the operator; only the operator can resume this bot")
      }}
    />
  )
}
