/** Live queries for the value of vaults over time, from the service's samples. */
import type { Range } from "@vault-trader/core/performance/Performance"
import { useLive } from "../connection/useLive.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

/** Periods to choose from, as people read them. */
export const ranges: ReadonlyArray<{ readonly value: Range; readonly label: string }> = [
  { value: "1d", label: "1D" },
  { value: "7d", label: "1W" },
  { value: "30d", label: "1M" },
  { value: "90d", label: "3M" },
  { value: "1y", label: "1Y" },
  { value: "all", label: t("All") }
]

export const usePortfolio = (range: Range) =>
  useLive(["portfolio", range], (client) => client.live.portfolio({ range }))

export type Portfolio = NonNullable<ReturnType<typeof usePortfolio>["data"]>

export const usePerformance = (vault: VaultRef | undefined, range: Range) =>
  useLive(
    ["performance", vault?.wallet, vault?.network, vault?.pool, range],
    vault && ((client) =>
      client.live["wallet.getPerformance"]({
        wallet: vault.wallet,
        network: vault.network,
        pool: vault.pool,
        range,
        points: 400
      })),
    ({ data }) => data
  )
