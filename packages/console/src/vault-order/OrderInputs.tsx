/** The inputs of an order's terms: its kind and side, its size, and what its kind needs and may have. */
import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core"
import { amount } from "../shell/Format.ts"
import { faultsOf } from "./OrderFaults.ts"
import { type FieldName, labels, mayOf, needsOf, type OrderFields } from "./OrderFields.ts"
import { typeLabels, types } from "./VaultOrders.ts"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { t } from "../text/Text.ts"

interface Held {
  readonly symbol: string
  readonly amount: string | null
}

const placeholders: Readonly<Partial<Record<FieldName, string>>> = {
  expires_in: "30d",
  duration: "6h",
  interval: "1d",
  trail_percent: "5",
  max_impact: "0.3"
}

function Size({ fields, holdings, set }: {
  readonly fields: OrderFields
  readonly holdings: ReadonlyArray<Held>
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

interface InputsProps {
  readonly fields: OrderFields
  readonly set: (some: Partial<OrderFields>) => void
}

export function OrderKind({ fields, set }: InputsProps) {
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
    </>
  )
}

export function OrderInputs({ fields, holdings, set, wasSubmitted }: InputsProps & {
  readonly holdings: ReadonlyArray<Held>
  readonly wasSubmitted: boolean
}) {
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
      <Size fields={fields} holdings={holdings} set={set} />
      {wasSubmitted && faults.amount !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">{faults.amount}</Text>
      )}
      <Group grow align="flex-start">{needsOf(fields).map((name) => field(name, true))}</Group>
      <Group grow align="flex-start">{mayOf(fields).map((name) => field(name, false))}</Group>
    </>
  )
}
