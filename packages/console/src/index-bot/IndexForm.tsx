/** Creates or edits an index: targets, check interval and limits of a run. */
import { Alert, NativeSelect, Stack, Switch, Text } from "@mantine/core"
import { useForm, type UseFormReturnType } from "@mantine/form"
import { useDisclosure } from "@mantine/hooks"
import { useMutation } from "@tanstack/react-query"
import * as AddressText from "@vault-trader/core/chain/AddressText"
import { platforms } from "@vault-trader/core/venue/VenueName"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { Submit } from "../shell/Submit.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { NumberField } from "../shell/NumberField.tsx"
import { runShare } from "../vault/TradeSize.ts"
import { useTradeSize } from "../vault/useTradeSize.ts"
import { VaultFields } from "../vault/VaultFields.tsx"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { useAssets } from "./Indexes.ts"
import { faultOf, faultOfTargets } from "./IndexFaults.ts"
import { IndexLimits, IndexTargets } from "./IndexInputs.tsx"
import { type IndexTerms, paramsOf } from "./IndexTerms.ts"
import { Modal } from "../shell/Modal.tsx"
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

function Bounds({ form, hasNoSize }: { readonly form: Form; readonly hasNoSize: boolean }) {
  const size = useTradeSize({
    ...{ values: form.values, share: runShare, isProposed: hasNoSize },
    set: (text) => form.setFieldValue("max_usd", text)
  })
  return (
    <IndexLimits form={form} size={size}>
      <NumberField
        input={form.getInputProps("slippage")}
        label={t("Slippage %")}
        description={t("Max slippage vs. oracle price (up to 5 %)")}
      />
      <NativeSelect
        label={t("Venue")}
        description={t("Only this venue. auto: the network's order; best: the largest quote.")}
        data={platforms}
        {...form.getInputProps("platform")}
      />
    </IndexLimits>
  )
}

export function IndexForm(
  { close, hasNoSize = false, initial, isEdit }: {
    readonly initial: IndexTerms
    readonly isEdit: boolean
    /** True if the manager has not chosen a limit yet: the form proposes one that suits the vault. */
    readonly hasNoSize?: boolean
    readonly close: () => void
  }
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
          <IndexTargets form={form} isSubmitted={isSubmitted} />
          <Bounds form={form} hasNoSize={hasNoSize} />
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
