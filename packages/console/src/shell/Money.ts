/** Money as people read it. */

const format = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })

/** US dollars, to the cent. */
export const dollars = (value: number): string => format.format(value)

/** A quantity and its token, cut to a few figures that count: "0.0001897 ETH". */
export const shortOf = (amount: string): string => {
  const [value = "", ...token] = amount.split(" ")
  return [short(value), ...token].join(" ")
}

/** A decimal text cut to a few figures that count, for reading only. */
export const short = (amount: string): string => Number(amount).toLocaleString("en", { maximumSignificantDigits: 5 })
