/** Samples of vaults for tests of performance. */
import type { Address } from "../../src/chain/Address.ts"
import type { SampleDetails, SampledAsset, ValuePoint } from "../../src/performance/ValueSample.ts"

export const one = 10n ** 18n
export const hour = 3_600_000
export const start = Date.UTC(2026, 10, 20)

export const usdc = "0x0b2c639c533813f4aa9d7837caf62653d097ff85" as Address
export const weth = "0x4200000000000000000000000000000000000006" as Address

/** Whole dollars or tokens, with 18 decimals. */
export const e18 = (value: number): bigint => BigInt(Math.round(value * 1e6)) * 10n ** 12n

interface Given {
  readonly value: number
  readonly supply: number
  readonly owed?: number
  readonly interval?: number
}

/** A sample at an hour after the start. */
export const at = (hours: number, { interval = 3_600, owed = 0, supply, value }: Given): ValuePoint => ({
  slot: new Date(start + hours * hour),
  intervalSeconds: interval,
  at: new Date(start + hours * hour),
  block: hours * 1_800,
  value18: e18(value),
  supply: e18(supply),
  owed: e18(owed)
})

const asset = (
  address: Address,
  symbol: string,
  decimals: number,
  balance: number,
  price: number | null
): SampledAsset => ({
  ...{ asset: address, symbol, decimals, position: false },
  balance: BigInt(Math.round(balance * 1e6)) * 10n ** BigInt(decimals) / 1_000_000n,
  price18: price === null ? null : e18(price)
})

/** The holdings of a vault with dollars and ether. */
export const holdings = (dollars: number, ether: number, etherPrice: number | null): SampleDetails => ({
  assets: [asset(usdc, "USDC", 6, dollars, 1), asset(weth, "WETH", 18, ether, etherPrice)],
  benchmarks: []
})
