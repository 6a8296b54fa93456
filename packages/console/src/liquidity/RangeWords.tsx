/** Says in words when a range earns fees, and how far it is from the present price. */
import { Text } from "@mantine/core"
import { price, signedPercent } from "../shell/Format.ts"
import type { Side } from "./Positions.ts"
import { distanceOf, isEmpty, placeOf, priceOf, type PriceRange } from "./Ranges.ts"
import { t } from "../text/Text.ts"

/** Says when the range earns. */
const earnsText = (range: PriceRange, first: Side, second: Side): string => {
  const [low, high] = [priceOf(range.lower), priceOf(range.upper)]
  const names = { first: first.symbol, second: second.symbol }
  return low === undefined && high === undefined
    ? t("Earns fees at every price, but less of them than a narrower range.")
    : high === undefined
    ? t("Earns fees while 1 {first} costs more than {low} {second}.", { ...names, low: price(low) })
    : low === undefined
    ? t("Earns fees while 1 {first} costs less than {high} {second}.", { ...names, high: price(high) })
    : t("Earns fees while 1 {first} costs between {low} and {high} {second}.", {
      ...names,
      low: price(low),
      high: price(high)
    })
}

/** Says how far the ends are from the present price; undefined without ends. */
const widthText = (range: PriceRange, current: number): string | undefined => {
  const [low, high] = [priceOf(range.lower), priceOf(range.upper)]
  const of = (end: number) => signedPercent(distanceOf(end, current))
  return low !== undefined && high !== undefined
    ? t("Its ends are {low} and {high} from the present price.", { low: of(low), high: of(high) })
    : low !== undefined
    ? t("Its lower end is {low} from the present price.", { low: of(low) })
    : high !== undefined
    ? t("Its upper end is {high} from the present price.", { high: of(high) })
    : undefined
}

/** Warns of a range beside the present price. */
const besideText = (range: PriceRange, current: number, first: Side, second: Side): string | undefined => {
  const place = placeOf(range, current)
  const names = { first: first.symbol, second: second.symbol }
  return place === "below"
    ? t("The present price is below it: all of it is {first}, and it earns nothing until the price rises.", names)
    : place === "above"
    ? t("The present price is above it: all of it is {second}, and it earns nothing until the price falls.", names)
    : undefined
}

export function RangeWords({ current, first, range, second }: {
  readonly range: PriceRange
  readonly current: number | undefined
  readonly first: Side
  readonly second: Side
}) {
  if (isEmpty(range)) return null
  const beside = current === undefined ? undefined : besideText(range, current, first, second)
  return (
    <div aria-live="polite">
      <Text size="sm">
        {earnsText(range, first, second)} {current === undefined ? "" : widthText(range, current)}
      </Text>
      {beside !== undefined && <Text size="sm" fw={600} c="var(--mantine-color-error)">{beside}</Text>}
    </div>
  )
}
