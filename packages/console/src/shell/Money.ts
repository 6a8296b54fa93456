/** Formats of amounts. */

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
