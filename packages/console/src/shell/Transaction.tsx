/** A transaction: its hash, to copy. */
import type { Network } from "@vault-trader/core/chain/Network"
import { Address } from "./Address.tsx"

export function Transaction({ hash }: { readonly network: Network | null; readonly hash: string }) {
  return <Address of={hash} what="transaction" />
}
