/** The fields that bots at vaults and at exchanges have in common, above their own. */
import { NativeSelect, SimpleGrid, TextInput } from "@mantine/core"
import type { GetInputPropsReturnType } from "@mantine/form"
import type { ReactNode } from "react"
import { NumberField } from "../shell/NumberField.tsx"
import { t } from "../text/Text.ts"

const sideLabels: Readonly<Record<string, string>> = {
  long: t("long: hold the base"),
  neutral: t("neutral: hold the quote"),
  short: t("short: hold the inverse token"),
  hold: t("hold: do nothing")
}

export function BotFields({ children, inputProps, isEdit, pairs, per, sides, sizeNote }: {
  readonly inputProps: (name: "pair" | "side" | "share" | "max_usd") => GetInputPropsReturnType
  /** True if an existing bot is edited, whose pair cannot change. */
  readonly isEdit: boolean
  /** How pairs are written. */
  readonly pairs: string
  readonly sides: ReadonlyArray<string>
  /** The thing that the share and the maximum limit. */
  readonly per: "trade" | "order"
  /** Says what limit is proposed. */
  readonly sizeNote?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label={t("Pair")} description={pairs} disabled={isEdit} {...inputProps("pair")} />
      <NativeSelect
        label={t("Side")}
        description={t("The asset to hold")}
        data={sides.map((side) => ({ value: side, label: sideLabels[side] ?? side }))}
        {...inputProps("side")}
      />
      <NumberField
        label={t("Share %")}
        description={per === "order" ? t("Of the wrong side, per order") : t("Of the wrong side, per trade")}
        input={inputProps("share")}
      />
      <NumberField
        label={per === "order" ? t("Max per order, USD") : t("Max per trade, USD")}
        description={sizeNote ?? (per === "order" ? t("Maximum value of an order") : t("Maximum value of a trade"))}
        input={inputProps("max_usd")}
      />
      {children}
    </SimpleGrid>
  )
}
