/** The manager's own wallet as the pages use it: where it is, what it holds, and one transaction at a time on its way. */
import { useMutation, useQuery } from "@tanstack/react-query"
import type { Network } from "@vault-trader/core/chain/Network"
import { useState } from "react"
import { chainIdOf, findOwn, isRefusal, mined, type OwnReceipt, type OwnTransaction, type OwnWallet, send, switchTo } from "./ManagerWallet.ts"
import { useSession } from "../connection/Session.ts"

export const useOwn = () => {
  const manager = useSession().data?.manager ?? ""
  return useQuery({
    queryKey: ["own", manager],
    enabled: manager !== "",
    queryFn: () => findOwn(manager),
    // A wallet is an object with methods, not an answer to be compared with the last one.
    structuralSharing: false,
    refetchInterval: ({ state }) => state.data === undefined ? 3_000 : false,
    staleTime: Infinity,
    retry: false
  })
}

/** The number of the network the wallet is on. */
export const useOwnChain = (own: OwnWallet | undefined) =>
  useQuery({
    queryKey: ["own-chain", own?.account],
    enabled: own !== undefined,
    queryFn: () => chainIdOf(own as OwnWallet),
    refetchInterval: 2_000
  })

interface Sending {
  readonly own: OwnWallet
  /** A function is asked once the wallet is on the network: it may read there. */
  readonly transaction: OwnTransaction | ((own: OwnWallet) => Promise<OwnTransaction>)
  readonly confirmed?: (receipt: OwnReceipt) => void
}

export type Stage = "ready" | "asking" | "pending" | "confirmed" | "declined" | "failed"

/** A transaction of the manager's own wallet: asked for, pending, confirmed. Declining is no failure. */
export const useOwnTransaction = (network: Network, sent?: (hash: `0x${string}`) => void) => {
  const [hash, setHash] = useState<`0x${string}`>()
  const { data, error, isPending, mutate, reset } = useMutation<OwnReceipt, Error, Sending>({
    mutationFn: async ({ own, transaction }) => {
      setHash(undefined)
      await switchTo(own, network)
      const sentAs = await send(own, typeof transaction === "function" ? await transaction(own) : transaction)
      setHash(sentAs)
      sent?.(sentAs)
      return mined(own, network, sentAs)
    },
    onSuccess: (receipt, { confirmed }) => confirmed?.(receipt)
  })
  const stage: Stage = data !== undefined ? "confirmed" : isPending ? (hash === undefined ? "asking" : "pending") : error === null ? "ready" : isRefusal(error) ? "declined" : "failed"
  return { stage, hash, receipt: data, error, run: mutate, reset }
}
