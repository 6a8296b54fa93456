/**
 * Trades a vault's assets: amounts and a live quote, then a review of exactly that trade, then its outcome. The quote is
 * the service's dry run, planned as the trade itself.
 */
import { Button, Group, Loader, NativeSelect, Stack, Text, TextInput } from "@mantine/core"
import { useDebouncedValue, useDisclosure } from "@mantine/hooks"
import { platforms } from "@vault-trader/core/venue/VenueName"
import { type ReactNode, useState } from "react"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { amount, dollars, money, price, shortOf } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import { useComposition } from "../vault/useVaults.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { type Swap, type Trade, useTradePlan } from "./Plans.ts"
import { type Holding, ImpactText, parameters, type Terms, TradeReview } from "./TradeReview.tsx"
import { VenueQuotes } from "./VenueQuotes.tsx"
import { TradeOutcome } from "./TradeOutcome.tsx"
import { valueOf } from "../vault/Amounts.ts"
import { AmountField } from "../vault/AmountField.tsx"
import { impactOf, routeText } from "./TradeFigures.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const faultsOf = (terms: Terms, held: string | null | undefined) => ({
  amount: terms.amount.trim() === ""
    ? null
    : parameters.faultOf("amount", terms.amount.trim()) ??
      (held !== null && held !== undefined && Number(terms.amount) > Number(held)
        ? t("The vault has {held} {from}", { held: amount(held), from: terms.from })
        : null),
  slippage: parameters.faultOf("slippage", terms.slippage.trim())
})

function QuoteLine({ children, label }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Text size="sm" c="dimmed">{label}</Text>
      <Text component="div" size="sm" className="figure" ta="end">{children}</Text>
    </Group>
  )
}

function Quote({ holdings, trade }: { readonly trade: Trade; readonly holdings: ReadonlyArray<Holding> }) {
  const { amountIn, amountOut, charge, gas_cost, minOut, route, venue } = trade
  return (
    <Stack gap={4} role="group" aria-label={t("Quote")}>
      <QuoteLine label={t("You get about")}>
        <Text span fw={650}>{amount(amountOut.amount)} {amountOut.symbol}</Text>{" "}
        <Text span size="xs" c="dimmed">{money(valueOf(holdings, amountOut))}</Text>
      </QuoteLine>
      <QuoteLine label={t("At least, or it fails")}>{amount(minOut.amount)} {minOut.symbol}</QuoteLine>
      <QuoteLine label={t("Price")}>
        1 {amountIn.symbol} = {price(Number(amountOut.amount) / Number(amountIn.amount))} {amountOut.symbol}
      </QuoteLine>
      <QuoteLine label={t("Price impact vs. oracle")}>
        <ImpactText impact={impactOf(holdings, trade)} />
      </QuoteLine>
      <QuoteLine label={t("Venue")}>{venue}</QuoteLine>
      {route !== undefined && <QuoteLine label={t("Route")}>{routeText(route)}</QuoteLine>}
      <QuoteLine label={t("Max gas")}>{gas_cost === null ? t("unknown") : shortOf(gas_cost)}</QuoteLine>
      <QuoteLine label={t("Charge")}>{dollars(charge.usd)}</QuoteLine>
    </Stack>
  )
}

function Fields({ held, set, symbols, terms }: {
  readonly terms: Terms
  readonly symbols: ReadonlyArray<string>
  readonly held: string | null
  readonly set: (some: Partial<Terms>) => void
}) {
  const faults = faultsOf(terms, held)
  const others = symbols.filter((symbol) => symbol !== terms.from)
  return (
    <>
      <Group grow align="flex-start">
        <NativeSelect
          label={t("Sell")}
          value={terms.from}
          data={[...symbols]}
          onChange={(event) => {
            const from = event.currentTarget.value
            set({ from, amount: "", ...(from === terms.to ? { to: terms.from } : {}) })
          }}
        />
        <NativeSelect
          label={t("Buy")}
          value={terms.to}
          data={others}
          onChange={(event) => set({ to: event.currentTarget.value })}
        />
      </Group>
      <AmountField
        symbol={terms.from}
        held={held}
        value={terms.amount}
        fault={faults.amount}
        onChange={(text) => set({ amount: text })}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t("Max slippage, %")}
          inputMode="decimal"
          value={terms.slippage}
          error={faults.slippage}
          onChange={(event) => set({ slippage: event.currentTarget.value })}
        />
        <NativeSelect
          label={t("Venue")}
          value={terms.platform}
          data={platforms.map((value) => ({
            value,
            label: value === "auto" ? t("Auto") : value === "best" ? t("Best price") : value
          }))}
          onChange={(event) => set({ platform: event.currentTarget.value })}
        />
      </Group>
    </>
  )
}

const swapOf = (vault: VaultRef, { amount: size, from, platform, slippage, to }: Terms): Swap => ({
  ...{ ...vault, from, to, amount: size.trim() },
  ...{ slippage: Number(slippage === "" ? "0.5" : slippage), platform: platform as "auto" }
})

/** Suggests what to sell and buy: what the vault has most of, for another of its tokens. */
const firstTerms = (tokens: ReadonlyArray<Holding>): Terms => {
  const [largest] = [...tokens].sort((one, other) => (other.value_usd ?? 0) - (one.value_usd ?? 0))
  const from = largest?.symbol ?? ""
  const to = tokens.find(({ symbol }) => symbol !== from)?.symbol ?? ""
  return { from, to, amount: "", slippage: "0.5", platform: "auto" }
}

interface TicketProps {
  readonly vault: VaultRef
  readonly close: () => void
  /** Opens an order in slices of the same trade. */
  readonly slice: (terms: Terms) => void
}

/** The quote of the trade now, and on request that of each venue. */
function Plan({ choose, holdings, swap, trade }: {
  readonly trade: Trade
  readonly swap: Swap
  readonly holdings: ReadonlyArray<Holding>
  readonly choose: (venue: string) => void
}) {
  const [isComparing, { toggle }] = useDisclosure(false)
  return (
    <Stack gap="xs">
      <Quote trade={trade} holdings={holdings} />
      <Group>
        <Button size="compact-sm" variant="default" onClick={toggle} aria-expanded={isComparing}>
          {isComparing ? t("Hide venues") : t("Compare venues")}
        </Button>
      </Group>
      {isComparing && <VenueQuotes swap={swap} holdings={holdings} chosen={trade.venue} choose={choose} />}
    </Stack>
  )
}

function Ticket({ close, holdings, slice, vault }: TicketProps & { readonly holdings: ReadonlyArray<Holding> }) {
  const tokens = holdings.filter(({ kind }) => kind === "token")
  const [terms, setTerms] = useState(() => firstTerms(tokens))
  const [reviewed, setReviewed] = useState<Trade>()
  const [intent, setIntent] = useState<string>()
  const held = tokens.find(({ symbol }) => symbol === terms.from)?.amount ?? null
  const faults = faultsOf(terms, held)
  const isValid = faults.amount === null && faults.slippage === null && Number(terms.amount) > 0 && terms.to !== ""
  const [settled] = useDebouncedValue(terms, 400)
  const isSettled = settled === terms
  const requestKey = useRequestKey(terms)
  const swap = swapOf(vault, terms)
  const plan = useTradePlan(isValid && isSettled ? swap : undefined)
  const set = (some: Partial<Terms>) => setTerms({ ...terms, ...some })
  if (intent !== undefined) return <TradeOutcome vault={vault} intent={intent} close={close} />
  if (reviewed !== undefined) {
    return (
      <TradeReview
        {...{ vault, holdings, slice, terms, requestKey }}
        plan={reviewed}
        back={() => setReviewed(undefined)}
        done={setIntent}
      />
    )
  }
  const isLoading = isValid && (!isSettled || plan.isPending)
  return (
    <Modal opened onClose={close} title={t("Trade")} size={500} closeButtonProps={{ "aria-label": t("Close") }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (plan.data !== undefined && isSettled) setReviewed(plan.data)
        }}
      >
        <Stack>
          <Fields
            terms={terms}
            symbols={tokens.map(({ symbol }) => symbol)}
            held={held}
            set={set}
          />
          <div aria-live="polite">
            {isLoading && <Loader size="sm" aria-label={t("Loading the quote")} />}
            {!isLoading && plan.error !== null && isValid && (
              <Problem color="orange" title={t("This trade would fail right now")} message={plan.error.message} />
            )}
            {!isLoading && plan.data !== undefined && (
              <Plan
                {...{ holdings, swap }}
                trade={plan.data}
                choose={(venue) => set({ platform: venue })}
              />
            )}
            {!isValid && <Text size="sm" c="dimmed">{t("Enter an amount to see the quote.")}</Text>}
          </div>
          <ApiFormFooter
            endpoint="vaultTrade"
            params={{ network: vault.network, pool: vault.pool, ...terms }}
            close={close}
          >
            <Button type="submit" disabled={!isValid || isLoading || plan.data === undefined}>
              {t("Review trade")}
            </Button>
          </ApiFormFooter>
        </Stack>
      </form>
    </Modal>
  )
}

export function TradeTicket({ close, slice, vault }: TicketProps) {
  const composition = useComposition(vault)
  if (composition.data === undefined) {
    return (
      <Modal opened onClose={close} title={t("Trade")} size={500} closeButtonProps={{ "aria-label": t("Close") }}>
        {composition.error === null
          ? <Loader aria-label={t("Reading the vault")} />
          : <Problem title={t("The vault cannot be read right now")} message={composition.error.message} />}
      </Modal>
    )
  }
  return <Ticket {...{ close, slice, vault }} holdings={composition.data.composition} />
}
