/** The values of the linked vaults as the chain has them now, until the service has sampled them. */
import type { Client } from "../connection/RpcConnection.ts"
import { useLivesEach } from "../connection/useLive.ts"
import { useLinks } from "../vault/useVaults.ts"

/** Vaults up to this number are read from the chain while the service has no sample of their values. */
const maxRead = 12

/** Follows the current values of the linked vaults; idle when not asked to. */
export const useCurrentValues = (isAsked: boolean) => {
  const links = useLinks().data ?? []
  const read = useLivesEach(
    isAsked && links.length > 0 && links.length <= maxRead
      ? links.map(({ network, pool, wallet }) =>
        [
          ["composition", wallet, network, pool],
          (client: Client) => client.live["wallet.poolComposition"]({ wallet, network, pool })
        ] as const
      )
      : []
  )
  // A vault that is not read yet hides no other.
  const valueOf = (index: number) => read[index]?.data?.total_value_usd ?? null
  const vaults = new Map(links.map(({ network, pool }, index) => [`${network}/${pool}`, valueOf(index)]))
  const values = [...vaults.values()]
  return {
    vaults,
    total: values.length > 0 && values.every((value) => value !== null)
      ? values.reduce((sum, value) => sum + (value ?? 0), 0)
      : null
  }
}
