/** Icons of tokens and networks, drawn here: the page loads nothing from other hosts. Unknown names get one of their own. */

/** Colours of known tokens and networks; each has white text with enough contrast. */
const colours: Readonly<Record<string, string>> = {
  WETH: "#4a5fc1",
  ETH: "#4a5fc1",
  USDC: "#2063b0",
  USDT: "#1d7a5f",
  DAI: "#a06a00",
  WBTC: "#b85a00",
  CBBTC: "#b85a00",
  AAVE: "#7a5aa8",
  WPOL: "#6f3fd0",
  POL: "#6f3fd0",
  HYPE: "#13766b",
  WHYPE: "#13766b",
  base: "#1551d6",
  optimism: "#c41230",
  arbitrum: "#1c5f8f",
  polygon: "#6f3fd0",
  ethereum: "#4a5fc1",
  hyperEvm: "#13766b"
}

/** Returns a colour that is always the same for a name. */
const colourOf = (name: string): string => {
  const known = colours[name] ?? colours[name.toUpperCase()]
  if (known !== undefined) return known
  const hash = Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  return `hsl(${hash} 45% 36%)`
}

const lettersOf = (name: string, most: number): string => {
  const letters = name.replace(/^W(?=(ETH|BTC|POL|HYPE|MATIC|STETH)$)/, "").replace(/[^A-Za-z0-9]/g, "")
  return letters.slice(0, letters.length > most ? 1 : letters.length).toUpperCase()
}

/** Letters on a colour. It is one element, because tables of many rows have several in each. */
function Letters({ className, fontSize, letters, name, size }: {
  /** Its shape. */
  readonly className: "disc" | "tile"
  readonly name: string
  readonly letters: string
  readonly size: number
  /** The size of the letters, for an icon of 24 pixels. */
  readonly fontSize: number
}) {
  return (
    <span
      className={className}
      data-letters={letters}
      aria-hidden="true"
      style={{ width: size, height: size, fontSize: size * fontSize / 24, backgroundColor: colourOf(name) }}
    />
  )
}

/** A token's icon: a disc with its letters. Decorative, because the symbol is beside it. */
export function TokenIcon({ letters: most = 3, size = 22, symbol }: {
  readonly symbol: string
  readonly size?: number
  /** Longer symbols are shown by their first letter. */
  readonly letters?: number
}) {
  const letters = lettersOf(symbol, most)
  return (
    <Letters
      className="disc"
      name={symbol}
      fontSize={letters.length > 2 ? 8 : letters.length > 1 ? 10 : 12.5}
      {...{ letters, size }}
    />
  )
}

/** A pair's icon: the base before the quote. */
export function PairIcon({ pair, size = 22 }: { readonly pair: string; readonly size?: number }) {
  const [base = "", quote = ""] = pair.split("-")
  return (
    <span className="pair" aria-hidden="true">
      <TokenIcon symbol={base} size={size} letters={1} />
      <TokenIcon symbol={quote} size={size} letters={1} />
    </span>
  )
}

/** Networks as they are written to people. */
const networkNames: Readonly<Record<string, string>> = {
  base: "Base",
  optimism: "Optimism",
  arbitrum: "Arbitrum",
  polygon: "Polygon",
  ethereum: "Ethereum",
  hyperEvm: "HyperEVM",
  hyperliquid: "Hyperliquid"
}

export const networkName = (network: string): string => networkNames[network] ?? network

/** A network's icon: a rounded square with its initial. Decorative, because the name is beside it. */
export function NetworkIcon({ network, size = 16 }: { readonly network: string; readonly size?: number }) {
  return (
    <Letters className="tile" name={network} fontSize={14} letters={networkName(network).slice(0, 1)} size={size} />
  )
}
