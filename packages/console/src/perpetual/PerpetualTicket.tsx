/** Places an order of a perpetual contract: its terms with a live dry run, a review of exactly that, its outcome. */
import { Alert, Button, Group, Loader, NativeSelect, SegmentedControl, Stack, Switch, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { defaultSlippage } from "@vault-trader/core/perpetual/Perpetual"
import { PerpetualApi } from "@vault-trader/core/perpetual/PerpetualApi"
import { useState } from "react"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { dollars, money, price as priceText } from "../shell/Format.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import { marginOf, OrderLines, type OrderPlace, PerpetualReview } from "./PerpetualReview.tsx"
import { PerpetualOutcome } from "./PerpetualOutcome.tsx"
import { type OrderParams, type OrderPlan, sideLabels, tifLabels, useOrderPlan } from "./Perpetuals.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const { faultOf } = parametersOf(PerpetualApi, "placePerpetualOrder")

interface Terms {
  readonly coin: string
  readonly side: "buy" | "sell"
  readonly unit: "usd" | "size"
  readonly size: string
  readonly kind: "market" | "limit"
  readonly price: string
  readonly tif: "gtc" | "ioc" | "alo"
  readonly slippage: string
  readonly isReducing: boolean
}

const paramsOf = ({ coin, isReducing, kind, price, side, size, slippage, tif, unit }: Terms): OrderParams => ({
  ...{ coin, side, [unit]: size.trim() },
  ...(kind === "limit" ? { price: price.trim(), tif } : { slippage: slippage.trim() }),
  ...(isReducing ? { reduce_only: true } : {})
})

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

export function PerpetualTicket({ close, coin, place }: {
  readonly place: OrderPlace
  /** The contract that is chosen at first. */
  readonly coin: string
  readonly close: () => void
}) {
  const [terms, setTerms] = useState<Terms>({
    ...{ coin, side: "buy", unit: "usd", size: "", kind: "market", price: "", tif: "gtc", isReducing: false },
    slippage: String(defaultSlippage)
  })
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
          const next = JSON.stringify(open?.terms) === JSON.stringify(terms) ? open?.plan : plan.data
          if (next !== undefined) setReviewed(next)
        }}
      >
        <Stack>
          <Fields {...{ terms }} markets={place.markets} set={(some) => setTerms({ ...terms, ...some })} />
          <div aria-live="polite">
            {isLoading && <Loader size="sm" aria-label={t("Checking")} />}
            {!isLoading && isValid && plan.error !== null && (
              <Problem color="orange" title={t("This order would fail right now")} message={plan.error.message} />
            )}
            {!isLoading && isValid && plan.data !== undefined && (
              <>
                <OrderLines plan={plan.data} place={place} />
                <MarginAlert plan={plan.data} place={place} />
              </>
            )}
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
