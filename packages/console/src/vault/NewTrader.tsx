/** Makes the gas wallet the trader of a vault that the manager is about to link, by one transaction of their wallet. */
import { Button, Group, Stack } from "@mantine/core"
import type { Address } from "@vault-trader/core/chain/Address"
import type { ReactNode } from "react"
import { getAddress } from "viem"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { ManagerTransaction } from "../session/ManagerTransaction.tsx"
import { useManagerChainId, useManagerTransaction, useManagerWallet } from "../session/useManagerWallet.ts"
import { AssetChanges, TraderSummary } from "./Trader.tsx"
import { managerLogicOf, setTrader } from "./VaultContracts.ts"
import type { VaultRef } from "./VaultRef.ts"
import { t } from "../text/Text.ts"

export function NewTrader({ cancel, isLinking, link, onSend, poolTrader, vault }: {
  readonly vault: VaultRef
  readonly poolTrader: Address | null
  readonly cancel: ReactNode
  readonly isLinking: boolean
  readonly onSend: () => void
  /** Links the vault once the transaction is confirmed. */
  readonly link: () => void
}) {
  const managerWallet = useManagerWallet()
  const chainId = useManagerChainId(managerWallet.data).data
  const wallet = useWallets().data?.find(({ address }) => address === vault.wallet)
  const setting = useManagerTransaction(vault.network)
  const send = () => {
    if (managerWallet.data === undefined) return
    onSend()
    setting.run({
      managerWallet: managerWallet.data,
      transaction: async (own) => setTrader(await managerLogicOf(own, vault.pool), vault.wallet),
      onConfirmed: link
    })
  }
  return (
    <Stack>
      <TraderSummary
        {...{ chainId, managerWallet, poolTrader, vault }}
        newTrader={t("{wallet}, {address}", {
          wallet: wallet === undefined ? t("your gas wallet") : nameOf(wallet),
          address: getAddress(vault.wallet)
        })}
      />
      <AssetChanges chainId={chainId} managerWallet={managerWallet.data} vault={vault} />
      <ManagerTransaction {...setting} network={vault.network} failureTitle={t("The trader was not set")} />
      <Group justify="flex-end">
        {cancel}
        <Button
          disabled={managerWallet.data === undefined}
          loading={isLinking || setting.stage === "signing" || setting.stage === "pending"}
          onClick={send}
        >
          {t("Set the trader and link")}
        </Button>
      </Group>
    </Stack>
  )
}
