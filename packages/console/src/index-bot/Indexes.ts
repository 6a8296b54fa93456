/** Live queries for index bots: a bot with its last run, weights and targets, and the preview of a run. */
import { useQuery } from "@tanstack/react-query"
import { call } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import type { VaultRef } from "../vault/VaultRef.ts"

const keyOf = ({ network, pool, wallet }: VaultRef) => [wallet, network, pool]

export const useIndex = (vault: VaultRef) =>
  useLive(["index", ...keyOf(vault)], (client) => client.live["wallet.getIndexBot"](vault), ({ data }) => data)

export const useAllocations = (vault: VaultRef) =>
  useLive(
    ["allocations", ...keyOf(vault)],
    (client) => client.live["wallet.getCurrentAllocations"](vault),
    ({ data }) => data
  )

/** Follows the dry run of a rebalance. It uses the same planning as the execution. */
export const usePreview = (vault: VaultRef, force: boolean) =>
  useLive(["preview", ...keyOf(vault), force], (client) => client.live["wallet.previewIndexBot"]({ ...vault, force }))

/** Reads the tokens a vault may hold; idle until a vault is chosen. */
export const useAssets = (vault: VaultRef, isEnabled: boolean) =>
  useQuery({
    queryKey: ["assets", ...keyOf(vault)],
    enabled: isEnabled,
    refetchInterval: false,
    queryFn: ({ signal }) =>
      call((client) => client.wallet.poolComposition(vault), signal).then(({ composition }) =>
        composition.flatMap(({ kind, symbol }) => kind === "token" ? [symbol] : [])
      )
  })

type IndexView = NonNullable<ReturnType<typeof useIndex>["data"]>
export type Run = NonNullable<IndexView["last_run"]>
export type Trade = Run["trades"][number]
export type PlannedLeg = Run["plan"][number]
export type Allocations = NonNullable<ReturnType<typeof useAllocations>["data"]>
