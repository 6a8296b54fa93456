/** Index bots as the page asks for them: one with its last run, its weights beside its targets, what a run would trade now. */
import { useQuery } from "@tanstack/react-query"
import { call } from "../Calls.ts"
import { useLive } from "../Live.ts"
import type { Place } from "../vault/Place.ts"

const keyOf = ({ network, pool, wallet }: Place) => [wallet, network, pool]

export const useIndex = (place: Place) =>
  useQuery({ queryKey: ["index", ...keyOf(place)], queryFn: ({ signal }) => call((client) => client.wallet.getIndexBot(place), signal).then(({ data }) => data), refetchInterval: 3_000 })

export const useAllocations = (place: Place) =>
  useQuery({
    queryKey: ["allocations", ...keyOf(place)],
    queryFn: ({ signal }) => call((client) => client.wallet.getCurrentAllocations(place), signal).then(({ data }) => data),
    refetchInterval: 15_000
  })

/** The dry run of the very plan that is executed. */
export const usePreview = (place: Place, force: boolean) =>
  useQuery({
    queryKey: ["preview", ...keyOf(place), force],
    queryFn: ({ signal }) => call((client) => client.wallet.previewIndexBot({ ...place, force }), signal),
    refetchInterval: 10_000
  })

/** The assets a vault may hold; nothing is asked while the vault is not chosen. */
export const useAssets = (place: Place, known: boolean) =>
  useQuery({
    queryKey: ["assets", ...keyOf(place)],
    enabled: known,
    refetchInterval: false,
    queryFn: ({ signal }) => call((client) => client.wallet.poolComposition(place), signal).then(({ composition }) => composition.map(({ symbol }) => symbol))
  })

export type IndexView = NonNullable<ReturnType<typeof useIndex>["data"]>
export type Run = NonNullable<IndexView["last_run"]>
export type Trade = Run["trades"][number]
export type Planned = Run["plan"][number]
export type Allocations = NonNullable<ReturnType<typeof useAllocations>["data"]>
