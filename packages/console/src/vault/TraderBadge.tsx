/** Shows if a gas wallet is a vault's trader on chain, or that the chain cannot be read. */
import { Badge } from "@mantine/core"
import { t } from "../text/Text.ts"

export function TraderBadge({ is_trader }: { readonly is_trader: boolean | null }) {
  if (is_trader === null) return <Badge color="gray">{t("chain cannot be read")}</Badge>
  return is_trader
    ? <Badge color="green" variant="dot">{t("wallet is the trader")}</Badge>
    : <Badge color="red">{t("wallet is not the trader")}</Badge>
}
