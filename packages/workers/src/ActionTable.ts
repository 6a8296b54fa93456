/** The action of each kind of request, and the services that only actions use. */
import { defaultFloor } from "@vault-trader/core/lending/Lending"
import { PerpetualMoveStore } from "@vault-trader/core/perpetual/PerpetualMoveStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Approve } from "./approval/Approve.ts"
import { Tokens } from "./chain/Tokens.ts"
import { MintManagerFee } from "./fees/MintManagerFee.ts"
import { MintAllFeesByManager, MintManagerFeeBatch } from "./fees/MintManagerFees.ts"
import { HealthFactorFloor } from "./lending/HealthFactor.ts"
import { lendingActions } from "./lending/LendingActions.ts"
import { AddLiquidity } from "./liquidity/AddLiquidity.ts"
import { CollectFees } from "./liquidity/CollectFees.ts"
import { RemoveLiquidity } from "./liquidity/RemoveLiquidity.ts"
import { ClaimRewards, StakeLiquidity, UnstakeLiquidity } from "./liquidity/StakePosition.ts"
import { ManagedVaultsLive } from "./manager/ManagedVaults.ts"
import { CancelPerpetualOrder } from "./perpetual/CancelOrder.ts"
import { DepositToPerpetuals } from "./perpetual/Deposit.ts"
import { HyperCoreInfoLive } from "./perpetual/HyperCoreInfo.ts"
import { PlacePerpetualOrder } from "./perpetual/PlaceOrder.ts"
import { WithdrawFromPerpetuals } from "./perpetual/Withdraw.ts"
import { BotInterval, defaultBotSeconds } from "./threshold-bot/BotScheduler.ts"
import { BotTrade } from "./threshold-bot/BotTrade.ts"
import { Trade } from "./trading/Trade.ts"
import { Actions } from "./vault/Action.ts"
import { AggregatorClientLive } from "./venue/AggregatorClient.ts"

/** Builds the table. `floor`: minimum health factor, 18 decimals. `botSeconds`: seconds between two checks of a bot. */
const make = (floor: bigint, botSeconds: number) => ({
  ...{ Trade, Approve },
  ...lendingActions(floor),
  BotTrade: BotTrade(floor, botSeconds),
  ...{ AddLiquidity, RemoveLiquidity, CollectFees },
  ...{ StakeLiquidity, UnstakeLiquidity, ClaimRewards },
  ...{ DepositToPerpetuals, PlacePerpetualOrder, CancelPerpetualOrder, WithdrawFromPerpetuals },
  ...{ MintManagerFee, MintManagerFeeBatch, MintAllFeesByManager }
})

/** The actions with the default settings, on which the decoding of their bytes does not depend. */
export const actions = make(defaultFloor, defaultBotSeconds)

/** The actions as configured. */
export const ActionsLive = Layer.unwrap(
  Effect.map(
    Effect.all([HealthFactorFloor, BotInterval]),
    ([floor, botSeconds]) => Actions.layer(make(floor, botSeconds))
  )
).pipe(
  Layer.provide([
    Tokens.layer,
    AggregatorClientLive,
    ManagedVaultsLive,
    HyperCoreInfoLive,
    PerpetualMoveStore.layer,
    ThresholdBotStore.layer
  ])
)
