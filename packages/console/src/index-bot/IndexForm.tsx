/** Creates or edits an index: targets, check interval and limits of a run. */
import {
  ActionIcon,
  Alert,
  Button,
  Collapse,
  Fieldset,
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
  ([
    "wallet",
    "network",
    "pool",
    "interval",
    "max_usd",
    "min_trade_usd",
    "tolerance",
    "slippage",
    "quote",
    "platform"
  ] as const)
    .map((name) => [name, (value: string) => faultOf(name, value)])
)

/** A number field whose value stays text, as typed. */
function Figure(
  { description, form, label, name }: {
    readonly form: Form
    readonly name: string
    readonly label: string
    readonly description?: string
  }
) {
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

function TargetLine({ form, index, name }: { readonly form: Form; readonly index: number; readonly name: string }) {
  const isMinimum = form.values.targets.length <= bounds.least
  return (
    <Group wrap="nowrap" align="flex-end" gap="xs">
      <TextInput
        style={{ flex: 2, minWidth: 0 }}
        label={`Asset ${index + 1}`}
        list="known-assets"
        {...form.getInputProps(`targets.${index}.asset`)}
      />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Figure form={form} name={`targets.${index}.weight`} label="Weight %" />
      </div>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Figure form={form} name={`targets.${index}.tolerance`} label="Band ±" />
      </div>
      <ActionIcon
        variant="default"
        size="lg"
        disabled={isMinimum}
        aria-label={`Remove ${name === "" ? `asset ${index + 1}` : name}`}
        onClick={() => form.removeListItem("targets", index)}
      >
        ✕
      </ActionIcon>
    </Group>
  )
}

function Targets({ form, submitted }: { readonly form: Form; readonly submitted: boolean }) {
  const { targets } = form.values
  const sum = sumOf(targets)
  const fault = faultOfTargets(targets)
  return (
    <Fieldset legend="Target weights">
      <Stack gap="xs">
        {targets.map(({ asset, key }, index) => <TargetLine key={key} form={form} index={index} name={asset} />)}
        <Group justify="space-between">
          <Button
            size="xs"
            variant="default"
            disabled={targets.length >= bounds.most}
            onClick={() => form.insertListItem("targets", rowOf())}
          >
            Add an asset
          </Button>
          <Text
            size="sm"
            fw={600}
            role="status"
            c={sum === 100 ? "var(--mantine-color-text)" : "var(--mantine-color-error)"}
          >
            Sum {percent(sum)}
            {sum === 100
              ? ""
              : sum < 100
              ? `: ${percent(Math.round((100 - sum) * 1e6) / 1e6)} missing`
              : `: ${percent(Math.round((sum - 100) * 1e6) / 1e6)} too much`}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          Band: percentage points a weight may deviate before it is traded. Leave empty to use the index’s band.
        </Text>
        {submitted && fault !== undefined && (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">The targets {fault}.</Text>
        )}
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
  const assets = useAssets(placeOf({ gasWallet: wallet, network, pool: AddressText.parse(pool) ?? "" }), chosen).data ??
    []
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label="Gas wallet"
          disabled={fixed}
          data={[
            { value: "", label: "Choose…" },
            ...(wallets.data ?? []).map((each) => ({ value: each.address, label: nameOf(each) }))
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
      <datalist id="known-vaults">{known.map((link) => <option key={link.pool} value={link.pool} />)}</datalist>
      <datalist id="known-assets">{assets.map((symbol) => <option key={symbol} value={symbol} />)}</datalist>
    </>
  )
}

function Bounds({ form }: { readonly form: Form }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label="Check every" description="15m, 6h, 1d" {...form.getInputProps("interval")} />
      <Figure form={form} name="max_usd" label="Max per run, USD" description="Sells and buys combined" />
      <Figure
        form={form}
        name="tolerance"
        label="Band, percentage points"
        description="For weights without their own band"
      />
      <Figure
        form={form}
        name="slippage"
        label="Slippage %"
        description="Max slippage vs. quote and oracle, up to 5 %"
      />
      <TextInput
        label="Trade through"
        description="The intermediate asset of all trades"
        list="known-assets"
        {...form.getInputProps("quote")}
      />
      <Figure form={form} name="min_trade_usd" label="Min per trade, USD" description="Smaller trades are skipped" />
      <NativeSelect
        label="Venue"
        description="Preferred venue. Auto picks the best available."
        data={["auto", ...venues]}
        {...form.getInputProps("platform")}
      />
    </SimpleGrid>
  )
}

export function IndexForm(
  { close, fixed, initial }: { readonly initial: IndexTerms; readonly fixed: boolean; readonly close: () => void }
) {
  const [code, { toggle }] = useDisclosure(false)
  const [submitted, { open: markSubmitted }] = useDisclosure(false)
  const form = useForm<IndexTerms>({ initialValues: initial, validate, validateInputOnBlur: true })
  const setting = useMutation({
    // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
    mutationFn: (terms: IndexTerms) =>
      call((client) => client.wallet.setIndexBot({ ...decoded(terms), wallet: terms.wallet } as never)),
    onSuccess: ({ data, message }) => {
      done(data.enabled ? message : "The index is set. Until you enable it, it trades only when you rebalance.")
      close()
      void queries.invalidateQueries()
    }
  })
  const { enabled, paper, targets } = form.values
  const save = form.onSubmit((terms) => {
    if (faultOfTargets(targets) === undefined) setting.mutate(terms)
  })
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={fixed ? "Edit the index" : "Set an index"}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form
        onSubmit={(event) => {
          markSubmitted()
          save(event)
        }}
      >
        <Stack>
          <Vault form={form} fixed={fixed} />
          <Targets form={form} submitted={submitted} />
          <Bounds form={form} />
          <Switch
            label="Scheduled checks"
            description="On: checks on schedule, starting now. Off: trades only when you rebalance."
            {...form.getInputProps("enabled", { type: "checkbox" })}
          />
          <Switch
            label="Paper mode"
            description="Decides on live prices, sends nothing"
            {...form.getInputProps("paper", { type: "checkbox" })}
          />
          <Text size="sm">
            {enabled && !paper
              ? "Saving starts a check immediately: the vault may trade within seconds."
              : "Saving does not trade."}
          </Text>
          {setting.error !== null && (
            <Alert color="red" role="alert" title="The index was not set; nothing was traded">
              {setting.error.message}
            </Alert>
          )}
          <Group justify="space-between">
            <Button variant="default" onClick={toggle} aria-expanded={code}>
              {code ? "Hide API Code" : "Show API Code"}
            </Button>
            <Group>
              <Button variant="default" onClick={close}>Cancel</Button>
              <Submit loading={setting.isPending}>{fixed ? "Save" : "Set the index"}</Submit>
            </Group>
          </Group>
          <Collapse expanded={code}>
            {code && <ApiCode endpoint="setIndexBot" params={paramsOf(form.values)} />}
          </Collapse>
        </Stack>
      </form>
    </Modal>
  )
}
