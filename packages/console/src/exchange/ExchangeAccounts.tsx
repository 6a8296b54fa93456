/** Exchange accounts and their bots. */
import { Alert, Badge, Button, Card, Group, Loader, SimpleGrid, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { moment, percent } from "../shell/Format.ts"
import { TypeToConfirm } from "../shell/TypeToConfirm.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { type Account, useAccounts } from "./Accounts.ts"
import { BotLine } from "./BotLine.tsx"
import { newSide } from "./ExchangeTerms.ts"
import { SideForm } from "./SideForm.tsx"
import { t } from "../text/Text.ts"

const Connect = lazy(() => import("./Connect.tsx").then(({ Connect }) => ({ default: Connect })))
const Orders = lazy(() => import("./Orders.tsx").then(({ Orders }) => ({ default: Orders })))

function Delete({ account, close }: { readonly account: Account; readonly close: () => void }) {
  const deleting = useMutation({
    mutationFn: () =>
      call((client) => client.manager.deleteCEXSubaccount({ subaccount_name: account.subaccount_name })),
    onSuccess: ({ message }) => {
      showSuccess(message)
      close()
      void queries.invalidateQueries()
    }
  })
  const pairs = account.bots.map(({ pair }) => pair)
  return (
    <TypeToConfirm
      title={t("Delete the account")}
      name={account.subaccount_name}
      action={t("Delete")}
      close={close}
      loading={deleting.isPending}
      problem={deleting.error}
      onConfirm={() => deleting.mutate()}
    >
      <Text size="sm">
        {pairs.length === 0
          ? t(
            "The service deletes its credentials. At {exchange} nothing changes: the account keeps its " +
              "assets. Revoke the key there, too.",
            { exchange: account.exchange }
          )
          : (pairs.length === 1
            ? t(
              "The service deletes its credentials and deletes its bot ({pairs}). At {exchange} nothing " +
                "changes: the account keeps its assets. Revoke the key there, too.",
              { pairs: pairs.join(", "), exchange: account.exchange }
            )
            : t(
              "The service deletes its credentials and deletes its {count} bots ({pairs}). At {exchange} " +
                "nothing changes: the account keeps its assets. Revoke the key there, too.",
              { count: pairs.length, pairs: pairs.join(", "), exchange: account.exchange }
            ))}
      </Text>
    </TypeToConfirm>
  )
}

function AccountCard({ account, own }: { readonly account: Account; readonly own: boolean }) {
  const [dialog, setDialog] = useState<"side" | "orders" | "delete">()
  const close = () => setDialog(undefined)
  return (
    <Card
      withBorder
      component="section"
      aria-label={t("{subaccountName} on {exchange}", {
        subaccountName: account.subaccount_name,
        exchange: account.exchange
      })}
    >
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">{account.subaccount_name}</Title>
          <Group gap="xs">
            {account.settings.testnet && <Badge color="gray">{t("test network")}</Badge>}
            <Badge color="gray">{account.exchange}</Badge>
          </Group>
        </Group>
        <Group gap="xs">
          <Text size="sm">{account.owner}</Text>
          <RefillButton wallet={account.wallet} network={account.payment_network} />
        </Group>
        <Text size="sm">
          {t("Billed on {paymentNetwork} · slippage {slippage} · connected {createdAt}", {
            paymentNetwork: account.payment_network,
            slippage: percent(account.settings.slippage),
            createdAt: moment(account.created_at)
          })}
        </Text>
        {account.bots.length === 0 && <Text size="sm">{t("No bot yet. Nothing is traded on this account.")}</Text>}
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          {account.bots.map((bot) => <BotLine key={bot.pair} account={account} bot={bot} />)}
        </SimpleGrid>
        <Group gap="xs">
          <Button size="xs" onClick={() => setDialog("side")}>{t("Set a side")}</Button>
          <Button size="xs" variant="default" onClick={() => setDialog("orders")}>{t("Orders")}</Button>
          <Button
            size="xs"
            variant="default"
            disabled={!own}
            title={own
              ? undefined
              : t("Only the manager who connected it can delete it: {manager}", { manager: account.manager })}
            onClick={() => setDialog("delete")}
          >
            {t("Delete the account")}
          </Button>
        </Group>
      </Stack>
      {dialog === "side" && <SideForm account={account} initial={newSide} isEdit={false} close={close} />}
      {dialog === "delete" && <Delete account={account} close={close} />}
      <Suspense>{dialog === "orders" && <Orders account={account} close={close} />}</Suspense>
    </Card>
  )
}

export function ExchangeAccounts() {
  const accounts = useAccounts()
  const wallets = useWallets().data
  const me = useWhoAmI().data?.manager
  const [isAdding, setIsAdding] = useState(false)
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" maw={640}>
          {t(
            "An exchange bot keeps one side of a pair on an account at a centralized exchange. The account " +
              "is connected to a gas wallet, which is billed for executed orders."
          )}
        </Text>
        <Button disabled={wallets?.length === 0} onClick={() => setIsAdding(true)}>{t("Connect an account")}</Button>
      </Group>
      {accounts.error !== null && (
        <Alert color="red" role="alert" title={t("The accounts cannot be loaded right now")}>
          {accounts.error.message}
        </Alert>
      )}
      {accounts.isPending && wallets !== undefined && wallets.length > 0 && <Loader aria-label={t("Loading")} />}
      {accounts.data?.length === 0 && (
        <Alert color="blue" title={t("No exchange account yet")}>
          {t("Connect one with an API key that can only read and trade, then set a side of a pair.")}
        </Alert>
      )}
      {accounts.data?.map((account) => (
        <AccountCard
          key={`${account.manager}/${account.exchange}/${account.subaccount_name}`}
          account={account}
          own={account.manager === me}
        />
      ))}
      <Suspense>{isAdding && <Connect close={() => setIsAdding(false)} />}</Suspense>
    </Stack>
  )
}
