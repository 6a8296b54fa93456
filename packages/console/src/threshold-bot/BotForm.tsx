/** Deploying a bot, or changing one. */
import { Button, Collapse, Group, Modal, NativeSelect, NumberInput, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core"
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

const sideWords: Readonly<Record<string, string>> = {
  long: "long: hold the base",
  neutral: "neutral: hold the quote",
  short: "short: hold the inverse token",
  hold: "hold: do nothing"
}

const validate = Object.fromEntries(
  (["wallet", "network", "pool", "pair", "side", "threshold", "share", "max_usd", "slippage", "platform"] as const).map((name) => [name, (value: string) => faultOf(name, value)])
)

export function BotForm({ close, fixed, initial }: { readonly initial: BotTerms; readonly fixed: boolean; readonly close: () => void }) {
  const wallets = useWallets()
  const me = useWhoAmI()
  const links = useLinks()
  const [code, { toggle }] = useDisclosure(false)
  const form = useForm<BotTerms>({ initialValues: initial, validate, validateInputOnBlur: true })
  const [reviewed, review] = useState<BotTerms>()
  const known = links.data?.filter(({ network, wallet }) => wallet === form.values.wallet && network === form.values.network) ?? []
  const number = (name: "threshold" | "share" | "max_usd" | "slippage", label: string, description: string) => {
    const { onChange, ...props } = form.getInputProps(name) as { readonly onChange: (value: string) => void; readonly value: string; readonly error?: string }
    return <NumberInput label={label} description={description} hideControls thousandSeparator="," {...props} onChange={(value) => onChange(String(value))} />
  }
  if (reviewed !== undefined) return <Review terms={reviewed} fixed={fixed} back={() => review(undefined)} close={close} />
  return (
    <Modal opened onClose={close} size="lg" title={fixed ? `Edit ${initial.pair}` : "Deploy a bot"} closeOnClickOutside={false} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={form.onSubmit((terms) => review(terms))}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NativeSelect
              label="Gas wallet"
              disabled={fixed}
              data={[{ value: "", label: "Choose…" }, ...(wallets.data ?? []).map((wallet) => ({ value: wallet.address, label: nameOf(wallet) }))]}
              {...form.getInputProps("wallet")}
            />
            <NativeSelect label="Network" disabled={fixed} data={[{ value: "", label: "Choose…" }, ...(me.data?.networks ?? [])]} {...form.getInputProps("network")} />
          </SimpleGrid>
          <TextInput label="Vault" description="Address of the vault; the gas wallet must be its trader." disabled={fixed} list="known-vaults" {...form.getInputProps("pool")} />
          <datalist id="known-vaults">{known.map(({ pool }) => <option key={pool} value={pool} />)}</datalist>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label="Pair" description="BASE-QUOTE" disabled={fixed} {...form.getInputProps("pair")} />
            <NativeSelect label="Side" description="What the vault is to hold" data={sides.map((side) => ({ value: side, label: sideWords[side] ?? side }))} {...form.getInputProps("side")} />
            {number("threshold", "Threshold %", "Wrong side’s part of the pair before it trades")}
            {number("share", "Share %", "Of the wrong side, per trade")}
            {number("max_usd", "Most per trade, USD", "A trade is never worth more")}
            {number("slippage", "Slippage %", "Under quote and oracle, at most 5")}
            <NativeSelect label="Venue" description="Tried first; auto walks the network’s own order" data={[{ value: "", label: "auto" }, ...venues]} {...form.getInputProps("platform")} />
          </SimpleGrid>
          <Switch label="Lend what is idle" description="Supplied to lenderA, taken back before trading" {...form.getInputProps("lending", { type: "checkbox" })} />
          <Switch label="Paper mode" description="Decides on live prices, sends nothing" {...form.getInputProps("paper", { type: "checkbox" })} />
          {!form.values.paper && <Text size="sm">Setting the bot begins a rebalance at once: the vault may trade within seconds. First you see what it would do.</Text>}
          <Group justify="space-between">
            <Button variant="default" onClick={toggle} aria-expanded={code}>{code ? "Hide API Code" : "Show API Code"}</Button>
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
