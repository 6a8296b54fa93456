/** Numbers of the fake derivatives exchange: hundred-millionths, and texts as its info API writes them. */

/** One coin or one dollar. */
export const one = 100_000_000n

/** Rounded towards zero. */
export const times = (left: bigint, right: bigint): bigint => left * right / one
/** Rounded towards zero. */
export const over = (left: bigint, right: bigint): bigint => left * one / right

export const absolute = (value: bigint): bigint => value < 0n ? -value : value

/** Formats as `1.5`, `-0.02`, `3.0`: no needless zeros, always a decimal. */
export const show = (value: bigint): string => {
  const size = absolute(value)
  const decimals = (size % one).toString().padStart(8, "0").replace(/0+$/, "")
  return `${value < 0n ? "-" : ""}${size / one}.${decimals === "" ? "0" : decimals}`
}

/** Formats dollars, which the exchange counts in millionths. */
export const showUsd = (value: bigint): string => show(value - value % 100n)

/** Parses a decimal to hundred-millionths; returns undefined for anything else. */
export const parse = (text: string): bigint | undefined => {
  const match = /^(\d{1,20})(?:\.(\d{1,8}))?$/.exec(text)
  return match === null ? undefined : BigInt(match[1] ?? "0") * one + BigInt((match[2] ?? "").padEnd(8, "0"))
}
