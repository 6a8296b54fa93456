/** Cancels a resting order after a review, and shows HyperCore's state of it. */
import { Loader, Text } from "@mantine/core"
import { useState } from "react"
import { call } from "../connection/RpcConnection.ts"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { amount, dollars, price, shortOf } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { PerpetualOutcome } from "./PerpetualOutcome.tsx"
import { orderName, type RestingOrder, useCancelPlan } from "./Perpetuals.ts"
import { HyperCoreReview } from "./HyperCoreReview.tsx"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

export function CancelPerpetual({ close, order, vault }: {
  readonly vault: VaultRef
  readonly order: RestingOrder
  readonly close: () => void
}) {
  const [intent, setIntent] = useState<string>()
  const { coin, oid } = order
  const requestKey = useRequestKey({ vault, oid })
  const plan = useCancelPlan(vault, order)
  const title = t("Cancel the order")
  if (intent !== undefined) return <PerpetualOutcome kind="cancel" {...{ vault, intent, close }} />
  if (plan.data === undefined) {
    return (
      <Modal opened onClose={close} title={title} closeButtonProps={{ "aria-label": t("Close") }}>
        {plan.error === null
          ? <Loader size="sm" aria-label={t("Checking")} />
          : <Problem title={t("It cannot be cancelled right now")} message={plan.error.message} />}
      </Modal>
    )
  }
  const { charge, gas_cost, note } = plan.data
  return (
    <HyperCoreReview
      title={title}
      action={t("Cancel the order")}
      back={close}
      done={setIntent}
      send={() =>
        call((client) =>
          client.wallet.cancelPerpetualOrder({ ...vault, coin, oid, idempotency_key: requestKey } as never)
        )}
    >
      {note !== undefined && <Text size="sm">{note}</Text>}
      <ActionSummary
        label={title}
        lines={[
          [t("Order"), orderName(order)],
          [t("Not filled yet"), `${amount(order.remaining)} / ${amount(order.size)} ${coin}`],
          [t("Limit price"), `$${price(order.price)}`],
          [t("Max gas"), gas_cost === null ? t("unknown") : shortOf(gas_cost)],
          [t("Charge"), dollars(charge.usd)]
        ]}
      />
      <Text size="sm">{t("What is filled before HyperCore has the cancellation stays filled.")}</Text>
    </HyperCoreReview>
  )
}
