/** Review before a bot is set: missing requirements, the bot's terms, and the first trade it would make now. */
import { Alert, Loader, Text } from "@mantine/core"
import { legsOf } from "@vault-trader/core/threshold-bot/PairText"
import { useMutation } from "@tanstack/react-query"
import type { Bot } from "../bots/Bots.ts"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { dollars, percent, short, shortOf } from "../shell/Format.ts"
import { Confirm } from "../shell/Confirm.tsx"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { type Trade, useFee, useTradePlan } from "../trading/Plans.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { useComposition } from "../vault/useVaults.ts"
import { type BotTerms, paramsOf, venueOf } from "./BotTerms.ts"
import { Checks } from "./Checks.tsx"
import { useReadiness } from "./Readiness.ts"

type Holding = NonNullable<ReturnType<typeof useComposition>["data"]>["composition"][number]

const holdingOf = (holdings: ReadonlyArray<Holding>, leg: string) =>
  holdings.find(({ asset, symbol }) => symbol.toUpperCase() === leg.toUpperCase() || asset === leg.toLowerCase())

/** Returns the bot's first sale in human units; undefined if it would sell nothing, or not by a single swap. */
const firstSale = (terms: BotTerms, holdings: ReadonlyArray<Holding>) => {
  const [base, quote] = legsOf(terms.pair)
  const [from, to] = terms.side === "long" ? [quote, base] : terms.side === "neutral" ? [base, quote] : ["", ""]
  const holding = from === "" ? undefined : holdingOf(holdings, from)
  if (holding === undefined || holding.price === null || holding.price <= 0) return undefined
  const decimals = 6
  const maxAmount = Math.min(
    Number(holding.amount) * (terms.share.trim() === "" ? 100 : Number(terms.share)) / 100,
    terms.max_usd.trim() === "" ? Infinity : Number(terms.max_usd) / holding.price
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

function FirstTrade({ vault, terms }: { readonly vault: VaultRef; readonly terms: BotTerms }) {
  const composition = useComposition(vault)
  const sale = firstSale(terms, composition.data?.composition ?? [])
  const { slippage } = paramsOf(terms) as { readonly slippage?: number }
  const plan = useTradePlan(
    sale === undefined ? undefined : { ...vault, ...sale, platform: venueOf(terms), slippage: slippage ?? 1 }
  )
  const fee = useFee("vaultTrade", vault.network).data
  if (terms.side === "hold") return <Text size="sm">On hold, it does not trade until its side is changed.</Text>
  if (composition.data === undefined || (sale !== undefined && plan.data === undefined && plan.error === null)) {
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
    <ActionSummary
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
        ["Worst case of this trade", worstCase(trade, composition.data.composition) ?? "unknown, no price"]
      ]}
    />
  )
}

/** Describes the result of setting the bot; without `bot`, it is set as soon as a node responds. */
const outcomeText = (terms: BotTerms, isEdit: boolean, bot: Pick<Bot, "kill_switch"> | undefined): string => {
  const deployed = isEdit ? "Bot saved." : "Bot deployed."
  if (bot === undefined) {
    return `The network cannot be read right now. The bot of ${terms.pair} is set as soon as it responds.`
  }
  if (bot.kill_switch !== null) return `${deployed} It waits: ${bot.kill_switch}.`
  if (terms.side === "hold") return `${deployed} It does nothing until its side is changed.`
  if (terms.paper) return `${deployed} It trades on paper.`
  return isEdit ? `${deployed} Rebalance in progress.` : `${deployed} First trade in progress.`
}

export function Review(
  { back, close, isEdit, terms }: {
    readonly terms: BotTerms
    readonly isEdit: boolean
    readonly back: () => void
    readonly close: () => void
  }
) {
  const readiness = useReadiness(terms)
  const setting = useMutation({
    mutationFn: () =>
      // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
      call((client) =>
        client.wallet.setBot(
          { ...paramsOf(terms), wallet: terms.wallet, idempotency_key: crypto.randomUUID() } as never
        )
      ),
    onSuccess: (answer) => {
      showSuccess(outcomeText(terms, isEdit, "data" in answer ? answer.data : undefined))
      close()
      void queries.invalidateQueries()
    }
  })
  // On paper and on hold nothing is traded, so stopping a bot does not require gas.
  const willTrade = !terms.paper && terms.side !== "hold"
  const isBlocked = willTrade && !readiness.ready
  return (
    <Confirm
      title={isEdit ? `Save ${terms.pair}` : `Set the bot of ${terms.pair}`}
      action={terms.paper
        ? "Set it, on paper"
        : terms.side === "hold"
        ? "Set it on hold"
        : isEdit
        ? "Save and rebalance"
        : "Set it and trade"}
      close={back}
      disabled={isBlocked}
      loading={setting.isPending}
      problem={setting.error}
      onConfirm={() => setting.mutate()}
    >
      {willTrade && <Checks readiness={readiness} />}
      {isBlocked && (
        <Alert color="orange" role="status" title="The bot cannot be set yet">
          Complete the missing steps above. This continues automatically once they are confirmed on chain.
        </Alert>
      )}
      <ActionSummary
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
          ["Slippage", `at most ${percent(Number(terms.slippage))}`],
          terms.max_impact.trim() === ""
            ? undefined
            : ["Max impact of a trade", percent(Number(terms.max_impact))]
        ]}
      />
      {terms.paper || readiness.vault === undefined
        ? <Text size="sm">On paper: it decides on live prices and sends nothing.</Text>
        : !isBlocked && <FirstTrade vault={readiness.vault} terms={terms} />}
    </Confirm>
  )
}
