/** How long the gas of each wallet lasts on each network it trades on, by what its transactions cost there lately. */
import { Badge, Group, Text } from "@mantine/core"
import type { ActivityEntry } from "@vault-trader/core/intent/Activity"
import { lowUsd, nameOf, useBalances } from "../gas-wallet/GasWallets.ts"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { amount, money } from "../shell/Format.ts"
import { NetworkIcon, networkName } from "../shell/Icons.tsx"
import { LastRead } from "../shell/Time.tsx"
import { useLinks } from "../vault/useVaults.ts"
import { locale, t } from "../text/Text.ts"

/** Returns the average gas cost of a network's transactions in the activity; undefined without any. */
const averageGas = (activity: ReadonlyArray<ActivityEntry>, network: string): number | undefined => {
  const costs = activity.flatMap((entry) =>
    entry.network === network && entry.gas !== null ? [Number(entry.gas.amount)] : []
  )
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0) / costs.length
}

const runwayText = (balance: string | null, average: number | undefined): string => {
  if (balance === null) return t("unknown")
  if (average === undefined || average === 0) return t("no trades yet")
  const left = Math.floor(Number(balance) / average)
  return left > 9_999 ? t("over 10,000 trades") : t("about {left} trades", { left: left.toLocaleString(locale) })
}

export function GasRunway({ activity }: { readonly activity: ReadonlyArray<ActivityEntry> }) {
  const balances = useBalances().data
  const links = useLinks().data ?? []
  const used = (balances ?? []).filter(({ address, network }) =>
    links.some((link) => link.wallet === address && link.network === network)
  )
  if (used.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {balances === undefined
          ? t("Loading balances…")
          : t("Once a wallet trades a vault, its gas on that network is here.")}
      </Text>
    )
  }
  return (
    <div className="table-scroll">
      <table aria-label={t("Gas runway")} className="table figures">
        <thead>
          <tr>
            <th>{t("Wallet")}</th>
            <th className="end">{t("Gas")}</th>
            <th className="end">{t("Lasts for")}</th>
            <th aria-label={t("Refill")} />
          </tr>
        </thead>
        <tbody>
          {used.map(({ address, balance, balance_usd, label, last, network, token }) => (
            <tr key={`${address}/${network}`}>
              <td>
                <Group gap={6} wrap="nowrap">
                  <NetworkIcon network={network} />
                  <div>
                    <Text size="sm">{nameOf({ address, label })}</Text>
                    <Text size="xs" c="dimmed">{networkName(network)}</Text>
                  </div>
                </Group>
              </td>
              <td className="end">
                <Text size="sm">
                  {balance === null && last === null ? t("unknown") : `${amount(balance ?? last?.balance)} ${token}`}
                </Text>
                <Text size="xs" c="dimmed">{money(balance === null ? last?.balance_usd : balance_usd)}</Text>
                {balance === null && last !== null && <LastRead at={last.at} />}
              </td>
              <td className="end">
                {balance === "0"
                  ? <Badge color="red">{t("no gas")}</Badge>
                  : balance !== null && (balance_usd ?? lowUsd) < lowUsd
                  ? <Badge color="orange" c="black">{t("low gas")}</Badge>
                  : <Text size="sm">{runwayText(balance, averageGas(activity, network))}</Text>}
              </td>
              <td className="end">
                <RefillButton wallet={address} network={network as never} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
