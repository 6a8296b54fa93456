/** The parameters that set a token's rules. */
import * as Schema from "effect/Schema"
import { addressOrBlock } from "../endpoint/ClientSource.ts"
import * as Param from "../endpoint/Param.ts"
import { maxPerMinute, publishedSources, QuietHours, readQuiet, showQuiet } from "../signal/SignalRules.ts"

/** The value that removes a rule. */
const none = "none"

/** Declares a parameter that `none` removes. */
const removable = <A>(
  read: (text: string) => A | undefined,
  show: (value: A) => string,
  schema: Schema.Codec<A, unknown>,
  options: { readonly accepts: string; readonly description: string; readonly example: string }
) =>
  Param.make(Schema.Union([Schema.Literal(none), Schema.toType(schema)]), {
    ...options,
    accepts: `${options.accepts}, or none`,
    jsonSchema: { type: "string" },
    read: (text) => text.toLowerCase() === none ? none : read(text),
    show: (value) => value === none ? none : show(value)
  })

const whole = (maximum: number) => (text: string) =>
  /^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= maximum ? Number(text) : undefined

const readSources = (text: string): ReadonlyArray<string> | undefined => {
  const sources = text.split(/[\s,]+/).filter((source) => source !== "").map((source) => source.toLowerCase())
  return sources.length > 0 && sources.length <= 50 &&
      sources.every((source) => Object.hasOwn(publishedSources, source) || addressOrBlock.test(source))
    ? sources
    : undefined
}

export const Quiet = removable(readQuiet, showQuiet, QuietHours, {
  accepts: "hours such as 22:00-06:00 Europe/Berlin",
  description:
    "Hours of each day in which alerts are refused, FROM-TO and a time zone (UTC if none); none removes them.",
  example: "22:00-06:00 Europe/Berlin"
})
export const Sources = removable(readSources, (sources) => sources.join(","), Schema.Array(Schema.String), {
  accepts: `at most 50 addresses, blocks of addresses, or names of charting services (${
    Object.keys(publishedSources).join(", ")
  })`,
  description: "The only sources whose alerts count: addresses, blocks (CIDR), or the name of a charting service " +
    "(tradingview) for the addresses that it publishes, separated by commas; none allows all.",
  example: "tradingview"
})
export const PerMinute = removable(whole(maxPerMinute), String, Schema.Number, {
  accepts: `a whole number from 1 to ${maxPerMinute}`,
  description: "Alerts that count in a minute; further ones are refused; none removes the limit.",
  example: "10"
})
export const MaxAge = removable(whole(86_400), String, Schema.Number, {
  accepts: "a whole number of seconds from 1 to 86400",
  description:
    "Maximum age of an alert in seconds after its own `timestamp`, which it then has to have; none removes it.",
  example: "60"
})
