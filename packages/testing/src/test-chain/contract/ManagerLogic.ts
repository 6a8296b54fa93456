/** A vault's manager logic: its manager and trader, its supported assets and their value. */
import * as Result from "effect/Result"
import type { Address } from "@vault-trader/core/chain/Address"
import { returned, revert } from "../Message.ts"
import * as AbiWords from "../AbiWords.ts"
import * as ChainState from "../ChainState.ts"
import * as Code from "./Code.ts"
import { assetOf, priceOf } from "./Factory.ts"

export const supports = ({ assets }: ChainState.ManagerLogic, asset: Address): boolean =>
  assets.some((one) => one.asset === asset)

const encodeAssets = ({ assets }: ChainState.ManagerLogic): AbiWords.Words =>
  AbiWords.array(assets.map(({ asset, isDeposit }) => AbiWords.address(asset) + AbiWords.bool(isDeposit)))

/** Returns the decimals of an asset of the platform. */
const decimalsOf = (world: ChainState.World, asset: Address): bigint | undefined => {
  const token = ChainState.contractAt(world, asset)
  return assetOf(world, asset) === undefined || token?._tag !== "Token" ? undefined : BigInt(token.decimals)
}

export const run = Code.make<ChainState.ManagerLogic>([
  ["manager()", 0, ({ self, world }) => returned(world, AbiWords.hex(AbiWords.address(self.manager)))],
  ["trader()", 0, ({ self, world }) => returned(world, AbiWords.hex(AbiWords.address(self.trader)))],
  ["setTrader(address)", 1, ({ args, message, self, world }) =>
    message.from === self.manager
      ? returned(ChainState.withContract(world, message.to, { ...self, trader: args.address(0) }), "0x", {
        gas: 10_000n
      })
      : revert("dh4")],
  [
    "getSupportedAssets()",
    0,
    ({ self, world }) => returned(world, AbiWords.hex(AbiWords.uint(32), encodeAssets(self)))
  ],
  [
    "isSupportedAsset(address)",
    1,
    ({ args, self, world }) => returned(world, AbiWords.hex(AbiWords.bool(supports(self, args.address(0)))))
  ],
  ["assetBalance(address)", 1, ({ args, self, world }) =>
    assetOf(world, args.address(0)) === undefined
      ? revert("invalid asset")
      : returned(
        world,
        AbiWords.hex(AbiWords.uint(ChainState.slot(world, ChainState.balance(args.address(0), self.vault))))
      )],
  ["assetDecimal(address)", 1, ({ args, world }) => {
    const decimals = decimalsOf(world, args.address(0))
    return decimals === undefined ? revert("invalid asset") : returned(world, AbiWords.hex(AbiWords.uint(decimals)))
  }],
  ["assetValue(address)", 1, ({ args, env, self, world }) => {
    const asset = args.address(0)
    const decimals = decimalsOf(world, asset)
    if (decimals === undefined) return revert("invalid asset")
    return Result.match(priceOf(world, asset, env.timestamp), {
      onFailure: revert,
      onSuccess: (price) => {
        const balance = ChainState.slot(world, ChainState.balance(asset, self.vault))
        return returned(world, AbiWords.hex(AbiWords.uint(price * balance / 10n ** decimals)))
      }
    })
  }],
  ["getFundComposition()", 0, ({ env, self, world }) => {
    const rates = Result.all(self.assets.map(({ asset }) => priceOf(world, asset, env.timestamp)))
    // One missing price makes the whole call fail, as on the platform.
    if (Result.isFailure(rates)) return revert(rates.failure)
    const balances = self.assets.map(({ asset }) => ChainState.slot(world, ChainState.balance(asset, self.vault)))
    return returned(
      world,
      AbiWords.hex(
        AbiWords.tuple([
          encodeAssets(self),
          AbiWords.array(balances.map(AbiWords.uint)),
          AbiWords.array(rates.success.map(AbiWords.uint))
        ])
      )
    )
  }]
])
