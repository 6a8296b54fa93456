/** The decisions and orders of an exchange account, with fills and costs. */
import { Alert, Badge, Button, Card, Group, Loader, Stack, Text } from "@mantine/core"
import { dollars, moment } from "../shell/Format.ts"
import { type Account, type Order, useOrders } from "./Accounts.ts"
import { Modal } from "../shell/Modal.tsx"
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

/** Returns what an order buys or sells; null for a decision without one. */
const orderText = ({ amount, limit, pair, side }: Order): string | null => {
  if (side === null || amount === null) return null
  if (limit === null) {
    return side === "buy" ? t("{pair}: buy {amount}", { pair, amount }) : t("{pair}: sell {amount}", { pair, amount })
  }
  return side === "buy"
    ? t("{pair}: buy {amount} at {limit} or better", { pair, amount, limit })
    : t("{pair}: sell {amount} at {limit} or better", { pair, amount, limit })
}

/** Returns what was filled, for how much, and what it cost: each is a phrase of its own. */
const filledText = ({ charge_usd: charged, cost, fees: paid, pair }: Order, filled: string): string => {
  const [base = "", quote = ""] = pair.split("-")
  const fees = paid?.map(({ amount, currency }) => `${amount} ${currency}`).join(", ") ?? ""
  return [
    cost === null
      ? t("Filled {filled} {base}", { filled, base })
      : t("Filled {filled} {base} for {cost} {quote}", { filled, base, cost, quote }),
    ...fees === "" ? [] : [t("the exchange’s fee {fees}", { fees })],
    ...charged === null ? [] : [t("charged {chargeUsd}", { chargeUsd: dollars(Number(charged)) })]
  ].join(" · ")
}

/** Returns when an order was made, and its ids at the exchange and here. */
const originText = ({ client_order_id: ours, created_at, exchange_order_id: theirs }: Order): string =>
  [
    moment(created_at),
    ...theirs === null ? [] : [t("order {exchangeOrderId}", { exchangeOrderId: theirs })],
    ...ours === null ? [] : [t("our id {clientOrderId}", { clientOrderId: ours })]
  ].join(" · ")

function Line({ order }: { readonly order: Order }) {
  return (
    <Card withBorder padding="xs" component="article">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={500}>{orderText(order) ?? order.pair}</Text>
        <Badge
          style={{ flexShrink: 0 }}
          color={colours[order.status]}
          variant={order.status === "success" ? "dot" : "filled"}
        >
          {stateLabels[order.state] ?? order.state}
        </Badge>
      </Group>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>{order.message}</Text>
      {order.filled !== null && <Text size="sm">{filledText(order, order.filled)}</Text>}
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {originText(order)}
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
