/** The fields of a deposit besides its range: the pair, the pool, and what is put in. */
import { Button, Collapse, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import type { Network } from "@vault-trader/core/chain/Network"
import { dexes } from "@vault-trader/core/liquidity/Dex"
import { platforms } from "@vault-trader/core/venue/VenueName"
import { AmountField } from "../vault/AmountField.tsx"
import { type AddFaults, type AddTerms, bySpacing, exchangeOptions, poolOptions, withPair } from "./AddTerms.ts"
import type { Holding } from "./Positions.ts"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { t } from "../text/Text.ts"

interface FieldsProps {
  readonly network: Network
  readonly terms: AddTerms
  readonly faults: AddFaults
  readonly tokens: ReadonlyArray<Holding>
  readonly set: (terms: AddTerms) => void
}

/** The pair and the pool. */
export function PoolFields({ network, set, terms, tokens }: FieldsProps) {
  const assets = tokens.map(({ asset, symbol }) => ({ value: asset, label: symbol }))
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <NativeSelect
        label={t("Asset")}
        data-autofocus
        value={terms.first}
        data={assets}
        onChange={(event) => set(withPair(terms, { first: event.currentTarget.value }, tokens))}
      />
      <NativeSelect
        label={t("Priced in")}
        value={terms.second}
        data={assets}
        onChange={(event) => set(withPair(terms, { second: event.currentTarget.value }, tokens))}
      />
      <NativeSelect
        label={t("Exchange")}
        value={terms.dex}
        data={[...exchangeOptions(network)]}
        onChange={(event) =>
          set({ ...terms, pool: "", dex: dexes.find((dex) => dex === event.currentTarget.value) ?? "auto" })}
      />
      <NativeSelect
        label={bySpacing(terms.dex) ? t("Tick spacing") : t("Fee tier")}
        value={terms.pool}
        data={[...poolOptions(terms.dex)]}
        onChange={(event) => set({ ...terms, pool: event.currentTarget.value })}
      />
    </SimpleGrid>
  )
}

function SwapFields({ faults, set, terms }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        label={t("Max slippage, %")}
        inputMode="decimal"
        value={terms.slippage}
        error={faults.slippage}
        onChange={(event) => set({ ...terms, slippage: event.currentTarget.value })}
      />
      <NativeSelect
        label={t("Venue of the swap")}
        value={terms.platform}
        data={platforms.map((value) => ({
          value,
          label: value === "auto" ? t("Auto") : value === "best" ? t("Best price") : value
        }))}
        onChange={(event) => set({ ...terms, platform: event.currentTarget.value })}
      />
    </SimpleGrid>
  )
}

/** The fields of what is put in, and of the swap that it needs. */
export function AmountFields(props: FieldsProps) {
  const { faults, set, terms, tokens } = props
  const [isOpen, { toggle }] = useDisclosure(faults.slippage !== null)
  const input = tokens.find(({ asset }) => asset === terms.input)
  const symbolOf = (asset: string) => tokens.find((token) => token.asset === asset)?.symbol ?? ""
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm" fw={500} id="put-in">{t("Put in")}</Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="put-in"
          value={terms.input}
          data={[terms.first, terms.second].map((asset) => ({ value: asset, label: symbolOf(asset) }))}
          onChange={(asset) => set({ ...terms, input: asset, amount: "" })}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {t("The part of the other asset that the range needs is bought first, in the same transaction.")}
        </Text>
      </div>
      <AmountField
        symbol={symbolOf(terms.input)}
        held={input?.amount ?? null}
        value={terms.amount}
        fault={faults.amount}
        onChange={(amount) => set({ ...terms, amount })}
      />
      <div>
        <Button size="compact-sm" variant="default" onClick={toggle} aria-expanded={isOpen}>
          {t("Slippage and venue")}
        </Button>
      </div>
      <Collapse expanded={isOpen}>{isOpen && <SwapFields {...props} />}</Collapse>
    </Stack>
  )
}
