/** An order: its state and terms, its slices, and its history as a timeline. */
import { Anchor, Badge, Button, Card, Group, Progress, SimpleGrid, Stack, Text } from "@mantine/core"
import { IconArrowsExchange } from "@tabler/icons-react"
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import { Confirm } from "../shell/Confirm.tsx"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type Fact, Facts } from "../shell/Facts.tsx"
import { amount, moment, percent, price, shortHex } from "../shell/Format.ts"
import { PairIcon } from "../shell/Icons.tsx"
import { Page } from "../shell/Page.tsx"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { Stat } from "../shell/Stat.tsx"
import { Time } from "../shell/Time.tsx"
import { entriesOf, Timeline } from "../shell/Timeline.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useRouteParams } from "../shell/useRouteParams.ts"
import { Transaction } from "../shell/Transaction.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { useVaultName } from "../vault/Names.ts"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { OrderBadge, titleOf } from "./OrderRows.tsx"
import {
  conditionOf,
  type Order,
  ordersQuery,
  progressOf,
  sizeOf,
  soldSymbol,
  typeLabels,
  useOrder
} from "./VaultOrders.ts"
import { t } from "../text/Text.ts"

const AmendOrder = lazy(() => import("./AmendOrder.tsx").then(({ AmendOrder }) => ({ default: AmendOrder })))

type Details = NonNullable<ReturnType<typeof useOrder>["data"]>

function Cancel({ close, order }: { readonly order: Order; readonly close: () => void }) {
  const cancelling = useMutation({
    mutationFn: () => call((client) => client.wallet.cancelOrder({ ...vaultRefOf(order), order: order.id })),
    onSuccess: ({ message }) => {
      showSuccess(message)
      close()
    },
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Confirm
      title={t("Cancel the order")}
      action={t("Cancel the order")}
      close={close}
      loading={cancelling.isPending}
      problem={cancelling.error}
      onConfirm={() => cancelling.mutate()}
    >
      <Text size="sm">
        {t("Nothing more is traded for it. A slice that is already sent still completes, and its outcome counts.")}
      </Text>
    </Confirm>
  )
}

function Terms({ order }: { readonly order: Order }) {
  const quote = order.pair.split("-")[1] ?? ""
  const at = (value: string | null) => value === null ? undefined : `${price(value)} ${quote}`
  const rows: ReadonlyArray<Fact> = [
    [t("Kind"), typeLabels[order.type].label],
    [t("Size"), sizeOf(order)],
    [t("Limit price"), at(order.limit_price)],
    [t("Stop price"), at(order.stop_price)],
    [t("Target price"), at(order.take_profit_price)],
    [t("Trails by"), order.trail_percent === null ? at(order.trail_amount) : percent(order.trail_percent)],
    [t("Starts trailing at"), at(order.activation_price)],
    [t("Best price so far"), at(order.peak_price)],
    [t("Max slippage"), percent(order.slippage)],
    [t("Max impact of a slice"), order.max_impact === null ? undefined : percent(order.max_impact)],
    [t("Venue"), order.platform === "auto" ? t("Auto") : order.platform],
    [t("Expires"), moment(order.expires_at)]
  ]
  return (
    <Section title={t("Terms")}>
      <Facts label={t("Terms")} facts={rows} />
    </Section>
  )
}

const sliceColours = { in_progress: "blue", succeeded: "green", failed: "red" } as const
const sliceLabels = { in_progress: t("in progress"), succeeded: t("done"), failed: t("failed") } as const

function Slices({ order, slices }: { readonly order: Order; readonly slices: Details["slices"] }) {
  return (
    <Section title={t("Trades ({count})", { count: slices.length })}>
      {slices.length === 0
        ? <EmptyState icon={<IconArrowsExchange size={22} />} title={t("No trade yet")}>{order.reason}</EmptyState>
        : (
          <Stack gap="xs" component="ul" style={{ listStyle: "none", margin: 0, padding: 0 }}>
            {slices.map((slice) => (
              <Group key={slice.slice} component="li" justify="space-between" wrap="nowrap" align="flex-start">
                <div>
                  <Text size="sm" className="figure">
                    {slice.sold === null || slice.bought === null
                      ? `${amount(slice.amount)} ${soldSymbol(order)}`
                      : `${amount(slice.sold)} ${order.sold.symbol} → ${amount(slice.bought)} ${order.bought.symbol}`}
                  </Text>
                  <Text size="xs" c="dimmed" component="div">
                    <Time at={slice.begun_at} />
                    {slice.state === "failed" && slice.message !== null ? ` · ${slice.message}` : ""}
                    {slice.tx_hash !== null && (
                      <>
                        · <Transaction network={order.network} hash={slice.tx_hash} />
                      </>
                    )}
                  </Text>
                </div>
                <Badge color={sliceColours[slice.state]} variant={slice.state === "failed" ? "filled" : "dot"}>
                  {sliceLabels[slice.state]}
                </Badge>
              </Group>
            ))}
          </Stack>
        )}
    </Section>
  )
}

const eventStates: Readonly<Partial<Record<Details["events"][number]["kind"], "done" | "failed" | "open">>> = {
  done: "done",
  slice_succeeded: "done",
  slice_begun: "open",
  triggered: "open",
  slice_failed: "failed"
}

const eventLabels: Readonly<Record<Details["events"][number]["kind"], string>> = {
  placed: t("Placed"),
  amended: t("Amended"),
  triggered: t("Triggered"),
  slice_begun: t("Trade begun"),
  slice_succeeded: t("Traded"),
  slice_failed: t("Trade failed"),
  cancelling: t("Cancelling"),
  cancelled: t("Cancelled"),
  done: t("Done"),
  expired: t("Expired")
}

function History({ events }: { readonly events: Details["events"] }) {
  return (
    <Section title={t("History")}>
      <Timeline entries={entriesOf(events, eventLabels, eventStates)} />
    </Section>
  )
}

function Summary({ order }: { readonly order: Order }) {
  const progress = progressOf(order)
  return (
    <Card withBorder>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Stat label={t("State")} value={<OrderBadge order={order} />} />
        <Stat label={t("Executed")} value={`${amount(order.sold.amount)} ${order.sold.symbol}`} />
        <Stat label={t("For")} value={`${amount(order.bought.amount)} ${order.bought.symbol}`} />
        <Stat label={t("Average price")} value={price(order.average_price)} />
      </SimpleGrid>
      {progress !== undefined && <Progress value={progress} mt="sm" aria-label={t("Executed")} />}
      <Text size="sm" mt="sm">{order.reason}</Text>
      {order.kill_switch !== null && (
        <Problem
          title={t("Stopped")}
          message={t("{killSwitch}. The order waits.", { killSwitch: order.kill_switch })}
          funds=""
        />
      )}
    </Card>
  )
}

/** Returns the wallet that placed an order, from the list of orders. */
const usePlacer = (id: string) => {
  const { key, watch } = ordersQuery(true)
  const orders = useLive(key, watch)
  return { orders, wallet: orders.data?.orders.find((order) => order.id === id)?.gasWallet }
}

export function OrderPage() {
  const { order: id = "" } = useRouteParams()
  const { orders, wallet } = usePlacer(id)
  const details = useOrder(id, wallet)
  const vaultName = useVaultName()
  const { close, dialog, open } = useDialog<"cancel" | "amend">()
  const order = details.data?.data
  const isOpen = order?.state === "open" || order?.state === "triggered"
  return (
    <Page
      title={order === undefined ? t("Order") : titleOf(order)}
      crumbs={[{ label: t("Orders"), to: "/orders" }]}
      query={wallet === undefined ? orders : details}
      icon={order === undefined ? undefined : <PairIcon pair={order.pair} size={28} />}
      subtitle={order !== undefined && (
        <Text size="sm" component="div">
          {conditionOf(order)} ·{" "}
          <Anchor
            underline="always"
            component={Link}
            to="/vaults/$network/$pool"
            params={{ network: order.network, pool: order.pool } as never}
          >
            {vaultName(order.network, order.pool)}
          </Anchor>
        </Text>
      )}
      actions={isOpen && (
        <Group gap="xs">
          <Button variant="default" onClick={() => open("amend")}>{t("Amend")}</Button>
          <Button variant="default" onClick={() => open("cancel")}>{t("Cancel order")}</Button>
        </Group>
      )}
    >
      {orders.data !== undefined && wallet === undefined && (
        <EmptyState icon={<IconArrowsExchange size={22} />} title={t("This order is not here")}>
          {t("None of your gas wallets has placed order {id}, or it is older than the newest 200.", {
            id: shortHex(id)
          })}
        </EmptyState>
      )}
      {order !== undefined && details.data !== undefined && (
        <>
          <Summary order={order} />
          <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
            <Stack>
              <Slices order={order} slices={details.data.slices} />
              <Terms order={order} />
            </Stack>
            <History events={details.data.events} />
          </SimpleGrid>
          <Suspense fallback={null}>
            {dialog === "cancel" && <Cancel order={order} close={close} />}
            {dialog === "amend" && <AmendOrder order={order} close={close} />}
          </Suspense>
        </>
      )}
    </Page>
  )
}
