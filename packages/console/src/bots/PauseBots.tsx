/** The kill switch of a vault's bots, threshold and index alike. Where a wider switch is on, it says whose that is. */
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
  const turning = useMutation({
    mutationFn: () => call((client) => own === undefined ? client.wallet.pauseBot({ ...place, reason: "stopped in the console" }) : client.wallet.resumeBot(place)),
    onSuccess: ({ message }) => done(message),
    onError: told("The switch was not turned"),
    onSettled: () => queries.invalidateQueries()
  })
  const title = own?.by === "operator" ? "The operator has stopped them; only the operator lets them go on" : "All bots of this vault"
  return (
    <Button size="xs" variant="default" loading={turning.isPending} disabled={own?.by === "operator"} onClick={() => turning.mutate()} title={title}>
      {own === undefined ? "Pause" : "Resume"}
    </Button>
  )
}
