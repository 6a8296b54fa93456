/** The review of an order: exactly what is sent, what it costs at worst, and what liquidation would mean. */
import { Alert, Loader } from "@mantine/core"
import { useState } from "react"
import { call, unansweredOf } from "../connection/RpcConnection.ts"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { amount, dollars, money, percent, price, shortOf } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { PerpetualOutcome } from "./PerpetualOutcome.tsx"
import {
  type Account,
  closeDistance,
  distanceOf,
  type Market,
  orderName,
  type OrderParams,
  type OrderPlan,
  type Position,
  tifLabels,
  useOrderPlan
} from "./Perpetuals.ts"
import { HyperCoreReview } from "./HyperCoreReview.tsx"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

export interface OrderPlace {
  readonly vault: VaultRef
  readonly account: Account
  readonly markets: ReadonlyArray<Market>
}

const worthOf = ({ limit_price, size }: OrderPlan): number => Number(limit_price) * Number(size)

/**
 * Returns the margin that an order needs, in USD, and at which leverage. HyperCore says the leverage of a coin only where
 * there is a position; elsewhere it is the least that the contract allows.
 */
export const marginOf = (plan: OrderPlan, { account, markets }: OrderPlace) => {
  const leverage = account.positions.find(({ coin }) => coin === plan.coin)?.leverage
  const most = markets.find(({ coin }) => coin === plan.coin)?.max_leverage
  const used = leverage ?? most
  return used === undefined || used === 0
    ? undefined
    : { usd: worthOf(plan) / used, leverage: used, isKnown: leverage !== undefined }
}

const boundText = ({ limit_price, side }: OrderPlan): string =>
  side === "buy"
    ? t("at most ${price}", { price: price(limit_price) })
    : t("at least ${price}", { price: price(limit_price) })

const marginText = (plan: OrderPlan, place: OrderPlace): string => {
  const margin = marginOf(plan, place)
  if (margin === undefined) return t("unknown")
  const values = { usd: dollars(margin.usd), leverage: margin.leverage }
  return margin.isKnown
    ? t("about {usd}, at the position’s leverage of {leverage}×", values)
    : t("at least {usd}, at the contract’s highest leverage of {leverage}×", values)
}

/** Says what the platform knows of the liquidation of a position that the order changes. */
function LiquidationAlert({ plan, position }: { readonly plan: OrderPlan; readonly position: Position | undefined }) {
  const isLarger = position !== undefined && (position.side === "long") === (plan.side === "buy")
  const distance = position === undefined ? null : distanceOf(position)
  if (plan.reduce_only || position === undefined || !isLarger || distance === null) return null
  return (
    <Alert
      color={distance < closeDistance ? "red" : "orange"}
      title={t("The position is liquidated at ${price} now", { price: price(position.liquidationPrice) })}
    >
      {t("That is {distance} from its mark price. A larger position brings it closer.", {
        distance: percent(distance)
      })}
    </Alert>
  )
}

/** The order as it will be sent, for a ticket's plan and for its review. */
export function OrderLines({ plan, place }: { readonly plan: OrderPlan; readonly place: OrderPlace }) {
  const { charge, coin, gas_cost, reduce_only, size, tif } = plan
  return (
    <ActionSummary
      label={t("The order")}
      lines={[
        [plan.side === "buy" ? t("Buys") : t("Sells"), `${amount(size)} ${coin}`],
        [t("Price"), boundText(plan)],
        [t("Worth at that price"), dollars(worthOf(plan))],
        [t("Time in force"), tifLabels[tif]],
        reduce_only ? [t("Reduce only"), t("yes: it opens nothing")] : [t("Margin needed"), marginText(plan, place)],
        [t("Max gas"), gas_cost === null ? t("unknown") : shortOf(gas_cost)],
        [t("Charge"), t("{usd}, if HyperCore takes it", { usd: dollars(charge.usd) })],
        [
          t("Worst case"),
          reduce_only
            ? t("It trades at the price above, or not at all.")
            : t("Positions share the margin: a loss can take all of the account’s {value}.", {
              value: money(place.account.margin.accountValue)
            })
        ]
      ]}
    />
  )
}

/** Reviews a plan and sends exactly its price and size; closing a position sends no size, which is all of it. */
export function PerpetualReview({ back, done, isClosing = false, onSending, place, plan, requestKey }: {
  readonly plan: OrderPlan
  readonly place: OrderPlace
  readonly requestKey: string
  readonly isClosing?: boolean
  readonly onSending?: (isOpen: boolean) => void
  readonly back: () => void
  readonly done: (intent: string) => void
}) {
  const { vault } = place
  const { coin, limit_price, reduce_only, side, size, tif } = plan
  const sent: OrderParams = { coin, side, price: limit_price, tif, reduce_only, ...(isClosing ? {} : { size }) }
  const position = place.account.positions.find((each) => each.coin === coin)
  return (
    <HyperCoreReview
      title={isClosing
        ? t("Close {coin}", { coin })
        : orderName(plan)}
      action={isClosing ? t("Close the position") : t("Place the order")}
      send={() =>
        call((client) =>
          client.wallet.placePerpetualOrder({ ...vault, ...sent, idempotency_key: requestKey } as never)
        )}
      {...(onSending === undefined ? {} : { onSending })}
      {...{ back, done }}
    >
      <OrderLines plan={plan} place={place} />
      <LiquidationAlert plan={plan} position={position} />
    </HyperCoreReview>
  )
}

/** Finds the price at which a position was closed by a request whose answer was lost; a closing has no size. */
const closingPriceOf = ({ network, pool, wallet }: OrderPlace["vault"], coin: string): string | undefined => {
  const lost = unansweredOf("placePerpetualOrder", { network, pool, wallet, coin, reduce_only: "true" })
  return lost?.["size"] === undefined ? lost?.["price"] : undefined
}

/** Closes a position: a market order of its whole size that only reduces. The plan of its opening is what is sent. */
export function CloseDialog({ close, place, position }: {
  readonly place: OrderPlace
  readonly position: Position
  readonly close: () => void
}) {
  const { coin, side } = position
  const title = t("Close {coin}", { coin })
  const [reviewed, setReviewed] = useState<OrderPlan>()
  const [intent, setIntent] = useState<string>()
  const requestKey = useRequestKey(reviewed)
  // A closing whose answer was lost is sent again as it was: the market's new price would make another request of it.
  const [lostPrice] = useState(() => closingPriceOf(place.vault, coin))
  const plan = useOrderPlan(place.vault, { coin, side: side === "long" ? "sell" : "buy", reduce_only: true })
  // The review does not change under the pointer.
  if (reviewed === undefined && plan.data !== undefined) {
    setReviewed(lostPrice === undefined ? plan.data : { ...plan.data, limit_price: lostPrice })
  }
  if (intent !== undefined) return <PerpetualOutcome kind="order" vault={place.vault} {...{ intent, close }} />
  if (reviewed !== undefined) {
    return <PerpetualReview isClosing plan={reviewed} {...{ place, requestKey }} back={close} done={setIntent} />
  }
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ "aria-label": t("Close") }}>
      {plan.error === null
        ? <Loader size="sm" aria-label={t("Checking")} />
        : <Problem title={t("It cannot be closed right now")} message={plan.error.message} />}
    </Modal>
  )
}
