/** Hooks for the manager's wallet: the wallet, its network, and one transaction at a time. */
import { useMutation, useQuery } from "@tanstack/react-query"
import type { Network } from "@vault-trader/core/chain/Network"
import { useState } from "react"
import {
  chainIdOf,
  findManagerWallet,
  isRefusal,
  waitForReceipt,
  type TransactionReceipt,
  type TransactionRequest,
  type ManagerWallet,
  send,
  switchTo
} from "./ManagerWallet.ts"
import { useSession } from "../connection/Session.ts"

export const useManagerWallet = () => {
  const manager = useSession().data?.manager ?? ""
  return useQuery({
    queryKey: ["own", manager],
    enabled: manager !== "",
    queryFn: () => findManagerWallet(manager),
    // A wallet is an object with methods, so it must not be compared structurally.
    structuralSharing: false,
    refetchInterval: ({ state }) => state.data === undefined ? 3_000 : false,
    staleTime: Infinity,
    retry: false
  })
}

/** Follows the chain id of the wallet's current network. */
export const useManagerChainId = (managerWallet: ManagerWallet | undefined) =>
  useQuery({
    queryKey: ["own-chain", managerWallet?.account],
    enabled: managerWallet !== undefined,
    queryFn: () => chainIdOf(managerWallet as ManagerWallet),
    refetchInterval: 2_000
  })

interface SendRequest {
  readonly managerWallet: ManagerWallet
  /** A function is called once the wallet is on the network, so that it can read there. */
  readonly transaction: TransactionRequest | ((managerWallet: ManagerWallet) => Promise<TransactionRequest>)
  readonly onConfirmed?: (receipt: TransactionReceipt) => void
}

export type Stage = "ready" | "signing" | "pending" | "confirmed" | "declined" | "failed"

/**
 * Sends a transaction of the manager's wallet and tracks it until confirmed. A rejection by the user is not a failure.
 */
export const useManagerTransaction = (network: Network, onSent?: (hash: `0x${string}`) => void) => {
  const [hash, setHash] = useState<`0x${string}`>()
  const { data, error, isPending, mutate, reset } = useMutation<TransactionReceipt, Error, SendRequest>({
    mutationFn: async ({ managerWallet, transaction }) => {
      setHash(undefined)
      await switchTo(managerWallet, network)
      const sentHash = await send(
        managerWallet,
        typeof transaction === "function" ? await transaction(managerWallet) : transaction
      )
      setHash(sentHash)
      onSent?.(sentHash)
      return waitForReceipt(managerWallet, network, sentHash)
    },
    onSuccess: (receipt, { onConfirmed }) => onConfirmed?.(receipt)
  })
  const stage: Stage = data !== undefined
    ? "confirmed"
    : isPending
    ? (hash === undefined ? "signing" : "pending")
    : error === null
    ? "ready"
    : isRefusal(error)
    ? "declined"
    : "failed"
  return { stage, hash, receipt: data, error, run: mutate, reset }
}
