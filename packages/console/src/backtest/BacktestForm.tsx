/** The form of a backtest: what to test, with which prices and at which costs; then its result, or a sweep's. */
import { Alert, Button, Group, Loader, NativeSelect, SimpleGrid, Stack, Tabs, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { sides } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { lazy, Suspense, useState } from "react"
import { BotFields } from "../bots/BotFields.tsx"
import { backtestKinds, type BacktestSearch } from "../bots/BacktestSearch.ts"
import type { Wallet } from "../gas-wallet/GasWallets.ts"
import { faultOf as indexFault, faultOfTargets } from "../index-bot/IndexFaults.ts"
import { IndexLimits, IndexTargets } from "../index-bot/IndexInputs.tsx"
import type { IndexTerms } from "../index-bot/IndexTerms.ts"
import { NumberField } from "../shell/NumberField.tsx"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { faultOf as botFault } from "../threshold-bot/BotFaults.ts"
import type { BotTerms } from "../threshold-bot/BotTerms.ts"
import { faultsOf } from "../vault-order/OrderFaults.ts"
import { OrderInputs, OrderKind } from "../vault-order/OrderInputs.tsx"
import { BacktestSources } from "./BacktestSources.tsx"
import {
  botNames,
  botOf,
  costFault,
  costNames,
  indexNames,
  indexOf,
  jobOf,
  neededOf,
  newCosts,
  orderOf,
  type Terms,
  withValues
} from "./BacktestTerms.ts"
import type { Ready } from "./BacktestJob.ts"
import { faultText, kindLabels, labelOf } from "./BacktestTexts.ts"
import { useSources } from "./Sources.ts"
import { type Backtesting, useBacktest } from "./useBacktest.ts"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { t } from "../text/Text.ts"

const Sweep = lazy(() => import("./Sweep.tsx").then(({ Sweep }) => ({ default: Sweep })))
const Tearsheet = lazy(() => import("./Tearsheet.tsx").then(({ Tearsheet }) => ({ default: Tearsheet })))

const validateBot = Object.fromEntries(botNames.map((name) => [name, (value: string) => botFault(name, value)]))
const validateIndex = Object.fromEntries(indexNames.map((name) => [name, (value: string) => indexFault(name, value)]))

/** The terms of all kinds; those of another kind are kept while one is shown. */
const useTerms = (search: BacktestSearch) => {
  const [kind, setKind] = useState(search.kind ?? "threshold")
  const bot = useForm<BotTerms>({
    initialValues: botOf(search),
    validate: validateBot,
    validateInputOnBlur: true
  })
  const index = useForm<IndexTerms>({
    initialValues: indexOf(search),
    validate: validateIndex,
    validateInputOnBlur: true
  })
  const [order, setOrder] = useState(() => orderOf(search))
  const [costs, setCosts] = useState(newCosts)
  const terms: Terms = { kind, bot: bot.values, index: index.values, order, costs }
  const areCostsValid = costNames.every((name) => costFault(name, costs[name] ?? "") === null)
  return {
    ...{ terms, bot, index, setKind, areCostsValid },
    setOrder: (some: Partial<Terms["order"]>) => setOrder((before) => ({ ...before, ...some })),
    setCost: (name: string, value: string) => setCosts((before) => ({ ...before, [name]: value })),
    /** Takes the values of a combination. */
    take: (values: Readonly<Record<string, string>>) => {
      const taken = withValues(terms, values)
      bot.setValues(taken.bot)
      index.setValues(taken.index)
      setOrder(taken.order)
      setCosts(taken.costs)
    },
    isValid: (): boolean => {
      if (kind === "threshold") return !bot.validate().hasErrors && areCostsValid
      if (kind === "order") return Object.keys(faultsOf(order)).length === 0 && areCostsValid
      return !index.validate().hasErrors && faultOfTargets(index.values.targets) === undefined && areCostsValid
    }
  }
}

type Form = ReturnType<typeof useTerms>

function OrderTerms({ form, wasSubmitted }: { readonly form: Form; readonly wasSubmitted: boolean }) {
  const { setOrder, terms: { order } } = form
  return (
    <Stack>
      <OrderKind fields={order} set={setOrder} />
      <Group grow align="flex-start">
        <TextInput
          label={t("Asset")}
          value={order.base}
          onChange={(event) => setOrder({ base: event.currentTarget.value })}
        />
        <TextInput
          label={t("Priced in")}
          value={order.quote}
          error={faultsOf(order).pair}
          onChange={(event) => setOrder({ quote: event.currentTarget.value })}
        />
      </Group>
      <OrderInputs fields={order} holdings={[]} set={setOrder} wasSubmitted={wasSubmitted} />
    </Stack>
  )
}

function Subject({ form, wasSubmitted }: { readonly form: Form; readonly wasSubmitted: boolean }) {
  const { bot, index, setKind, terms: { kind } } = form
  return (
    <Section title={t("What to test")}>
      <Stack>
        <SegmentedControl
          fullWidth
          aria-label={t("What to test")}
          value={kind}
          data={backtestKinds.map((value) => ({ value, label: kindLabels[value] }))}
          onChange={(value) => setKind(backtestKinds.find((each) => each === value) ?? "threshold")}
        />
        {kind === "threshold" && (
          <BotFields
            inputProps={(name) => bot.getInputProps(name)}
            isEdit={false}
            pairs="BASE-QUOTE"
            sides={sides}
            per="trade"
          >
            <NumberField
              label={t("Threshold %")}
              description={t("Trade when off target by more than")}
              input={bot.getInputProps("threshold")}
            />
          </BotFields>
        )}
        {kind === "index" && (
          <>
            <IndexTargets form={index} isSubmitted={wasSubmitted} />
            <IndexLimits form={index} />
          </>
        )}
        {kind === "order" && <OrderTerms form={form} wasSubmitted={wasSubmitted} />}
      </Stack>
    </Section>
  )
}

function Costs({ form }: { readonly form: Form }) {
  const { setCost, terms: { costs, kind } } = form
  const descriptions: Readonly<Record<string, string>> = {
    cost_slippage: t("What each trade loses to the market"),
    cost_fee: t("What each trade pays the venue")
  }
  return (
    <Section title={t("Costs")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {costNames.map((name) => (
          <TextInput
            key={name}
            label={labelOf(kind, name)}
            description={descriptions[name]}
            inputMode="decimal"
            autoComplete="off"
            value={costs[name] ?? ""}
            error={costFault(name, costs[name] ?? "")}
            onChange={(event) => setCost(name, event.currentTarget.value)}
          />
        ))}
        {kind === "threshold" && (
          <NativeSelect
            label={t("Starts with")}
            value={costs["start"] ?? "quote"}
            data={[{ value: "quote", label: t("the quote") }, { value: "base", label: t("the base") }]}
            onChange={(event) => setCost("start", event.currentTarget.value)}
          />
        )}
      </SimpleGrid>
    </Section>
  )
}

function OneRun({ ran, run, running, search }: {
  /** The terms of the last run; the form may have others by now. */
  readonly ran: Terms | undefined
  readonly run: () => void
  readonly running: Backtesting
  readonly search: BacktestSearch
}) {
  const { answer, fault, isRunning } = running
  return (
    <Stack>
      <Group>
        <Button loading={isRunning} onClick={run}>{t("Run the backtest")}</Button>
      </Group>
      {fault !== undefined && (
        <Problem
          title={t("The backtest did not run")}
          message={faultText(ran?.kind ?? "threshold", fault)}
          color="orange"
          funds=""
        />
      )}
      {answer?._tag === "report" && ran !== undefined && (
        <Suspense fallback={<Loader aria-label={t("Loading")} />}>
          <Tearsheet terms={ran} search={search} report={answer.report} />
        </Suspense>
      )}
    </Stack>
  )
}

export function BacktestForm({ search, wallets }: {
  readonly search: BacktestSearch
  readonly wallets: ReadonlyArray<Wallet>
}) {
  const form = useTerms(search)
  const sources = useSources()
  const running = useBacktest()
  const [tab, setTab] = useState<string | null>("one")
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [ran, setRan] = useState<Terms>()
  const { terms } = form
  const needed = neededOf(terms)
  const ready = (): Ready => {
    setWasSubmitted(true)
    if (!form.isValid()) return undefined
    const missing = needed.find(({ key }) => sources.sources[key] === undefined)
    return missing === undefined ? jobOf(terms, sources.sources) : { code: "missing", symbol: missing.symbol }
  }
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Stack>
          <Subject form={form} wasSubmitted={wasSubmitted} />
          <Costs form={form} />
        </Stack>
        <BacktestSources terms={terms} needed={needed} sources={sources} wallets={wallets} />
      </SimpleGrid>
      {wasSubmitted && !form.areCostsValid && (
        <Alert color="orange" role="alert" title={t("The costs are not complete")}>
          {t("Correct the marked fields under Costs.")}
        </Alert>
      )}
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List aria-label={t("How to run it")} mb="md">
          <Tabs.Tab value="one">{t("One run")}</Tabs.Tab>
          <Tabs.Tab value="sweep">{t("Sweep")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="one">
          <OneRun
            running={running}
            search={search}
            ran={ran}
            run={() => {
              const job = ready()
              if (job === undefined) return
              setRan(terms)
              if ("code" in job) running.refuse(job)
              else running.run({ _tag: "run", job })
            }}
          />
        </Tabs.Panel>
        <Tabs.Panel value="sweep">
          <Suspense fallback={<Loader aria-label={t("Loading")} />}>
            <Sweep
              terms={terms}
              ready={ready}
              take={(values) => {
                form.take(values)
                setTab("one")
              }}
            />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
