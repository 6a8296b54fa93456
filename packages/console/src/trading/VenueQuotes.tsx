/** The quotes of all venues of a network side by side, each the service's dry run of the same trade there. */
import { Button, Loader, Text } from "@mantine/core"
import { amount, percent, summaryOf } from "../shell/Format.ts"
import { type Swap, useVenuePlans } from "./Plans.ts"
import { impactOf } from "./TradeFigures.ts"
import { type Holding, ImpactText } from "./TradeReview.tsx"
import { t } from "../text/Text.ts"

export function VenueQuotes({ choose, chosen, holdings, swap }: {
  readonly swap: Swap
  readonly holdings: ReadonlyArray<Holding>
  /** The venue of the quote above. */
  readonly chosen: string
  readonly choose: (venue: string) => void
}) {
  const quotes = useVenuePlans(swap)
  const best = Math.max(0, ...quotes.map(({ plan }) => Number(plan?.amountOut.amount ?? 0)))
  return (
    <table className="table figures venues" aria-label={t("Quotes of the venues")} data-dense>
      <thead>
        <tr>
          <th scope="col">{t("Venue")}</th>
          <th className="end" scope="col">{t("You get")}</th>
          <th scope="col" className="end wide">{t("Impact")}</th>
          <th className="end" scope="col">{t("Choose")}</th>
        </tr>
      </thead>
      <tbody>
        {quotes.map(({ plan, problem, venue }) => (
          <tr key={venue}>
            <th scope="row" style={{ fontWeight: 500 }}>{venue}</th>
            {plan === undefined
              ? (
                <td colSpan={3}>
                  {problem === null
                    ? <Loader size="xs" aria-label={t("Loading the quote of {venue}", { venue })} />
                    : <Text size="xs" c="dimmed">{summaryOf(problem.message).summary}</Text>}
                </td>
              )
              : (
                <>
                  <td className="end">
                    {amount(plan.amountOut.amount)} {plan.amountOut.symbol}
                    <Text size="xs" c="dimmed">
                      {Number(plan.amountOut.amount) >= best
                        ? t("best")
                        : t("{percent} less", { percent: percent((1 - Number(plan.amountOut.amount) / best) * 100) })}
                    </Text>
                  </td>
                  <td className="end wide">
                    <ImpactText impact={impactOf(holdings, plan)} />
                  </td>
                  <td className="end">
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={venue === chosen}
                      onClick={() => choose(venue)}
                      aria-label={venue === chosen ? t("Chosen {venue}", { venue }) : t("Use {venue}", { venue })}
                    >
                      {venue === chosen ? t("Chosen") : t("Use")}
                    </Button>
                  </td>
                </>
              )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
