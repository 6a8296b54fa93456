/**
 * Reads a leader and the vault that follows it. One endpoint alone must not make a follower trade, where the network has
 * several: two of them must agree on each part.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { FollowerTerms, LeaderKind } from "@vault-trader/core/follower/Follower"
import { type LeaderLine, lineOf, type Reading } from "@vault-trader/core/follower/FollowerDecision"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { positionName } from "../address-book/AssetType.ts"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20, type Tokens } from "../chain/Tokens.ts"
import { heldOf } from "../index-bot/RebalancePlanner.ts"
import * as ManagerLogic from "../platform/ManagerLogic.ts"
import { factoryAbi } from "../platform/PlatformAbi.ts"
import type { VaultSource } from "../vault/VaultSource.ts"
import * as VaultReader from "../vault/VaultReader.ts"

/** Finds out whether an address is a vault of the platform. A follower keeps the answer. */
export const kindOf = ({ chain }: Pick<VaultSource, "chain">, leader: Address): Effect.Effect<LeaderKind, Failure> =>
  ManagerLogic.find({ book: chain.book, readAll: chain.readConfirmed }, leader).pipe(
    Effect.as("vault" as const),
    Effect.catchTag(
      "ValidationFailure",
      (failure) => failure.code === "1004" ? Effect.succeed("wallet" as const) : Effect.fail(failure)
    )
  )

/** Reads a leader that is a vault, as the platform itself counts it. */
const vaultLines = ({ chain, network }: VaultSource, leader: Address) =>
  Effect.gen(function*() {
    const reader = yield* VaultReader.make({ network, pool: leader, chain })
    return (yield* reader.confirmedLines).map((line): LeaderLine => ({
      asset: line.asset,
      symbol: line.label,
      // An asset that it does not hold needs no price.
      usd18: line.balance === 0n ? 0n : line.value,
      isToken: !line.isPosition
    }))
  })

/** Reads the platform's tokens that a plain address holds. Other tokens have no price that could be trusted. */
const walletLines = ({ chain, network, tokens }: VaultSource, leader: Address, held: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const { assets, platformFactory, tokens: listed } = chain.book
    const supported = assets.flatMap(({ address, type }) => positionName(type) === undefined ? [address] : [])
    const addresses = [...new Set([...held, ...listed.map(({ address }) => address), ...supported])]
    const known = (yield* tokens.at(network, addresses)).flatMap((token) => token === undefined ? [] : [token])
    const [balances, prices] = yield* Effect.mapError(
      Effect.all([
        chain.readConfirmed(known.map(({ address }) => Contract.read(erc20, address, "balanceOf", [leader]))),
        chain.readConfirmed(
          known.map(({ address }) => Contract.read(factoryAbi, platformFactory, "getAssetPrice", [address]))
        )
      ]),
      unavailable
    )
    return yield* Effect.forEach(known, (token, index) => {
      const [balance, price] = [balances[index], prices[index]]
      if (balance === undefined || Result.isFailure(balance)) {
        return Effect.fail(explain({ _tag: "BalanceUnreadable", symbol: token.symbol, address: token.address }))
      }
      const price18 = price === undefined ? null : Result.getOrElse(price, () => null)
      return Effect.succeed(lineOf(token, balance.success, price18 === 0n ? null : price18))
    })
  })

/** Reads both. */
export const read = (
  source: VaultSource,
  { leader, leaderKind }: FollowerTerms
): Effect.Effect<Reading, Failure, Tokens> =>
  Effect.gen(function*() {
    const held = (yield* source.reader.confirmedLines).map(heldOf)
    const found = yield* leaderKind === "vault"
      ? vaultLines(source, leader)
      : walletLines(source, leader, held.flatMap(({ inVault, token }) => inVault ? [token.address] : []))
    const [time] = yield* Effect.mapError(source.chain.readConfirmed([ChainTime.read(source.chain)]), unavailable)
    return { held, leader: found, block: yield* ChainTime.readAt(time) }
  })
