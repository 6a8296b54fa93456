/** Deploys a bot that trades by an installed strategy, or changes its terms. New bots begin on paper. */
import { Alert, NativeSelect, Stack, Text } from "@mantine/core"
import { defaults } from "@vault-trader/core/strategy/StrategyBot"
import { StrategyApi } from "@vault-trader/core/strategy/StrategyApi"
import { names as venues } from "@vault-trader/core/venue/VenueName"
import { useState } from "react"
import { call } from "../connection/RpcConnection.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { Problem } from "../shell/Problem.tsx"
import { type Params, type TermField, TermsForm, type TermTexts } from "../shell/TermsForm.tsx"
import { useVaultChoice } from "../vault/VaultChoice.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { acceptsOf, type Input, type Installed, paramsOf, type StrategyBot, useInstalled } from "./StrategyBots.ts"
import { t } from "../text/Text.ts"

const parameters = parametersOf(StrategyApi, "setStrategyBot")

/** Fields of the strategy's inputs; together they are the parameter `inputs`. */
const prefix = "input:"

const common: ReadonlyArray<TermField> = [
  {
    name: "assets",
    label: t("Assets"),
    description: t("That it trades, with commas"),
    placeholder: "WETH",
    isList: true,
    isNeeded: true
  },
  { name: "quote", label: t("Quote asset"), description: t("Trades go through it"), placeholder: defaults.quote },
  {
    name: "interval",
    label: t("Decides every"),
    description: t("As 15m, 1h, 1d or 20blocks"),
    placeholder: "1h",
    isNeeded: true
  },
  { name: "max_usd", label: t("Max per decision, USD"), placeholder: "1000", isNeeded: true },
  { name: "min_trade_usd", label: t("Min per trade, USD"), placeholder: defaults.minTradeUsd },
  {
    name: "tolerance",
    label: t("Trade when off by, points"),
    description: t("Distance of a weight from its target"),
    placeholder: String(defaults.tolerance)
  },
  {
    name: "slippage",
    label: t("Max slippage, %"),
    description: t("vs. oracle price (up to 5 %)"),
    placeholder: String(defaults.slippage)
  },
  {
    name: "max_impact",
    label: t("Max impact of a trade, %"),
    description: t("Empty: 0.3 more than a small trade"),
    placeholder: "0.5"
  },
  {
    name: "platform",
    kind: "choice",
    label: t("Venue"),
    description: t("auto: the network’s order; best: the largest quote"),
    options: ["auto", "best", ...venues].map((value) => ({ value, label: value }))
  }
]

const inputField = (name: string, input: Input): TermField => ({
  name: `${prefix}${name}`,
  label: name,
  description: input.description ?? acceptsOf(input),
  placeholder: String(input.default),
  ...(input.type === "boolean" ? { kind: "flag" } : {}),
  ...(input.type === "choice"
    ? { kind: "choice", options: input.choices.map((value) => ({ value, label: value })) }
    : {})
})

const inputFault = (input: Input | undefined, text: string): string | null => {
  if (input === undefined || input.type === "boolean" || input.type === "choice") return null
  const value = Number(text)
  const isValid = Number.isFinite(value) && (input.type === "number" || Number.isInteger(value)) &&
    value >= (input.minimum ?? -Infinity) && value <= (input.maximum ?? Infinity)
  return isValid ? null : t("Must be a {input}", { input: acceptsOf(input) })
}

/** Joins the fields of inputs to the parameter that they are. */
const encode = (params: Params): Params => {
  const entries = Object.entries(params)
  const inputs = entries.filter(([name]) => name.startsWith(prefix))
  return {
    ...Object.fromEntries(entries.filter(([name]) => !name.startsWith(prefix))),
    ...(inputs.length === 0
      ? {}
      : { inputs: inputs.map(([name, value]) => `${name.slice(prefix.length)}=${String(value)}`).join(",") })
  }
}

const textsOf = (bot: StrategyBot): TermTexts => ({
  ...Object.fromEntries(Object.entries(paramsOf(bot)).map(([name, value]) => [name, String(value)])),
  ...Object.fromEntries(
    Object.entries(bot.inputs).map(([name, value]) => [`${prefix}${name}`, String(value as string)])
  )
})

const defaultTexts = (strategy: Installed | undefined): TermTexts => ({
  platform: "auto",
  ...Object.fromEntries(
    Object.entries(strategy?.description?.inputs ?? {}).map((
      [name, input]
    ) => [`${prefix}${name}`, String(input.default)])
  )
})

export function StrategyForm({ bot, close, vault: given }: {
  /** The bot that is edited. */
  readonly bot?: StrategyBot
  readonly vault?: VaultRef | undefined
  readonly close: () => void
}) {
  const { field, vault } = useVaultChoice(given)
  const installed = useInstalled(vault)
  const [chosen, setChosen] = useState("")
  const usable = (installed.data ?? []).filter(({ description }) => description !== null)
  const strategy = usable.find(({ name }) => name === (bot?.strategy ?? chosen))
  const inputs = strategy?.description?.inputs ?? {}
  const mode = bot?.mode ?? "paper"
  return (
    <TermsForm
      key={strategy?.name ?? ""}
      title={bot === undefined ? t("Deploy a strategy") : t("Edit {strategy}", { strategy: bot.strategy })}
      endpoint="setStrategyBot"
      about={{
        ...(vault === undefined ? {} : { network: vault.network, pool: vault.pool }),
        ...{ strategy: strategy?.name ?? bot?.strategy ?? "", mode }
      }}
      fields={strategy === undefined
        ? []
        : [...Object.entries(inputs).map(([name, input]) => inputField(name, input)), ...common]}
      faultOf={(name, value) =>
        name.startsWith(prefix)
          ? inputFault(inputs[name.slice(prefix.length)], String(value))
          : parameters.faultOf(name, value)}
      initial={bot === undefined ? defaultTexts(strategy) : textsOf(bot)}
      missing={vault === undefined ? t("Choose a vault") : strategy === undefined ? t("Choose a strategy") : undefined}
      encode={encode}
      header={
        <Stack gap="xs">
          {field}
          {installed.error !== null && (
            <Problem title={t("The strategies cannot be read right now")} message={installed.error.message} />
          )}
          {bot === undefined && vault !== undefined && (
            <NativeSelect
              label={t("Strategy")}
              value={chosen}
              data={[{ value: "", label: t("Choose…") }, ...usable.map(({ name }) => name)]}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
          )}
          {strategy !== undefined && <Text size="sm">{strategy.description?.description}</Text>}
          <Alert color="blue">
            {mode === "paper"
              ? t(
                "It begins on paper: it decides on live prices and records the fills that it would have had. Go " +
                  "live when you trust it."
              )
              : t("This bot is live: it trades by the new terms when the next candle closes.")}
          </Alert>
        </Stack>
      }
      send={(params) =>
        // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
        call((client) =>
          client.wallet.setStrategyBot({ ...vault, ...params, strategy: strategy?.name, mode } as never)
        )}
      submit={bot === undefined ? t("Deploy on paper") : t("Save changes")}
      failed={t("The bot is unchanged")}
      close={close}
    />
  )
}
