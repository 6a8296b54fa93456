/** The vault platform's factory: its vaults, assets, guards and pauses. */
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { zeroAddress } from "viem"
import type { Address } from "@vault-trader/core/chain/Address"
import { returned, revert } from "../Message.ts"
import * as AbiWords from "../AbiWords.ts"
import type { AssetInfo, Guard, Stateless, World } from "../ChainState.ts"
import * as Code from "./Code.ts"

/** Seconds after which a price is too old to be used. */
const priceTimeout = 90_000n

export const assetOf = ({ platform }: World, asset: Address): AssetInfo | undefined =>
  Option.getOrUndefined(HashMap.get(platform.assets, asset))

export const guardOf = ({ platform }: World, contract: Address): Guard | undefined =>
  Option.getOrUndefined(HashMap.get(platform.guards, contract))

export const isTradingPaused = ({ platform }: World, vault: Address): boolean =>
  HashSet.has(platform.tradingPaused, vault)

/** Returns USD per whole token, 18 decimals, or the platform's reason for having no price. */
export const priceOf = (world: World, asset: Address, timestamp: bigint): Result.Result<bigint, string> => {
  const info = assetOf(world, asset)
  if (info === undefined) return Result.fail("Price aggregator not found")
  if (info.updatedAt !== undefined && info.updatedAt + priceTimeout < timestamp) {
    return Result.fail("Chainlink price expired")
  }
  return info.price > 0n ? Result.succeed(info.price) : Result.fail("Price not available")
}

export const run = Code.make<Stateless>([
  ["isPool(address)", 1, ({ args, world }) => {
    const found = HashMap.get(world.contracts, args.address(0))
    return returned(world, AbiWords.hex(AbiWords.bool(Option.isSome(found) && found.value._tag === "Vault")))
  }],
  ["isPaused()", 0, ({ world }) => returned(world, AbiWords.hex(AbiWords.bool(world.platform.paused)))],
  [
    "tradingPausedPools(address)",
    1,
    ({ args, world }) => returned(world, AbiWords.hex(AbiWords.bool(isTradingPaused(world, args.address(0)))))
  ],
  [
    "isValidAsset(address)",
    1,
    ({ args, world }) => returned(world, AbiWords.hex(AbiWords.bool(assetOf(world, args.address(0)) !== undefined)))
  ],
  [
    "getAssetType(address)",
    1,
    ({ args, world }) => returned(world, AbiWords.hex(AbiWords.uint(assetOf(world, args.address(0))?.assetType ?? 0)))
  ],
  ["getAssetPrice(address)", 1, ({ args, env, world }) =>
    Result.match(priceOf(world, args.address(0), env.timestamp), {
      onFailure: revert,
      onSuccess: (price) => returned(world, AbiWords.hex(AbiWords.uint(price)))
    })],
  // The feed of a token is at the token's address.
  [
    "priceAggregators(address)",
    1,
    ({ args, world }) => returned(world, AbiWords.hex(AbiWords.address(args.address(0))))
  ],
  [
    "getContractGuard(address)",
    1,
    ({ args, world }) =>
      returned(world, AbiWords.hex(AbiWords.address(guardOf(world, args.address(0))?.address ?? zeroAddress)))
  ]
])
