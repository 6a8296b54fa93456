/** Reads a vault from the chain. Its immutable facts are read once; its trader and manager are read every time. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import { type ExecutionFailure, type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { Composition, Holding, VaultFacts } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { zeroAddress } from "viem"
import { positionName } from "../address-book/AssetType.ts"
import { type ChainClient, readGroups } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { multicall3Abi } from "../chain/Multicall3.ts"
import * as TtlCache from "../chain/TtlCache.ts"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import { factoryAbi, managerLogicAbi, poolAbi } from "../platform/PlatformAbi.ts"

/** A vault's state at one block: who may trade, whether trading is paused, and the enabled assets that are tokens. */
export interface VaultState {
  readonly facts: VaultFacts
  readonly assets: ReadonlyArray<Token>
}

export interface VaultReader {
  /** Reads the current state in one call; fails with 1004 when the platform does not know the vault. */
  readonly state: Effect.Effect<VaultState, Failure>
  /**
   * Reads the state, at most a block old. For planning only: a planned call is simulated on the current state before it
   * is signed.
   */
  readonly recentState: Effect.Effect<VaultState, Failure>
  readonly composition: Effect.Effect<Composition, Failure>
  /** Reads the composition in exact numbers, for decisions. */
  readonly lines: Effect.Effect<ReadonlyArray<PlacedLine>, Failure>
}

/** Maximum age of `recentState`: one block of most networks. */
const recentMillis = 2_000

export const make = (
  { network, pool, chain }: { readonly network: Network; readonly pool: Address; readonly chain: ChainClient }
): Effect.Effect<VaultReader, never, Tokens> =>
  Effect.gen(function*() {
    const place: ReadContext = { network, pool, chain, tokens: yield* Tokens }
    // Cached once found; a failure (not deployed yet, node down) is retried.
    let cachedManagerLogic: Address | undefined
    const managerLogic = Effect.suspend(() =>
      cachedManagerLogic === undefined
        ? Effect.tap(findManagerLogic(place), (address) =>
          Effect.sync(() => {
            cachedManagerLogic = address
          }))
        : Effect.succeed(cachedManagerLogic)
    )
    const read = Effect.flatMap(managerLogic, (logic) => readState(place, logic))
    const { fresh: state, recent: recentState } = yield* TtlCache.freshAndCached(read, recentMillis)
    const lines = Effect.flatMap(managerLogic, (logic) => readLines(place, logic))
    return {
      state,
      recentState,
      composition: Effect.map(lines, ({ block, lines }) => toComposition(lines, block)),
      lines: Effect.map(lines, ({ lines }) => lines)
    }
  })

/** The vault to read, and the services that read it. */
interface ReadContext {
  readonly network: Network
  readonly pool: Address
  readonly chain: ChainClient
  readonly tokens: Tokens["Service"]
}

const notAVault = ({ network, pool }: ReadContext) =>
  new ValidationFailure({ code: "1004", message: `pool: ${pool} is not a vault of the platform on ${network}` })

/** Reads the address of the vault's manager contract; fails when the platform does not know the vault. */
const findManagerLogic = (place: ReadContext) =>
  Effect.gen(function*() {
    const { chain, pool } = place
    const [isPool, logic] = yield* Effect.mapError(
      chain.readAll([
        Contract.read(factoryAbi, chain.book.platformFactory, "isPool", [pool]),
        Contract.read(poolAbi, pool, "poolManagerLogic", [])
      ]),
      unavailable
    )
    return Result.isSuccess(isPool) && isPool.success && Result.isSuccess(logic)
      ? Contract.lower(logic.success)
      : yield* notAVault(place)
  })

const readState = (place: ReadContext, logic: Address) =>
  Effect.gen(function*() {
    const { chain, network, pool, tokens } = place
    const { platformFactory } = chain.book
    const [manager, trader, paused, tradingPaused, supported] = yield* Effect.mapError(
      chain.readAll([
        Contract.read(managerLogicAbi, logic, "manager", []),
        Contract.read(managerLogicAbi, logic, "trader", []),
        Contract.read(factoryAbi, platformFactory, "isPaused", []),
        Contract.read(factoryAbi, platformFactory, "tradingPausedPools", [pool]),
        Contract.read(managerLogicAbi, logic, "getSupportedAssets", [])
      ]),
      unavailable
    )
    if (Result.isFailure(manager) || Result.isFailure(trader) || Result.isFailure(supported)) {
      return yield* notAVault(place)
    }
    const found = yield* tokens.at(network, supported.success.map(({ asset }) => Contract.lower(asset)))
    return {
      assets: found.flatMap((token) => token === undefined ? [] : [token]),
      facts: VaultFacts.make({
        pool,
        managerLogic: logic,
        manager: Contract.lower(manager.success),
        trader: trader.success === zeroAddress ? null : Contract.lower(trader.success),
        paused: Result.getOrElse(paused, () => false) || Result.getOrElse(tradingPaused, () => false)
      })
    }
  })

const readLines = (place: ReadContext, logic: Address) =>
  Effect.gen(function*() {
    const { chain, network, tokens } = place
    const [whole, supported, block] = yield* Effect.mapError(
      chain.readAll([
        Contract.read(managerLogicAbi, logic, "getFundComposition", []),
        Contract.read(managerLogicAbi, logic, "getSupportedAssets", []),
        Contract.read(multicall3Abi, chain.book.multicall3, "getBlockNumber", [])
      ]),
      unavailable
    )
    if (Result.isFailure(supported) || Result.isFailure(block)) return yield* notAVault(place)
    const list = supported.success.map(({ asset, isDeposit }) => ({ asset: Contract.lower(asset), isDeposit }))
    const lines = Result.isSuccess(whole)
      ? list.map((line, index) =>
        readLine(line, Result.succeed(whole.success[1][index]), Result.succeed(whole.success[2][index]))
      )
      // One reverting guard makes the platform's whole call revert: read line by line to learn which one reverts, and
      // why.
      : yield* lineByLine(chain, logic, list, block.success)
    return { lines: yield* withTokens(network, chain, tokens, logic, lines), block: Number(block.success) }
  })

interface SupportedAsset {
  readonly asset: Address
  readonly isDeposit: boolean
}

interface Line extends SupportedAsset {
  /** Smallest units; null while the asset's guard reverts. */
  readonly balance: bigint | null
  /** USD per whole unit, 18 decimals; null without a price. */
  readonly rate: bigint | null
  /** Reason why one of the two is null; null when neither is. */
  readonly reason: string | null
}

/** A line with the token or position that its balance belongs to. */
export interface PlacedLine extends Line {
  /** `undefined` for a contract that is not a token. */
  readonly token: Token | undefined
  readonly isPosition: boolean
  /** Names the asset in messages: a token's symbol, or a position's kind and address. */
  readonly label: string
  /** Decimals of the balance. */
  readonly decimals: number
}

type Answer = Result.Result<bigint | undefined, Contract.ReadFailure>

const found = (answer: Answer): bigint | null => Result.getOrElse(answer, () => undefined) ?? null
const words = (answer: Answer): string =>
  Result.match(answer, { onFailure: ({ data }) => reasonOf(data), onSuccess: () => "no answer" })

/**
 * Reads a line; values that the platform does not answer are null: a reverting guard means that the value is unknown,
 * not that it is 0.
 */
const readLine = (line: SupportedAsset, balance: Answer, price: Answer): Line => {
  const [amount, rate] = [found(balance), found(price)]
  const reason = amount === null
    ? `the vault platform does not value it now (${words(balance)})`
    : rate === null || rate === 0n
    ? `the vault's oracle has no fresh price for it (${words(price)})`
    : null
  return { ...line, balance: amount, rate: amount === null || rate === 0n ? null : rate, reason }
}

const lineByLine = (
  chain: ChainClient,
  logic: Address,
  list: ReadonlyArray<SupportedAsset>,
  block: bigint
): Effect.Effect<ReadonlyArray<Line>, ExecutionFailure> =>
  Effect.map(
    Effect.mapError(
      Effect.all([
        chain.readAll(list.map(({ asset }) => Contract.read(managerLogicAbi, logic, "assetBalance", [asset])), block),
        chain.readAll(
          list.map(({ asset }) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [asset])),
          block
        )
      ], { concurrency: "unbounded" }),
      unavailable
    ),
    ([balances, rates]) => list.map((line, index) => readLine(line, balances[index]!, rates[index]!))
  )

const withTokens = (
  network: Network,
  chain: ChainClient,
  tokens: Tokens["Service"],
  logic: Address,
  lines: ReadonlyArray<Line>
): Effect.Effect<ReadonlyArray<PlacedLine>, Failure> =>
  Effect.gen(function*() {
    const known = yield* tokens.at(network, lines.map(({ asset }) => asset))
    const [types, places] = yield* Effect.mapError(
      readGroups(chain, [
        lines.map(({ asset }) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetType", [asset])),
        lines.map(({ asset }) => Contract.read(managerLogicAbi, logic, "assetDecimal", [asset]))
      ]),
      unavailable
    )
    return lines.map((line, index): PlacedLine => {
      const token = known[index]
      const name = Result.match(types[index]!, {
        onFailure: () => undefined,
        onSuccess: positionName
      })
      const isPosition = name !== undefined || token === undefined
      const label = isPosition ? `${name ?? "position"} (${line.asset})` : token.symbol
      const decimals = Result.match(places[index]!, { onFailure: () => token?.decimals, onSuccess: Number })
      const labelled = { ...line, token, isPosition, label }
      return decimals === undefined
        ? {
          ...labelled,
          decimals: 18,
          balance: null,
          rate: null,
          reason: line.reason ?? "the vault platform does not return its decimals"
        }
        : { ...labelled, decimals }
    })
  })

const toComposition = (lines: ReadonlyArray<PlacedLine>, block: number): Composition => {
  let total: bigint | null = 0n
  const holdings = lines.map(({ asset, balance, decimals, isDeposit, isPosition, rate, reason, token }) => {
    const value = rate === null || balance === null ? null : balance * rate / 10n ** BigInt(decimals)
    total = total === null || value === null ? null : total + value
    const symbol = token?.symbol ?? "POSITION"
    return Holding.make({
      asset,
      symbol,
      assetPair: `${symbol}-USD`,
      isDeposit,
      amount: balance === null ? null : Quantity.format(balance, decimals),
      price: rate === null ? null : Quantity.usd(rate),
      value_usd: value === null ? null : Quantity.usd(value),
      kind: isPosition ? "position" : "token",
      reason
    })
  })
  return Composition.make({ holdings, totalValueUsd: total === null ? null : Quantity.usd(total), block })
}
