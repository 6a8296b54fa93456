/** Answers about the perpetual contracts of a vault on hyperliquid: one position near its liquidation, one far from it. */
import type { Answers } from "@vault-trader/testing/harness/ConsoleFixture"
import { answersOf, manager } from "./Fixture.ts"

export const pool = `0x${"a7".repeat(20)}` as const
const wallet = `0x${"b8".repeat(20)}` as const
export const hash = `0x${"7d".repeat(32)}` as const
export const intentId = "01936f5a-0000-7000-8000-000000000001"

const market = (coin: string, mark: string, funding: string, max_leverage: number, isolated_only = false) => ({
  ...{ coin, asset_id: 1, size_decimals: 4, max_leverage, isolated_only, mark_price: mark, mid_price: mark },
  ...{ oracle_price: mark, funding, open_interest: "512000.12" }
})

const position = (coin: string, side: "long" | "short", some: Readonly<Record<string, unknown>>) => ({
  ...{ coin, side, size: side === "long" ? "0.25" : "-0.02", entryPrice: "3000.4", markPrice: "3000" },
  ...{ positionValue: "750", unrealizedPnl: "-12.5", marginUsed: "37.5", leverage: 20, liquidationPrice: null },
  ...some
})

export const account = {
  margin: {
    ...{ accountValue: "1003.2", totalPositionValue: "1950", totalMarginUsed: "97.5", withdrawable: "808.2" },
    spotUsdc: "0"
  },
  positions: [
    position("ETH", "long", { liquidationPrice: "2850" }),
    position("BTC", "short", {
      ...{ entryPrice: "60500", markPrice: "60000", positionValue: "1200", unrealizedPnl: "10.0" },
      liquidationPrice: "81000"
    })
  ],
  time: 1_795_000_000_000
}

const charge = { usd: 0.1, action: "trade", waived: null, amount: "0.0025", token: "HYPE" }

/** The plan that a dry run of an order returns, at a price. */
const plan = ({ coin, reduce_only, side }: Order, price: string) => ({
  ...{ coin, side, cloid: `0x${"0".repeat(32)}`, size: "0.3333", limit_price: price, tif: "ioc", oid: null },
  ...{ reduce_only: reduce_only ?? false, order_status: "planned", filled: "0", average_price: null },
  ...{ gas: "310000", gas_cost: "0.00031 HYPE", charge }
})

export interface Order {
  readonly coin: string
  readonly side: "buy" | "sell"
  readonly reduce_only?: boolean
  readonly dryRun?: boolean
  readonly idempotency_key?: string
  readonly price?: unknown
}

const accepted = { status: "pending", intent_id: intentId, tx_hash: null, message: "In progress." }

/** Answers an order: its plan at the present price, or `send`, whose error is an answer that is lost. */
export const orderAnswer = (price: () => string, send: (order: Order) => unknown = () => accepted) => (order: Order) =>
  order.dryRun === true
    ? {
      ...{ status: "success", dryRun: true, intent_id: null, tx_hash: null, network: "hyperliquid" },
      ...{ message: "Dry run: nothing was sent.", plan: plan(order, price()) }
    }
    : send(order) ?? accepted

/** Answers about a request that has ended. */
export const ended = (some: Readonly<Record<string, unknown>>) => () => ({
  ...{ status: "success", intent_id: intentId, tx_hash: hash, message: "" },
  intent: {
    ...{ intent_id: intentId, endpoint: "placePerpetualOrder", status: "success", network: "hyperliquid", pool },
    ...{ tx_hash: hash, message: "", created_at: new Date().toISOString(), updated_at: new Date().toISOString() },
    ...{ result: null, failure: null },
    ...some
  }
})

export const perpetualAnswers: Answers = {
  ...answersOf(),
  whoAmI: () => ({
    ...{ manager, network: null, networks: ["hyperliquid"], explorers: {}, protocol: "demo", version: "1" },
    devnet: true
  }),
  links: () => [{
    ...{ wallet, label: "basis desk", network: "hyperliquid", pool, protocol: "demo", is_trader: true },
    linked_at: new Date().toISOString()
  }],
  managedVaults: () => [{ network: "hyperliquid", vaults: [{ pool, name: "Basis", trader: wallet }] }],
  "wallet.getPerpetualPositions": () => ({ status: "success", data: account }),
  "wallet.getPerpetualOrders": () => ({
    status: "success",
    orders: [{
      ...{ oid: "91490942", cloid: null, intent_id: null, coin: "ETH", side: "buy", price: "2900", size: "0.25" },
      ...{ remaining: "0.2", reduce_only: false, tif: "gtc", placed_at: Math.floor(Date.now() / 1000) - 600 }
    }]
  }),
  "wallet.getPerpetualMarkets": () => ({
    status: "success",
    markets: [
      market("BTC", "60000", "0.0000125", 40),
      market("ETH", "3000", "-0.00000241", 25),
      market("HPOS", "0.05", "0", 3, true)
    ]
  }),
  "wallet.placePerpetualOrder": orderAnswer(() => "3015"),
  "wallet.getIntent": ended({ status: "pending" })
}
