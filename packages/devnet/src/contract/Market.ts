/** The tokens of a devnet, their prices and the pools they trade in. */
import { facts, type Network } from "@vault-trader/core/chain/Network"

export interface TokenFacts {
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** USD with the feed's 8 decimals. */
  readonly price: bigint
  /** `wrapper` tokens are bought with the native token, `mintable` ones are minted. */
  readonly kind: "mintable" | "wrapper"
  /** Role in the demo vault; `absent` ones are valid assets the vault does not hold. */
  readonly inVault: "deposit" | "enabled" | "absent"
  /** The platform's asset type. */
  readonly type: number
}

/** The platform's types of tokens: plain ones, spot tokens of the derivatives exchange, and rewards. */
export const tokenTypes = { plain: 0, spot: 40, reward: 200 } as const

export interface PoolFacts {
  readonly base: string
  readonly quote: string
  readonly fee: 100 | 500 | 2500 | 3000
  /** Whole base tokens, matched by their value in quote tokens. */
  readonly depth: bigint
  /** Ticks on each side of the price; the full range when absent. */
  readonly width?: number
}

/** A token that Aave lends. */
export interface ReserveFacts {
  readonly symbol: string
  /** Basis points of the collateral's value: what may be borrowed, and above which debt the position is liquidated. */
  readonly ltv: bigint
  readonly liquidationThreshold: bigint
  /** How steeply interest rises with utilisation: stablecoins are used more. */
  readonly rates: "stable" | "volatile"
  /** Whole tokens supplied, and how many of them are borrowed. */
  readonly supplied: bigint
  readonly borrowed: bigint
}

/** A token that an fToken lends, and what it earns. */
export interface FTokenFacts {
  readonly symbol: string
  /** Annual rate, 1e18 being 100%. */
  readonly rate: bigint
  /** Whole tokens supplied, and given away to pay the interest. */
  readonly supplied: bigint
  readonly interest: bigint
  /** True if the demo vault may hold it; the others are valid assets that can still be added. */
  readonly inVault: boolean
}

/** A Comet: its base token, the amount one borrower owes, and the collateral it pledged for that. */
export interface CometFacts {
  readonly base: string
  readonly supplied: bigint
  readonly collateral: string
  readonly pledged: bigint
  readonly borrowed: bigint
  /** True if the demo vault may hold it. */
  readonly inVault: boolean
}

/** Converts USD to a feed's answer. */
export const feedAnswer = (usd: number): bigint => BigInt(Math.round(usd * 1e8))

const token = (
  symbol: string,
  name: string,
  decimals: number,
  usd: number,
  inVault: TokenFacts["inVault"],
  kind: TokenFacts["kind"] = "mintable",
  type: TokenFacts["type"] = tokenTypes.plain
): TokenFacts => ({ symbol, name, decimals, price: feedAnswer(usd), inVault, kind, type })

const everywhere: ReadonlyArray<TokenFacts> = [
  token("USDC", "USD Coin", 6, 1, "deposit"),
  token("WETH", "Wrapped Ether", 18, 3000, "deposit", "wrapper"),
  token("WBTC", "Wrapped BTC", 8, 60_000, "enabled"),
  token("DAI", "Dai Stablecoin", 18, 1, "enabled"),
  // Enabled but without a pool, so that a pair without a market exists.
  token("LINK", "ChainLink Token", 18, 15, "enabled"),
  // Gains what WETH loses: held by a bot that goes short.
  token("ETHBEAR1X", "Ethereum Bear 1X", 18, 10, "enabled"),
  // Valid but not enabled, so that an asset can still be added.
  token("AAVE", "Aave Token", 18, 100, "absent"),
  // Valid and not enabled: a reward, which is an ordinary token of a type of its own.
  token("AERO", "Aerodrome", 18, 1.25, "absent", "mintable", tokenTypes.reward)
]

/** A token of the derivatives exchange's spot market, on its chain. */
const spotToken = token("USOL", "Unit Solana", 9, 150, "enabled", "mintable", tokenTypes.spot)

const wrapped: Readonly<Record<string, TokenFacts>> = {
  WMATIC: token("WMATIC", "Wrapped Matic", 18, 0.5, "enabled", "wrapper"),
  WHYPE: token("WHYPE", "Wrapped HYPE", 18, 40, "enabled", "wrapper")
}

/** Inverse tokens by token symbol: one percent up for one percent down. */
export const inverses: Readonly<Record<string, string>> = { WETH: "ETHBEAR1X" }

/** A leveraged or inverse vault token, which EasySwapperV2 buys and redeems. It trades in no pool. */
export interface PoolTokenFacts {
  readonly symbol: string
  readonly name: string
  /** USD with the feed's 8 decimals. */
  readonly price: bigint
  /** Symbol of the asset that it follows. */
  readonly base: string
  /** -1: it gains what the base loses. */
  readonly leverage: number
}

/** Returns the leveraged and inverse vault tokens of a network; the derivatives network has none. */
export const poolTokens = (network: Network): ReadonlyArray<PoolTokenFacts> =>
  network === "hyperliquid"
    ? []
    : [{ symbol: "BTCBEAR1X", name: "Bitcoin Bear 1X", price: feedAnswer(20), base: "WBTC", leverage: -1 }]

/** The derivatives network has few tokens. */
const onHyperliquid: ReadonlySet<string> = new Set(["USDC", "WETH", "WBTC"])

/** Returns the tokens of a network: the common ones, and its wrapped native token where that is not WETH. */
export const tokens = (network: Network): ReadonlyArray<TokenFacts> => {
  const common = network === "hyperliquid"
    ? [...everywhere.filter(({ symbol }) => onHyperliquid.has(symbol)), spotToken]
    : everywhere
  const own = wrapped[facts[network].wrappedNative]
  return own === undefined ? common : [...common, own]
}

const seeded: ReadonlyArray<PoolFacts> = [
  { base: "WETH", quote: "USDC", fee: 500, depth: 600n, width: 6000 },
  { base: "WETH", quote: "USDC", fee: 3000, depth: 300n },
  { base: "WBTC", quote: "USDC", fee: 3000, depth: 60n },
  { base: "WBTC", quote: "WETH", fee: 3000, depth: 20n },
  { base: "DAI", quote: "USDC", fee: 100, depth: 5_000_000n, width: 100 },
  { base: "DAI", quote: "WETH", fee: 3000, depth: 1_000_000n },
  { base: "ETHBEAR1X", quote: "USDC", fee: 3000, depth: 200_000n },
  { base: "WMATIC", quote: "USDC", fee: 3000, depth: 2_000_000n },
  { base: "WHYPE", quote: "USDC", fee: 3000, depth: 50_000n }
]

/** Returns the seeded pools of a network. */
export const pools = (network: Network): ReadonlyArray<PoolFacts> => {
  const known = new Set(tokens(network).map(({ symbol }) => symbol))
  return seeded.filter(({ base, quote }) => known.has(base) && known.has(quote))
}

/** Pools that are distinguished by their tick spacing, with the fee that goes with it. */
export const velodromePools = [
  { base: "WETH", quote: "USDC", tickSpacing: 100, fee: 400, depth: 400n, width: 6000 },
  { base: "WETH", quote: "USDC", tickSpacing: 200, fee: 2700, depth: 150n },
  { base: "DAI", quote: "USDC", tickSpacing: 1, fee: 100, depth: 1_000_000n, width: 100 }
] as const

export const pancakePools: ReadonlyArray<PoolFacts> = [
  { base: "WETH", quote: "USDC", fee: 500, depth: 300n, width: 6000 },
  { base: "WETH", quote: "USDC", fee: 2500, depth: 150n }
]

/** Smallest units of a reward token of 18 decimals that a gauge or MasterChef pays out a second, and holds. */
export const stakingRewards = { perSecond: 10n ** 16n, held: 1_000_000n * 10n ** 18n } as const

/**
 * The tokens that Aave lends. LINK is not among them although vaults hold it, so that an asset the market does not list
 * exists.
 */
export const reserves: ReadonlyArray<ReserveFacts> = [
  {
    symbol: "USDC",
    ltv: 7700n,
    liquidationThreshold: 8000n,
    rates: "stable",
    supplied: 2_000_000n,
    borrowed: 1_000_000n
  },
  { symbol: "WETH", ltv: 8050n, liquidationThreshold: 8300n, rates: "volatile", supplied: 500n, borrowed: 100n },
  { symbol: "WBTC", ltv: 7300n, liquidationThreshold: 7800n, rates: "volatile", supplied: 50n, borrowed: 2n },
  { symbol: "DAI", ltv: 7700n, liquidationThreshold: 8000n, rates: "stable", supplied: 2_000_000n, borrowed: 800_000n }
]

export const fTokens: ReadonlyArray<FTokenFacts> = [
  { symbol: "USDC", rate: 60_000_000_000_000_000n, supplied: 500_000n, interest: 200_000n, inVault: true },
  { symbol: "WETH", rate: 25_000_000_000_000_000n, supplied: 100n, interest: 20n, inVault: true },
  { symbol: "DAI", rate: 50_000_000_000_000_000n, supplied: 200_000n, interest: 50_000n, inVault: false }
]

export const comets: ReadonlyArray<CometFacts> = [
  { base: "USDC", supplied: 1_000_000n, collateral: "WETH", pledged: 500n, borrowed: 600_000n, inVault: true },
  { base: "WETH", supplied: 200n, collateral: "WBTC", pledged: 10n, borrowed: 120n, inVault: false }
]

/** Checks whether the demo vault may hold the market of a token. */
export const isInVault = (
  markets: ReadonlyArray<{ readonly inVault: boolean; readonly symbol?: string; readonly base?: string }>,
  symbol: string
): boolean => markets.some(({ base, inVault, symbol: own }) => inVault && (own ?? base) === symbol)
