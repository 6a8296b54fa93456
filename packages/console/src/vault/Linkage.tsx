/** Whether a gas wallet may trade a vault, as the chain tells: it is the trader, somebody else is, or the chain cannot be read. */
import { Badge } from "@mantine/core"

export function Linkage({ is_trader }: { readonly is_trader: boolean | null }) {
  if (is_trader === null) return <Badge color="gray">chain cannot be read</Badge>
  return is_trader ? <Badge color="green" variant="dot">wallet is the trader</Badge> : <Badge color="red">trader is someone else</Badge>
}
