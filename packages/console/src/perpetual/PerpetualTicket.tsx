/** Places an order of a perpetual contract: its terms with a live dry run, a review of exactly that, its outcome. */
import { Alert, Button, Group, Loader, NativeSelect, Stack, Switch, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { PerpetualApi } from "@vault-trader/core/perpetual/PerpetualApi"
import { useState } from "react"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { dollars, money, price as priceText } from "../shell/Format.ts"
import { LostAnswer } from "../shell/LostAnswer.tsx"
import { parametersOf } from "../shell/Parameters.ts"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import { asSent, isEqual, lostOrderOf, newTerms, paramsOf, type Terms } from "./OrderTerms.ts"
import { marginOf, OrderLines, type OrderPlace, PerpetualReview } from "./PerpetualReview.tsx"
import { PerpetualOutcome } from "./PerpetualOutcome.tsx"
import { type OrderPlan, sideLabels, tifLabels, useOrderPlan } from "./Perpetuals.ts"
import { Modal } from "../shell/Modal.tsx"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { t } from "../text/Text.ts"

const { faultOf } = parametersOf(PerpetualApi, "placePerpetualOrder")

const faultsOf = ({ kind, price, size, slippage, unit }: Terms) => ({
  size: size.trim() === "" ? null : faultOf(unit, size.trim()),
  price: kind === "market" || price.trim() === "" ? null : faultOf("price", price.trim()),
  slippage: kind === "limit" ? null : slippage.trim() === "" ? t("Required") : faultOf("slippage", slippage.trim())
})

const isComplete = (terms: Terms) =>
  Object.values(faultsOf(terms)).every((fault) => fault === null) && terms.size.trim() !== "" &&
  (terms.kind === "market" || terms.price.trim() !== "")

interface FieldsProps {
  readonly terms: Terms
  readonly set: (some: Partial<Terms>) => void
}

function PriceFields({ set, terms }: FieldsProps) {
  const faults = faultsOf(terms)
  return terms.kind === "market"
    ? (
      <TextInput
        label={t("Max slippage, %")}
        description={t("From the middle of the market")}
        inputMode="decimal"
        value={terms.slippage}
        error={faults.slippage}
        onChange={(event) => set({ slippage: event.currentTarget.value })}
      />
    )
    : (
      <Group grow align="flex-start">
        <TextInput
          label={t("Limit price")}
          inputMode="decimal"
          autoComplete="off"
          value={terms.price}
          error={faults.price}
          onChange={(event) => set({ price: event.currentTarget.value })}
        />
        <NativeSelect
          label={t("Time in force")}
          value={terms.tif}
          data={(["gtc", "ioc", "alo"] as const).map((value) => ({ value, label: tifLabels[value] }))}
          onChange={(event) => set({ tif: event.currentTarget.value as Terms["tif"] })}
        />
      </Group>
    )
}

function Fields({ markets, set, terms }: FieldsProps & Pick<OrderPlace, "markets">) {
  const faults = faultsOf(terms)
  const choose = <Name extends keyof Terms>(name: Name) => (value: string) => set({ [name]: value })
  return (
    <>
      <NativeSelect
        label={t("Contract")}
        value={terms.coin}
        data={markets.filter(({ isolated_only }) => !isolated_only).map(({ coin, mark_price }) => ({
          value: coin,
          label: `${coin} · $${priceText(mark_price)}`
        }))}
        onChange={(event) => set({ coin: event.currentTarget.value, price: "", size: "" })}
      />
      <Group grow>
        <SegmentedControl
          aria-label={t("Side")}
          value={terms.side}
          data={[{ value: "buy", label: sideLabels.long }, { value: "sell", label: sideLabels.short }]}
          onChange={choose("side")}
        />
        <SegmentedControl
          aria-label={t("Type")}
          value={terms.kind}
          data={[{ value: "market", label: t("Market") }, { value: "limit", label: t("Limit") }]}
          onChange={choose("kind")}
        />
      </Group>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          label={terms.unit === "usd" ? t("Value in USD") : t("Size in {coin}", { coin: terms.coin })}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          value={terms.size}
          error={faults.size}
          onChange={(event) => set({ size: event.currentTarget.value })}
        />
        <Button variant="default" onClick={() => set({ unit: terms.unit === "usd" ? "size" : "usd", size: "" })}>
          {terms.unit === "usd" ? t("Use a size") : t("Use USD")}
        </Button>
      </Group>
      <PriceFields {...{ set, terms }} />
      <Switch
        label={t("Reduce only")}
        description={t("It closes what is open, and opens nothing")}
        checked={terms.isReducing}
        onChange={(event) => set({ isReducing: event.currentTarget.checked })}
      />
    </>
  )
}

/** Warns where the free margin is less than what the order needs: HyperCore would reject it. */
function MarginAlert({ place, plan }: { readonly plan: OrderPlan; readonly place: OrderPlace }) {
  const needed = marginOf(plan, place)?.usd ?? 0
  const free = Number(place.account.margin.accountValue) - Number(place.account.margin.totalMarginUsed)
  if (plan.reduce_only || needed <= free) return null
  return (
    <Alert color="orange" mt="xs" title={t("The margin does not cover it")}>
      {t(
        "It needs {needed}, and {free} are free: HyperCore would reject it. Deposit margin, or choose a smaller size.",
        {
          needed: dollars(needed),
          free: money(Math.max(0, free))
        }
      )}
    </Alert>
  )
}

function LostOrder({ isSame, lost }: { readonly lost: Terms | undefined; readonly isSame: boolean }) {
  if (lost === undefined) return null
  const { coin, size } = lost
  const values = { coin, size, price: priceText(lost.price) }
  return (
    <LostAnswer
      isSame={isSame}
      what={lost.side === "buy"
        ? t("Buy {size} {coin} at {price}", values)
        : t("Sell {size} {coin} at {price}", values)}
    />
  )
}

/** Shows what a valid order would do, or why it would fail. */
function Planned({ isLoading, place, plan, problem }: {
  readonly isLoading: boolean
  readonly place: OrderPlace
  readonly plan: OrderPlan | undefined
  readonly problem: Error | null
}) {
  if (isLoading) return <Loader size="sm" aria-label={t("Checking")} />
  return (
    <>
      {problem !== null && (
        <Problem color="orange" title={t("This order would fail right now")} message={problem.message} />
      )}
      {plan !== undefined && (
        <>
          <OrderLines plan={plan} place={place} />
          <MarginAlert plan={plan} place={place} />
        </>
      )}
    </>
  )
}

export function PerpetualTicket({ close, coin, place }: {
  readonly place: OrderPlace
  /** The contract that is chosen at first. */
  readonly coin: string
  readonly close: () => void
}) {
  const lost = lostOrderOf(place.vault)
  const [terms, setTerms] = useState<Terms>(lost ?? newTerms(coin))
  const [reviewed, setReviewed] = useState<OrderPlan>()
  // The plan that was sent for these terms, until it is refused: the same key must not carry another price.
  const [open, setOpen] = useState<{ readonly terms: Terms; readonly plan: OrderPlan }>()
  const [intent, setIntent] = useState<string>()
  const [settled] = useDebouncedValue(terms, 400)
  const isSettled = settled === terms
  const requestKey = useRequestKey(terms)
  const isValid = isComplete(terms)
  const params = paramsOf(terms)
  const plan = useOrderPlan(place.vault, isValid && isSettled ? params : undefined)
  if (intent !== undefined) return <PerpetualOutcome kind="order" vault={place.vault} {...{ intent, close }} />
  if (reviewed !== undefined) {
    return (
      <PerpetualReview
        plan={reviewed}
        {...{ place, requestKey }}
        onSending={(isOpen) => setOpen(isOpen ? { terms, plan: reviewed } : undefined)}
        back={() => setReviewed(undefined)}
        done={setIntent}
      />
    )
  }
  const isOpen = open !== undefined && isEqual(open.terms, terms)
  const isLoading = isValid && (!isSettled || plan.isPending)
  return (
    <Modal
      opened
      onClose={close}
      title={t("Place an order")}
      size={520}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSettled || !isValid) return
          const next = isOpen ? open.plan : plan.data
          if (next !== undefined) setReviewed(asSent(next, lost, terms))
        }}
      >
        <Stack>
          <LostOrder lost={lost} isSame={isOpen || (lost !== undefined && isEqual(lost, terms))} />
          <Fields {...{ terms }} markets={place.markets} set={(some) => setTerms({ ...terms, ...some })} />
          <div aria-live="polite">
            {isValid && <Planned {...{ isLoading, place }} plan={plan.data} problem={plan.error} />}
          </div>
          <ApiFormFooter
            endpoint="placePerpetualOrder"
            params={{
              ...{ network: place.vault.network, pool: place.vault.pool },
              ...Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
            }}
            close={close}
          >
            <Button type="submit" disabled={!isValid || isLoading || plan.data === undefined}>
              {t("Review the order")}
            </Button>
          </ApiFormFooter>
        </Stack>
      </form>
    </Modal>
  )
}
