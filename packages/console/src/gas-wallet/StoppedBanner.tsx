/** Says on every page what a kill switch has stopped, for as long as it is stopped. */
import { Alert } from "@mantine/core"
import { IconHandStop } from "@tabler/icons-react"
import { wideScopeOf } from "@vault-trader/core/gas-wallet/SwitchScope"
import { nameOf, useWallets } from "./GasWallets.ts"
import { useSwitches } from "./KillSwitch.tsx"
import { listOf } from "../shell/Format.ts"
import { t } from "../text/Text.ts"

export function StoppedBanner() {
  const switches = useSwitches().data ?? []
  const wallets = useWallets().data ?? []
  if (switches.length === 0) return null
  const service = switches.find(({ scope }) => scope === "service")
  const stopped = wallets.filter(({ address }) => switches.some(({ scope }) => scope === `wallet/${address}`))
  const ofBots = switches.map(({ scope }) => scope).filter((scope) => scope.startsWith("bot/"))
  const vaults = ofBots.filter((scope) => wideScopeOf(scope) === scope).length
  const count = ofBots.length - vaults
  const parts = [
    ...(stopped.length === 0
      ? []
      : [
        stopped.length <= 3
          ? t("wallet {names}", { names: stopped.map(nameOf).join(", ") })
          : t("{count, plural, one {# wallet} other {# wallets}}", { count: stopped.length })
      ]),
    ...(vaults === 0 ? [] : [t("the bots of {vaults, plural, one {# vault} other {# vaults}}", { vaults })]),
    ...(count === 0 ? [] : [t("{count, plural, one {# bot} other {# bots}}", { count })])
  ]
  return (
    <Alert
      color="red"
      mb="md"
      py="xs"
      role="status"
      icon={<IconHandStop size={18} aria-hidden="true" />}
      title={service === undefined
        ? t("Stopped: {parts}", { parts: listOf(parts, "and") })
        : t("The operator has stopped the whole service")}
    >
      {service === undefined
        ? t("Nothing new is signed for them. Transactions already sent still complete.")
        : t("{reason}. Nothing new is signed until the operator resumes it.", { reason: service.reason })}
    </Alert>
  )
}
