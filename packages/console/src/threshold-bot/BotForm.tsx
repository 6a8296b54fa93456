/** Deploys or edits a bot. */
import {
  Button,
  Collapse,
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput
} from "@mantine/core"
import { useForm } from "@mantine/form"
import { useDisclosure } from "@mantine/hooks"
import { sides } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { names as venues } from "@vault-trader/core/venue/VenueName"
import { useState } from "react"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { useLinks } from "../vault/Links.ts"
import { ApiCode } from "../shell/ApiCode.tsx"
import { type BotTerms, faultOf, paramsOf } from "./BotTerms.ts"
import { Review } from "./Review.tsx"

const sideLabels: Readonly<Record<string, string>> = {
  long: "long: hold the base",
  neutral: "neutral: hold the quote",
  short: "short: hold the inverse token",
  hold: "hold: do nothing"
}

const validate = Object.fromEntries(
  (["wallet", "network", "pool", "pair", "side", "threshold", "share", "max_usd", "slippage", "platform"] as const).map(
    (name) => [name, (value: string) => faultOf(name, value)]
  )
)

export function BotForm(
  { close, fixed, initial }: { readonly initial: BotTerms; readonly fixed: boolean; readonly close: () => void }
) {
  const wallets = useWallets()
  const me = useWhoAmI()
  const links = useLinks()
  const [code, { toggle }] = useDisclosure(false)
  const form = useForm<BotTerms>({ initialValues: initial, validate, validateInputOnBlur: true })
  const [reviewedTerms, setReviewedTerms] = useState<BotTerms>()
  const known =
    links.data?.filter(({ network, wallet }) => wallet === form.values.wallet && network === form.values.network) ?? []
  const number = (name: "threshold" | "share" | "max_usd" | "slippage", label: string, description: string) => {
    const { onChange, ...props } = form.getInputProps(name) as {
      readonly onChange: (value: string) => void
      readonly value: string
      readonly error?: string
    }
    return (
      <NumberInput
        label={label}
        description={description}
        hideControls
        thousandSeparator=","
        {...props}
        onChange={(value) => onChange(String(value))}
      />
    )
  }
  if (reviewedTerms !== undefined) {
    return (
      <Review
        terms={reviewedTerms}
        fixed={fixed}
        back={() => setReviewedTerms(undefined)}
        close={close}
      />
    )
  }
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={fixed ? `Edit ${initial.pair}` : "Deploy a bot"}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={form.onSubmit((terms) => setReviewedTerms(terms))}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NativeSelect
              label="Gas wallet"
              disabled={fixed}
              data={[
                { value: "", label: "Choose…" },
                ...(wallets.data ?? []).map((wallet) => ({ value: wallet.address, label: nameOf(wallet) }))
              ]}
              {...form.getInputProps("wallet")}
            />
            <NativeSelect
              label="Network"
              disabled={fixed}
              data={[{ value: "", label: "Choose…" }, ...(me.data?.networks ?? [])]}
              {...form.getInputProps("network")}
            />
          </SimpleGrid>
          <TextInput
            label="Vault"
            description="Address of the vault; the gas wallet must be its trader."
            disabled={fixed}
            list="known-vaults"
            {...form.getInputProps("pool")}
          />
          <datalist id="known-vaults">{known.map(({ pool }) => <option key={pool} value={pool} />)}</datalist>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label="Pair" description="BASE-QUOTE" disabled={fixed} {...form.getInputProps("pair")} />
            <NativeSelect
              label="Side"
              description="The asset to hold"
              data={sides.map((side) => ({ value: side, label: sideLabels[side] ?? side }))}
              {...form.getInputProps("side")}
            />
            {number("threshold", "Threshold %", "Trade when off target by more than")}
            {number("share", "Share %", "Of the wrong side, per trade")}
            {number("max_usd", "Max per trade, USD", "Maximum value of a trade")}
            {number("slippage", "Slippage %", "Max slippage vs. quote and oracle, up to 5 %")}
            <NativeSelect
              label="Venue"
              description="Preferred venue. Auto picks the best available."
              data={[{ value: "", label: "auto" }, ...venues]}
              {...form.getInputProps("platform")}
            />
          </SimpleGrid>
          <Switch
            label="Lend idle assets"
            description="Supplied to lenderA, withdrawn before trading"
            {...form.getInputProps("lending", { type: "checkbox" })}
          />
          <Switch
            label="Paper mode"
            description="Decides on live prices, sends nothing"
            {...form.getInputProps("paper", { type: "checkbox" })}
          />
          {!form.values.paper && (
            <Text size="sm">
              Setting the bot starts a rebalance immediately: the vault may trade within seconds. You first see a
              preview.
            </Text>
          )}
          <Group justify="space-between">
            <Button variant="default" onClick={toggle} aria-expanded={code}>
              {code ? "Hide API Code" : "Show API Code"}
            </Button>
            <Group>
              <Button variant="default" onClick={close}>Cancel</Button>
              <Button type="submit">{fixed ? "Review" : "Set the bot"}</Button>
            </Group>
          </Group>
          <Collapse expanded={code}>{code && <ApiCode endpoint="setBot" params={paramsOf(form.values)} />}</Collapse>
        </Stack>
      </form>
    </Modal>
  )
}
