/**
 * A vault being created. The sent transaction is stored in the browser and its outcome read from the chain, so a reload
 * loses nothing.
 */
import { useQuery } from "@tanstack/react-query"
import { Address } from "@vault-trader/core/chain/Address"
import { facts, Network } from "@vault-trader/core/chain/Network"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { useState } from "react"
import { useLive } from "../connection/useLive.ts"
import { mustBeOn, type OwnWallet, receiptOf } from "../session/ManagerWallet.ts"
import { createdBy } from "./VaultContracts.ts"

const Begun = Schema.fromJsonString(Schema.Struct({
  network: Network,
  /** The transaction that creates the vault. */
  hash: Schema.TemplateLiteral(["0x", Schema.String]),
  name: Schema.String,
  /** The gas wallet that will trade it. */
  wallet: Address
}))
export type Begun = typeof Begun.Type

const keyOf = (manager: string) => `vault-trader/creation/${manager}`

const load = (manager: string): Begun | undefined => {
  const text = localStorage.getItem(keyOf(manager))
  return text === null ? undefined : Result.getOrUndefined(Schema.decodeResult(Begun)(text))
}

/** Returns the pending vault of the manager in this browser, and its setter. */
export const useBegun = (manager: string) => {
  const [begun, setBegun] = useState(() => load(manager))
  const keep = (next: Begun | undefined) => {
    if (next === undefined) localStorage.removeItem(keyOf(manager))
    else localStorage.setItem(keyOf(manager), Schema.encodeSync(Begun)(next))
    setBegun(next)
  }
  return [begun, keep] as const
}

/** Follows the vault platform's rules on a network. */
export const usePlatform = (network: Network | undefined) =>
  useLive(["platform", network], network && ((client) => client.live.platform({ network })))

/** Queries the vault that a transaction created; null until it is mined. Rejects if it reverted or created no vault. */
export const useCreated = (own: OwnWallet | undefined, chainId: number | undefined, begun: Begun | undefined) =>
  useQuery({
    queryKey: ["created", begun?.hash],
    enabled: own !== undefined && begun !== undefined && chainId === facts[begun.network].chainId,
    queryFn: async () => {
      await mustBeOn(own as OwnWallet, (begun as Begun).network)
      const receipt = await receiptOf(own as OwnWallet, (begun as Begun).hash)
      if (receipt === undefined) return null
      const pool = createdBy(receipt)
      if (pool === undefined) throw new Error("The transaction created no vault.")
      return pool
    },
    refetchInterval: ({ state }) => typeof state.data === "string" ? false : 1_500,
    retry: false
  })
