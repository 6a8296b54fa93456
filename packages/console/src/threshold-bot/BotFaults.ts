/** The faults of a bot's form, by the endpoint's own parameters. */
import { ThresholdBotApi } from "@vault-trader/core/threshold-bot/ThresholdBotApi"
import { parametersOf } from "../shell/Parameters.ts"
import type { BotTerms } from "./BotTerms.ts"
import { t } from "../text/Text.ts"

const parameters = parametersOf(ThresholdBotApi, "setBot")

/** Returns the API's error for a field, or null. */
export const faultOf = (name: keyof BotTerms, value: string | boolean): string | null =>
  name === "wallet" ? value === "" ? t("Choose the gas wallet that trades") : null : parameters.faultOf(name, value)
