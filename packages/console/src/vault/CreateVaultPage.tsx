/**
 * Create Vault: creates it through the platform's factory with the manager's wallet, sets its trader, links it. Every
 * step is verified.
 */
import { Alert, Button, Card, Group, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { Address as AddressOf } from "@vault-trader/core/chain/Address"
import type { ReactNode } from "react"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { useOwn, useOwnChain } from "../session/useManagerWallet.ts"
import { sentenceOf } from "../session/ManagerWallet.ts"
import { OwnWalletState } from "../session/ManagerWalletState.tsx"
import { useSession } from "../connection/Session.ts"
import { Address } from "../shell/Address.tsx"
import { Page } from "../shell/Page.tsx"
import { Transaction } from "../shell/Transaction.tsx"
import { type State, StateBadge } from "../shell/CheckMark.tsx"
import { useAuthority } from "./Authority.ts"
import { CreateVaultForm } from "./CreateVaultForm.tsx"
import { type Begun, useBegun, useCreated } from "./PendingVault.ts"
import { useLinks } from "./Links.ts"
import { Trader } from "./Trader.tsx"

function Step(
  { children, state, title }: { readonly title: string; readonly state: State; readonly children: ReactNode }
) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h4">{title}</Title>
          <StateBadge state={state} />
        </Group>
        {children}
      </Stack>
    </Card>
  )
}

function LinkStep(
  { begun, linked, pool, ready }: {
    readonly begun: Begun
    readonly pool: AddressOf
    readonly ready: boolean
    readonly linked: boolean
  }
) {
  const linking = useMutation({
    mutationFn: () =>
      call((client) => client.wallet.linkGasWallet({ wallet: begun.wallet, network: begun.network, pool })),
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Step title="3. Link the vault" state={linked ? "done" : "missing"}>
      <Text size="sm">
        {linked
          ? "API Linked Vaults shows the vault’s state."
          : "The service stores which gas wallet trades the vault, and the console shows it."}
      </Text>
      {linking.error !== null && !linked && (
        <Alert color="red" role="alert" title="The vault was not linked">{linking.error.message} No funds moved.</Alert>
      )}
      {!linked && (
        <Group>
          <Button disabled={!ready} loading={linking.isPending} onClick={() => linking.mutate()}>Link the vault</Button>
        </Group>
      )}
    </Step>
  )
}

function Steps({ begun, end }: { readonly begun: Begun; readonly end: () => void }) {
  const own = useOwn()
  const chainId = useOwnChain(own.data).data
  const created = useCreated(own.data, chainId, begun)
  const pool = created.data ?? undefined
  const vault = pool === undefined ? undefined : { wallet: begun.wallet, network: begun.network, pool }
  const trades = useAuthority(vault).data?.isTrader === true
  const linked =
    useLinks().data?.some((link) =>
      link.pool === pool && link.network === begun.network && link.wallet === begun.wallet
    ) === true
  return (
    <Stack maw={720}>
      <Step
        title={`1. Create ${begun.name}`}
        state={pool !== undefined ? "done" : created.error !== null ? "unknown" : "asking"}
      >
        <Group gap="xs">
          <Text size="sm">Transaction</Text>
          <Transaction network={begun.network} hash={begun.hash} />
        </Group>
        {pool !== undefined && (
          <Group gap="xs">
            <Text size="sm">Vault</Text>
            <Address of={pool} what="vault" whole />
          </Group>
        )}
        {pool === undefined && created.error === null && (
          <Text size="sm" role="status">Waiting for the transaction to be mined on {begun.network}.</Text>
        )}
        {pool === undefined && (
          <OwnWalletState own={own} chainId={chainId} network={begun.network} action="Reading the chain" />
        )}
        {created.error !== null && (
          <Alert color="red" role="alert" title="The transaction created no vault">
            {sentenceOf(created.error)} Only gas was spent. Start again below.
          </Alert>
        )}
      </Step>
      <Step title="2. Make the gas wallet its trader" state={trades ? "done" : "missing"}>
        {vault === undefined ? <Text size="sm">Once the vault is created.</Text> : <Trader vault={vault} />}
      </Step>
      {pool !== undefined && <LinkStep begun={begun} pool={pool} ready={trades} linked={linked} />}
      {linked && trades && (
        <Alert color="green" title="The vault is ready">
          Invest in it on the vault platform, then approve its assets and set a bot:{" "}
          <Link to="/start" style={{ color: "inherit" }}>continue with the first steps</Link>.
        </Alert>
      )}
      <Group>
        <Button variant="default" onClick={end}>
          {linked ? "Create another vault" : "Abandon this vault and start again"}
        </Button>
      </Group>
    </Stack>
  )
}

export function CreateVaultPage() {
  const manager = useSession().data?.manager ?? ""
  const wallets = useWallets()
  const [begun, keep] = useBegun(manager)
  return (
    <Page title="Create Vault" asked={wallets}>
      {wallets.data?.length === 0
        ? (
          <Alert color="blue" title="Add a gas wallet first">
            A vault made here gets a gas wallet as its trader.{" "}
            <Link to="/gas-wallets" style={{ color: "inherit" }}>Add one</Link>, then come back.
          </Alert>
        )
        : begun === undefined
        ? <CreateVaultForm manager={manager as AddressOf} begin={keep} />
        : <Steps begun={begun} end={() => keep(undefined)} />}
    </Page>
  )
}
