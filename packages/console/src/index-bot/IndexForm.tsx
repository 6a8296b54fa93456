/** Creates or edits an index: targets, check interval and limits of a run. */
import {
  ActionIcon,
  Alert,
  Button,
  Fieldset,
  Group,
  Modal,
  NativeSelect,
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
import * as AddressText from "@vault-trader/core/chain/AddressText"
import { platforms } from "@vault-trader/core/venue/VenueName"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { percent } from "../shell/Format.ts"
import { Submit } from "../shell/Submit.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { NumberField } from "../shell/NumberField.tsx"
import { VaultFields } from "../vault/VaultFields.tsx"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { useAssets } from "./Indexes.ts"
import { faultOf, faultOfTargets } from "./IndexFaults.ts"
import { type IndexTerms, paramsOf, rowOf, sumOf } from "./IndexTerms.ts"
import { t } from "../text/Text.ts"

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

function TargetLine({ form, index, name }: { readonly form: Form; readonly index: number; readonly name: string }) {
  const isMinimum = form.values.targets.length <= bounds.min
  return (
    <Group wrap="nowrap" align="flex-end" gap="xs">
      <TextInput
        style={{ flex: 2, minWidth: 0 }}
        label={t("Asset {index}", { index: index + 1 })}
        list="known-assets"
        {...form.getInputProps(`targets.${index}.asset`)}
      />
      <div style={{ flex: 1, minWidth: 0 }}>
        <NumberField input={form.getInputProps(`targets.${index}.weight`)} label={t("Weight %")} />
      </div>
      <div style={{ flex: 1, minWidth: 0 }}>
        <NumberField input={form.getInputProps(`targets.${index}.tolerance`)} label={t("Band ±")} />
      </div>
      <ActionIcon
        variant="default"
        size="lg"
        disabled={isMinimum}
        aria-label={name === "" ? t("Remove asset {index}", { index: index + 1 }) : t("Remove {name}", { name })}
        onClick={() => form.removeListItem("targets", index)}
      >
        ✕
      </ActionIcon>
    </Group>
  )
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6

function Targets({ form, isSubmitted }: { readonly form: Form; readonly isSubmitted: boolean }) {
  const { targets } = form.values
  const sum = sumOf(targets)
  const fault = faultOfTargets(targets)
  return (
    <Fieldset legend={t("Target weights")}>
      <Stack gap="xs">
        {targets.map(({ asset, key }, index) => <TargetLine key={key} form={form} index={index} name={asset} />)}
        <Group justify="space-between">
          <Button
            size="xs"
            variant="default"
            disabled={targets.length >= bounds.max}
            onClick={() => form.insertListItem("targets", rowOf())}
          >
            {t("Add an asset")}
          </Button>
          <Text
            size="sm"
            fw={600}
            role="status"
            c={sum === 100 ? "var(--mantine-color-text)" : "var(--mantine-color-error)"}
          >
            {sum === 100
              ? t("Sum {sum}", { sum: percent(sum) })
              : sum < 100
              ? t("Sum {sum}: {missing} missing", { sum: percent(sum), missing: percent(rounded(100 - sum)) })
              : t("Sum {sum}: {excess} too much", { sum: percent(sum), excess: percent(rounded(sum - 100)) })}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {t(
            "Band: percentage points a weight may deviate before it is traded. Leave empty to use the " +
              "index’s band."
          )}
        </Text>
        {isSubmitted && fault !== undefined && (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">{t("The targets {fault}.", { fault })}</Text>
        )}
      </Stack>
    </Fieldset>
  )
}

function Vault({ isEdit, form }: { readonly form: Form; readonly isEdit: boolean }) {
  const { network, pool, wallet } = form.values
  const isComplete = wallet !== "" && network !== "" && AddressText.parse(pool) !== undefined
  const vault = vaultRefOf({ gasWallet: wallet, network, pool: AddressText.parse(pool) ?? "" })
  const assets = useAssets(vault, isComplete).data ?? []
  return (
    <>
      <VaultFields values={form.values} isEdit={isEdit} inputProps={(name) => form.getInputProps(name)} />
      <datalist id="known-assets">{assets.map((symbol) => <option key={symbol} value={symbol} />)}</datalist>
    </>
  )
}

function Bounds({ form }: { readonly form: Form }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label={t("Check every")} description="15m, 6h, 1d" {...form.getInputProps("interval")} />
      <NumberField
        input={form.getInputProps("max_usd")}
        label={t("Max per run, USD")}
        description={t("Sells and buys combined")}
      />
      <NumberField
        input={form.getInputProps("tolerance")}
        label={t("Band, percentage points")}
        description={t("For weights without their own band")}
      />
      <NumberField
        input={form.getInputProps("slippage")}
        label={t("Slippage %")}
        description={t("Max slippage vs. oracle price (up to 5 %)")}
      />
      <TextInput
        label={t("Trade through")}
        description={t("The intermediate asset of all trades")}
        list="known-assets"
        {...form.getInputProps("quote")}
      />
      <NumberField
        input={form.getInputProps("min_trade_usd")}
        label={t("Min per trade, USD")}
        description={t("Smaller trades are skipped")}
      />
      <NativeSelect
        label={t("Venue")}
        description={t("Only this venue. auto: the network's order; best: the largest quote.")}
        data={platforms}
        {...form.getInputProps("platform")}
      />
    </SimpleGrid>
  )
}

export function IndexForm(
  { close, isEdit, initial }: { readonly initial: IndexTerms; readonly isEdit: boolean; readonly close: () => void }
) {
  const [isSubmitted, { open: markSubmitted }] = useDisclosure(false)
  const form = useForm<IndexTerms>({ initialValues: initial, validate, validateInputOnBlur: true })
  const setting = useMutation({
    // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
    mutationFn: (terms: IndexTerms) =>
      call((client) => client.wallet.setIndexBot({ ...paramsOf(terms), wallet: terms.wallet } as never)),
    onSuccess: ({ data, message }) => {
      showSuccess(
        data.enabled ? message : t("The index is set. Until you enable it, it trades only when you rebalance.")
      )
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
      title={isEdit ? t("Edit the index") : t("Set an index")}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <form
        onSubmit={(event) => {
          markSubmitted()
          save(event)
        }}
      >
        <Stack>
          <Vault form={form} isEdit={isEdit} />
          <Targets form={form} isSubmitted={isSubmitted} />
          <Bounds form={form} />
          <Switch
            label={t("Scheduled checks")}
            description={t("On: checks on schedule, starting now. Off: trades only when you rebalance.")}
            {...form.getInputProps("enabled", { type: "checkbox" })}
          />
          <Switch
            label={t("Paper mode")}
            description={t("Decides on live prices, sends nothing")}
            {...form.getInputProps("paper", { type: "checkbox" })}
          />
          <Text size="sm">
            {enabled && !paper
              ? t("Saving starts a check immediately: the vault may trade within seconds.")
              : t("Saving does not trade.")}
          </Text>
          {setting.error !== null && (
            <Alert color="red" role="alert" title={t("The index was not set; nothing was traded")}>
              {setting.error.message}
            </Alert>
          )}
          <ApiFormFooter endpoint="setIndexBot" params={paramsOf(form.values)} close={close}>
            <Submit loading={setting.isPending}>{isEdit ? t("Save") : t("Set the index")}</Submit>
          </ApiFormFooter>
        </Stack>
      </form>
    </Modal>
  )
}
