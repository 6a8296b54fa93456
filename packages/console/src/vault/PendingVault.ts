/**
 * A vault being created. The sent transaction is stored in the browser and its outcome read from the chain, so a reload
 * loses nothing.
 */
import { useQuery } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { facts, names } from "@vault-trader/core/chain/NetworkFacts"
import { useState } from "react"
import { useLive } from "../connection/useLive.ts"
import { mustBeOn, type ManagerWallet, receiptOf } from "../session/ManagerWallet.ts"
import { findCreatedVault } from "./VaultContracts.ts"
import { t } from "../text/Text.ts"

export interface PendingVault {
  readonly network: Network
  /** The transaction that creates the vault. */
  readonly hash: `0x${string}`
  readonly name: string
  /** The gas wallet that will trade it. */
  readonly wallet: Address
}

const keyOf = (manager: string) => `vault-trader/creation/${manager}`

const isHex = (text: string | undefined): text is `0x${string}` => text?.startsWith("0x") === true

/** Returns the stored creation; undefined for a text of another version. */
const load = (manager: string): PendingVault | undefined => {
  const { hash, name, network, wallet } = Object.fromEntries(
    new URLSearchParams(localStorage.getItem(keyOf(manager)) ?? "")
  )
  const known = names.find((each) => each === network)
  return isHex(hash) && isHex(wallet) && name !== undefined && known !== undefined
    ? { hash, name, network: known, wallet }
    : undefined
}

/** Returns the pending vault of the manager in this browser, and its setter. */
export const usePendingVault = (manager: string) => {
  const [pending, setState] = useState(() => load(manager))
  const setPending = (next: PendingVault | undefined) => {
    if (next === undefined) localStorage.removeItem(keyOf(manager))
    else localStorage.setItem(keyOf(manager), new URLSearchParams({ ...next }).toString())
    setState(next)
  }
  return [pending, setPending] as const
}

/** Follows the vault platform's rules on a network. */
export const usePlatform = (network: Network | undefined) =>
  useLive(["platform", network], network && ((client) => client.live.platform({ network })))

/** Queries the vault that a transaction created; null until it is mined. Rejects if it reverted or created no vault. */
export const useCreatedVault = (
  managerWallet: ManagerWallet | undefined,
  chainId: number | undefined,
  pending: PendingVault | undefined
) =>
  useQuery({
    queryKey: ["created", pending?.hash],
    enabled: managerWallet !== undefined && pending !== undefined && chainId === facts[pending.network].chainId,
    queryFn: async () => {
      await mustBeOn(managerWallet as ManagerWallet, (pending as PendingVault).network)
      const receipt = await receiptOf(managerWallet as ManagerWallet, (pending as PendingVault).hash)
      if (receipt === undefined) return null
      const pool = findCreatedVault(receipt)
      if (pool === undefined) throw new Error(t("The transaction created no vault."))
      return pool
    },
    refetchInterval: ({ state }) => typeof state.data === "string" ? false : 1_500,
    retry: false
  })
