/** The action of each kind of request, and the services that only actions use. */
import { defaultFloor } from "@vault-trader/core/lending/Lending"
import { PerpetualMoveStore } from "@vault-trader/core/perpetual/PerpetualMoveStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { VenueBanStore } from "@vault-trader/core/venue/VenueBanStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Approve } from "./approval/Approve.ts"
import { Tokens } from "./chain/Tokens.ts"
import { MintManagerFee } from "./fees/MintManagerFee.ts"
import { MintAllFeesByManager, MintManagerFeeBatch } from "./fees/MintManagerFees.ts"
import { HealthFactorFloor } from "./lending/HealthFactor.ts"
import { lendingActions } from "./lending/LendingActions.ts"
import { AddLiquidity } from "./liquidity/AddLiquidity.ts"
import { CollectFees } from "./liquidity/CollectFees.ts"
import { RemoveLiquidity } from "./liquidity/RemoveLiquidity.ts"
import { ManagedVaults, ManagedVaultsLive } from "./manager/ManagedVaults.ts"
import { ClaimRewards, StakeLiquidity, UnstakeLiquidity } from "./liquidity/StakePosition.ts"
import { CancelPerpetualOrder } from "./perpetual/CancelOrder.ts"
import { DepositToPerpetuals } from "./perpetual/Deposit.ts"
import { HyperCoreInfoLive } from "./perpetual/HyperCoreInfo.ts"
import { PlacePerpetualOrder } from "./perpetual/PlaceOrder.ts"
import { WithdrawFromPerpetuals } from "./perpetual/Withdraw.ts"
import { BotInterval, defaultBotSeconds } from "./threshold-bot/BotScheduler.ts"
import { BotTrade } from "./threshold-bot/BotTrade.ts"
import { DisableAsset, EnableAsset } from "./trading/AssetChange.ts"
import { SliceSizer, SliceSizerLive } from "./trading/SliceSizer.ts"
import { Trade } from "./trading/Trade.ts"
import { OrderSlice } from "./vault-order/OrderSlice.ts"
import { Actions } from "./vault/Action.ts"
import { AggregatorClientLive, overFetch, VenueAccess } from "./venue/AggregatorClient.ts"

/** Builds the table. `floor`: minimum health factor, 18 decimals. `botSeconds`: seconds between two checks of a bot. */
const make = (floor: bigint, botSeconds: number) => ({
  ...{ Trade, Approve },
  ...lendingActions(floor),
  BotTrade: BotTrade(floor, botSeconds),
  OrderSlice,
  ...{ EnableAsset, DisableAsset },
  ...{ AddLiquidity, RemoveLiquidity, CollectFees },
  ...{ StakeLiquidity, UnstakeLiquidity, ClaimRewards },
  ...{ DepositToPerpetuals, PlacePerpetualOrder, CancelPerpetualOrder, WithdrawFromPerpetuals },
  ...{ MintManagerFee, MintManagerFeeBatch, MintAllFeesByManager }
})

/** The actions with the default settings, on which the decoding of their bytes does not depend. */
export const actions = make(defaultFloor, defaultBotSeconds)

const configured = Layer.unwrap(
  Effect.map(
    Effect.all([HealthFactorFloor, BotInterval]),
    ([floor, botSeconds]) => Actions.layer(make(floor, botSeconds))
  )
)

/** The actions as configured. */
export const ActionsLive = configured.pipe(
  Layer.provide([
    Tokens.layer,
    AggregatorClientLive,
    SliceSizerLive,
    ManagedVaultsLive,
    HyperCoreInfoLive,
    PerpetualMoveStore.layer,
    ThresholdBotStore.layer
  ])
)

/** The venues' client without a database. */
const AggregatorClientWithoutDatabase = Layer.provide(
  Layer.unwrap(Effect.map(VenueAccess, overFetch)),
  Layer.succeed(VenueBanStore, {
    ban: () => Effect.void,
    pause: () => Effect.void,
    find: () => Effect.succeed(Option.none())
  })
)

/**
 * The same without a database, for plans that are never carried out: no venue is banned, and a ban that a venue
 * announces is not stored. The other stores are not used by plans.
 */
export const ActionsWithoutDatabase = configured.pipe(
  Layer.provide([
    Tokens.layer,
    AggregatorClientWithoutDatabase,
    Layer.provide(SliceSizer.layer, AggregatorClientWithoutDatabase),
    Layer.mock(ManagedVaults, {}),
    HyperCoreInfoLive,
    Layer.mock(PerpetualMoveStore, {}),
    Layer.mock(ThresholdBotStore, {})
  ])
)
