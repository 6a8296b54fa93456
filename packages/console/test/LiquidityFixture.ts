/** Answers about liquidity for tests of its page: positions at three exchanges, plans, candles and outcomes. */
import type { Answers } from "@vault-trader/testing/harness/ConsoleFixture"

const address = (number: number) => `0x${(0xa0_0000 + number).toString(16).padStart(40, "0")}` as const
export const weth = address(7_001)
export const usdc = address(7_002)
const managers = { uniswapV3: address(7_003), velodromeCl: address(7_004), pancakeCl: address(7_005) } as const

const id = (number: number): string => `01936f5a-0000-7000-8000-${number.toString(16).padStart(12, "0")}`
const hash = `0x${"7d".repeat(32)}`

const token = (asset: string, symbol: string, amount: string, price: number | null) => ({
  ...{ asset, symbol, amount, price, value_usd: price === null ? null : Number(amount) * price, isDeposit: true },
  ...{ assetPair: `${symbol}-USD`, kind: "token", reason: price === null ? "Its price is too old" : null },
  ...{ asset_type: 0, label: symbol, positions: [] }
})

const positionOf = (token_id: string, exchange: string, some: Readonly<Record<string, unknown>>) => ({
  ...{ token_id, label: `${exchange} position #${token_id} WETH/USDC`, token0: weth, token1: usdc, fee: 0.05 },
  ...{ tick_spacing: null, tick_lower: -100, tick_upper: 100, lower_price: 2_700, upper_price: 3_400 },
  ...{ liquidity: "1000", staked: false, ...some }
})

const line = (asset: string, asset_type: number, label: string, positions: ReadonlyArray<unknown>) => ({
  ...token(asset, label, String(positions.length), null),
  ...{ value_usd: 5_230.2, reason: null, kind: "position", label, asset_type, positions }
})

export const positions = [
  line(managers.uniswapV3, 7, "Uniswap V3 positions", [positionOf("123", "Uniswap V3", {})]),
  line(managers.velodromeCl, 26, "Aerodrome CL positions", [
    positionOf("77", "Aerodrome CL", { fee: null, tick_spacing: 100, staked: true, lower_price: 3_100 })
  ]),
  line(managers.pancakeCl, 31, "Pancake CL positions", [
    positionOf("9", "Pancake CL", { fee: 0.25, lower_price: null, upper_price: null })
  ])
]

/** Returns a vault's composition; without `prices` its oracle cannot be read. */
export const compositionOf = (lines: ReadonlyArray<unknown>, prices = true, ofWeth = 3_000) => ({
  status: "success",
  composition: [
    token(weth, "WETH", "9.412345678", prices ? ofWeth : null),
    token(usdc, "USDC", "18234.551234", prices ? 1 : null),
    ...lines
  ],
  ...{ total_value_usd: prices ? 52_000 : null, block: 123 }
})

const quantity = (asset: string, symbol: string, amount: string) => ({ asset, symbol, amount, raw: "1" })
const both = (inWeth: string, inUsdc: string) => [quantity(weth, "WETH", inWeth), quantity(usdc, "USDC", inUsdc)]
const costs = { gas: "710000", gas_cost: "0.00071 ETH", charge: { usd: 0.1, native_wei: "30000000000000" } }

/** A request of an action as the service receives it. */
export interface Asked extends Readonly<Record<string, unknown>> {
  readonly dryRun?: boolean
  readonly idempotency_key?: string
  readonly token_id?: bigint
  readonly amount?: unknown
  readonly dex?: keyof typeof managers
  readonly lower_price?: unknown
  readonly upper_price?: unknown
}

const planned = (plan: object) => ({
  ...{ status: "success", dryRun: true, network: "base", intent_id: null, tx_hash: null },
  ...{ message: "Dry run: nothing was sent.", plan }
})
const accepted = { status: "pending", intent_id: id(1), tx_hash: null, message: "In progress." }

const placeOf = ({ dex = "uniswapV3" }: Asked, staked: boolean) => ({
  ...{ dex, staked, position_manager: managers[dex] },
  ...(dex === "velodromeCl" ? { fee_tier: null, tick_spacing: 100 } : { fee_tier: 500, tick_spacing: null }),
  ...{ lower_price: "2699.71", upper_price: "3299.12" }
})

/** Answers an action: a dry run with the plan, any other with a request in progress. */
const answering = (planOf: (asked: Asked) => object) => (asked: Asked) =>
  asked.dryRun === true ? planned({ ...planOf(asked), ...costs }) : accepted

export const liquidityAnswers: Answers = {
  "wallet.poolComposition": () => compositionOf(positions),
  "wallet.getCandles": ({ pair }: { pair: string }) =>
    pair !== "ETH-USDC" ? "The exchange has no such pair." : {
      status: "success",
      candles: Array.from({ length: 120 }, (_, index) => {
        const close = 2_900 + Math.sin(index / 9) * 180 + index
        return {
          ...{ time: 1_794_000_000 + index * 21_600, open: close, high: close + 9, low: close - 9, close },
          volume: 1
        }
      })
    },
  "wallet.addLiquidity": answering((asked) => ({
    ...placeOf(asked, false),
    ...{ token_id: null, is_new: true, liquidity: "181234567890123", added: both("0.332", "996") },
    ...{ minimum: both("0.31", "930"), swapped: { venue: "uniswapV3", sold: "1004 USDC", bought: "0.334 WETH" } }
  })),
  "wallet.removeLiquidity": answering((asked) => ({
    ...placeOf(asked, false),
    ...{ token_id: String(asked.token_id), removed: both("0.8", "2600"), fees: both("0.0021", "6.4") },
    ...{ minimum: both("0.78", "2550"), burnt: asked.amount === undefined || Number(asked.amount) >= 100 },
    ...{ rewards: [], swapped: null }
  })),
  "wallet.collectFees": answering((asked) => ({
    ...placeOf(asked, false),
    ...{ token_id: String(asked.token_id), fees: both("0.0021", "6.4"), rewards: [] }
  })),
  "wallet.stakeLiquidity": answering((asked) => ({
    ...placeOf(asked, true),
    ...{ token_id: String(asked.token_id), staking_contract: address(7_006) }
  })),
  "wallet.unstakeLiquidity": answering((asked) => ({
    ...placeOf(asked, false),
    ...{ token_id: String(asked.token_id), rewards: [] }
  })),
  "wallet.claimRewards": answering((asked) => ({
    ...placeOf(asked, true),
    ...{ token_id: String(asked.token_id), rewards: [] }
  })),
  "wallet.getIntent": () => ({
    ...{ status: "success", intent_id: id(1), tx_hash: hash, message: "" },
    intent: {
      ...{ intent_id: id(1), endpoint: "addLiquidity", status: "success", network: "base", pool: address(1) },
      ...{ tx_hash: hash, message: "Added 0.332 WETH and 996 USDC to the new position 124." },
      ...{ created_at: "2026-11-27T10:00:00.000Z", updated_at: "2026-11-27T10:00:05.000Z", failure: null },
      result: {
        ...{ token_id: "124", added: both("0.332", "996"), gas_cost: "0.0005 ETH", charge_usd: 0.1 },
        swapped: { venue: "uniswapV3", sold: "1004 USDC", bought: "0.335 WETH" }
      }
    }
  })
}
