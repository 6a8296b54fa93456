/** Stakes a position, takes it back, and claims its rewards. */
import { Address } from "@vault-trader/core/chain/Address"
import type { Quantity } from "@vault-trader/core/chain/Quantity"
import { explain } from "@vault-trader/core/failure/Explanation"
import type {
  ClaimRewardsRequest,
  StakeLiquidityRequest,
  UnstakeLiquidityRequest
} from "@vault-trader/core/liquidity/Liquidity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Tokens } from "../chain/Tokens.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import * as Action from "../vault/Action.ts"
import { pairOf, PositionView, positionFields, simulate, viewOf } from "./LiquidityAction.ts"
import * as LiquidityPool from "./LiquidityPool.ts"
import * as PositionStaking from "./PositionStaking.ts"

const Details = Schema.Struct({
  place: PositionView,
  tokenId: Schema.BigIntFromString,
  /** The contract that the position is staked in, before or after. */
  contract: Schema.NullOr(Address)
})
type Details = typeof Details.Type
type Encoded = typeof Details.Encoded

/** Reads the position that a request is about. */
const read = (
  context: Action.VaultContext,
  request: StakeLiquidityRequest | UnstakeLiquidityRequest | ClaimRewardsRequest
) =>
  Effect.gen(function*() {
    const pair = yield* pairOf(context, request)
    const found = yield* LiquidityPool.readPosition(context, pair, request)
    const { at, pool, position } = found
    const staking = PositionStaking.stakingOf(at, position)
    return { ...found, staking, place: yield* viewOf(context, pair, at, pool, position, staking) }
  })

const decided = (
  context: Action.VaultContext,
  calls: ReadonlyArray<VaultCall>,
  staking: PositionStaking.Staking | undefined,
  details: Details
) =>
  Effect.map(simulate(context, calls, staking), (estimate) => ({
    calls,
    details,
    nothingToDo: "",
    ...(estimate === undefined ? {} : { estimate })
  }))

const received = (rewards: ReadonlyArray<Quantity>) =>
  rewards.map(({ amount, symbol }) => `${amount} ${symbol}`).join(" and ")

const resultOf = ({ place, tokenId }: Details, staked: boolean) => ({
  ...positionFields(place, staked),
  token_id: tokenId.toString()
})

export const StakeLiquidity = Action.make<StakeLiquidityRequest, Details, Encoded, Tokens>({
  charge: "liquidity",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const { at, place, pool, position: { tokenId }, staking } = yield* read(context, request)
      if (staking !== undefined) {
        return {
          calls: [],
          details: { place, tokenId, contract: staking.contract },
          nothingToDo: `Position ${tokenId} is staked already. Nothing was sent.`
        }
      }
      const contract = yield* PositionStaking.placeFor(context, at, pool)
      const calls = PositionStaking.stake(context.pool, { exchange: at.exchange, tokenId, contract })
      return yield* decided(context, calls, staking, { place, tokenId, contract })
    }),
  decodeMovement: PositionStaking.staking,
  describe: (details) => ({ ...resultOf(details, true), staking_contract: details.contract }),
  interpretReceipt: (_, details) =>
    Effect.succeed({
      message: `Staked position ${details.tokenId}.`,
      result: { ...resultOf(details, true), staking_contract: details.contract }
    })
})

export const UnstakeLiquidity = Action.make<UnstakeLiquidityRequest, Details, Encoded, Tokens>({
  charge: "liquidity",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const { place, position: { tokenId }, staking } = yield* read(context, request)
      return staking === undefined
        ? {
          calls: [],
          details: { place, tokenId, contract: null },
          nothingToDo: `Position ${tokenId} is not staked. Nothing was sent.`
        }
        : yield* decided(context, [PositionStaking.unstake(context.pool, staking)], staking, {
          ...{ place, tokenId },
          contract: staking.contract
        })
    }),
  decodeMovement: PositionStaking.staking,
  describe: (details) => ({ ...resultOf(details, false), rewards: [] }),
  interpretReceipt: ({ pool }, details, receipt) =>
    Effect.sync(() => {
      const { contract, place, tokenId } = details
      const rewards = PositionStaking.rewardsIn(receipt?.logs ?? [], pool, contract, place.reward)
      return {
        message: `Unstaked position ${tokenId}${rewards.length === 0 ? "" : ` and received ${received(rewards)}`}.`,
        result: { ...resultOf(details, false), rewards }
      }
    })
})

export const ClaimRewards = Action.make<ClaimRewardsRequest, Details, Encoded, Tokens>({
  charge: "liquidity",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const { place, position: { tokenId }, staking } = yield* read(context, request)
      if (staking === undefined) return yield* explain({ _tag: "PositionNotStaked", tokenId: String(tokenId) })
      return yield* decided(context, [PositionStaking.claim(context.pool, staking)], staking, {
        ...{ place, tokenId },
        contract: staking.contract
      })
    }),
  decodeMovement: PositionStaking.staking,
  describe: (details) => ({ ...resultOf(details, true), rewards: [] }),
  interpretReceipt: ({ pool }, details, receipt) =>
    Effect.sync(() => {
      const { contract, place, tokenId } = details
      const rewards = PositionStaking.rewardsIn(receipt?.logs ?? [], pool, contract, place.reward)
      return {
        message: rewards.length === 0
          ? `Position ${tokenId} was owed no rewards.`
          : `Claimed ${received(rewards)} for position ${tokenId}.`,
        result: { ...resultOf(details, true), rewards }
      }
    })
})
