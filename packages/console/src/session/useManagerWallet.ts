/** Hooks for the manager's wallet: the wallet, its network, and one transaction at a time. */
import { useMutation, useQuery } from "@tanstack/react-query"
import type { Network } from "@vault-trader/core/chain/Network"
import { useState } from "react"
import {
  chainIdOf,
  findOwn,
  isRefusal,
  mined,
  type OwnReceipt,
  type OwnTransaction,
  type OwnWallet,
  send,
  switchTo
} from "./ManagerWallet.ts"
import { useSession } from "../connection/Session.ts"

export const useOwn = () => {
  const manager = useSession().data?.manager ?? ""
  return useQuery({
    queryKey: ["own", manager],
    enabled: manager !== "",
    queryFn: () => findOwn(manager),
    // A wallet is an object with methods, so it must not be compared structurally.
    structuralSharing: false,
    refetchInterval: ({ state }) => state.data === undefined ? 3_000 : false,
    staleTime: Infinity,
    retry: false
  })
}

/** Follows the chain id of the wallet's current network. */
export const useOwnChain = (own: OwnWallet | undefined) =>
  useQuery({
    queryKey: ["own-chain", own?.account],
    enabled: own !== undefined,
    queryFn: () => chainIdOf(own as OwnWallet),
    refetchInterval: 2_000
  })

interface Sending {
  readonly own: OwnWallet
  /** A function is called once the wallet is on the network, so that it can read there. */
  readonly transaction: OwnTransaction | ((own: OwnWallet) => Promise<OwnTransaction>)
  readonly confirmed?: (receipt: OwnReceipt) => void
}

export type Stage = "ready" | "asking" | "pending" | "confirmed" | "declined" | "failed"

/**
 * Sends a transaction of the manager's wallet and tracks it until confirmed. A rejection by the user is not a failure.
 */
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
  const stage: Stage = data !== undefined
    ? "confirmed"
    : isPending
    ? (hash === undefined ? "asking" : "pending")
    : error === null
    ? "ready"
    : isRefusal(error)
    ? "declined"
    : "failed"
  return { stage, hash, receipt: data, error, run: mutate, reset }
}
