/** A transaction: its hash, to copy. */
import { Address } from "./Address.tsx"

export function Transaction({ hash }: { readonly network: string | null; readonly hash: string }) {
  return <Address of={hash} what="transaction" />
}
