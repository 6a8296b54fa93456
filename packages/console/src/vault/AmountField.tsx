/** A field for an amount of an asset, with buttons for shares of what there is of it. */
import { Button, Group, Stack, TextInput } from "@mantine/core"
import { amount } from "../shell/Format.ts"
import { TokenIcon } from "../shell/Icons.tsx"
import { partOf } from "./Amounts.ts"
import { t } from "../text/Text.ts"

export function AmountField({ description, fault, held, onChange, symbol, value }: {
  readonly value: string
  readonly symbol: string
  /** What may be used of it; null while that is unknown. */
  readonly held: string | null
  /** Says where `held` is; without it, that the vault has it. */
  readonly description?: string
  readonly fault: string | null
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
            variant="default"
            disabled={held === null}
            onClick={() => onChange(share === 100 ? held ?? "0" : partOf(held ?? "0", share))}
          >
            {share === 100 ? t("Max") : `${share} %`}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}
