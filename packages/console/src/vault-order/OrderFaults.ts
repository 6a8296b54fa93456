/** The faults of an order's form, by the endpoints' own parameters. */
import { OrderApi } from "@vault-trader/core/vault-order/OrderApi"
import { parametersOf } from "../shell/Parameters.ts"
import { type FieldName, mayOf, needsOf, type OrderFields } from "./OrderFields.ts"
import { t } from "../text/Text.ts"

const parameters = parametersOf(OrderApi, "placeOrder")
const amendment = parametersOf(OrderApi, "amendOrder")

/** Returns the complaints about the fields that the kind has; the first names what is missing. */
export const faultsOf = (fields: OrderFields): Readonly<Partial<Record<FieldName | "pair", string>>> => {
  const used: ReadonlyArray<FieldName> = ["amount", "share", ...needsOf(fields), ...mayOf(fields)]
  const faults: Partial<Record<FieldName | "pair", string>> = {}
  for (const name of used) {
    const fault = parameters.faultOf(name, fields[name].trim())
    if (fault !== null) faults[name] = fault
  }
  for (const name of needsOf(fields)) if (fields[name].trim() === "") faults[name] = t("Required")
  if (fields.amount.trim() === "" && fields.share.trim() === "") faults.amount = t("Enter an amount or a share")
  if (fields.base === fields.quote) faults.pair = t("Choose two different assets")
  return faults
}

/** Returns the complaint about a field of an amendment, or null. */
export const amendmentFault = (name: string, value: string): string | null => amendment.faultOf(name, value)
