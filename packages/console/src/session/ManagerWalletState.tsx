/** Shows the manager's wallet next to the action it will sign, and offers to switch its network if needed. */
import { Alert, Button, Group, Stack, Text } from "@mantine/core"
import { useMutation, type UseQueryResult } from "@tanstack/react-query"
import type { Network } from "@vault-trader/core/chain/Network"
import { facts } from "@vault-trader/core/chain/NetworkFacts"
import type { ReactNode } from "react"
import { queries } from "../connection/QueryCache.ts"
import { findManagerWallet, isRefusal, networkOf, type ManagerWallet, sentenceOf, switchTo } from "./ManagerWallet.ts"
import { useSession } from "../connection/Session.ts"
import { t } from "../text/Text.ts"

export function ManagerWalletState({ action, chainId, children, network, managerWallet }: {
  readonly managerWallet: UseQueryResult<ManagerWallet>
  readonly chainId: number | undefined
  readonly network: Network
  /** The action that switches the network, for example "Refill". */
  readonly action: string
  readonly children?: ReactNode
}) {
  const manager = useSession().data?.manager ?? ""
  const opening = useMutation({
    mutationFn: () => findManagerWallet(manager, true),
    onSuccess: (found) => queries.setQueryData(["own", manager], found)
  })
  const switching = useMutation({
    mutationFn: (wallet: ManagerWallet) => switchTo(wallet, network),
    onSettled: () => queries.invalidateQueries({ queryKey: ["own-chain"] })
  })
  if (managerWallet.data === undefined) {
    if (managerWallet.error === null) return <Text size="sm">{t("Looking for your wallet…")}</Text>
    return (
      <Alert color="orange" role="alert" title={t("Your wallet is needed")}>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{sentenceOf(opening.error ?? managerWallet.error)}</Text>
          <Button size="xs" variant="default" loading={opening.isPending} onClick={() => opening.mutate()}>
            {t("Open the wallet")}
          </Button>
        </Stack>
      </Alert>
    )
  }
  const wallet = managerWallet.data
  const elsewhere = chainId !== undefined && chainId !== facts[network].chainId
  return (
    <Stack gap={4}>
      <Text size="sm">
        {t("From your wallet, {name}", { name: wallet.name })}{" "}
        <span title={wallet.account}>{wallet.account.slice(0, 6)}…{wallet.account.slice(-4)}</span>
        {children}
      </Text>
      {elsewhere && (
        <Alert color="blue" p="xs">
          <Group gap="xs" justify="space-between">
            <Text size="sm">
              {t("It is on {chainId}. {action} switches it to {network}.", {
                chainId: networkOf(chainId) ?? t("network {chainId}", { chainId }),
                action,
                network
              })}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              loading={switching.isPending}
              onClick={() => switching.mutate(wallet)}
            >
              {t("Switch now")}
            </Button>
          </Group>
          {switching.error !== null && !isRefusal(switching.error) && (
            <Text size="sm" role="alert">{sentenceOf(switching.error)}</Text>
          )}
        </Alert>
      )}
    </Stack>
  )
}
