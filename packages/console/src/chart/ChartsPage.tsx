/** Charts of one vault: price of its pair with trades, price of its token, drift of its index. */
import { Alert, Anchor, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core"
import { getRouteApi, Link as RouteLink } from "@tanstack/react-router"
import { useState } from "react"
import { nameOf } from "../gas-wallet/GasWallets.ts"
import { Page } from "../shell/Page.tsx"
import { useBots } from "../bots/Bots.ts"
import { type Link, useLinks } from "../vault/useVaults.ts"
import { ChartCard } from "./ChartCard.tsx"
import {
  type Candles,
  marksOf,
  pairOf,
  timeframes,
  tradesOf,
  useCandles,
  useDays,
  useRuns,
  useTrades
} from "./Charts.ts"
import { chartSearchOf } from "./ChartRoute.ts"
import { T } from "../text/Sentence.tsx"
import { locale, t } from "../text/Text.ts"

const route = getRouteApi("/charts")
const seconds = (iso: string) => Math.floor(Date.parse(iso) / 1000)
const when = (time: number | Date) => new Date(time).toLocaleString()
const number = (value: number) => value.toLocaleString(locale, { maximumSignificantDigits: 8 })

function Price({ initial, link }: { readonly link: Link; readonly initial: string }) {
  const [about, setAbout] = useState<Candles>({ exchange: "coinbase", pair: initial, timeframe: "1h" })
  const [input, setInput] = useState({ exchange: about.exchange, pair: about.pair })
  const candles = useCandles(link, about)
  const trades = tradesOf(useTrades(link).data ?? [], about.pair)
  const candleList = candles.data ?? []
  const apply = () =>
    setAbout((before) => ({
      ...before,
      exchange: input.exchange.trim().toLowerCase(),
      pair: input.pair.trim().toUpperCase()
    }))
  return (
    <ChartCard
      title={t("Price and trades")}
      explanation={t(
        "Closed candles of {pair} on {exchange}; B and S mark where this wallet bought and sold for the " +
          "vault. Trades after the last closed candle are marked at that candle.",
        { pair: about.pair, exchange: about.exchange }
      )}
      query={candles}
      missingData={candleList.length === 0 ? t("The exchange has no closed candles for this pair.") : undefined}
      data={{ kind: "candles", candles: candleList, marks: marksOf(trades, candleList) }}
      columns={[t("Time"), t("What"), t("Opening"), t("High"), t("Low"), t("Closing")]}
      rows={[
        ...trades.map((
          { at, by, id, side, text }
        ) => [
          when(at),
          side === "buy"
            ? t("Bought by {by}: {text} ({id})", { by, text, id: id.slice(-6) })
            : t("Sold by {by}: {text} ({id})", { by, text, id: id.slice(-6) }),
          "",
          "",
          "",
          ""
        ])
          .reverse(),
        ...candleList.map((
          { close, high, low, open, time }
        ) => [when(time * 1000), "candle", ...[open, high, low, close].map(number)]).reverse()
      ]}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
          <TextInput
            size="xs"
            label={t("Exchange")}
            value={input.exchange}
            onBlur={apply}
            onChange={(event) => setInput({ ...input, exchange: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            label={t("Pair")}
            value={input.pair}
            onBlur={apply}
            onChange={(event) => setInput({ ...input, pair: event.currentTarget.value })}
          />
          <NativeSelect
            size="xs"
            label={t("Candle")}
            value={about.timeframe}
            data={Object.keys(timeframes)}
            onChange={({ currentTarget: { value } }) => setAbout((before) => ({ ...before, timeframe: value }))}
          />
        </SimpleGrid>
        <button type="submit" hidden />
      </form>
    </ChartCard>
  )
}

function Value({ link }: { readonly link: Link }) {
  const days = useDays(link)
  const priced = (days.data ?? []).flatMap(({ date, pnl_percent, token_price }) =>
    token_price === null ? [] : [{ date, pnl_percent, token_price }]
  )
  return (
    <ChartCard
      title={t("Value")}
      explanation={t(
        "Price of one vault token in USD, independent of deposits and withdrawals. Recorded once a day " +
          "by the vault’s oracle."
      )}
      query={days}
      missingData={priced.length < 2
        ? (priced.length === 0
          ? t("The chart needs two days; none is recorded yet.")
          : t("The chart needs two days; one is recorded so far: ${tokenPrice} on {date}.", {
            tokenPrice: priced[0]?.token_price ?? "",
            date: priced[0]?.date ?? ""
          }))
        : undefined}
      data={{
        kind: "line",
        unit: "USD",
        points: priced.map(({ date, token_price }) => ({ time: seconds(date), value: token_price }))
      }}
      columns={[t("Day (UTC)"), "USD", t("Gain since the day before")]}
      rows={priced.map((
        { date, pnl_percent, token_price }
      ) => [date, number(token_price), pnl_percent === null ? "–" : `${pnl_percent} %`]).reverse()}
    />
  )
}

function Drift({ link }: { readonly link: Link }) {
  const runs = useRuns(link)
  const points = [
    ...new Map(
      (runs.data ?? []).map((
        { at, paper, total_usd, trade_usd }
      ) => [seconds(at), { at, paper, total_usd, trade_usd, drift: trade_usd / total_usd * 100 }])
    )
  ]
  return (
    <ChartCard
      title={t("Drift")}
      explanation={t(
        "At each rebalance of the vault’s index: the total deviation from the targets in percentage " +
          "points of the vault’s value, up to the run’s cap."
      )}
      query={runs}
      missingData={points.length < 2
        ? t("The chart needs two rebalances of an index bot; this vault has had {count}.", { count: points.length })
        : undefined}
      data={{ kind: "line", unit: "%", points: points.map(([time, { drift }]) => ({ time, value: drift })) }}
      columns={[t("Time"), t("Drift"), t("To trade, USD"), t("Worth, USD")]}
      rows={points.map((
        [, { at, drift, paper, total_usd, trade_usd }]
      ) => [
        paper ? t("{text} (paper)", { text: when(seconds(at) * 1000) }) : when(seconds(at) * 1000),
        `${drift.toFixed(2)} %`,
        number(trade_usd),
        number(total_usd)
      ]).reverse()}
    />
  )
}

const keyOf = ({ network, pool, wallet }: Link) => `${network}/${pool}/${wallet}`

export function ChartsPage() {
  const links = useLinks()
  const bots = useBots()
  const { vault } = chartSearchOf(route.useSearch())
  const navigate = route.useNavigate()
  const link = links.data?.find((each) => keyOf(each) === vault) ?? links.data?.[0]
  const bot = bots.data?.bots.find(({ network, pool }) => network === link?.network && pool === link.pool)
  const choice = links.data === undefined || links.data.length === 0 ? undefined : (
    <NativeSelect
      label={t("Vault")}
      value={link === undefined ? "" : keyOf(link)}
      onChange={(event) => void navigate({ to: ".", search: { vault: event.currentTarget.value }, replace: true })}
      data={links.data.map((each) => ({
        value: keyOf(each),
        label: `${each.network} · ${each.pool.slice(0, 8)}…${each.pool.slice(-6)} · ${
          nameOf({ address: each.wallet, label: each.label })
        }`
      }))}
    />
  )
  return (
    <Page title={t("Charts")} query={links} choice={choice}>
      {link === undefined && (
        <Alert color="blue" title={t("No vault is linked")}>
          <T
            message="Charts are available for linked vaults. <0>Link one</0> to a gas wallet that trades it."
            parts={[<Anchor component={RouteLink} to="/links" underline="always" />]}
          />
        </Alert>
      )}
      {link !== undefined && !bots.isPending && (
        <Stack key={keyOf(link)}>
          <Price link={link} initial={pairOf(bot?.pair ?? "WETH-USDC")} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Value link={link} />
            <Drift link={link} />
          </SimpleGrid>
        </Stack>
      )}
    </Page>
  )
}
