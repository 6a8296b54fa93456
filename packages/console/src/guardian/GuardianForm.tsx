/** Sets or edits a guardian of a vault, after the service said what it reads now and what it would do. */
import { NativeSelect, Stack, Text } from "@mantine/core"
import { defaults, type GuardianKind, repairMethods } from "@vault-trader/core/guardian/Guardian"
import { GuardianApi } from "@vault-trader/core/guardian/GuardianApi"
import { useState } from "react"
import { call } from "../connection/RpcConnection.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { type TermField, TermsForm, type TermTexts } from "../shell/TermsForm.tsx"
import { useVaultChoice } from "../vault/VaultChoice.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { type Guardian, kindLabels, kindOf, kinds, paramsOf } from "./Guardians.ts"
import { t } from "../text/Text.ts"

const { faultOf } = parametersOf(GuardianApi, "setGuardian")

const repairLabels = {
  repay: t("Repay with what the vault holds"),
  unlend: t("Withdraw what was supplied of the debt’s asset"),
  sell: t("Sell other tokens"),
  deleverage: t("Sell collateral")
} as const satisfies Readonly<Record<typeof repairMethods[number], string>>

const slippage: TermField = {
  name: "slippage",
  label: t("Max slippage, %"),
  description: t("vs. oracle price (up to 5 %)"),
  placeholder: String(defaults.slippage)
}

const common: ReadonlyArray<TermField> = [
  {
    name: "confirmations",
    label: t("Readings in a row"),
    description: t("Each of a later block, before it acts"),
    placeholder: String(defaults.confirmations)
  },
  {
    name: "paper",
    kind: "flag",
    label: t("Watch and report only"),
    description: t("Nothing is sent, held or stopped")
  }
]

const fieldsOf: Readonly<Record<GuardianKind, ReadonlyArray<TermField>>> = {
  health_factor: [
    {
      name: "floor",
      label: t("Act below"),
      description: t("Health factor, at least 1.05"),
      placeholder: "1.25",
      isNeeded: true
    },
    { name: "target", label: t("Repair to"), description: t("Health factor"), placeholder: "1.5", isNeeded: true },
    slippage,
    {
      name: "prefer",
      kind: "choices",
      label: t("What it may do"),
      description: t("In this order"),
      options: repairMethods.map((value) => ({ value, label: repairLabels[value] }))
    },
    ...common
  ],
  loss_breaker: [
    {
      name: "max_daily_loss",
      label: t("Max loss in a day, %"),
      description: t("Since midnight UTC"),
      placeholder: "5"
    },
    {
      name: "max_total_loss",
      label: t("Max loss since the peak, %"),
      description: t("Of the share price"),
      placeholder: "15"
    },
    {
      name: "close_into",
      label: t("Sell everything into"),
      description: t("Empty: nothing is sold, only bots and orders stop"),
      placeholder: "USDC"
    },
    slippage,
    {
      name: "close_positions",
      kind: "flag",
      label: t("Also close loans and positions"),
      description: t("Where it sells: repays, withdraws and removes liquidity first")
    },
    ...common
  ],
  oracle: [
    { name: "max_age", label: t("Max age of a price"), description: t("As 30m, 1h or 1d"), placeholder: "1h" },
    {
      name: "max_depeg",
      label: t("Max distance from the peg, %"),
      description: t("Stablecoins, from 1 USD"),
      placeholder: "2"
    },
    {
      name: "assets",
      label: t("Assets"),
      description: t("With commas; empty: all that the vault may hold"),
      placeholder: "WETH, USDC",
      isList: true
    },
    ...common
  ],
  gas: [
    { name: "min_gas", label: t("Report below"), description: t("Native token"), placeholder: "0.005", isNeeded: true },
    { name: "target_gas", label: t("Refill to"), description: t("Empty: three times that"), placeholder: "0.02" },
    ...common
  ]
}

const textsOf = (guardian: Guardian): TermTexts =>
  Object.fromEntries(Object.entries(paramsOf(guardian)).map(([name, value]) => [name, String(value)]))

const firstTexts: Readonly<Record<GuardianKind, TermTexts>> = {
  health_factor: { prefer: defaults.prefer.join(",") },
  loss_breaker: {},
  oracle: {},
  gas: {}
}

/** Leaves out what has a meaning only beside another term: the API refuses it otherwise. */
const consistent = (params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { close_positions: closes, slippage: most, ...rest } = params
  const sells = params["kind"] !== "loss_breaker" || params["close_into"] !== undefined
  return {
    ...rest,
    ...(sells && closes !== undefined ? { close_positions: closes } : {}),
    ...(sells && most !== undefined ? { slippage: most } : {})
  }
}

export function GuardianForm({ close, guardian, vault: given }: {
  /** The guardian that is edited. */
  readonly guardian?: Guardian
  readonly vault?: VaultRef | undefined
  readonly close: () => void
}) {
  const [chosen, setChosen] = useState<GuardianKind>(guardian?.kind ?? "loss_breaker")
  const { field, vault } = useVaultChoice(given)
  const kind = guardian?.kind ?? chosen
  const set = (params: Readonly<Record<string, unknown>>) =>
    // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
    call((client) => client.wallet.setGuardian({ ...vault, ...consistent({ ...params, kind }) } as never))
  return (
    <TermsForm
      key={kind}
      title={guardian === undefined ? t("Add a guardian") : t("Edit: {label}", { label: kindLabels[kind].label })}
      endpoint="setGuardian"
      about={{ ...(vault === undefined ? {} : { network: vault.network, pool: vault.pool }), kind }}
      fields={fieldsOf[kind]}
      faultOf={faultOf}
      initial={guardian === undefined ? firstTexts[kind] : textsOf(guardian)}
      missing={vault === undefined ? t("Choose a vault") : undefined}
      header={
        <Stack gap="xs">
          {field}
          {guardian === undefined && (
            <NativeSelect
              label={t("Kind")}
              value={kind}
              data={kinds.map((value) => ({ value, label: kindLabels[value].label }))}
              onChange={(event) => setChosen(kindOf(event.currentTarget.value) ?? "loss_breaker")}
            />
          )}
          <Text size="sm" c="dimmed">{kindLabels[kind].help}</Text>
        </Stack>
      }
      preview={async (params) => {
        const { plan } = await set({ ...params, dryRun: true })
        return plan === null ? t("It can read what it watches.") : (
          <>
            {plan.reading} {plan.reason}
            {plan.action !== null && (
              <Text size="sm" mt={4}>
                {t("First action, if the limit were passed: {action}", { action: plan.action })}
              </Text>
            )}
          </>
        )
      }}
      send={set}
      submit={guardian === undefined ? t("Set the guardian") : t("Save changes")}
      failed={t("The guardian is not set")}
      close={close}
    />
  )
}
