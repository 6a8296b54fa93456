/** Estimates the yearly earnings of a vault's lending positions at current rates. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { LenderName } from "@vault-trader/core/lending/Lending"
import { EstimatedYield, type Yield } from "@vault-trader/core/lending/Yields"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import * as ManagerLogic from "../platform/ManagerLogic.ts"
import { factoryAbi, poolAbi } from "../platform/PlatformAbi.ts"
import * as LendingAccount from "./LendingAccount.ts"
import { cometAbi } from "./CompoundV3.ts"
import { fTokenAbi, manyShares } from "./Fluid.ts"
import { round } from "./Rates.ts"

const valueAbi = parseAbi(["function totalFundValue() view returns (uint256)"])

interface LentPosition {
  readonly lender: LenderName
  readonly market: Address
  readonly asset: Address
  readonly side: "supplied" | "borrowed"
  readonly amount: bigint
}

const ofLenderA = (
  network: Network,
  chain: ChainClient,
  vault: Address
): Effect.Effect<ReadonlyArray<LentPosition>, Failure, Tokens> =>
  chain.book.aaveV3 === undefined
    ? Effect.succeed([])
    : Effect.map(LendingAccount.positions(network, chain, vault), ({ found, market }) =>
      found.flatMap(({ owed, supplied, token: { address: asset } }) => [
        { lender: "lenderA" as const, market, asset, side: "supplied" as const, amount: supplied },
        { lender: "lenderA" as const, market, asset, side: "borrowed" as const, amount: owed }
      ]))

const unknownBalance = (lender: LenderName, market: Address) =>
  explain({ _tag: "LenderBalanceUnknown", lender, address: market })

const ofLendersBAndC = (chain: ChainClient, vault: Address): Effect.Effect<ReadonlyArray<LentPosition>, Failure> =>
  Effect.gen(function*() {
    const { comets, fTokens } = chain.book
    if (comets.length + fTokens.length === 0) return []
    const [bases, supplied, assets, shares, worths] = yield* Effect.mapError(
      readGroups(chain, [
        comets.map((comet) => Contract.read(cometAbi, comet, "baseToken", [])),
        comets.map((comet) => Contract.read(cometAbi, comet, "balanceOf", [vault])),
        fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "asset", [])),
        fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "balanceOf", [vault])),
        fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "convertToAssets", [manyShares]))
      ]),
      unavailable
    )
    type Asset = (typeof bases)[number] | undefined
    type Amount = (typeof supplied)[number] | undefined
    // A market that does not name its asset is skipped. When it does name one, a missing amount is unknown, not 0.
    const line = (
      lender: LenderName,
      market: Address,
      asset: Asset,
      amount: Amount,
      worth: Amount = Result.succeed(manyShares)
    ) => {
      if (asset === undefined || Result.isFailure(asset)) return Effect.succeed<ReadonlyArray<LentPosition>>([])
      if (amount === undefined || worth === undefined || Result.isFailure(amount) || Result.isFailure(worth)) {
        return unknownBalance(lender, market)
      }
      return Effect.succeed<ReadonlyArray<LentPosition>>([
        {
          lender,
          market,
          asset: Contract.lower(asset.success),
          side: "supplied",
          amount: amount.success * worth.success / manyShares
        }
      ])
    }
    const lines = yield* Effect.all([
      ...comets.map((comet, index) => line("lenderB", comet, bases[index], supplied[index])),
      ...fTokens.map((fToken, index) => line("lenderC", fToken, assets[index], shares[index], worths[index]))
    ])
    return lines.flat()
  })

/** Reads the vault's total value and the prices of these assets; USD with 18 decimals. */
const values = (chain: ChainClient, vault: Address, assets: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const [logic] = yield* Effect.mapError(
      chain.readAll([Contract.read(poolAbi, vault, "poolManagerLogic", [])]),
      unavailable
    )
    if (Result.isFailure(logic)) {
      return yield* ManagerLogic.notAVault(chain, vault)
    }
    const [[total], prices] = yield* Effect.mapError(
      readGroups(chain, [
        [Contract.read(valueAbi, Contract.lower(logic.success), "totalFundValue", [])],
        assets.map((asset) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [asset]))
      ]),
      unavailable
    )
    if (Result.isFailure(total)) {
      return yield* explain({ _tag: "VaultValueUnknown" })
    }
    return {
      total: total.success,
      prices: prices.map((price) => Result.isSuccess(price) && price.success > 0n ? price.success : null)
    }
  })

const position = (held: LentPosition, token: Token | undefined, price: bigint | null, yields: ReadonlyArray<Yield>) => {
  const rates = yields.find(({ asset, lender, market }) =>
    lender === held.lender && market === held.market && asset === held.asset
  )
  const rate = held.side === "supplied" ? rates?.supply_apy : rates?.borrow_apy
  const decimals = token?.decimals ?? 18
  return {
    lender: held.lender,
    market: held.market,
    asset: held.asset,
    symbol: token?.symbol ?? held.asset,
    side: held.side,
    amount: Quantity.format(held.amount, decimals),
    value_usd: price === null ? null : Quantity.usd(held.amount * price / 10n ** BigInt(decimals)),
    apy: rate === undefined || rate === null ? null : held.side === "supplied" ? rate : -rate
  }
}

/** Returns the estimate. Its `apy` and `annual_usd` are null when a position has no rate or no price. */
export const estimate = (
  network: Network,
  chain: ChainClient,
  vault: Address,
  yields: ReadonlyArray<Yield>
): Effect.Effect<EstimatedYield, Failure, Tokens> =>
  Effect.gen(function*() {
    const all = yield* Effect.all([ofLenderA(network, chain, vault), ofLendersBAndC(chain, vault)])
    const held = all.flat().filter(({ amount }) => amount > 0n)
    const { prices, total } = yield* values(chain, vault, held.map(({ asset }) => asset))
    const tokens = yield* (yield* Tokens).at(network, held.map(({ asset }) => asset))
    const positions = held.map((each, index) => position(each, tokens[index], prices[index] ?? null, yields))
    const annual = positions.reduce<number | null>(
      (sum, { apy, value_usd }) =>
        sum === null || apy === null || value_usd === null ? null : sum + value_usd * apy / 100,
      0
    )
    const whole = Quantity.usd(total)
    return EstimatedYield.make({
      apy: annual === null ? null : whole === 0 ? 0 : round(annual / whole * 100),
      total_value_usd: whole,
      annual_usd: annual === null ? null : round(annual),
      positions
    })
  })
