/** Chooses the prices of a backtest: candles of an exchange for all assets, or a file for each. */
import { Button, FileButton, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core"
import { useState } from "react"
import { pairOf, timeframes } from "../chart/Charts.ts"
import type { Wallet } from "../gas-wallet/GasWallets.ts"
import { Section } from "../shell/Section.tsx"
import type { Needed, Terms } from "./BacktestTerms.ts"
import { maxCandles, type SourceState, type Sources, textOfState } from "./Sources.ts"
import { locale, t } from "../text/Text.ts"

const spans = [
  [7, t("7 days")],
  [30, t("30 days")],
  [90, t("90 days")],
  [365, t("1 year")],
  [1_095, t("3 years")]
] as const

type Timeframe = keyof typeof timeframes
const names = Object.keys(timeframes) as ReadonlyArray<Timeframe>

const exchangePattern = /^[A-Za-z0-9]{2,32}$/
const pairPattern = /^[A-Za-z0-9.$]{1,20}[-/_][A-Za-z0-9.$]{1,20}$/

function Status({ state }: { readonly state: SourceState | undefined }) {
  if (state === undefined) return null
  return (
    <Text
      size="xs"
      role={state._tag === "failed" ? "alert" : "status"}
      c={state._tag === "failed" ? "var(--mantine-color-error)" : "dimmed"}
      style={{ overflowWrap: "anywhere" }}
    >
      {textOfState(state)}
    </Text>
  )
}

/** A file of an asset's candles, or of signals. */
function FileRow({ help, label, name, sources }: {
  readonly label: string
  /** The key of the source. */
  readonly name: string
  readonly help?: string
  readonly sources: Sources
}) {
  const state = sources.states[name]
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>{label}</Text>
        <Group gap="xs">
          {state !== undefined && (
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={t("Remove {name}", { name: label })}
              onClick={() => sources.remove(name)}
            >
              {t("Remove")}
            </Button>
          )}
          <FileButton
            accept=".csv,.json,.txt,text/csv,application/json"
            inputProps={{ "aria-label": t("File: {name}", { name: label }) }}
            onChange={(file) => file !== null && sources.readFile(name, file)}
          >
            {(props) => (
              <Button
                {...props}
                size="compact-sm"
                variant="default"
                aria-label={t("Choose a file: {name}", { name: label })}
              >
                {t("Choose a file")}
              </Button>
            )}
          </FileButton>
        </Group>
      </Group>
      {help !== undefined && <Text size="xs" c="dimmed">{help}</Text>}
      <Status state={state} />
    </Stack>
  )
}

/** The fields that select an exchange's candles, and the button that reads those of all assets. */
function ExchangeCandles({ needed, sources, wallets }: {
  readonly needed: ReadonlyArray<Needed>
  readonly sources: Sources
  readonly wallets: ReadonlyArray<Wallet>
}) {
  const [exchange, setExchange] = useState("coinbase")
  const [timeframe, setTimeframe] = useState<Timeframe>("6h")
  const [days, setDays] = useState(365)
  const [pairs, setPairs] = useState<Readonly<Record<string, string>>>({})
  const bars = Math.ceil(days * 86_400 / timeframes[timeframe])
  const [wallet] = wallets
  const listed = (symbol: string) => pairs[symbol] ?? pairOf(`${symbol}-USD`)
  const isValid = exchangePattern.test(exchange.trim()) &&
    needed.every(({ symbol }) => pairPattern.test(listed(symbol).trim()))
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput
          label={t("Exchange")}
          value={exchange}
          autoComplete="off"
          error={exchangePattern.test(exchange.trim()) ? null : t("Its name, as coinbase or kraken")}
          onChange={(event) => setExchange(event.currentTarget.value)}
        />
        <NativeSelect
          label={t("Candles of")}
          value={timeframe}
          data={[...names]}
          onChange={(event) => setTimeframe(names.find((each) => each === event.currentTarget.value) ?? "6h")}
        />
        <NativeSelect
          label={t("How far back")}
          value={String(days)}
          data={spans.map(([value, label]) => ({ value: String(value), label }))}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
        />
      </SimpleGrid>
      {needed.map(({ key, symbol }) => (
        <TextInput
          key={key}
          label={t("{symbol} at the exchange", { symbol })}
          value={listed(symbol)}
          autoComplete="off"
          error={pairPattern.test(listed(symbol).trim()) ? null : t("BASE-QUOTE, as the exchange lists it")}
          onChange={(event) => {
            const { value } = event.currentTarget
            setPairs((before) => ({ ...before, [symbol]: value }))
          }}
        />
      ))}
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={wallet === undefined || !isValid || bars > maxCandles || needed.length === 0}
          onClick={() =>
            needed.forEach(({ key, symbol }) =>
              sources.readExchange(key, {
                ...{ wallet: wallet?.address ?? "", timeframe, bars },
                ...{ exchange: exchange.trim().toLowerCase(), pair: listed(symbol).trim().toUpperCase() }
              })
            )}
        >
          {t("Read the candles")}
        </Button>
        <Text size="xs" c={bars > maxCandles ? "var(--mantine-color-error)" : "dimmed"}>
          {bars > maxCandles
            ? t("{count} candles are too many; at most {max}. Choose longer candles or less time.", {
              count: bars.toLocaleString(locale),
              max: maxCandles.toLocaleString(locale)
            })
            : wallet === undefined
            ? t("Reading an exchange’s candles needs a gas wallet. A file works without one.")
            : t("Up to {count} candles of each asset", { count: bars.toLocaleString(locale) })}
        </Text>
      </Group>
    </Stack>
  )
}

export function BacktestSources({ needed, sources, terms, wallets }: {
  readonly terms: Terms
  readonly needed: ReadonlyArray<Needed>
  readonly sources: Sources
  readonly wallets: ReadonlyArray<Wallet>
}) {
  return (
    <Section title={t("Prices")}>
      <Stack>
        <ExchangeCandles needed={needed} sources={sources} wallets={wallets} />
        <Text size="xs" c="dimmed">
          {t(
            "Or files: CSV with time,open,high,low,close, or JSON as getCandles returns it, the oldest candle first. " +
              "They are read here and not sent anywhere."
          )}
        </Text>
        {needed.map(({ key, symbol }) => (
          <FileRow key={key} name={key} label={t("Candles of {symbol}", { symbol })} sources={sources} />
        ))}
        {terms.kind === "threshold" && (
          <>
            <FileRow
              name="signals"
              label={t("Signals")}
              help={t("Optional: CSV with time,side. Until the first one the bot keeps the side of its form.")}
              sources={sources}
            />
            <FileRow
              name="inverse"
              label={t("Candles of the inverse token")}
              help={t("Needed to go short only.")}
              sources={sources}
            />
          </>
        )}
      </Stack>
    </Section>
  )
}
