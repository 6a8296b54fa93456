/** The kill switch of all bots of a vault. It is disabled if the operator has stopped them. */
import { Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { useSwitches } from "../gas-wallet/KillSwitch.tsx"
import { signAction } from "../session/SignedAction.ts"
import { showError, showSuccess } from "../shell/Notices.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

export function PauseBots({ vault }: { readonly vault: VaultRef }) {
  const switches = useSwitches().data ?? []
  const killSwitch = switches.find(({ scope }) => scope === `bot/${vault.network}/${vault.pool}`)
  const switching = useMutation({
    mutationFn: async () => {
      if (killSwitch === undefined) {
        const { message } = await call((client) =>
          client.wallet.pauseBot({ ...vault, reason: "stopped in the console" })
        )
        return message
      }
      // Stopping needs the session only; resuming also needs a signature of the manager's wallet.
      const { network, pool, wallet } = vault
      const signature = await signAction({ action: "resumeBot", network, pool, wallet })
      return call((client) => client.resumeBot({ network, pool, wallet, signature }))
    },
    onSuccess: (message) => showSuccess(message),
    onError: showError(t("The kill switch was not changed")),
    onSettled: () => queries.invalidateQueries()
  })
  const title = killSwitch?.by === "operator"
    ? t("Stopped by the operator; only the operator can resume these bots")
    : t("All bots of this vault, also those of other pairs")
  return (
    <Button
      size="xs"
      variant="default"
      loading={switching.isPending}
      disabled={killSwitch?.by === "operator"}
      onClick={() => switching.mutate()}
      title={title}
    >
      {killSwitch === undefined ? t("Pause vault’s bots") : t("Resume vault’s bots")}
    </Button>
  )
}
