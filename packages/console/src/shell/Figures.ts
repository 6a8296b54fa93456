/** Figures as people read them. */

/** A quantity in human units, six decimals at most; the text is exact, what is shown is not. */
export const quantity = (text: string): string => Number(text).toLocaleString("en", { maximumFractionDigits: 6 })

/** A percentage with at most two decimals; it stays on one line with its sign. */
export const percent = (value: number): string => `${value.toLocaleString("en", { maximumFractionDigits: 2 })}\u00a0%`

/** A moment of ISO 8601, in the reader's own way. */
export const moment = (iso: string): string => new Date(iso).toLocaleString()

const units = [[86_400, "day"], [3_600, "hour"], [60, "minute"], [1, "second"]] as const

/** `6 hours`, of seconds. */
export const spanOf = (seconds: number): string => {
  const [size, unit] = units.find(([each]) => seconds % each === 0) ?? units[3]
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}
