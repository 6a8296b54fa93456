/** The decisions and orders of an exchange account, with fills and costs. */
import { Alert, Badge, Button, Card, Group, Loader, Modal, Stack, Text } from "@mantine/core"
import { dollars, moment } from "../shell/Format.ts"
import { type Account, type Order, useOrders } from "./Accounts.ts"

const colours = { pending: "blue", success: "green", fail: "red" } as const
const stateLabels: Readonly<Record<string, string>> = {
  accepted: "deciding",
  decided: "not yet sent",
  sending: "sent",
  closed: "closed",
  held: "nothing to do",
  refused: "refused",
  lost: "never arrived"
}

const orderText = ({ amount, limit, side }: Order) =>
  side === null || amount === null ? null : `${side} ${amount}${limit === null ? "" : ` at ${limit} or better`}`

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
          Filled {order.filled} {base}
          {order.cost === null ? "" : ` for ${order.cost} ${quote}`}
          {fees === "" ? "" : ` · the exchange’s fee ${fees}`}
          {order.charge_usd === null ? "" : ` · charged ${dollars(Number(order.charge_usd))}`}
        </Text>
      )}
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {moment(order.created_at)}
        {order.exchange_order_id === null ? "" : ` · order ${order.exchange_order_id}`}
        {order.client_order_id === null ? "" : ` · our id ${order.client_order_id}`}
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
      title={`Orders of ${account.subaccount_name}`}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack gap="xs">
        {newest.error !== null && (
          <Alert color="red" role="alert" title="The orders cannot be loaded right now">{newest.error.message}</Alert>
        )}
        {newest.isPending && <Loader aria-label="Loading" />}
        {newest.data !== undefined && rows.length === 0 && (
          <Text size="sm">No decisions yet. Set a side, and the bot decides immediately.</Text>
        )}
        {rows.map((order) => <Line key={order.intent_id} order={order} />)}
        {more !== undefined && <Button variant="default" loading={loading} onClick={more}>Load older</Button>}
      </Stack>
    </Modal>
  )
}
