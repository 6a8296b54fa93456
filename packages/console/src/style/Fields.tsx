/** Fields of forms, also with a fault, and the dialogs that ask before something is done. */
import { Button, Checkbox, Group, NativeSelect, Progress, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import { NumberField } from "../shell/NumberField.tsx"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { Section } from "../shell/Section.tsx"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { AmountField } from "../vault/AmountField.tsx"

const Confirm = lazy(() => import("../shell/Confirm.tsx").then(({ Confirm }) => ({ default: Confirm })))
const TypeToConfirm = lazy(() =>
  import("../shell/TypeToConfirm.tsx").then(({ TypeToConfirm }) => ({ default: TypeToConfirm }))
)

const ignore = () => {}

export function Fields() {
  return (
    <Section title="Fields">
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="Label" description="Only you see it" placeholder="momentum desk" />
          <NativeSelect label="Venue" description="Auto picks the best available" data={["auto", "uniswapV3"]} />
          <NumberField label="Most per trade" input={{ value: "10000", onChange: ignore }} />
          <NumberField label="Slippage %" input={{ value: "7", onChange: ignore, error: "At most 5" }} />
        </SimpleGrid>
        <AmountField value="1.5" symbol="WETH" held="9.412345678" fault={null} onChange={ignore} />
        <AmountField value="12" symbol="WETH" held="9.412345678" fault="The vault has less" onChange={ignore} />
        <Switch label="Paper mode" description="Decides on live prices, sends nothing" defaultChecked />
        <Switch label="Lend idle assets" />
        <Group>
          <Checkbox label="I stored both" defaultChecked />
          <Checkbox label="Trade at this price" />
        </Group>
        <SegmentedControl
          aria-label="Period"
          data={["Day", "Week", "All"].map((each) => ({ value: each, label: each }))}
          value="Week"
          onChange={ignore}
        />
        <Progress value={60} aria-label="Steps done" />
      </Stack>
    </Section>
  )
}

export function Dialogs() {
  const [open, setOpen] = useState<"confirm" | "type">()
  const close = () => setOpen(undefined)
  const common = { close, loading: false, problem: null, onConfirm: close }
  return (
    <Section title="Dialogs">
      <Group>
        <Button variant="default" onClick={() => setOpen("confirm")}>Confirm a trade</Button>
        <Button variant="default" onClick={() => setOpen("type")}>Delete an account</Button>
      </Group>
      <Suspense fallback={null}>
        {open === "confirm" && (
          <Confirm {...common} title="Sell WETH for USDC" action="Trade" problem={new Error("The price has moved.")}>
            <ActionSummary
              label="Trade"
              lines={[["Sells", "1.5 WETH ($4,518.75)"], ["At least", "4,490 USDC"], ["Gas", "0.00021 ETH"]]}
            />
          </Confirm>
        )}
        {open === "type" && (
          <TypeToConfirm {...common} title="Delete the account" name="main" action="Delete">
            All bots of the account are deleted with it.
          </TypeToConfirm>
        )}
      </Suspense>
    </Section>
  )
}
