/** A field for an amount of an asset, with buttons for shares of what there is of it. */
import { Button, Group, Stack, TextInput } from "@mantine/core"
import { amount } from "../shell/Format.ts"
import { TokenIcon } from "../shell/Icons.tsx"
import { partOf } from "./Amounts.ts"
import { t } from "../text/Text.ts"

export function AmountField({ all, description, fault, held, onChange, symbol, value }: {
  readonly value: string
  readonly symbol: string
  /** The amount that may be used; null while it is unknown. */
  readonly held: string | null
  /** Says where `held` is; without it, that the vault has it. */
  readonly description?: string
  readonly fault: string | null
  /** The choice of all of it, where that is more than `held` says, as with interest; otherwise Max fills in `held`. */
  readonly all?: { readonly isChosen: boolean; readonly choose: () => void }
  readonly onChange: (text: string) => void
}) {
  return (
    <Stack gap={4}>
      <TextInput
        label={t("Amount of {symbol}", { symbol })}
        description={description ??
          (held === null ? undefined : t("The vault has {held} {symbol}", { held: amount(held), symbol }))}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        value={value}
        error={fault}
        leftSection={<TokenIcon symbol={symbol} size={18} />}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap={6}>
        {[25, 50, 75, 100].map((share) => (
          <Button
            key={share}
            size="compact-xs"
            variant={all?.isChosen === true && share === 100 ? "light" : "default"}
            disabled={held === null && (share < 100 || all === undefined)}
            aria-pressed={all !== undefined && share === 100 ? all.isChosen : undefined}
            onClick={() => {
              if (share < 100) onChange(partOf(held ?? "0", share))
              else if (all === undefined) onChange(held ?? "0")
              else all.choose()
            }}
          >
            {share === 100 ? t("Max") : `${share} %`}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
