/** Review before a bot is set: missing requirements, the bot's terms, and the first trade it would make now. */
import { Alert, Anchor, Loader, Text } from "@mantine/core"
import { legsOf } from "@vault-trader/core/chain/PairText"
import { useMutation } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { searchOfBot } from "../bots/BacktestSearch.ts"
import type { Bot } from "../bots/Bots.ts"
import { queries } from "../connection/QueryCache.ts"
import { useNativePrice } from "../gas-wallet/GasWallets.ts"
import { call } from "../connection/RpcConnection.ts"
import { dollars, percent, short, shortOf } from "../shell/Format.ts"
import { Confirm } from "../shell/Confirm.tsx"
import { networkName } from "../shell/Icons.tsx"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { type Trade, useFee, useTradePlan } from "../trading/Plans.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { useVaultName } from "../vault/Names.ts"
import { useComposition } from "../vault/useVaults.ts"
import { type BotTerms, maxCounted, paramsOf, spenderOf, tradesUntilDone, venueOf } from "./BotTerms.ts"
import { Checks } from "./Checks.tsx"
import { useReadiness } from "./Readiness.ts"
import { T } from "../text/Sentence.tsx"
import { locale, t } from "../text/Text.ts"

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
  return t("{usd} and the gas", { usd: dollars(Math.max(0, loss) + charge.usd) })
}

/** Describes all trades until the pair is on the bot's side, at the prices and costs of the first. */
const wholeRun = (
  terms: BotTerms,
  { charge, gas_cost }: Trade,
  holdings: ReadonlyArray<Holding>,
  nativeUsd: number | undefined
): string | undefined => {
  const [base, quote] = legsOf(terms.pair).map((leg) => holdingOf(holdings, leg)?.value_usd ?? 0)
  const count = tradesUntilDone({
    wrong: (terms.side === "long" ? quote : base) ?? 0,
    total: (base ?? 0) + (quote ?? 0),
    max: terms.max_usd.trim() === "" ? Infinity : Number(terms.max_usd),
    share: terms.share.trim() === "" ? 100 : Number(terms.share),
    threshold: Number(terms.threshold)
  })
  if (count === 0 || count >= maxCounted || gas_cost === null || nativeUsd === undefined) return undefined
  return t("{count, plural, one {# trade} other {about # trades}}, at most {usd} of charges and gas", {
    count,
    usd: dollars(count * (charge.usd + Number(gas_cost.split(" ")[0]) * nativeUsd))
  })
}

function FirstTrade({ vault, terms }: { readonly vault: VaultRef; readonly terms: BotTerms }) {
  const composition = useComposition(vault)
  const sale = firstSale(terms, composition.data?.composition ?? [])
  const { slippage } = paramsOf(terms) as { readonly slippage?: number }
  const plan = useTradePlan(
    sale === undefined ? undefined : { ...vault, ...sale, platform: venueOf(terms), slippage: slippage ?? 1 }
  )
  const fee = useFee("vaultTrade", vault.network).data
  const nativeUsd = useNativePrice(vault.network).data?.price_usd
  if (terms.side === "hold") return <Text size="sm">{t("On hold, it does not trade until its side is changed.")}</Text>
  if (composition.data === undefined || (sale !== undefined && plan.data === undefined && plan.error === null)) {
    return <Loader size="sm" aria-label={t("Loading the plan")} />
  }
  if (sale === undefined) {
    return (
      <Text size="sm">
        {terms.side === "short"
          ? t("Short holds the inverse token; the first trades follow once the bot is set.")
          : t("There is nothing to sell for this side now; the bot keeps checking.")}
      </Text>
    )
  }
  if (plan.data === undefined) {
    return (
      <Alert color="orange" title={t("Its first trade would fail right now")}>
        {t("{message} The bot would retry automatically.", { message: plan.error?.message })}
      </Alert>
    )
  }
  const trade = plan.data
  return (
    <ActionSummary
      label={t("Its first trade, as of now")}
      lines={[
        [
          t("First trade"),
          t("Sell {amount} {symbol}", { amount: short(trade.amountIn.amount), symbol: trade.amountIn.symbol })
        ],
        [t("For about"), `${short(trade.amountOut.amount)} ${trade.amountOut.symbol}`],
        [
          t("At least"),
          t("{amount} {symbol}, or it fails", { amount: short(trade.minOut.amount), symbol: trade.minOut.symbol })
        ],
        [t("Venue"), trade.venue],
        [t("Max gas"), trade.gas_cost === null ? t("unknown") : shortOf(trade.gas_cost)],
        [
          t("Charge per trade"),
          `${dollars(trade.charge.usd)}${
            fee?.fee_native === null || fee === undefined ? "" : ` (${short(fee.fee_native)} ${fee.token})`
          }`
        ],
        [t("Worst case of this trade"), worstCase(trade, composition.data.composition) ?? t("unknown, no price")],
        [
          t("Until it is on its side"),
          wholeRun(terms, trade, composition.data.composition, nativeUsd) ?? t("unknown, no price")
        ]
      ]}
    />
  )
}

/** Describes the result of setting the bot; without `bot`, it is set as soon as a node responds. */
const outcomeText = (terms: BotTerms, isEdit: boolean, bot: Pick<Bot, "kill_switch"> | undefined): string => {
  const deployed = isEdit ? t("Bot saved.") : t("Bot deployed.")
  if (bot === undefined) {
    return t("The network cannot be read right now. The bot of {pair} is set as soon as it responds.", {
      pair: terms.pair
    })
  }
  if (bot.kill_switch !== null) {
    return t("{deployed} It waits: {killSwitch}.", { deployed, killSwitch: bot.kill_switch })
  }
  if (terms.side === "hold") return t("{deployed} It does nothing until its side is changed.", { deployed })
  if (terms.paper) return t("{deployed} It trades on paper.", { deployed })
  return isEdit
    ? t("{deployed} Rebalance in progress.", { deployed })
    : t("{deployed} First trade in progress.", { deployed })
}

function TermsSummary({ terms }: { readonly terms: BotTerms }) {
  const vaultName = useVaultName()
  return (
    <ActionSummary
      label={t("The bot")}
      lines={[
        [
          t("Vault"),
          t("{name} on {network}", {
            name: vaultName(terms.network, terms.pool),
            network: networkName(terms.network)
          })
        ],
        [t("Side"), terms.side],
        [
          t("Trades"),
          t("at more than {threshold} on the wrong side, {share} of it each time, worth at most ${maxUsd}", {
            threshold: percent(Number(terms.threshold)),
            share: percent(Number(terms.share)),
            maxUsd: Number(terms.max_usd).toLocaleString(locale)
          })
        ],
        [t("Slippage"), t("at most {slippage}", { slippage: percent(Number(terms.slippage)) })],
        terms.max_impact.trim() === ""
          ? undefined
          : [t("Max impact of a trade"), percent(Number(terms.max_impact))]
      ]}
    />
  )
}

export function Review(
  { back, backLabel, close, isEdit, terms }: {
    readonly terms: BotTerms
    readonly isEdit: boolean
    readonly back: () => void
    /** The button that goes back to the form; "Cancel" by default. */
    readonly backLabel?: string | undefined
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
      title={isEdit ? t("Save {pair}", { pair: terms.pair }) : t("Set the bot of {pair}", { pair: terms.pair })}
      action={terms.paper
        ? t("Set it, on paper")
        : terms.side === "hold"
        ? t("Set it on hold")
        : isEdit
        ? t("Save and rebalance")
        : t("Set it and trade")}
      close={back}
      cancel={backLabel}
      disabled={isBlocked}
      loading={setting.isPending}
      problem={setting.error}
      onConfirm={() => setting.mutate()}
    >
      {willTrade && (
        <Checks
          readiness={readiness}
          assets={legsOf(terms.pair).filter((leg) => leg !== "")}
          platform={spenderOf(terms)}
        />
      )}
      {isBlocked && (
        <Alert color="orange" role="status" title={t("The bot cannot be set yet")}>
          {t("Complete the missing steps above. This continues automatically once they are confirmed on chain.")}
        </Alert>
      )}
      <TermsSummary terms={terms} />
      <Text size="sm">
        <T
          message="Not sure? <0>Backtest these terms</0> on past prices first; this form is closed."
          parts={[
            <Anchor
              component={Link}
              to="/backtest"
              search={searchOfBot({ ...terms }) as never}
              underline="always"
              onClick={close}
            />
          ]}
        />
      </Text>
      {terms.paper || readiness.vault === undefined
        ? <Text size="sm">{t("On paper: it decides on live prices and sends nothing.")}</Text>
        : !isBlocked && <FirstTrade vault={readiness.vault} terms={terms} />}
    </Confirm>
  )
}
