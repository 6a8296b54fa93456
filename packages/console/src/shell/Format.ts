/** Formats numbers, amounts and money for people. */

/** Formats a quantity in human units with at most six decimals. */
export const quantity = (text: string): string => Number(text).toLocaleString("en", { maximumFractionDigits: 6 })

/** Formats a percentage with at most two decimals and a non-breaking space. */
export const percent = (value: number): string => `${value.toLocaleString("en", { maximumFractionDigits: 2 })}\u00a0%`

/** Formats an ISO 8601 time in the user's locale. */
export const moment = (iso: string): string => new Date(iso).toLocaleString()

const units = [[86_400, "day"], [3_600, "hour"], [60, "minute"], [1, "second"]] as const

/** Formats seconds as `6 hours`. */
export const spanOf = (seconds: number): string => {
  const [size, unit] = units.find(([each]) => seconds % each === 0) ?? units[3]
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

const format = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })

/** Formats US dollars with cents. */
export const dollars = (value: number): string => format.format(value)

/** Formats a quantity and its token with five significant digits: "0.0001897 ETH". */
export const shortOf = (amount: string): string => {
  const [value = "", ...token] = amount.split(" ")
  return [short(value), ...token].join(" ")
}

/** Formats a decimal text with five significant digits, for display only. */
export const short = (amount: string): string => Number(amount).toLocaleString("en", { maximumSignificantDigits: 5 })
