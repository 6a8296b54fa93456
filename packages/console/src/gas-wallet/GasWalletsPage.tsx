/** Gas Wallets: their balance on each network, and their actions. */
import { Alert, Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import { Address } from "../shell/Address.tsx"
import { dollars } from "../shell/Format.ts"
import { Page } from "../shell/Page.tsx"
import { LastRead } from "../shell/Time.tsx"
import { type Balance, lowUsd, nameOf, useBalances, useWallets, type Wallet } from "./GasWallets.ts"
import { RefillButton } from "./RefillButton.tsx"
import { t } from "../text/Text.ts"

const NewWallet = lazy(() => import("./NewWallet.tsx").then(({ NewWallet }) => ({ default: NewWallet })))
const Rename = lazy(() => import("./WalletDialogs.tsx").then(({ Rename }) => ({ default: Rename })))
const RotateKey = lazy(() => import("./RotateKey.tsx").then(({ RotateKey }) => ({ default: RotateKey })))
const AccessDialog = lazy(() => import("./AccessDialog.tsx").then(({ AccessDialog }) => ({ default: AccessDialog })))
const RemoveWallet = lazy(() => import("./WalletDialogs.tsx").then(({ RemoveWallet }) => ({ default: RemoveWallet })))

function GasBadge({ balance, balance_usd }: Balance) {
  if (balance === null) return <Badge color="gray">{t("unknown")}</Badge>
  if (balance === "0") return <Badge color="red">{t("no gas")}</Badge>
  return balance_usd !== undefined && balance_usd !== null && balance_usd < lowUsd
    ? <Badge color="orange" c="black">{t("low gas")}</Badge>
    : <Badge color="green" variant="dot">{t("ok")}</Badge>
}

function BalanceCells({ balance: { balance, balance_usd, error, last, token } }: { readonly balance: Balance }) {
  const usd = balance === null ? last?.balance_usd : balance_usd
  return (
    <>
      <td title={error}>
        {balance === null && last === null
          ? t("cannot be read")
          : `${Number(balance ?? last?.balance).toFixed(4)} ${token}`}
        {balance === null && last !== null && <LastRead at={last.at} />}
      </td>
      <td>{typeof usd === "number" ? dollars(usd) : "–"}</td>
    </>
  )
}

function Balances({ balances, pending }: {
  readonly balances: ReadonlyArray<Balance> | undefined
  /** The networks that have not answered yet. */
  readonly pending: ReadonlyArray<string>
}) {
  if (balances === undefined) return <Text size="sm">{t("Loading balances…")}</Text>
  return (
    <div className="table-scroll">
      <table className="table" aria-label={t("Gas by network")} data-dense>
        <thead>
          <tr>
            <th>{t("Network")}</th>
            <th>{t("Balance")}</th>
            <th>{t("USD")}</th>
          </tr>
        </thead>
        <tbody>
          {balances.map((balance) => (
            <tr key={balance.network}>
              <td>
                <Group gap="xs">
                  {balance.network} <GasBadge {...balance} />
                </Group>
              </td>
              <BalanceCells balance={balance} />
            </tr>
          ))}
          {pending.map((network) => (
            <tr key={network}>
              <td>{network}</td>
              <td colSpan={2}>
                <Text size="sm" c="dimmed">{t("Reading the chain…")}</Text>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function WalletCard({ balances, pending, wallet }: {
  readonly wallet: Wallet
  readonly balances: ReadonlyArray<Balance> | undefined
  readonly pending: ReadonlyArray<string>
}) {
  const [dialog, setDialog] = useState<"label" | "key" | "access" | "off">()
  const close = () => setDialog(undefined)
  return (
    <Card withBorder component="section" aria-label={nameOf(wallet)}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="xs">
            <Title order={2} size="h4">{nameOf(wallet)}</Title>
            <RefillButton wallet={wallet.address} />
          </Group>
          <Address address={wallet.address} label={t("address")} />
        </Group>
        <Balances {...{ balances, pending }} />
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setDialog("label")}>{t("Label")}</Button>
          <Button size="xs" variant="default" onClick={() => setDialog("key")}>{t("New API key")}</Button>
          <Button size="xs" variant="default" onClick={() => setDialog("access")}>{t("Access")}</Button>
          <Button size="xs" variant="default" onClick={() => setDialog("off")}>{t("Remove from list")}</Button>
        </Group>
      </Stack>
      <Suspense fallback={null}>
        {dialog === "label" && <Rename wallet={wallet} close={close} />}
        {dialog === "key" && <RotateKey wallet={wallet.address} name={nameOf(wallet)} close={close} />}
        {dialog === "access" && <AccessDialog wallet={wallet.address} name={nameOf(wallet)} close={close} />}
        {dialog === "off" && <RemoveWallet wallet={wallet} close={close} />}
      </Suspense>
    </Card>
  )
}

export function GasWalletsPage() {
  const wallets = useWallets()
  const balances = useBalances()
  const [isAdding, setIsAdding] = useState(false)
  const add = <Button onClick={() => setIsAdding(true)}>{t("Add a gas wallet")}</Button>
  return (
    <Page title={t("Gas Wallets")} query={wallets} actions={add}>
      {wallets.data?.length === 0 && (
        <Alert color="blue" title={t("No gas wallet yet")}>
          {t(
            "Add one, send it some gas on the networks you use, and make it your vault’s trader on the vault " +
              "platform."
          )}
        </Alert>
      )}
      {balances.error !== null && (
        <Alert color="orange" role="alert">{t("Balances: {message}", { message: balances.error.message })}</Alert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {wallets.data?.map((wallet) => (
          <WalletCard
            key={wallet.address}
            wallet={wallet}
            pending={balances.pending}
            balances={balances.data?.filter(({ address }) => address === wallet.address)}
          />
        ))}
      </SimpleGrid>
      <Suspense fallback={null}>{isAdding && <NewWallet close={() => setIsAdding(false)} />}</Suspense>
    </Page>
  )
}
