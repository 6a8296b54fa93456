/** Deploys or edits a bot. */
import { Button, NativeSelect, Stack, Switch, Text } from "@mantine/core"
import { useForm, type UseFormReturnType } from "@mantine/form"
import { sides } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { names as venues } from "@vault-trader/core/venue/VenueName"
import { useState } from "react"
import { BotFields } from "../bots/BotFields.tsx"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { NumberField } from "../shell/NumberField.tsx"
import { tradeShare } from "../vault/TradeSize.ts"
import { useTradeSize } from "../vault/useTradeSize.ts"
import { VaultFields } from "../vault/VaultFields.tsx"
import { faultOf } from "./BotFaults.ts"
import { type BotTerms, paramsOf } from "./BotTerms.ts"
import { Review } from "./Review.tsx"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

type Form = UseFormReturnType<BotTerms>

const validate = Object.fromEntries(
  [
    ...["wallet", "network", "pool", "pair", "side"] as const,
    ...["threshold", "share", "max_usd", "slippage", "max_impact", "platform"] as const
  ].map((name) => [name, (value: string) => faultOf(name, value)])
)

/** The pair, the side, and the limits of each trade. */
function StrategyFields({ form, isEdit, size }: {
  readonly form: Form
  readonly isEdit: boolean
  readonly size: ReturnType<typeof useTradeSize>
}) {
  return (
    <BotFields
      inputProps={(name) => name === "max_usd" ? size.field(form.getInputProps(name)) : form.getInputProps(name)}
      sizeNote={size.note}
      isEdit={isEdit}
      pairs="BASE-QUOTE"
      sides={sides}
      per="trade"
    >
      <NumberField
        label={t("Threshold %")}
        description={t("Trade when off target by more than")}
        input={form.getInputProps("threshold")}
      />
      <NumberField
        label={t("Slippage %")}
        description={t("Max slippage vs. oracle price (up to 5 %)")}
        input={form.getInputProps("slippage")}
      />
      <NumberField
        label={t("Max impact of a trade, %")}
        description={t("Trades in parts that lose no more than this to the pool. Empty: 0.3 more than a small trade.")}
        input={form.getInputProps("max_impact")}
      />
      <NativeSelect
        label={t("Venue")}
        description={t("Only this venue. auto: the network's order; best: the largest quote.")}
        data={[{ value: "", label: t("auto") }, "best", ...venues]}
        {...form.getInputProps("platform")}
      />
    </BotFields>
  )
}

function ModeSwitches({ form }: { readonly form: Form }) {
  return (
    <>
      <Switch
        label={t("Lend idle assets")}
        description={t("Supplied to lenderA, withdrawn before trading")}
        {...form.getInputProps("lending", { type: "checkbox" })}
      />
      <Switch
        label={t("Enable the asset to hold")}
        description={t("Where the vault does not have it enabled and lets its trader enable it")}
        {...form.getInputProps("auto_enable", { type: "checkbox" })}
      />
      <Switch
        label={t("Paper mode")}
        description={t("Decides on live prices, sends nothing")}
        {...form.getInputProps("paper", { type: "checkbox" })}
      />
      {!form.values.paper && (
        <Text size="sm">
          {t(
            "Setting the bot starts a rebalance immediately: the vault may trade within seconds. You first " +
              "see a preview."
          )}
        </Text>
      )}
    </>
  )
}

export function BotForm(
  { close, hasNoSize = false, initial, isEdit, isReviewed = false }: {
    readonly initial: BotTerms
    readonly isEdit: boolean
    /** True if the initial terms are complete: the review is first, and the form is opened from it. */
    readonly isReviewed?: boolean
    /** True if the manager has not chosen a limit yet: the form proposes one that suits the vault. */
    readonly hasNoSize?: boolean
    readonly close: () => void
  }
) {
  const form = useForm<BotTerms>({ initialValues: initial, validate, validateInputOnBlur: true })
  const size = useTradeSize({
    ...{ values: form.values, share: tradeShare, isProposed: hasNoSize },
    set: (text) => form.setFieldValue("max_usd", text)
  })
  const [reviewedTerms, setReviewedTerms] = useState<BotTerms | undefined>(isReviewed ? initial : undefined)
  if (reviewedTerms !== undefined) {
    return (
      <Review
        terms={reviewedTerms}
        isEdit={isEdit}
        back={() => setReviewedTerms(undefined)}
        backLabel={isReviewed ? t("Change it") : undefined}
        close={close}
      />
    )
  }
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={isEdit ? t("Edit {pair}", { pair: initial.pair }) : t("Deploy a bot")}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <form onSubmit={form.onSubmit((terms) => setReviewedTerms(terms))}>
        <Stack>
          <VaultFields values={form.values} isEdit={isEdit} inputProps={(name) => form.getInputProps(name)} />
          <StrategyFields form={form} isEdit={isEdit} size={size} />
          <ModeSwitches form={form} />
          <ApiFormFooter endpoint="setBot" params={paramsOf(form.values)} close={close}>
            <Button type="submit">{isEdit ? t("Review") : t("Set the bot")}</Button>
          </ApiFormFooter>
        </Stack>
      </form>
    </Modal>
  )
}
