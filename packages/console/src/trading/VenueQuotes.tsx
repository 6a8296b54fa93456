/** The quotes of all venues of a network side by side, each the service's dry run of the same trade there. */
import { Button, Loader, Table, Text } from "@mantine/core"
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
    <Table className="figures venues" aria-label={t("Quotes of the venues")} verticalSpacing={4} horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t("Venue")}</Table.Th>
          <Table.Th scope="col" ta="end">{t("You get")}</Table.Th>
          <Table.Th scope="col" ta="end" className="wide">{t("Impact")}</Table.Th>
          <Table.Th scope="col" ta="end">{t("Choose")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {quotes.map(({ plan, problem, venue }) => (
          <Table.Tr key={venue}>
            <Table.Th scope="row" fw={500}>{venue}</Table.Th>
            {plan === undefined
              ? (
                <Table.Td colSpan={3}>
                  {problem === null
                    ? <Loader size="xs" aria-label={t("Loading the quote of {venue}", { venue })} />
                    : <Text size="xs" c="dimmed">{summaryOf(problem.message).summary}</Text>}
                </Table.Td>
              )
              : (
                <>
                  <Table.Td ta="end">
                    {amount(plan.amountOut.amount)} {plan.amountOut.symbol}
                    <Text size="xs" c="dimmed">
                      {Number(plan.amountOut.amount) >= best
                        ? t("best")
                        : t("{percent} less", { percent: percent((1 - Number(plan.amountOut.amount) / best) * 100) })}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="end" className="wide">
                    <ImpactText impact={impactOf(holdings, plan)} />
                  </Table.Td>
                  <Table.Td ta="end">
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={venue === chosen}
                      onClick={() => choose(venue)}
                      aria-label={venue === chosen ? t("Chosen {venue}", { venue }) : t("Use {venue}", { venue })}
                    >
                      {venue === chosen ? t("Chosen") : t("Use")}
                    </Button>
                  </Table.Td>
                </>
              )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
