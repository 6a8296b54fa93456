/** The inputs of an index's terms: its targets, and the limits of a run. */
import { ActionIcon, Button, Fieldset, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { bounds } from "@vault-trader/core/index-bot/Targets"
import type { ReactNode } from "react"
import { percent } from "../shell/Format.ts"
import { NumberField } from "../shell/NumberField.tsx"
import { faultOfTargets } from "./IndexFaults.ts"
import { type IndexTerms, rowOf, sumOf } from "./IndexTerms.ts"
import type { useTradeSize } from "../vault/useTradeSize.ts"
import { t } from "../text/Text.ts"

type Form = UseFormReturnType<IndexTerms>

function TargetLine({ form, index, name }: { readonly form: Form; readonly index: number; readonly name: string }) {
  const isMinimum = form.values.targets.length <= bounds.min
  return (
    <Group wrap="nowrap" align="flex-end" gap="xs">
      <TextInput
        style={{ flex: 2, minWidth: 0 }}
        label={t("Asset {index}", { index: index + 1 })}
        list="known-assets"
        {...form.getInputProps(`targets.${index}.asset`)}
      />
      <div style={{ flex: 1, minWidth: 0 }}>
        <NumberField input={form.getInputProps(`targets.${index}.weight`)} label={t("Weight %")} />
      </div>
      <div style={{ flex: 1, minWidth: 0 }}>
        <NumberField input={form.getInputProps(`targets.${index}.tolerance`)} label={t("Band ±")} />
      </div>
      <ActionIcon
        variant="default"
        size="lg"
        disabled={isMinimum}
        aria-label={name === "" ? t("Remove asset {index}", { index: index + 1 }) : t("Remove {name}", { name })}
        onClick={() => form.removeListItem("targets", index)}
      >
        ✕
      </ActionIcon>
    </Group>
  )
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6

export function IndexTargets({ form, isSubmitted }: { readonly form: Form; readonly isSubmitted: boolean }) {
  const { targets } = form.values
  const sum = sumOf(targets)
  const fault = faultOfTargets(targets)
  return (
    <Fieldset legend={t("Target weights")}>
      <Stack gap="xs">
        {targets.map(({ asset, key }, index) => <TargetLine key={key} form={form} index={index} name={asset} />)}
        <Group justify="space-between">
          <Button
            size="xs"
            variant="default"
            disabled={targets.length >= bounds.max}
            onClick={() => form.insertListItem("targets", rowOf())}
          >
            {t("Add an asset")}
          </Button>
          <Text
            size="sm"
            fw={600}
            role="status"
            c={sum === 100 ? "var(--mantine-color-text)" : "var(--mantine-color-error)"}
          >
            {sum === 100
              ? t("Sum {sum}", { sum: percent(sum) })
              : sum < 100
              ? t("Sum {sum}: {missing} missing", { sum: percent(sum), missing: percent(rounded(100 - sum)) })
              : t("Sum {sum}: {excess} too much", { sum: percent(sum), excess: percent(rounded(sum - 100)) })}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {t(
            "Band: percentage points a weight may deviate before it is traded. Leave empty to use the " +
              "index’s band."
          )}
        </Text>
        {isSubmitted && fault !== undefined && (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">{t("The targets {fault}.", { fault })}</Text>
        )}
      </Stack>
    </Fieldset>
  )
}

export function IndexLimits({ children, form, size }: {
  readonly form: Form
  /** The proposal of the largest run. */
  readonly size?: ReturnType<typeof useTradeSize>
  readonly children?: ReactNode
}) {
  const max = form.getInputProps("max_usd")
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label={t("Check every")} description="15m, 6h, 1d" {...form.getInputProps("interval")} />
      <NumberField
        input={size === undefined ? max : size.field(max)}
        label={t("Max per run, USD")}
        description={size?.note ?? t("Sells and buys combined")}
      />
      <NumberField
        input={form.getInputProps("tolerance")}
        label={t("Band, percentage points")}
        description={t("For weights without their own band")}
      />
      <TextInput
        label={t("Trade through")}
        description={t("The intermediate asset of all trades")}
        list="known-assets"
        {...form.getInputProps("quote")}
      />
      <NumberField
        input={form.getInputProps("min_trade_usd")}
        label={t("Min per trade, USD")}
        description={t("Smaller trades are skipped")}
      />
      {children}
    </SimpleGrid>
  )
}
