/** The decisions and orders of an exchange account, with fills and costs. */
import { Alert, Badge, Button, Card, Group, Loader, Modal, Stack, Text } from "@mantine/core"
import { dollars, moment } from "../shell/Format.ts"
import { type Account, type Order, useOrders } from "./Accounts.ts"
import { t } from "../text/Text.ts"

const colours = { pending: "blue", success: "green", fail: "red" } as const
const stateLabels: Readonly<Record<string, string>> = {
  accepted: t("deciding"),
  decided: t("not yet sent"),
  sending: t("sent"),
  closed: t("closed"),
  held: t("nothing to do"),
  refused: t("refused"),
  lost: t("never arrived")
}

const orderText = ({ amount, limit, side }: Order) =>
  side === null || amount === null
    ? null
    : `${side} ${amount}${limit === null ? "" : ` ${t("at {limit} or better", { limit })}`}`

function Line({ order }: { readonly order: Order }) {
  const [base = "", quote = ""] = order.pair.split("-")
  const text = orderText(order)
  const fees = order.fees?.map(({ amount, currency }) => `${amount} ${currency}`).join(", ") ?? ""
  return (
    <Card withBorder padding="xs" component="article">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={500}>{order.pair}{text === null ? "" : `: ${text}`}</Text>
        <Badge
          style={{ flexShrink: 0 }}
          color={colours[order.status]}
          variant={order.status === "success" ? "dot" : "filled"}
        >
          {stateLabels[order.state] ?? order.state}
        </Badge>
      </Group>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>{order.message}</Text>
      {order.filled !== null && (
        <Text size="sm">
          {order.cost === null
            ? (fees === ""
              ? t("Filled {filled} {base}{chargeUsd}", {
                filled: order.filled,
                base,
                chargeUsd: order.charge_usd === null
                  ? ""
                  : ` ${t("· charged {chargeUsd}", { chargeUsd: dollars(Number(order.charge_usd)) })}`
              })
              : t("Filled {filled} {base} · the exchange’s fee {fees}{chargeUsd}", {
                filled: order.filled,
                base,
                fees,
                chargeUsd: order.charge_usd === null
                  ? ""
                  : ` ${t("· charged {chargeUsd}", { chargeUsd: dollars(Number(order.charge_usd)) })}`
              }))
            : (fees === ""
              ? t("Filled {filled} {base} for {cost} {quote}{chargeUsd}", {
                filled: order.filled,
                base,
                cost: order.cost,
                quote,
                chargeUsd: order.charge_usd === null
                  ? ""
                  : ` ${t("· charged {chargeUsd}", { chargeUsd: dollars(Number(order.charge_usd)) })}`
              })
              : t("Filled {filled} {base} for {cost} {quote} · the exchange’s fee {fees}{chargeUsd}", {
                filled: order.filled,
                base,
                cost: order.cost,
                quote,
                fees,
                chargeUsd: order.charge_usd === null
                  ? ""
                  : ` ${t("· charged {chargeUsd}", { chargeUsd: dollars(Number(order.charge_usd)) })}`
              }))}
        </Text>
      )}
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {moment(order.created_at)}
        {order.exchange_order_id === null
          ? ""
          : ` ${t("· order {exchangeOrderId}", { exchangeOrderId: order.exchange_order_id })}`}
        {order.client_order_id === null
          ? ""
          : ` ${t("· our id {clientOrderId}", { clientOrderId: order.client_order_id })}`}
      </Text>
    </Card>
  )
}

export function Orders({ account, close }: { readonly account: Account; readonly close: () => void }) {
  const { loading, more, newest, rows } = useOrders(account)
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t("Orders of {subaccountName}", { subaccountName: account.subaccount_name })}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <Stack gap="xs">
        {newest.error !== null && (
          <Alert color="red" role="alert" title={t("The orders cannot be loaded right now")}>
            {newest.error.message}
          </Alert>
        )}
        {newest.isPending && <Loader aria-label={t("Loading")} />}
        {newest.data !== undefined && rows.length === 0 && (
          <Text size="sm">{t("No decisions yet. Set a side, and the bot decides immediately.")}</Text>
        )}
        {rows.map((order) => <Line key={order.intent_id} order={order} />)}
        {more !== undefined && <Button variant="default" loading={loading} onClick={more}>{t("Load older")}</Button>}
      </Stack>
    </Modal>
  )
}
