/** The fields that bots at vaults and at exchanges have in common, above their own. */
import { NativeSelect, SimpleGrid, TextInput } from "@mantine/core"
import type { GetInputPropsReturnType } from "@mantine/form"
import type { ReactNode } from "react"
import { NumberField } from "../shell/NumberField.tsx"

const sideLabels: Readonly<Record<string, string>> = {
  long: "long: hold the base",
  neutral: "neutral: hold the quote",
  short: "short: hold the inverse token",
  hold: "hold: do nothing"
}

export function BotFields({ children, inputProps, isEdit, pairs, per, sides }: {
  readonly inputProps: (name: "pair" | "side" | "share" | "max_usd") => GetInputPropsReturnType
  /** True if an existing bot is edited, whose pair cannot change. */
  readonly isEdit: boolean
  /** How pairs are written. */
  readonly pairs: string
  readonly sides: ReadonlyArray<string>
  /** The thing that the share and the maximum limit. */
  readonly per: "trade" | "order"
  readonly children: ReactNode
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label="Pair" description={pairs} disabled={isEdit} {...inputProps("pair")} />
      <NativeSelect
        label="Side"
        description="The asset to hold"
        data={sides.map((side) => ({ value: side, label: sideLabels[side] ?? side }))}
        {...inputProps("side")}
      />
      <NumberField label="Share %" description={`Of the wrong side, per ${per}`} input={inputProps("share")} />
      <NumberField
        label={`Max per ${per}, USD`}
        description={`Maximum value of ${per === "order" ? "an" : "a"} ${per}`}
        input={inputProps("max_usd")}
      />
      {children}
    </SimpleGrid>
  )
}
