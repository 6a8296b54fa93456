/** Compares callers' names of tokens with the address book, without a node. */
import { type Address, parse as parseAddress } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { symbolOf } from "@vault-trader/core/chain/Token"

/** Returns the tokens of the address book with this symbol. */
const withSymbol = ({ easySwapper, tokens }: NetworkBook, text: string) => {
  const symbol = symbolOf(text)
  return [...tokens, ...(easySwapper?.poolTokens ?? [])].filter((entry) => entry.symbol.toUpperCase() === symbol)
}

/** Returns the address that a text is or names in the address book; `undefined` when it names none. */
export const addressOf = (book: NetworkBook, text: string): Address | undefined =>
  parseAddress(text) ?? withSymbol(book, text)[0]?.address

/** Returns true when a caller's text names this token in the address book: by its address or its symbol. */
export const names = (book: NetworkBook, text: string, token: Address): boolean => {
  const address = parseAddress(text)
  return address === undefined ? withSymbol(book, text).some((entry) => entry.address === token) : address === token
}
