/** Places an order of a vault: its terms, then a review with the service's dry run. */
import {
  Alert,
  Button,
  Checkbox,
  Group,
  Loader,
  Modal,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  TextInput
} from "@mantine/core"
import { useState } from "react"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { amount } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import { useComposition } from "../vault/useVaults.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { faultsOf } from "./OrderFaults.ts"
import { type FieldName, isStable, labels, mayOf, needsOf, type OrderFields, paramsOf } from "./OrderFields.ts"
import { OrderReview } from "./OrderReview.tsx"
import { typeLabels, types } from "./VaultOrders.ts"
import { t } from "../text/Text.ts"

type Holding = NonNullable<ReturnType<typeof useComposition>["data"]>["composition"][number]

const firstFields = (tokens: ReadonlyArray<Holding>): OrderFields => ({
  ...{ type: "limit", side: "sell", paper: false, slippage: "0.5", expires_in: "", slices: "10", max_impact: "" },
  base: tokens.find(({ symbol }) => !isStable(symbol))?.symbol ?? "",
  quote: tokens.find(({ symbol }) => isStable(symbol))?.symbol ?? tokens[1]?.symbol ?? "",
  ...{ amount: "", share: "", limit_price: "", stop_price: "", take_profit_price: "", trail_percent: "" },
  ...{ activation_price: "", duration: "", interval: "" }
})

const placeholders: Readonly<Partial<Record<FieldName, string>>> = {
  expires_in: "30d",
  duration: "6h",
  interval: "1d",
  trail_percent: "5",
  max_impact: "0.3"
}

function Size({ fields, holdings, set }: {
  readonly fields: OrderFields
  readonly holdings: ReadonlyArray<Holding>
  readonly set: (some: Partial<OrderFields>) => void
}) {
  const sold = fields.side === "sell" ? fields.base : fields.quote
  const held = holdings.find(({ symbol }) => symbol === sold)?.amount ?? null
  const isShare = fields.share !== ""
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        label={isShare ? t("Share of the vault’s {sold}, %", { sold }) : t("Amount of {sold}", { sold })}
        description={held === null ? undefined : t("The vault has {held} {sold}", { held: amount(held), sold })}
        inputMode="decimal"
        autoComplete="off"
        value={isShare ? fields.share : fields.amount}
        onChange={(event) =>
          set(isShare ? { share: event.currentTarget.value } : { amount: event.currentTarget.value })}
        style={{ flex: 1 }}
      />
      <Button
        variant="default"
        onClick={() => set(isShare ? { share: "", amount: "" } : { share: "50", amount: "" })}
      >
        {isShare ? t("Use an amount") : t("Use a share")}
      </Button>
    </Group>
  )
}

function Fields({ fields, holdings, set, wasSubmitted }: {
  readonly fields: OrderFields
  readonly holdings: ReadonlyArray<Holding>
  readonly set: (some: Partial<OrderFields>) => void
  readonly wasSubmitted: boolean
}) {
  const symbols = holdings.map(({ symbol }) => symbol)
  const faults = faultsOf(fields)
  const faultOf = (name: FieldName) => wasSubmitted || fields[name] !== "" ? faults[name] : undefined
  const field = (name: FieldName, isNeeded: boolean) => (
    <TextInput
      key={name}
      label={labels[name]}
      description={isNeeded ? undefined : t("Optional")}
      placeholder={placeholders[name] ?? ""}
      inputMode={["duration", "interval", "expires_in"].includes(name) ? "text" : "decimal"}
      autoComplete="off"
      value={fields[name]}
      error={faultOf(name)}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <>
      <NativeSelect
        label={t("Kind")}
        description={typeLabels[fields.type].help}
        data-autofocus
        value={fields.type}
        data={types.map((value) => ({ value, label: typeLabels[value].label }))}
        onChange={(event) => set({ type: types.find((type) => type === event.currentTarget.value) ?? "limit" })}
      />
      <SegmentedControl
        fullWidth
        aria-label={t("Side")}
        value={fields.side}
        data={[{ value: "sell", label: t("Sell {base}", { base: fields.base }) }, {
          value: "buy",
          label: t("Buy {base}", { base: fields.base })
        }]}
        onChange={(value) => set({ side: value === "buy" ? "buy" : "sell" })}
      />
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
          error={faults.pair}
          onChange={(event) => set({ quote: event.currentTarget.value })}
        />
      </Group>
      <Size fields={fields} holdings={holdings} set={set} />
      {wasSubmitted && faults.amount !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">{faults.amount}</Text>
      )}
      <Group grow align="flex-start">{needsOf(fields).map((name) => field(name, true))}</Group>
      <Group grow align="flex-start">{mayOf(fields).map((name) => field(name, false))}</Group>
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
