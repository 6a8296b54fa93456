/** The vaults that the manager manages on chain. */
import type { Network } from "@vault-trader/core/chain/Network"
import { useLive } from "../connection/useLive.ts"

export const useManaged = () => useLive(["managedVaults"], (client) => client.live.managedVaults())

/** Returns the managed vaults of one network, as suggestions for a form. */
export const useManagedOn = (network: string): ReadonlyArray<{ readonly pool: string; readonly name: string }> =>
  useManaged().data?.find((each) => each.network === network as Network)?.vaults ?? []
