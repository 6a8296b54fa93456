/** Reads the rates of every asset of every lender of a network from the markets. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { LenderName } from "@vault-trader/core/lending/Lending"
import type { Yield } from "@vault-trader/core/lending/Yields"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import { dataProviderAbi, poolAbi } from "./AaveV3Abi.ts"
import { dataProviderOf } from "./AaveV3Contracts.ts"
import { cometAbi } from "./CompoundV3.ts"
import { fTokenAbi } from "./Fluid.ts"
import { numberOf } from "./LenderMarket.ts"
import * as ShareGrowth from "./ShareGrowth.ts"

const secondsPerYear = 31_536_000

/** Rounds a percentage to six decimals for display. */
export const round = (percent: number) => Math.round(percent * 1e6) / 1e6

/** Converts interest per second (1 is 100 %) to percent per year, simple and compounded every second. */
const yearly = (perSecond: number) => ({
  apr: round(perSecond * secondsPerYear * 100),
  apy: round(Math.expm1(secondsPerYear * Math.log1p(perSecond)) * 100)
})

/** Divides two integers as doubles. Rates are for display, so the precision of a double suffices. */
const ratio = (value: bigint, one: number) => Number(value) / one

interface Rate {
  readonly lender: LenderName
  readonly market: Address
  readonly asset: Address
  /** Interest per second. */
  readonly supply: number | null
  readonly borrow: number | null
  readonly note: string | null
}

const ofLenderA = (chain: ChainClient) =>
  Effect.gen(function*() {
    const book = chain.book.aaveV3
    if (book === undefined) return []
    const [list] = yield* Effect.mapError(
      chain.readAll([Contract.read(poolAbi, book.pool, "getReservesList", [])]),
      unavailable
    )
    const reserves = Result.isFailure(list) ? [] : list.success.map(Contract.lower)
    if (reserves.length === 0) return []
    const dataProvider = yield* dataProviderOf(chain, book)
    const reserveData = yield* Effect.mapError(
      chain.readAll(reserves.map((asset) => Contract.read(dataProviderAbi, dataProvider, "getReserveData", [asset]))),
      unavailable
    )
    return reserves.map((asset, index): Rate => {
      const data = reserveData[index]
      const perSecond = (ray: bigint) => ratio(ray, 1e27) / secondsPerYear
      return data === undefined || Result.isFailure(data)
        ? {
          lender: "lenderA",
          market: book.pool,
          asset,
          supply: null,
          borrow: null,
          note: "the market does not report its rates"
        }
        : {
          lender: "lenderA",
          market: book.pool,
          asset,
          supply: perSecond(data.success[5]),
          borrow: perSecond(data.success[6]),
          note: null
        }
    })
  })

const ofLenderB = (chain: ChainClient) =>
  Effect.gen(function*() {
    const { comets } = chain.book
    if (comets.length === 0) return []
    const [bases, utilizations] = yield* Effect.mapError(
      readGroups(chain, [
        comets.map((comet) => Contract.read(cometAbi, comet, "baseToken", [])),
        comets.map((comet) => Contract.read(cometAbi, comet, "getUtilization", []))
      ]),
      unavailable
    )
    const [supply, borrow] = yield* Effect.mapError(
      readGroups(chain, [
        comets.map((comet, index) => Contract.read(cometAbi, comet, "getSupplyRate", [numberOf(utilizations[index])])),
        comets.map((comet, index) => Contract.read(cometAbi, comet, "getBorrowRate", [numberOf(utilizations[index])]))
      ]),
      unavailable
    )
    const rate = (answer: Result.Result<bigint, unknown> | undefined) =>
      answer === undefined || Result.isFailure(answer) ? null : ratio(answer.success, 1e18)
    return comets.flatMap((market, index): ReadonlyArray<Rate> => {
      const base = bases[index]
      return base === undefined || Result.isFailure(base)
        ? []
        : [{
          lender: "lenderB",
          market,
          asset: Contract.lower(base.success),
          supply: rate(supply[index]),
          borrow: rate(borrow[index]),
          note: null
        }]
    })
  })

const ofLenderC = (chain: ChainClient) =>
  Effect.gen(function*() {
    const { fTokens } = chain.book
    if (fTokens.length === 0) return []
    const assets = yield* Effect.mapError(
      chain.readAll(fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "asset", []))),
      unavailable
    )
    const growth = yield* ShareGrowth.read(chain, fTokens)
    return fTokens.flatMap((market, index): ReadonlyArray<Rate> => {
      const asset = assets[index]
      if (asset === undefined || Result.isFailure(asset)) return []
      const { note, perSecond } = growth[index] ?? ShareGrowth.unknownGrowth
      return [{
        lender: "lenderC",
        market,
        asset: Contract.lower(asset.success),
        supply: perSecond,
        borrow: null,
        note
      }]
    })
  })

/** Reads every asset of every lender. Assets that vaults cannot borrow have no borrow rate. */
export const read = (network: Network, chain: ChainClient): Effect.Effect<ReadonlyArray<Yield>, Failure, Tokens> =>
  Effect.gen(function*() {
    const rates =
      (yield* Effect.all([ofLenderA(chain), ofLenderB(chain), ofLenderC(chain)], { concurrency: "unbounded" })).flat()
    const tokens = yield* (yield* Tokens).at(network, rates.map(({ asset }) => asset))
    return rates.map(({ asset, borrow, lender, market, note, supply }, index): Yield => {
      const supplyRate = supply === null ? null : yearly(supply)
      const borrowRate = borrow === null ? null : yearly(borrow)
      return {
        lender,
        market,
        asset,
        symbol: tokens[index]?.symbol ?? asset,
        supply_apr: supplyRate?.apr ?? null,
        supply_apy: supplyRate?.apy ?? null,
        borrow_apr: borrowRate?.apr ?? null,
        borrow_apy: borrowRate?.apy ?? null,
        note
      }
    })
  })
