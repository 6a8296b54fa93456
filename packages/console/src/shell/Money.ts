/** Money as people read it. */

const format = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })

/** US dollars, to the cent. */
export const dollars = (value: number): string => format.format(value)

/** A decimal text cut to a few figures that count, for reading only. */
export const short = (amount: string): string => Number(amount).toLocaleString("en", { maximumSignificantDigits: 6 })
