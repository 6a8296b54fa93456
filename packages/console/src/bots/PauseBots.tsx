/** The kill switch of all bots of a vault. It is disabled if the operator has stopped them. */
import { Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { useSwitches } from "../gas-wallet/Switches.ts"
import { done, told } from "../shell/Notices.ts"
import type { Place } from "../vault/Place.ts"

export function PauseBots({ place }: { readonly place: Place }) {
  const on = useSwitches().data ?? []
  const own = on.find(({ scope }) => scope === `bot/${place.network}/${place.pool}`)
  const switching = useMutation({
    mutationFn: () =>
      call((client) =>
        own === undefined
          ? client.wallet.pauseBot({ ...place, reason: "stopped in the console" })
          : client.wallet.resumeBot(place)
      ),
    onSuccess: ({ message }) => done(message),
    onError: told("The kill switch was not changed"),
    onSettled: () => queries.invalidateQueries()
  })
  const title = own?.by === "operator"
    ? "Stopped by the operator; only the operator can resume these bots"
    : "All bots of this vault"
  return (
    <Button
      size="xs"
      variant="default"
      loading={switching.isPending}
      disabled={own?.by === "operator"}
      onClick={() => switching.mutate()}
      title={title}
    >
      {own === undefined ? "Pause" : "Resume"}
    </Button>
  )
}
