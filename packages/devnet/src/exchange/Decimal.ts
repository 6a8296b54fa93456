/** Converts between the decimal strings of the exchange's API and integers in hundred-millionths. */
const one = 100_000_000n

/** `"1.5"` → 150000000n; returns undefined for anything but a decimal of at most 8 places. */
export const parse = (text: string): bigint | undefined => {
  const match = /^(\d{1,20})(?:\.(\d{1,8})0*)?$/.exec(text)
  return match === null ? undefined : BigInt(match[1] ?? "0") * one + BigInt((match[2] ?? "").padEnd(8, "0"))
}

/** Converts a constant of ours. */
export const of = (value: number): bigint => BigInt(Math.round(value * 1e8))
export const show = (value: bigint): string => `${value / one}.${(value % one).toString().padStart(8, "0")}`
/** Rounded down. */
export const times = (left: bigint, right: bigint): bigint => left * right / one
/** Rounded down. */
export const over = (left: bigint, right: bigint): bigint => left * one / right
export const toStep = (value: bigint, step: bigint): bigint => value - value % step
