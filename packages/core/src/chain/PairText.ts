/** Reading pairs that people typed; without schemas, so that pages can use it lightly. */

const leg = "(0x[0-9a-fA-F]{40}|[A-Za-z0-9.$]{1,32})"
export const pairPattern = new RegExp(`^${leg}[-/_]${leg}$`)

/** Returns the legs of a pair as the caller named them. */
export const legsOf = (pair: string): readonly [base: string, quote: string] => {
  const [, base = "", quote = ""] = pairPattern.exec(pair) ?? []
  return [base, quote]
}
