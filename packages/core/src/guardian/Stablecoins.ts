/** The tokens that are meant to be worth one dollar. */

const symbols: ReadonlySet<string> = new Set([
  ...["USDC", "USDC.E", "USDCE", "USDBC", "USDT", "USDT0", "USD₮0", "USDT.E", "DAI", "DAI.E", "XDAI", "USDS", "GHO"],
  ...["FRAX", "LUSD", "SUSD", "CRVUSD", "PYUSD", "FDUSD", "TUSD", "USDP", "USDE", "USDM", "DOLA", "MAI", "USDH", "USDA"]
])

/** Checks by its symbol whether a token is a stablecoin of the US dollar. */
export const isStable = ({ symbol }: { readonly symbol: string }): boolean => symbols.has(symbol.toUpperCase())
