/** Alerts that a wallet has reached the day's cap of gas. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { WalletAlerts } from "./WalletAlerts.ts"

export const alertGasCap = (
  { alerts, network, wallet }: {
    readonly alerts: WalletAlerts["Service"]
    readonly network: Network
    readonly wallet: Address
  },
  detail: string
) =>
  alerts.raise({
    kind: "gas_cap_reached",
    network,
    wallet,
    message:
      `Wallet ${wallet} has used its gas of the day on ${network} (MAX_GAS_PER_WALLET_DAY): ${detail}. Nothing ` +
      "more of it is signed until the next day (UTC), or until the cap is raised; its submissions wait."
  })
