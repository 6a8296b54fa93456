/** Collects the fees of a position; a staked one stays staked, and pays its rewards too. */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { CollectFeesRequest } from "@vault-trader/core/liquidity/Liquidity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Tokens } from "../chain/Tokens.ts"
import * as Action from "../vault/Action.ts"
import {
  pairOf,
  PositionView,
  positionFields,
  quantities,
  readOwed,
  simulate,
  viewOf,
  words
} from "./LiquidityAction.ts"
import * as LiquidityPool from "./LiquidityPool.ts"
import * as PositionManager from "./PositionManager.ts"
import * as PositionStaking from "./PositionStaking.ts"

/** The plan; amounts are in the pool's token order. */
const Details = Schema.Struct({
  place: PositionView,
  tokenId: Schema.BigIntFromString,
  /** The fees that are known before the transaction; those of a staked position are not. */
  fees: Schema.Tuple([Schema.BigIntFromString, Schema.BigIntFromString])
})

/** Returns the calls. Staked positions of Velodrome earn rewards in place of fees; Pancake's have to be taken back. */
const callsOf = (
  vault: Action.VaultContext["pool"],
  manager: PositionView["manager"],
  tokenId: bigint,
  staking: PositionStaking.Staking | undefined
) => {
  const collect = PositionManager.collectAll(manager, vault, tokenId)
  if (staking === undefined) return [collect]
  return staking.exchange.dex === "velodromeCl"
    ? [PositionStaking.claim(vault, staking)]
    : [PositionStaking.unstake(vault, staking), collect, ...PositionStaking.stake(vault, staking)]
}

export const CollectFees = Action.make<CollectFeesRequest, typeof Details.Type, typeof Details.Encoded, Tokens>({
  charge: "liquidity",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const pair = yield* pairOf(context, request)
      const { at, pool, position } = yield* LiquidityPool.readPosition(context, pair, request)
      const { manager } = at.exchange
      const staking = PositionStaking.stakingOf(at, position)
      const fees = staking === undefined
        ? yield* readOwed(context, manager, position.tokenId)
        : [0n, 0n] as const
      const details = {
        place: yield* viewOf(context, pair, at, pool, position, staking),
        tokenId: position.tokenId,
        fees
      }
      const nothingToDo = `Position ${position.tokenId} is owed no fees. Nothing was sent.`
      if (staking === undefined && fees[0] === 0n && fees[1] === 0n) return { calls: [], details, nothingToDo }
      const calls = callsOf(context.pool, manager, position.tokenId, staking)
      const estimate = yield* simulate(context, calls, staking)
      return { calls, details, nothingToDo, ...(estimate === undefined ? {} : { estimate }) }
    }),
  decodeMovement: (chain, call) => PositionManager.collection(chain, call) ?? PositionStaking.staking(chain, call),
  describe: ({ fees, place, tokenId }) => ({
    ...positionFields(place, place.staking !== null),
    token_id: tokenId.toString(),
    fees: quantities(place, fees),
    rewards: []
  }),
  interpretReceipt: ({ pool }, { place, tokenId }, receipt) =>
    Effect.gen(function*() {
      const logs = receipt?.logs ?? []
      const fees = quantities(
        place,
        PositionManager.sumOf(logs, { manager: place.manager, tokenId, vault: pool }, "collected")
      )
      const rewards = PositionStaking.rewardsIn(logs, pool, place.staking, place.reward)
      if (
        receipt !== null && place.staking === null &&
        PositionManager.readEvents(logs, place.manager, "collected").length === 0
      ) return yield* explain({ _tag: "NoLiquidityEvent" }, "mined")
      return {
        message: `Collected ${
          [
            words(fees),
            ...rewards.map(({ amount, symbol }) => `${amount} ${symbol}`)
          ].join(", ")
        } ` +
          `from position ${tokenId}.`,
        result: {
          ...positionFields(place, place.staking !== null),
          token_id: tokenId.toString(),
          fees,
          rewards
        }
      }
    })
})
