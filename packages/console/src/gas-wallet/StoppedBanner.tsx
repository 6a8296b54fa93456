/** Says on every page what a kill switch has stopped, for as long as it is stopped. */
import { Alert } from "@mantine/core"
import { IconHandStop } from "@tabler/icons-react"
import { count } from "../shell/Format.ts"
import { nameOf, useWallets } from "./GasWallets.ts"
import { useSwitches } from "./KillSwitch.tsx"

export function StoppedBanner() {
  const switches = useSwitches().data ?? []
  const wallets = useWallets().data ?? []
  if (switches.length === 0) return null
  const service = switches.find(({ scope }) => scope === "service")
  const stopped = wallets.filter(({ address }) => switches.some(({ scope }) => scope === `wallet/${address}`))
  const vaults = switches.filter(({ scope }) => scope.startsWith("bot/")).length
  const parts = [
    ...(stopped.length === 0
      ? []
      : [stopped.length <= 3 ? `wallet ${stopped.map(nameOf).join(", ")}` : count(stopped.length, "wallet")]),
    ...(vaults === 0 ? [] : [`the bots of ${count(vaults, "vault")}`])
  ]
  return (
    <Alert
      color="red"
      mb="md"
      py="xs"
      role="status"
      icon={<IconHandStop size={18} aria-hidden="true" />}
      title={service === undefined ? `Stopped: ${parts.join(" and ")}` : "The operator has stopped the whole service"}
    >
      {service === undefined
        ? "Nothing new is signed for them. Transactions already sent still complete."
        : `${service.reason}. Nothing new is signed until the operator resumes it.`}
    </Alert>
  )
}
