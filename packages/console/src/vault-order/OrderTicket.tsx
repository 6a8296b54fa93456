/** Places an order of a vault: its terms, then a review with the service's dry run. */
import { Alert, Button, Checkbox, Group, Loader, NativeSelect, Stack } from "@mantine/core"
import { useState } from "react"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import { useComposition } from "../vault/useVaults.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { faultsOf } from "./OrderFaults.ts"
import { isStable, type OrderFields, paramsOf } from "./OrderFields.ts"
import { OrderInputs, OrderKind } from "./OrderInputs.tsx"
import { OrderReview } from "./OrderReview.tsx"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

type Holding = NonNullable<ReturnType<typeof useComposition>["data"]>["composition"][number]

const firstFields = (tokens: ReadonlyArray<Holding>): OrderFields => ({
  ...{ type: "limit", side: "sell", paper: false, slippage: "0.5", expires_in: "", slices: "10", max_impact: "" },
  base: tokens.find(({ symbol }) => !isStable(symbol))?.symbol ?? "",
  quote: tokens.find(({ symbol }) => isStable(symbol))?.symbol ?? tokens[1]?.symbol ?? "",
  ...{ amount: "", share: "", limit_price: "", stop_price: "", take_profit_price: "", trail_percent: "" },
  ...{ activation_price: "", duration: "", interval: "" }
})

function Fields({ fields, holdings, set, wasSubmitted }: {
  readonly fields: OrderFields
  readonly holdings: ReadonlyArray<Holding>
  readonly set: (some: Partial<OrderFields>) => void
  readonly wasSubmitted: boolean
}) {
  const symbols = holdings.map(({ symbol }) => symbol)
  return (
    <>
      <OrderKind fields={fields} set={set} />
      <Group grow align="flex-start">
        <NativeSelect
          label={t("Asset")}
          value={fields.base}
          data={symbols}
          onChange={(event) => set({ base: event.currentTarget.value })}
        />
        <NativeSelect
          label={t("Priced in")}
          value={fields.quote}
          data={symbols}
          error={faultsOf(fields).pair}
          onChange={(event) => set({ quote: event.currentTarget.value })}
        />
      </Group>
      <OrderInputs fields={fields} holdings={holdings} set={set} wasSubmitted={wasSubmitted} />
      <Checkbox
        label={t("On paper: decide on live prices, send nothing")}
        checked={fields.paper}
        onChange={(event) => set({ paper: event.currentTarget.checked })}
      />
    </>
  )
}

export function OrderTicket({ close, first = {}, vault }: {
  readonly vault: VaultRef
  readonly close: () => void
  /** The values that are filled in at first. */
  readonly first?: Partial<OrderFields>
}) {
  const composition = useComposition(vault)
  const tokens = (composition.data?.composition ?? []).filter(({ kind }) => kind === "token")
  const [changed, setChanged] = useState<OrderFields>()
  const [isReviewed, setIsReviewed] = useState(false)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const fields = changed ?? { ...firstFields(tokens), ...first }
  const requestKey = useRequestKey(fields)
  if (isReviewed) return <OrderReview {...{ vault, fields, requestKey, close }} back={() => setIsReviewed(false)} />
  return (
    <Modal opened onClose={close} title={t("Place an order")} size="lg" closeButtonProps={{ "aria-label": t("Close") }}>
      {composition.data === undefined
        ? composition.error === null
          ? <Loader aria-label={t("Reading the vault")} />
          : <Problem title={t("The vault cannot be read right now")} message={composition.error.message} />
        : tokens.length < 2
        ? (
          <Alert color="blue">
            {t("The vault needs two tokens that it may hold. Enable another one on the vault platform.")}
          </Alert>
        )
        : (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              setWasSubmitted(true)
              if (Object.keys(faultsOf(fields)).length === 0) setIsReviewed(true)
            }}
          >
            <Stack>
              <Fields
                fields={fields}
                holdings={tokens}
                wasSubmitted={wasSubmitted}
                set={(some) =>
                  setChanged({ ...fields, ...some })}
              />
              <ApiFormFooter
                endpoint="placeOrder"
                params={{ network: vault.network, pool: vault.pool, ...paramsOf(fields) }}
                close={close}
              >
                <Button type="submit">{t("Review order")}</Button>
              </ApiFormFooter>
            </Stack>
          </form>
        )}
    </Modal>
  )
}
