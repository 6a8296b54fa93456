/** Charges: the amount spent per class of actions, the amount paid, and each charge. */
import { Alert, Badge, Button, Card, Group, NativeSelect, SimpleGrid, Stack, Text, Title } from "@mantine/core"
import { csv } from "@vault-trader/core/billing/Csv"
import { useState } from "react"
import { download } from "../shell/Download.ts"
import { dollars, moment, quantity } from "../shell/Format.ts"
import { Page } from "../shell/Page.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Transaction } from "../shell/Transaction.tsx"
import { type Charge, useCharges } from "./Charges.ts"
import { t } from "../text/Text.ts"

const spans = [["7", t("Last 7 days")], ["30", t("Last 30 days")], ["90", t("Last 90 days")], [
  "",
  t("All time")
]] as const

const usdOf = (charges: ReadonlyArray<Charge>): number => charges.reduce((sum, { usd }) => sum + usd, 0)

/** Labels of the price classes. */
const classLabels: Readonly<Record<string, string>> = {
  trade: t("Trades"),
  approve: t("Asset approvals"),
  lend: t("Lending"),
  liquidity: t("Liquidity"),
  managerFee: t("Manager fees"),
  exchangeTrade: t("Exchange trades")
}
const statusLabels = { outstanding: t("outstanding"), settling: t("being paid"), settled: t("paid") } as const
const colours = { outstanding: "orange", settling: "blue", settled: "green" } as const

const columns = [
  ...[
    "created_at",
    "wallet",
    "owner",
    "network",
    "action",
    "usd",
    "native",
    "token",
    "native_price_usd",
    "price_source",
    "status"
  ] as const,
  ...["settlement_tx_hash", "settlement_id", "intent_id", "order_id", "charge_id"] as const
]

function Figure({ note, title, value }: { readonly title: string; readonly value: string; readonly note: string }) {
  return (
    <Card withBorder padding="sm">
      <Text size="sm" c="dimmed">{title}</Text>
      <Text size="xl" fw={700}>{value}</Text>
      <Text size="sm" c="dimmed">{note}</Text>
    </Card>
  )
}

function Totals({ charges }: { readonly charges: ReadonlyArray<Charge> }) {
  const withStatus = (status: Charge["status"]) => charges.filter((charge) => charge.status === status)
  const note = (found: ReadonlyArray<Charge>) =>
    t("{count, plural, one {# charge} other {# charges}}", { count: found.length })
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <Figure title={t("Spent")} value={dollars(usdOf(charges))} note={note(charges)} />
      <Figure
        title={t("Outstanding")}
        value={dollars(usdOf(withStatus("outstanding")))}
        note={t("{charges}; paid together later", { charges: note(withStatus("outstanding")) })}
      />
      <Figure
        title={t("Being paid")}
        value={dollars(usdOf(withStatus("settling")))}
        note={note(withStatus("settling"))}
      />
      <Figure title={t("Paid")} value={dollars(usdOf(withStatus("settled")))} note={note(withStatus("settled"))} />
    </SimpleGrid>
  )
}

function TotalsByClass({ charges }: { readonly charges: ReadonlyArray<Charge> }) {
  const rows = [...new Set(charges.map(({ action }) => action))].sort().map((action) => {
    const own = charges.filter((charge) => charge.action === action)
    return { key: action, cells: [classLabels[action] ?? action, own.length, dollars(usdOf(own))] }
  })
  return (
    <Card withBorder component="section" aria-label={t("By class of action")}>
      <Title order={2} size="h4" mb="xs">{t("By class of action")}</Title>
      <ResponsiveTable label={t("Spent by class of action")} columns={[t("Class"), t("Charges"), "USD"]} rows={rows} />
    </Card>
  )
}

/** Maximum rows on the page; the CSV has all. */
const maxRows = 100

const rowOf = (charge: Charge) => ({
  key: charge.charge_id,
  cells: [
    moment(charge.created_at),
    charge.owner,
    `${classLabels[charge.action] ?? charge.action} · ${charge.network}`,
    dollars(charge.usd),
    charge.native === null
      ? t("waiting for a price")
      : <span key="native" title={charge.native}>{quantity(charge.native)} {charge.token}</span>,
    <Group key="state" gap="xs">
      <Badge color={colours[charge.status]} variant="dot">{statusLabels[charge.status]}</Badge>
      {charge.settlement_tx_hash !== null && <Transaction network={charge.network} hash={charge.settlement_tx_hash} />}
    </Group>
  ]
})

function ChargeList({ charges }: { readonly charges: ReadonlyArray<Charge> }) {
  return (
    <Card withBorder component="section" aria-label={t("Each charge")}>
      <Title order={2} size="h4" mb="xs">{t("Each charge")}</Title>
      <ResponsiveTable
        label={t("Charges")}
        columns={[t("Time"), t("Gas wallet"), t("Class"), "USD", t("Native"), t("State")]}
        rows={charges.slice(0, maxRows).map(rowOf)}
      />
      {charges.length > maxRows && (
        <Text size="sm" mt="xs">
          {t("The newest {maxRows} of {count}; the CSV has all of them.", { maxRows, count: charges.length })}
        </Text>
      )}
    </Card>
  )
}

export function ChargesPage() {
  const [span, setSpan] = useState("30")
  const query = useCharges(span === "" ? undefined : Number(span))
  const charges = query.data?.charges ?? []
  const save = () => download(`charges-${new Date().toISOString().slice(0, 10)}.csv`, "text/csv", csv(columns, charges))
  const actions = (
    <>
      <NativeSelect
        aria-label={t("Span of time")}
        value={span}
        onChange={(event) => setSpan(event.currentTarget.value)}
        data={spans.map(([value, label]) => ({ value, label }))}
      />
      <Button variant="default" disabled={charges.length === 0} onClick={save}>{t("Download CSV")}</Button>
    </>
  )
  return (
    <Page title={t("Charges")} query={query} actions={actions}>
      {query.data !== undefined && charges.length === 0 && (
        <Alert color="blue" title={t("No charges")}>
          {t(
            "Executed actions that are billed appear here: trades, approvals, lending, liquidity. Everything " +
              "else is free."
          )}
        </Alert>
      )}
      {query.data?.complete === false && (
        <Alert color="orange" role="status">
          {t("There are more charges than shown here. Choose a shorter time span, or read all of them with the API.")}
        </Alert>
      )}
      {charges.length > 0 && (
        <Stack>
          <Totals charges={charges} />
          <TotalsByClass charges={charges} />
          <ChargeList charges={charges} />
        </Stack>
      )}
    </Page>
  )
}
