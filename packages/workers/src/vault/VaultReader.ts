/** Reads a vault from the chain. Its immutable facts are read once; its trader and manager are read every time. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { Composition, Holding, VaultFacts } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { zeroAddress } from "viem"
import { positionName } from "../address-book/AssetType.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import * as TtlCache from "../chain/TtlCache.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import * as ManagerLogic from "../platform/ManagerLogic.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"
import * as PositionDetails from "./PositionDetails.ts"
import type { LineDetails } from "./PositionDetails.ts"
import * as Valuation from "./Valuation.ts"

/**
 * A vault's state at one block: who may trade, whether trading is paused, and the enabled assets that are tokens.
 * Contracts that the platform publishes as positions are none, even if they are ERC-20s, as shares of pools are.
 */
export interface VaultState {
  readonly facts: VaultFacts
  readonly assets: ReadonlyArray<Token>
}

export interface VaultReader {
  /** Reads the current state in one call; fails with 1004 when the platform does not know the vault. */
  readonly state: Effect.Effect<VaultState, Failure>
  /** The same, for decisions about rights: two of the network's endpoints must agree, where it has so many. */
  readonly confirmedState: Effect.Effect<VaultState, Failure>
  /**
   * Reads the state, at most a block old. For planning only: a planned call is simulated on the current state before it
   * is signed.
   */
  readonly recentState: Effect.Effect<VaultState, Failure>
  readonly composition: Effect.Effect<Composition, Failure>
  /** Reads the composition in exact numbers. */
  readonly lines: Effect.Effect<ReadonlyArray<PlacedLine>, Failure>
  /** The same, for decisions about money: two of the network's endpoints must agree, where it has so many. */
  readonly confirmedLines: Effect.Effect<ReadonlyArray<PlacedLine>, Failure>
  /** False on a network with one endpoint, where `confirmedLines` are `lines`. */
  readonly needsConfirmation: boolean
}

/** Maximum age of `recentState`: one block of most networks. */
const recentMillis = 2_000

export const make = (
  { network, pool, chain }: { readonly network: Network; readonly pool: Address; readonly chain: ChainClient }
): Effect.Effect<VaultReader, never, Tokens> =>
  Effect.gen(function*() {
    const place: ReadContext = { network, pool, chain, tokens: yield* Tokens }
    const confirming = { book: chain.book, readAll: chain.readConfirmed }
    const managerLogic = ManagerLogic.cached(chain, pool)
    // By the manager contract that one endpoint alone names, all of them would confirm what that contract says.
    const confirmedLogic = chain.quorum > 1 ? ManagerLogic.cachedConfirmed(chain, pool) : managerLogic
    const { fresh: state, recent: recentState } = yield* TtlCache.freshAndCached(
      Effect.flatMap(managerLogic, (logic) => readState(place, chain, logic)),
      recentMillis
    )
    const valuation = Valuation.make(chain)
    const details = PositionDetails.make(place)
    const read = (source: Pick<ChainClient, "readAll">) =>
      Effect.flatMap(
        source === confirming ? confirmedLogic : managerLogic,
        (logic) => readLines(place, valuation(logic, source))
      )
    return {
      state,
      confirmedState: Effect.flatMap(confirmedLogic, (logic) => readState(place, confirming, logic)),
      recentState,
      composition: Effect.gen(function*() {
        const { block, lines } = yield* read(chain)
        return toComposition(lines, yield* details(lines), block)
      }),
      lines: Effect.map(read(chain), ({ lines }) => lines),
      needsConfirmation: chain.quorum > 1,
      confirmedLines: Effect.map(read(confirming), ({ lines }) => lines)
    }
  })

/** The vault to read, and the services that read it. */
interface ReadContext {
  readonly network: Network
  readonly pool: Address
  readonly chain: ChainClient
  readonly tokens: Tokens["Service"]
}

const readState = (place: ReadContext, source: Pick<ChainClient, "readAll">, logic: Address) =>
  Effect.gen(function*() {
    const { chain, network, pool, tokens } = place
    const { platformFactory } = chain.book
    const [manager, trader, paused, tradingPaused, supported, changeDisabled] = yield* Effect.mapError(
      source.readAll([
        Contract.read(managerLogicAbi, logic, "manager", []),
        Contract.read(managerLogicAbi, logic, "trader", []),
        Contract.read(factoryAbi, platformFactory, "isPaused", []),
        Contract.read(factoryAbi, platformFactory, "tradingPausedPools", [pool]),
        Contract.read(managerLogicAbi, logic, "getSupportedAssets", []),
        Contract.read(managerLogicAbi, logic, "traderAssetChangeDisabled", [])
      ]),
      unavailable
    )
    if (Result.isFailure(manager) || Result.isFailure(trader) || Result.isFailure(supported)) {
      return yield* ManagerLogic.notAVault(chain, pool)
    }
    const positions = new Set(
      chain.book.assets.flatMap(({ address, type }) => positionName(type) === undefined ? [] : [address])
    )
    const found = yield* tokens.at(network, supported.success.map(({ asset }) => Contract.lower(asset)))
    return {
      assets: found.flatMap((token) => token === undefined || positions.has(token.address) ? [] : [token]),
      facts: VaultFacts.make({
        pool,
        managerLogic: logic,
        manager: Contract.lower(manager.success),
        trader: trader.success === zeroAddress ? null : Contract.lower(trader.success),
        paused: Result.getOrElse(paused, () => false) || Result.getOrElse(tradingPaused, () => false),
        ...(Result.isSuccess(changeDisabled) ? { traderChangesAssets: !changeDisabled.success } : {})
      })
    }
  })

const readLines = (place: ReadContext, valuation: Effect.Effect<Valuation.Valuation | undefined, Failure>) =>
  Effect.gen(function*() {
    const { network, tokens } = place
    const found = yield* valuation
    if (found === undefined) return yield* ManagerLogic.notAVault(place.chain, place.pool)
    const known = yield* tokens.at(network, found.assets.map(({ asset }) => asset))
    return { block: found.block, lines: found.assets.map((line, index) => placed(network, line, known[index])) }
  })

/** An asset of the vault with the token or position that its balance belongs to. */
export interface PlacedLine extends Omit<Valuation.ValuedAsset, "decimals"> {
  /** `undefined` for a contract that is not a token. */
  readonly token: Token | undefined
  readonly isPosition: boolean
  /** Names the asset in messages: a token's symbol, or a position's kind and address. */
  readonly label: string
  /** Decimals of the balance. */
  readonly decimals: number
}

/**
 * Places a line. The type decides between token and position; for one that the table lacks, the contract does. An asset
 * without a type is not traded as a token.
 */
const placed = (network: Network, line: Valuation.ValuedAsset, token: Token | undefined): PlacedLine => {
  const name = line.type === null ? "asset of unknown type" : positionName(line.type, network)
  const isPosition = name !== undefined || token === undefined
  const label = isPosition ? `${name ?? "position"} (${line.asset})` : token.symbol
  const decimals = line.decimals ?? token?.decimals
  return decimals === undefined
    ? { ...line, token, isPosition, label, decimals: 18, balance: null, rate: null }
    : { ...line, token, isPosition, label, decimals }
}

const toComposition = (
  lines: ReadonlyArray<PlacedLine>,
  details: ReadonlyMap<Address, LineDetails>,
  block: number
): Composition => {
  let total: bigint | null = 0n
  const holdings = lines.map(
    ({ asset, balance, decimals, isDeposit, isPosition, label, rate, reason, token, type, value }) => {
      total = total === null || value === null ? null : total + value
      const symbol = token?.symbol ?? "POSITION"
      const known = details.get(asset)
      return Holding.make({
        asset,
        symbol,
        assetPair: `${symbol}-USD`,
        isDeposit,
        amount: balance === null ? null : Quantity.format(balance, decimals),
        price: rate === null ? null : Quantity.usd(rate),
        value_usd: value === null ? null : Quantity.usd(value),
        kind: isPosition ? "position" : "token",
        reason,
        asset_type: type,
        label: known?.label ?? label,
        positions: known?.positions ?? []
      })
    }
  )
  return Composition.make({ holdings, totalValueUsd: total === null ? null : Quantity.usd(total), block })
}
