/** One stream for each network, so that a network that does not answer delays and hides no other. */
import type { Network } from "@vault-trader/core/chain/Network"
import { useRef } from "react"
import type { Watch } from "./RpcConnection.ts"
import { type Keep, useLivesEach } from "./useLive.ts"
import { useWhoAmI } from "./useWhoAmI.ts"

/** Returns the list of all parts: the same one while the parts are the same. */
const useJoined = <Row>(parts: ReadonlyArray<ReadonlyArray<Row> | undefined>): ReadonlyArray<Row> => {
  const last = useRef({ parts, rows: parts.flatMap((part) => part ?? []) })
  const { parts: before } = last.current
  if (parts.length !== before.length || parts.some((part, index) => part !== before[index])) {
    last.current = { parts, rows: parts.flatMap((part) => part ?? []) }
  }
  return last.current.rows
}

/**
 * Follows rows of each network. `data` has those of all networks that have answered; it is undefined while there is none
 * and a network has not answered, so that an empty list is known to be empty.
 */
export const useByNetwork = <A, Row>(
  name: string,
  watch: (network: Network) => Watch<A>,
  keep: (network: Network) => Keep<A, ReadonlyArray<Row>>
) => {
  const me = useWhoAmI()
  const own = me.data?.network ?? null
  const networks: ReadonlyArray<Network> = own === null ? me.data?.networks ?? [] : [own]
  const results = useLivesEach<A, ReadonlyArray<Row>>(
    networks.map((network) => [[name, network], watch(network), keep(network)])
  )
  const rows = useJoined(results.map(({ data }) => data))
  const isPendingOn = (network: string): boolean =>
    me.data === undefined ||
    networks.some((each, index) => each === network && results[index]?.data === undefined)
  const isComplete = me.data !== undefined && results.every(({ data }) => data !== undefined)
  const data = isComplete || rows.length > 0 ? rows : undefined
  const updated = results.flatMap(({ data: part, dataUpdatedAt }) => part === undefined ? [] : [dataUpdatedAt])
  return {
    data,
    error: me.error ?? results.find(({ error }) => error !== null)?.error ?? null,
    isPending: data === undefined,
    /** The age of the oldest answer. */
    dataUpdatedAt: data === undefined ? 0 : updated.reduce((oldest, at) => Math.min(oldest, at), Date.now()),
    isPendingOn,
    /** The networks that have not answered yet. */
    pending: networks.filter((_, index) => results[index]?.data === undefined),
    /** Asks every network now. */
    refetch: () => Promise.all(results.map((each) => each.refetch())),
    isRefetching: results.some((each) => each.isRefetching),
    /** The time of a network's last answer. */
    updatedAt: (network: string): number => results[networks.indexOf(network as Network)]?.dataUpdatedAt ?? 0
  }
}
