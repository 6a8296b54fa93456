/** Live queries for index bots: a bot with its last run, weights and targets, and the preview of a run. */
import { useQuery } from "@tanstack/react-query"
import { call } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import type { Place } from "../vault/Place.ts"

const keyOf = ({ network, pool, wallet }: Place) => [wallet, network, pool]

export const useIndex = (place: Place) =>
  useLive(["index", ...keyOf(place)], (client) => client.live["wallet.getIndexBot"](place), ({ data }) => data)

export const useAllocations = (place: Place) =>
  useLive(
    ["allocations", ...keyOf(place)],
    (client) => client.live["wallet.getCurrentAllocations"](place),
    ({ data }) => data
  )

/** Follows the dry run of a rebalance. It uses the same planning as the execution. */
export const usePreview = (place: Place, force: boolean) =>
  useLive(["preview", ...keyOf(place), force], (client) => client.live["wallet.previewIndexBot"]({ ...place, force }))

/** Reads the assets a vault may hold; idle until a vault is chosen. */
export const useAssets = (place: Place, known: boolean) =>
  useQuery({
    queryKey: ["assets", ...keyOf(place)],
    enabled: known,
    refetchInterval: false,
    queryFn: ({ signal }) =>
      call((client) => client.wallet.poolComposition(place), signal).then(({ composition }) =>
        composition.map(({ symbol }) => symbol)
      )
  })

export type IndexView = NonNullable<ReturnType<typeof useIndex>["data"]>
export type Run = NonNullable<IndexView["last_run"]>
export type Trade = Run["trades"][number]
export type Planned = Run["plan"][number]
export type Allocations = NonNullable<ReturnType<typeof useAllocations>["data"]>
