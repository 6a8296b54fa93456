/** Sets the side of an exchange bot: creates a bot, changes its terms, or reactivates it. */
import { Alert, NativeSelect, Stack, Text } from "@mantine/core"
import { useForm, type UseFormReturnType } from "@mantine/form"
import { useMutation } from "@tanstack/react-query"
import { sides } from "@vault-trader/core/exchange/ExchangeDecision"
import { strategies } from "@vault-trader/core/exchange/ExchangeAccount"
import { BotFields } from "../bots/BotFields.tsx"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { NumberField } from "../shell/NumberField.tsx"
import { Submit } from "../shell/Submit.tsx"
import { accountRefOf, type Account } from "./Accounts.ts"
import { faultOf, paramsOf, type SideTerms } from "./ExchangeTerms.ts"
import { Modal } from "../shell/Modal.tsx"
import { locale, t } from "../text/Text.ts"

const strategyLabels: Readonly<Record<string, string>> = {
  custom: t("custom: the side set here"),
  trend: t("trend: long above the 50-day mean, otherwise neutral")
}

const names = ["pair", "side", "max_usd", "share", "strategy", "take_profit", "stop_loss"] as const
const validate = Object.fromEntries(names.map((name) => [name, (value: string) => faultOf("setCEXSide", name, value)]))

/** Builds the API's parameters as typed. */
const snippetParamsOf = (account: Account, terms: SideTerms) => ({
  subaccount_name: account.subaccount_name,
  ...Object.fromEntries(
    Object.entries(paramsOf(terms)).map((
      [name, value]
    ) => [name, name === "side" || name === "pair" ? value : Number(value) || value])
  )
})

function SideFields({ account, isEdit, form }: {
  readonly account: Account
  readonly form: UseFormReturnType<SideTerms>
  readonly isEdit: boolean
}) {
  return (
    <BotFields
      inputProps={(name) => form.getInputProps(name)}
      isEdit={isEdit}
      pairs={t("As {exchange} lists it, BASE-QUOTE", { exchange: account.exchange })}
      sides={sides}
      per="order"
    >
      <NativeSelect
        label={t("Side chosen by")}
        description={t("A strategy overrides the side set here")}
        data={strategies.map((each) => ({ value: each, label: strategyLabels[each] ?? each }))}
        {...form.getInputProps("strategy")}
      />
      <NumberField
        label={t("Take-profit %")}
        description={t("Above the price paid; empty for none")}
        input={form.getInputProps("take_profit")}
      />
      <NumberField
        label={t("Stop-loss %")}
        description={t("Below the price paid; empty for none")}
        input={form.getInputProps("stop_loss")}
      />
    </BotFields>
  )
}

/** States what setting the side starts. */
function EffectNote({ account, maxUsd }: { readonly account: Account; readonly maxUsd: string }) {
  return (
    <Text size="sm">
      {account.settings.testnet ?
        t(
          "This starts a decision immediately: an order of at most ${maxUsd} may be sent to {exchange} " +
            "within seconds, on its test network. An executed order is charged.",
          {
            maxUsd: maxUsd === ""
              ? "…"
              : Number(maxUsd).toLocaleString(locale),
            exchange: account.exchange
          }
        ) :
        t(
          "This starts a decision immediately: an order of at most ${maxUsd} may be sent to {exchange} " +
            "within seconds. An executed order is charged.",
          {
            maxUsd: maxUsd === ""
              ? "…"
              : Number(maxUsd).toLocaleString(locale),
            exchange: account.exchange
          }
        )}
    </Text>
  )
}

export function SideForm(
  { account, close, isEdit, initial }: {
    readonly account: Account
    readonly initial: SideTerms
    readonly isEdit: boolean
    readonly close: () => void
  }
) {
  const form = useForm<SideTerms>({ initialValues: initial, validate, validateInputOnBlur: true })
  const setting = useMutation({
    mutationFn: (terms: SideTerms) =>
      // Read by the endpoint's parameters; the form has their text.
      call((client) =>
        client.wallet.setCEXSide(
          { ...accountRefOf(account), ...paramsOf(terms), idempotency_key: crypto.randomUUID() } as never
        )
      ),
    onSuccess: () => {
      showSuccess(t("The bot is set. Its first decision is in progress; Orders shows the outcome."))
      close()
      void queries.invalidateQueries()
    }
  })
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={isEdit
        ? t("{pair} on {subaccountName}", { pair: initial.pair, subaccountName: account.subaccount_name })
        : t("A bot on {subaccountName}", { subaccountName: account.subaccount_name })}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <form onSubmit={form.onSubmit((terms) => setting.mutate(terms))}>
        <Stack>
          <SideFields account={account} form={form} isEdit={isEdit} />
          <EffectNote account={account} maxUsd={form.values.max_usd} />
          {setting.error !== null && (
            <Alert color="red" role="alert" title={t("The side was not set; no order was sent")}>
              {setting.error.message}
            </Alert>
          )}
          <ApiFormFooter endpoint="setCEXSide" params={snippetParamsOf(account, form.values)} close={close}>
            <Submit loading={setting.isPending}>{t("Set the side")}</Submit>
          </ApiFormFooter>
        </Stack>
      </form>
    </Modal>
  )
}
