/**
 * Finds names for the lines of a composition: the market of a lender's token, and the pair, fee and range of each
 * position token. Nothing depends on them but display: what cannot be read keeps the name of its type.
 */
import { collections, lenderTokens, positionName } from "../address-book/AssetType.ts"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Token } from "@vault-trader/core/chain/Token"
import { PositionToken } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi, zeroAddress } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import type { Tokens } from "../chain/Tokens.ts"
import * as ContractGuard from "../platform/ContractGuard.ts"

const guardAbi = parseAbi(["function getOwnedTokenIds(address) view returns (uint256[])"])
/** Uniswap's form. Forks that distinguish pools by tick spacing return it in place of the fee. */
const managerAbi = parseAbi([
  "function ownerOf(uint256) view returns (address)",
  "function positions(uint256) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256, uint256, uint128, uint128)"
])
const marketAbi = parseAbi(["function baseToken() view returns (address)", "function asset() view returns (address)"])

/** Maximum number of position tokens that are read per line. The platform allows fewer. */
const maxTokens = 20
/** Ticks beyond this are the open end of a range: every tick spacing's last tick is. */
const openTick = 880_000

/** The part of a line that its details depend on. */
interface Line {
  readonly asset: Address
  readonly type: number | null
  readonly token: Token | undefined
  readonly balance: bigint | null
}

export interface LineDetails {
  readonly label: string
  readonly positions: ReadonlyArray<PositionToken>
}

interface Place {
  readonly network: Network
  readonly pool: Address
  readonly chain: ChainClient
  readonly tokens: Tokens["Service"]
}

/** A position token as its manager returns it. */
interface RawPosition {
  readonly manager: Line
  readonly id: bigint
  readonly token0: Address
  readonly token1: Address
  /** Hundredths of a basis point, or a tick spacing. */
  readonly feeOrSpacing: number
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
  readonly staked: boolean
}

const typesOfCollections = new Set<number | null>(Object.values(collections))
const isCollection = ({ type }: Line) => typesOfCollections.has(type)
const hasTickSpacing = ({ type }: Line) => type === collections.velodromeCl || type === collections.ramsesCl
const isLenderToken = ({ type }: Line) => type === lenderTokens.comet || type === lenderTokens.fToken

/** Returns the name of a line without details. */
const plainName = ({ network }: Place, { asset, token, type }: Line, published: string | undefined): string => {
  const name = type === null ? undefined : positionName(type, network)
  if (name === undefined) return token?.symbol ?? published ?? `position of type ${type ?? "unknown"}`
  return name.endsWith("LP shares") ? published ?? `${name} ${token?.symbol ?? asset}` : name
}

/** Returns the price of token0 in token1 at a tick, 8 significant digits; null at an open end. */
const priceAt = (tick: number, token0: Token | undefined, token1: Token | undefined): number | null =>
  Math.abs(tick) > openTick || token0 === undefined || token1 === undefined
    ? null
    : Number((1.0001 ** tick * 10 ** (token0.decimals - token1.decimals)).toPrecision(8))

const positionOf = (
  { network }: Place,
  raw: RawPosition,
  token0: Token | undefined,
  token1: Token | undefined
): PositionToken => {
  const bySpacing = hasTickSpacing(raw.manager)
  const fee = bySpacing ? null : raw.feeOrSpacing / 10_000
  const kind = positionName(raw.manager.type ?? 0, network)?.replace(/ positions$/, "")
  const pair = `${token0?.symbol ?? raw.token0}/${token1?.symbol ?? raw.token1}`
  return PositionToken.make({
    token_id: raw.id.toString(),
    label: `${kind} position #${raw.id} ${pair} ${fee === null ? `tick spacing ${raw.feeOrSpacing}` : `${fee} %`}${
      raw.staked ? ", staked" : ""
    }`,
    token0: raw.token0,
    token1: raw.token1,
    fee,
    tick_spacing: bySpacing ? raw.feeOrSpacing : null,
    tick_lower: raw.tickLower,
    tick_upper: raw.tickUpper,
    lower_price: priceAt(raw.tickLower, token0, token1),
    upper_price: priceAt(raw.tickUpper, token0, token1),
    liquidity: raw.liquidity.toString(),
    staked: raw.staked
  })
}

/** Builds the reader of facts that never change, which it remembers: lent tokens, and guards of position managers. */
const makeFacts = (chain: ChainClient) => {
  const underlyings = new Map<Address, Address>()
  const guards = new Map<Address, Address>()
  const remember = (
    map: Map<Address, Address>,
    lines: ReadonlyArray<Line>,
    answers: ReadonlyArray<Result.Result<string, unknown>>
  ) => {
    for (const [index, { asset }] of lines.entries()) {
      const answer = answers[index]
      if (answer === undefined || Result.isFailure(answer) || answer.success === zeroAddress) continue
      map.set(asset, Contract.lower(answer.success))
    }
  }
  const read = (lines: ReadonlyArray<Line>): Effect.Effect<void, RpcFailure> =>
    Effect.gen(function*() {
      const markets = lines.filter((line) => isLenderToken(line) && !underlyings.has(line.asset))
      const managers = lines.filter((line) => isCollection(line) && !guards.has(line.asset))
      if (markets.length + managers.length === 0) return
      const [lent, guarded] = yield* readGroups(chain, [
        markets.map(({ asset, type }) =>
          Contract.read(marketAbi, asset, type === lenderTokens.comet ? "baseToken" : "asset", [])
        ),
        managers.map(({ asset }) => ContractGuard.read(chain.book, asset))
      ])
      remember(underlyings, markets, lent)
      remember(guards, managers, guarded)
    })
  return { guards, read, underlyings }
}

type PositionAnswer = Result.Result<
  readonly [bigint, string, string, string, number, number, number, bigint, ...ReadonlyArray<bigint>],
  unknown
>

/** Returns a position token that the vault owns or has staked. */
const rawOf = (
  pool: Address,
  { id, line }: { readonly id: bigint; readonly line: Line },
  position: PositionAnswer | undefined,
  owner: Result.Result<string, unknown> | undefined
): ReadonlyArray<RawPosition> => {
  if (position === undefined || Result.isFailure(position)) return []
  if (owner === undefined || Result.isFailure(owner)) return []
  const staked = Contract.lower(owner.success) !== pool
  // The platform tracks a token of Uniswap's after the vault has lost it; only forks have staking.
  if (staked && line.type === collections.uniswapV3) return []
  const [, , token0, token1, feeOrSpacing, tickLower, tickUpper, liquidity] = position.success
  return [{
    ...{ manager: line, id, feeOrSpacing, tickLower, tickUpper, liquidity, staked },
    token0: Contract.lower(token0),
    token1: Contract.lower(token1)
  }]
}

/** Builds the reader of a vault's position tokens: one call, unless the vault has got or given one since the last. */
const makePositions = ({ chain, pool }: Place, guards: Map<Address, Address>) => {
  const ids = new Map<Address, ReadonlyArray<bigint>>()

  /** Remembers the position tokens of a manager; returns whether they are those of the last read. */
  const isUnchanged = (asset: Address, answer: Result.Result<ReadonlyArray<bigint>, unknown> | undefined): boolean => {
    const isRead = answer !== undefined && Result.isSuccess(answer)
    // Another guard may be in force: it is read again next time.
    if (!isRead) guards.delete(asset)
    const now = isRead ? answer.success.slice(0, maxTokens) : []
    const before = ids.get(asset) ?? []
    ids.set(asset, now)
    return now.length === before.length && now.every((id, place) => id === before[place])
  }

  return (lines: ReadonlyArray<Line>): Effect.Effect<ReadonlyArray<RawPosition>, RpcFailure> =>
    Effect.gen(function*() {
      const managers = lines.flatMap((line) => {
        const guard = guards.get(line.asset)
        return guard === undefined || !isCollection(line) || line.balance === 0n ? [] : [{ line, guard }]
      })
      if (managers.length === 0) return []
      for (let turn = 0; turn < 2; turn++) {
        const asked = managers.flatMap(({ line }) => (ids.get(line.asset) ?? []).map((id) => ({ line, id })))
        const [owned, positions, owners] = yield* readGroups(chain, [
          managers.map(({ guard }) => Contract.read(guardAbi, guard, "getOwnedTokenIds", [pool])),
          asked.map(({ id, line }) => Contract.read(managerAbi, line.asset, "positions", [id])),
          asked.map(({ id, line }) => Contract.read(managerAbi, line.asset, "ownerOf", [id]))
        ])
        const unchanged = managers.map(({ line: { asset } }, index) => isUnchanged(asset, owned[index]))
        if (unchanged.includes(false)) continue
        return asked.flatMap((each, index) => rawOf(pool, each, positions[index], owners[index]))
      }
      return []
    })
}

/** Builds the reader of one vault's details. It remembers what never changes, and the vault's position tokens. */
export const make = (place: Place) => {
  const { chain, network, tokens } = place
  const facts = makeFacts(chain)
  const positionsOf = makePositions(place, facts.guards)
  const published = new Map(chain.book.assets.map(({ address, name }) => [address, name]))
  const plainNameOf = (line: Line) => plainName(place, line, published.get(line.asset))

  const labelOf = (line: Line, positions: ReadonlyArray<PositionToken>, lent: Token | undefined): string => {
    if (isLenderToken(line) && lent !== undefined) {
      return `${line.type === lenderTokens.comet ? "Compound V3" : "Fluid"} ${lent.symbol}`
    }
    const [first, second] = positions
    if (first === undefined) return plainNameOf(line)
    return second === undefined
      ? first.label
      : `${plainNameOf(line)} ${positions.map(({ token_id }) => `#${token_id}`).join(", ")}`
  }

  const detailsOf = (lines: ReadonlyArray<Line>) =>
    Effect.gen(function*() {
      yield* facts.read(lines)
      const raws = yield* positionsOf(lines)
      const addresses = [
        ...lines.flatMap(({ asset }) => facts.underlyings.get(asset) ?? []),
        ...raws.flatMap(({ token0, token1 }) => [token0, token1])
      ]
      const found = yield* tokens.at(network, addresses)
      const token = new Map(addresses.map((address, index) => [address, found[index]]))
      return new Map(lines.map((line): readonly [Address, LineDetails] => {
        const positions = raws.filter(({ manager }) => manager.asset === line.asset).map((raw) =>
          positionOf(place, raw, token.get(raw.token0), token.get(raw.token1))
        )
        const lent = facts.underlyings.get(line.asset)
        return [line.asset, {
          label: labelOf(line, positions, lent === undefined ? undefined : token.get(lent)),
          positions
        }]
      }))
    })

  return (lines: ReadonlyArray<Line>): Effect.Effect<ReadonlyMap<Address, LineDetails>> =>
    Effect.orElseSucceed(
      detailsOf(lines),
      () => new Map(lines.map((line) => [line.asset, { label: plainNameOf(line), positions: [] }]))
    )
}
