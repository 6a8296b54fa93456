/** The steps from the transaction that creates a vault to its trader and its link. Each is verified. */
import { Alert, Button, Card, Group, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { Address as AddressOf } from "@vault-trader/core/chain/Address"
import type { ReactNode } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { useManagerWallet, useManagerChainId } from "../session/useManagerWallet.ts"
import { sentenceOf } from "../session/ManagerWallet.ts"
import { ManagerWalletState } from "../session/ManagerWalletState.tsx"
import { Address } from "../shell/Address.tsx"
import { Transaction } from "../shell/Transaction.tsx"
import { type CheckState, CheckMark } from "../shell/CheckMark.tsx"
import { useAuthority, useLinks } from "./useVaults.ts"
import { type PendingVault, useCreatedVault } from "./PendingVault.ts"
import { Trader } from "./Trader.tsx"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

function Step(
  { children, state, title }: { readonly title: string; readonly state: CheckState; readonly children: ReactNode }
) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h4">{title}</Title>
          <CheckMark state={state} />
        </Group>
        {children}
      </Stack>
    </Card>
  )
}

function LinkStep(
  { pending, isLinked, pool, ready }: {
    readonly pending: PendingVault
    readonly pool: AddressOf
    readonly ready: boolean
    readonly isLinked: boolean
  }
) {
  const linking = useMutation({
    mutationFn: () =>
      call((client) => client.wallet.linkGasWallet({ wallet: pending.wallet, network: pending.network, pool })),
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Step title={t("3. Link the vault")} state={isLinked ? "done" : "missing"}>
      <Text size="sm">
        {isLinked
          ? t("API Linked Vaults shows the vault’s state.")
          : t("The service stores which gas wallet trades the vault, and the console shows it.")}
      </Text>
      {linking.error !== null && !isLinked && (
        <Alert color="red" role="alert" title={t("The vault was not linked")}>
          {t("{message} No funds moved.", { message: linking.error.message })}
        </Alert>
      )}
      {!isLinked && (
        <Group>
          <Button disabled={!ready} loading={linking.isPending} onClick={() => linking.mutate()}>
            {t("Link the vault")}
          </Button>
        </Group>
      )}
    </Step>
  )
}

export function CreateVaultSteps({ pending, end }: { readonly pending: PendingVault; readonly end: () => void }) {
  const managerWallet = useManagerWallet()
  const chainId = useManagerChainId(managerWallet.data).data
  const created = useCreatedVault(managerWallet.data, chainId, pending)
  const pool = created.data ?? undefined
  const vault = pool === undefined ? undefined : { wallet: pending.wallet, network: pending.network, pool }
  const isTrader = useAuthority(vault).data?.isTrader === true
  const isLinked =
    useLinks().data?.some((link) =>
      link.pool === pool && link.network === pending.network && link.wallet === pending.wallet
    ) === true
  return (
    <Stack maw={720}>
      <Step
        title={t("1. Create {name}", { name: pending.name })}
        state={pool !== undefined ? "done" : created.error !== null ? "unknown" : "checking"}
      >
        <Group gap="xs">
          <Text size="sm">{t("Transaction")}</Text>
          <Transaction network={pending.network} hash={pending.hash} />
        </Group>
        {pool !== undefined && (
          <Group gap="xs">
            <Text size="sm">{t("Vault")}</Text>
            <Address address={pool} label={t("vault")} isWhole />
          </Group>
        )}
        {pool === undefined && created.error === null && (
          <Text size="sm" role="status">
            {t("Waiting for the transaction to be mined on {network}.", { network: pending.network })}
          </Text>
        )}
        {pool === undefined && (
          <ManagerWalletState
            managerWallet={managerWallet}
            chainId={chainId}
            network={pending.network}
            action={t("Reading the chain")}
          />
        )}
        {created.error !== null && (
          <Alert color="red" role="alert" title={t("The transaction created no vault")}>
            {t("{error} Only gas was spent. Start again below.", { error: sentenceOf(created.error) })}
          </Alert>
        )}
      </Step>
      <Step title={t("2. Make the gas wallet its trader")} state={isTrader ? "done" : "missing"}>
        {vault === undefined ? <Text size="sm">{t("Once the vault is created.")}</Text> : <Trader vault={vault} />}
      </Step>
      {pool !== undefined && <LinkStep pending={pending} pool={pool} ready={isTrader} isLinked={isLinked} />}
      {isLinked && isTrader && (
        <Alert color="green" title={t("The vault is ready")}>
          <T
            message={"Invest in it on the vault platform, then set a bot: <0>continue with the " +
              "first steps</0>."}
            parts={[<Link to="/start" style={{ color: "inherit" }} />]}
          />
        </Alert>
      )}
      <Group>
        <Button variant="default" onClick={end}>
          {isLinked ? t("Create another vault") : t("Abandon this vault and start again")}
        </Button>
      </Group>
    </Stack>
  )
}
