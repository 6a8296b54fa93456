/** Shows if a gas wallet is a vault's trader on chain, another address is, or the chain cannot be read. */
import { Badge } from "@mantine/core"

export function Linkage({ is_trader }: { readonly is_trader: boolean | null }) {
  if (is_trader === null) return <Badge color="gray">chain cannot be read</Badge>
  return is_trader
    ? <Badge color="green" variant="dot">wallet is the trader</Badge>
    : <Badge color="red">trader is someone else</Badge>
}
