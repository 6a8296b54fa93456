/** How a vault is set up: which gas wallet trades it, whether it may, and the limits of that wallet's key. */
import { Alert, Button, Group } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import { useLive } from "../connection/useLive.ts"
import { nameOf } from "../gas-wallet/GasWallets.ts"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { type Fact, Facts } from "../shell/Facts.tsx"
import { limitText } from "../shell/Format.ts"
import { Section } from "../shell/Section.tsx"
import { Time } from "../shell/Time.tsx"
import { TraderBadge } from "../vault/TraderBadge.tsx"
import type { Link } from "../vault/useVaults.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

const TraderDialog = lazy(() => import("../vault/Trader.tsx").then(({ TraderDialog }) => ({ default: TraderDialog })))

const useLimits = ({ wallet }: VaultRef) =>
  useLive(
    ["limits", wallet],
    (client) => client.live["wallet.getWalletAuthority"]({ wallet }),
    ({ limits }) => limits
  )

export function VaultSetup({ link, vault }: { readonly link: Link; readonly vault: VaultRef }) {
  const [isOpen, setIsOpen] = useState(false)
  const limits = useLimits(vault).data
  const rows: ReadonlyArray<Fact> = [
    [
      t("Gas wallet"),
      <Group key="wallet" gap="xs" justify="flex-end">
        {nameOf({ address: link.wallet, label: link.label })}
        <RefillButton wallet={link.wallet} network={link.network} />
      </Group>
    ],
    [t("Trader"), <TraderBadge key="trader" is_trader={link.is_trader} />],
    [t("Linked"), <Time key="linked" at={link.linked_at} />],
    [t("Most per trade"), limitText(limits?.max_usd_per_trade)],
    [t("Most per day"), limitText(limits?.max_usd_per_day)]
  ]
  return (
    <Section
      title={t("Set-up")}
      action={<Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>{t("View trader")}</Button>}
    >
      {limits?.read_only === true && (
        <Alert color="orange" mb="xs">{t("The gas wallet’s key is read-only: it cannot trade.")}</Alert>
      )}
      <Facts label={t("Set-up")} facts={rows} />
      <Suspense fallback={null}>{isOpen && <TraderDialog vault={vault} close={() => setIsOpen(false)} />}</Suspense>
    </Section>
  )
}
