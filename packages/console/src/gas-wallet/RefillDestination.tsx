/** The wallet that a refill goes to, as the user confirms it. */
import { Checkbox, Code, Stack, Text } from "@mantine/core"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { facts } from "@vault-trader/core/chain/NetworkFacts"
import { getAddress } from "viem"
import { short } from "../shell/Format.ts"
import { t } from "../text/Text.ts"

/** The destination's full address from the service, and its current balance. */
export function Destination({ isConfirmed, balance, name, network, setConfirmed, wallet }: {
  readonly wallet: Address
  readonly name: string
  readonly network: Network
  readonly balance: string | undefined
  readonly isConfirmed: boolean
  readonly setConfirmed: (yes: boolean) => void
}) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>{t("To gas wallet {name}, from the service’s records", { name })}</Text>
      <Code block style={{ wordBreak: "break-all", whiteSpace: "pre-wrap" }} aria-label={t("Destination")}>
        {getAddress(wallet)}
      </Code>
      <Text size="sm" c="dimmed">
        {t("Holds {balance} on {network}", {
          balance: balance === undefined ? "…" : `${short(balance)} ${facts[network].native}`,
          network
        })}
      </Text>
      <Checkbox
        mt={4}
        label={t("Refill this wallet on {network}", { network })}
        description={t("Confirm the address and the network to refill")}
        checked={isConfirmed}
        onChange={(event) => setConfirmed(event.currentTarget.checked)}
      />
    </Stack>
  )
}
