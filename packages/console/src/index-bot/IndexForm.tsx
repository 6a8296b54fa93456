/** Setting an index, or changing one: what the vault is to hold, how often that is looked at, what a run may trade. */
import { ActionIcon, Alert, Button, Collapse, Fieldset, Group, Modal, NativeSelect, NumberInput, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core"
import { useForm, type UseFormReturnType } from "@mantine/form"
import { useDisclosure } from "@mantine/hooks"
import { useMutation } from "@tanstack/react-query"
import { bounds } from "@vault-trader/core/index-bot/Targets"
import * as AddressText from "@vault-trader/core/chain/Address"
import { names as venues } from "@vault-trader/core/venue/VenueName"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { percent } from "../shell/Figures.ts"
import { Submit } from "../shell/Submit.tsx"
import { done } from "../shell/Notices.ts"
import { ApiCode } from "../shell/ApiCode.tsx"
import { placeOf } from "../vault/Place.ts"
import { useLinks } from "../vault/Links.ts"
import { useAssets } from "./Indexes.ts"
import { decoded, faultOf, faultOfTargets, type IndexTerms, paramsOf, rowOf, sumOf } from "./IndexTerms.ts"

type Form = UseFormReturnType<IndexTerms>

const validate = Object.fromEntries(
  (["wallet", "network", "pool", "interval", "max_usd", "min_trade_usd", "tolerance", "slippage", "quote", "platform"] as const)
    .map((name) => [name, (value: string) => faultOf(name, value)])
)

/** A field for numbers whose value stays text, as it is written. */
function Figure({ description, form, label, name }: { readonly form: Form; readonly name: string; readonly label: string; readonly description?: string }) {
  const { onChange, ...props } = form.getInputProps(name) as { readonly onChange: (value: string) => void; readonly value: string; readonly error?: string }
  return <NumberInput label={label} description={description} hideControls thousandSeparator="," {...props} onChange={(value) => onChange(String(value))} />
}

function TargetLine({ form, index, name }: { readonly form: Form; readonly index: number; readonly name: string }) {
  const few = form.values.targets.length <= bounds.least
  return (
    <Group wrap="nowrap" align="flex-end" gap="xs">
      <TextInput style={{ flex: 2, minWidth: 0 }} label={`Asset ${index + 1}`} list="known-assets" {...form.getInputProps(`targets.${index}.asset`)} />
      <div style={{ flex: 1, minWidth: 0 }}><Figure form={form} name={`targets.${index}.weight`} label="Weight %" /></div>
      <div style={{ flex: 1, minWidth: 0 }}><Figure form={form} name={`targets.${index}.tolerance`} label="Band ±" /></div>
      <ActionIcon variant="default" size="lg" disabled={few} aria-label={`Remove ${name === "" ? `asset ${index + 1}` : name}`} onClick={() => form.removeListItem("targets", index)}>✕</ActionIcon>
    </Group>
  )
}

function Targets({ form, pressed }: { readonly form: Form; readonly pressed: boolean }) {
  const { targets } = form.values
  const sum = sumOf(targets)
  const fault = faultOfTargets(targets)
  return (
    <Fieldset legend="What the vault is to hold">
      <Stack gap="xs">
        {targets.map(({ asset, key }, index) => <TargetLine key={key} form={form} index={index} name={asset} />)}
        <Group justify="space-between">
          <Button size="xs" variant="default" disabled={targets.length >= bounds.most} onClick={() => form.insertListItem("targets", rowOf())}>Add an asset</Button>
          <Text size="sm" fw={600} role="status" c={sum === 100 ? "var(--mantine-color-text)" : "var(--mantine-color-error)"}>
            Sum {percent(sum)}{sum === 100 ? "" : sum < 100 ? `: ${percent(Math.round((100 - sum) * 1e6) / 1e6)} are missing` : `: ${percent(Math.round((sum - 100) * 1e6) / 1e6)} too much`}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">Band: percentage points a weight may be off before it is traded; empty for the index’s own.</Text>
        {pressed && fault !== undefined && <Text size="sm" role="alert" c="var(--mantine-color-error)">The targets {fault}.</Text>}
      </Stack>
    </Fieldset>
  )
}

function Vault({ fixed, form }: { readonly form: Form; readonly fixed: boolean }) {
  const wallets = useWallets()
  const me = useWhoAmI()
  const links = useLinks()
  const { network, pool, wallet } = form.values
  const known = links.data?.filter((link) => link.wallet === wallet && link.network === network) ?? []
  const chosen = wallet !== "" && network !== "" && AddressText.parse(pool) !== undefined
  const assets = useAssets(placeOf({ gasWallet: wallet, network, pool: AddressText.parse(pool) ?? "" }), chosen).data ?? []
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect label="Gas wallet" disabled={fixed} data={[{ value: "", label: "Choose…" }, ...(wallets.data ?? []).map((each) => ({ value: each.address, label: nameOf(each) }))]} {...form.getInputProps("wallet")} />
        <NativeSelect label="Network" disabled={fixed} data={[{ value: "", label: "Choose…" }, ...(me.data?.networks ?? [])]} {...form.getInputProps("network")} />
      </SimpleGrid>
      <TextInput label="Vault" description="Address of the vault; the gas wallet must be its trader." disabled={fixed} list="known-vaults" {...form.getInputProps("pool")} />
      <datalist id="known-vaults">{known.map((link) => <option key={link.pool} value={link.pool} />)}</datalist>
      <datalist id="known-assets">{assets.map((symbol) => <option key={symbol} value={symbol} />)}</datalist>
    </>
  )
}

function Bounds({ form }: { readonly form: Form }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label="Look every" description="15m, 6h, 1d" {...form.getInputProps("interval")} />
      <Figure form={form} name="max_usd" label="Most per run, USD" description="Sells and buys together" />
      <Figure form={form} name="tolerance" label="Band, percentage points" description="Of every weight without one of its own" />
      <Figure form={form} name="slippage" label="Slippage %" description="Under quote and oracle, at most 5" />
      <TextInput label="Trade through" description="The asset sold for, and bought with" list="known-assets" {...form.getInputProps("quote")} />
      <Figure form={form} name="min_trade_usd" label="Least per trade, USD" description="What is worth less is left" />
      <NativeSelect label="Venue" description="Tried first; auto walks the network’s own order" data={["auto", ...venues]} {...form.getInputProps("platform")} />
    </SimpleGrid>
  )
}

export function IndexForm({ close, fixed, initial }: { readonly initial: IndexTerms; readonly fixed: boolean; readonly close: () => void }) {
  const [code, { toggle }] = useDisclosure(false)
  const [pressed, { open: press }] = useDisclosure(false)
  const form = useForm<IndexTerms>({ initialValues: initial, validate, validateInputOnBlur: true })
  const setting = useMutation({
    // Decoded by the endpoint's own schemas, which the compiler cannot see through names.
    mutationFn: (terms: IndexTerms) => call((client) => client.wallet.setIndexBot({ ...decoded(terms), wallet: terms.wallet } as never)),
    onSuccess: ({ data, message }) => {
      done(data.enabled ? message : "The index is set. It trades only when you rebalance, until you enable it.")
      close()
      void queries.invalidateQueries()
    }
  })
  const { enabled, paper, targets } = form.values
  const save = form.onSubmit((terms) => { if (faultOfTargets(targets) === undefined) setting.mutate(terms) })
  return (
    <Modal opened onClose={close} size="lg" title={fixed ? "Edit the index" : "Set an index"} closeOnClickOutside={false} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { press(); save(event) }}>
        <Stack>
          <Vault form={form} fixed={fixed} />
          <Targets form={form} pressed={pressed} />
          <Bounds form={form} />
          <Switch label="Look by itself" description="On the schedule, the first time at once; off, it trades only when you rebalance" {...form.getInputProps("enabled", { type: "checkbox" })} />
          <Switch label="Paper mode" description="Decides on live prices, sends nothing" {...form.getInputProps("paper", { type: "checkbox" })} />
          <Text size="sm">{enabled && !paper ? "It looks at once when it is saved: the vault may trade within seconds." : "Nothing is traded by saving."}</Text>
          {setting.error !== null && <Alert color="red" role="alert" title="The index was not set; nothing was traded by this">{setting.error.message}</Alert>}
          <Group justify="space-between">
            <Button variant="default" onClick={toggle} aria-expanded={code}>{code ? "Hide API Code" : "Show API Code"}</Button>
            <Group>
              <Button variant="default" onClick={close}>Cancel</Button>
              <Submit loading={setting.isPending}>{fixed ? "Save" : "Set the index"}</Submit>
            </Group>
          </Group>
          <Collapse expanded={code}>{code && <ApiCode endpoint="setIndexBot" params={paramsOf(form.values)} />}</Collapse>
        </Stack>
      </form>
    </Modal>
  )
}
