/** Review before a bot is set: missing requirements, the bot's terms, and the first trade it would make now. */
import { Alert, Loader, Text } from "@mantine/core"
import { legsOf } from "@vault-trader/core/threshold-bot/ThresholdBotApi"
import { useMutation } from "@tanstack/react-query"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { percent } from "../shell/Figures.ts"
import { Confirm } from "../shell/Confirm.tsx"
import { Effect } from "../shell/ActionSummary.tsx"
import { dollars, short, shortOf } from "../shell/Money.ts"
import { done } from "../shell/Notices.ts"
import { type About, type Trade, useFee, useTradePlan } from "../trading/Plans.ts"
import { useComposition } from "../vault/Composition.ts"
import { type BotTerms, decoded, venueOf } from "./BotTerms.ts"
import { Checks } from "./Checks.tsx"
import { useReadiness } from "./Readiness.ts"

type Holding = NonNullable<ReturnType<typeof useComposition>["data"]>["composition"][number]

const holdingOf = (holdings: ReadonlyArray<Holding>, leg: string) =>
  holdings.find(({ asset, symbol }) => symbol.toUpperCase() === leg.toUpperCase() || asset === leg.toLowerCase())

/** Returns the bot's first sale in human units; undefined if it would sell nothing, or not by a single swap. */
const firstSale = (terms: BotTerms, holdings: ReadonlyArray<Holding>) => {
  const [base, quote] = legsOf(terms.pair)
  const [from, to] = terms.side === "long" ? [quote, base] : terms.side === "neutral" ? [base, quote] : ["", ""]
  const held = from === "" ? undefined : holdingOf(holdings, from)
  if (held === undefined || held.price === null || held.price <= 0) return undefined
  const decimals = 6
  const maxAmount = Math.min(
    Number(held.amount) * (terms.share.trim() === "" ? 100 : Number(terms.share)) / 100,
    terms.max_usd.trim() === "" ? Infinity : Number(terms.max_usd) / held.price
  )
  const amount = (Math.floor(maxAmount * 10 ** decimals) / 10 ** decimals).toFixed(decimals)
  return Number(amount) > 0 ? { from, to, amount } : undefined
}

/** Describes the maximum loss of the trade: its value minus the minimum proceeds, plus charge and gas. */
const worstCase = ({ amountIn, charge, minOut }: Trade, holdings: ReadonlyArray<Holding>): string | undefined => {
  const [sold, bought] = [holdingOf(holdings, amountIn.asset), holdingOf(holdings, minOut.asset)]
  if (sold?.price === null || sold === undefined || bought?.price === null || bought === undefined) return undefined
  const loss = Number(amountIn.amount) * sold.price - Number(minOut.amount) * bought.price
  return `${dollars(Math.max(0, loss) + charge.usd)} and the gas`
}

function FirstTrade({ about, terms }: { readonly about: About; readonly terms: BotTerms }) {
  const held = useComposition(about)
  const sale = firstSale(terms, held.data?.composition ?? [])
  const { slippage } = decoded(terms) as { readonly slippage?: number }
  const plan = useTradePlan(
    sale === undefined ? undefined : { ...about, ...sale, platform: venueOf(terms), slippage: slippage ?? 1 }
  )
  const fee = useFee("vaultTrade", about.network).data
  if (terms.side === "hold") return <Text size="sm">On hold, it does not trade until its side is changed.</Text>
  if (held.data === undefined || (sale !== undefined && plan.data === undefined && plan.error === null)) {
    return <Loader size="sm" aria-label="Loading the plan" />
  }
  if (sale === undefined) {
    return (
      <Text size="sm">
        {terms.side === "short"
          ? "Short holds the inverse token; the first trades follow once the bot is set."
          : "There is nothing to sell for this side now; the bot keeps checking."}
      </Text>
    )
  }
  if (plan.data === undefined) {
    return (
      <Alert color="orange" title="Its first trade would fail right now">
        {plan.error?.message} The bot would retry automatically.
      </Alert>
    )
  }
  const trade = plan.data
  return (
    <Effect
      label="Its first trade, as of now"
      lines={[
        ["First trade", `Sell ${short(trade.amountIn.amount)} ${trade.amountIn.symbol}`],
        ["For about", `${short(trade.amountOut.amount)} ${trade.amountOut.symbol}`],
        ["At least", `${short(trade.minOut.amount)} ${trade.minOut.symbol}, or it fails`],
        ["Venue", trade.venue],
        ["Max gas", trade.gas_cost === null ? "unknown" : shortOf(trade.gas_cost)],
        [
          "Charge per trade",
          `${dollars(trade.charge.usd)}${
            fee?.fee_native === null || fee === undefined ? "" : ` (${short(fee.fee_native)} ${fee.token})`
          }`
        ],
        ["Worst case", worstCase(trade, held.data.composition) ?? "unknown, no price"]
      ]}
    />
  )
}

export function Review(
  { back, close, fixed, terms }: {
    readonly terms: BotTerms
    readonly fixed: boolean
    readonly back: () => void
    readonly close: () => void
  }
) {
  const readiness = useReadiness(terms)
  const setting = useMutation({
    mutationFn: () =>
      // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
      call((client) =>
        client.wallet.setBot({ ...decoded(terms), wallet: terms.wallet, idempotency_key: crypto.randomUUID() } as never)
      ),
    onSuccess: (answer) => {
      done("message" in answer ? String(answer.message) : "The bot is set.")
      close()
      void queries.invalidateQueries()
    }
  })
  // On paper and on hold nothing is traded, so stopping a bot does not require gas.
  const trades = !terms.paper && terms.side !== "hold"
  const blocked = trades && !readiness.ready
  return (
    <Confirm
      title={fixed ? `Save ${terms.pair}` : `Set the bot of ${terms.pair}`}
      action={terms.paper
        ? "Set it, on paper"
        : terms.side === "hold"
        ? "Set it on hold"
        : fixed
        ? "Save and rebalance"
        : "Set it and trade"}
      close={back}
      disabled={blocked}
      loading={setting.isPending}
      problem={setting.error}
      onConfirm={() => setting.mutate()}
    >
      {trades && <Checks of={readiness} />}
      {blocked && (
        <Alert color="orange" role="status" title="The bot cannot be set yet">
          Complete the missing steps above. This continues automatically once they are confirmed on chain.
        </Alert>
      )}
      <Effect
        label="The bot"
        lines={[
          ["Vault", `${terms.pool} on ${terms.network}`],
          ["Side", terms.side],
          [
            "Trades",
            `at more than ${percent(Number(terms.threshold))} on the wrong side, ${
              percent(Number(terms.share))
            } of it each time, worth at most $${Number(terms.max_usd).toLocaleString("en")}`
          ],
          ["Slippage", `at most ${percent(Number(terms.slippage))}`]
        ]}
      />
      {terms.paper || readiness.about === undefined
        ? <Text size="sm">On paper: it decides on live prices and sends nothing.</Text>
        : !blocked && <FirstTrade about={readiness.about} terms={terms} />}
    </Confirm>
  )
}
