/** Form values of exchange accounts and their bots, validated by the API's parameters and each exchange's rules. */
import { factsOfGroup } from "@vault-trader/core/endpoint/Endpoint"
import { type CredentialRules, type ExchangeId, exchanges, rules } from "@vault-trader/core/exchange/Exchanges"
import { ExchangeApi } from "@vault-trader/core/exchange/ExchangeApi"
import * as Option from "effect/Option"
import { t } from "../text/Text.ts"

const endpoints = factsOfGroup(ExchangeApi)
const paramOf = (endpoint: string, name: string) =>
  endpoints.find((facts) => facts.name === endpoint)?.params.find((param) => param.name === name)

/** Returns the API's error for a field of an endpoint, or null. */
export const faultOf = (
  endpoint: "registerCEXSubaccount" | "setCEXSide",
  name: string,
  value: string
): string | null => {
  const param = paramOf(endpoint, name)
  if (param === undefined) return null
  if (value.trim() === "") return param.required ? t("Required") : null
  return Option.isSome(param.decode(value)) ? null : t("Must be {accepts}", { accepts: param.info.accepts })
}

export const exchangeOf = (text: string): ExchangeId => exchanges.find((id) => id === text) ?? exchanges[0]

/** Describes the exchange's credentials in a sentence. */
export const ruleText = (exchange: ExchangeId): string => {
  const { keyIs, passphrase, testnet }: CredentialRules = rules[exchange]
  return (passphrase
    ? (testnet
      ? t("A key of {exchange} is {keyIs}, with a passphrase. There is a test network.", { exchange, keyIs })
      : t("A key of {exchange} is {keyIs}, with a passphrase. There is no test network.", { exchange, keyIs }))
    : (testnet
      ? t("A key of {exchange} is {keyIs}, without a passphrase. There is a test network.", { exchange, keyIs })
      : t("A key of {exchange} is {keyIs}, without a passphrase. There is no test network.", { exchange, keyIs })))
}

/** Returns the error of a field of the connect form, including the exchange's rules. Errors never repeat a secret. */
export const faultOfConnecting = (exchange: ExchangeId, name: string, value: string): string | null => {
  const { key, keyIs, passphrase } = rules[exchange]
  if (name === "wallet") return value === "" ? t("Choose the gas wallet that pays the charges") : null
  if (name === "cex_passphrase") {
    return passphrase && value === ""
      ? t("Required: a key of {exchange} comes with one", { exchange })
      : faultOf("registerCEXSubaccount", name, value)
  }
  const fault = faultOf("registerCEXSubaccount", name, value)
  if (name !== "cex_api_key" || fault !== null) return fault
  return key.test(value.trim()) ? null : t("Must be {keyIs}, as {exchange} issues them", { keyIs, exchange })
}

export interface SideTerms {
  readonly pair: string
  readonly side: string
  readonly max_usd: string
  readonly share: string
  readonly strategy: string
  readonly take_profit: string
  readonly stop_loss: string
}

/** Returns the terms as parameters of setCEXSide: an empty percentage is left out. */
export const paramsOf = ({ stop_loss, take_profit, ...terms }: SideTerms) => ({
  ...terms,
  ...(take_profit.trim() === "" ? {} : { take_profit }),
  ...(stop_loss.trim() === "" ? {} : { stop_loss })
})

export const newSide: SideTerms = {
  ...{ pair: "BTC-USDT", side: "long", max_usd: "1000", share: "100", strategy: "custom" },
  ...{ take_profit: "", stop_loss: "" }
}
