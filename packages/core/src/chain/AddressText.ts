/** Reading addresses that people typed; without schemas, so that pages can use it lightly. */

/**
 * Parses an address and lower-cases it; `undefined` when the text is not an address. A checksum is accepted but not
 * required.
 */
export const parse = (text: string): `0x${string}` | undefined => {
  const trimmed = text.trim()
  return /^0[xX][0-9a-fA-F]{40}$/.test(trimmed) ? (trimmed.toLowerCase() as `0x${string}`) : undefined
}
