/** EasySwapperV2: its functions, and this service's calls of them. Source: the platform's public contracts and SDK. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { NetworkBook, PoolToken } from "@vault-trader/core/chain/NetworkConfig"
import { parseAbi, stringToHex } from "viem"
import * as Calldata from "../chain/Calldata.ts"

export const easySwapperAbi = parseAbi([
  "struct ComplexAsset { address supportedAsset; bytes withdrawData; uint256 slippageTolerance; }",
  "struct TrackedAsset { address token; uint256 balance; }",
  "struct AggregatorData { bytes32 routerKey; bytes swapData; }",
  "struct SrcTokenSwapDetails { address token; uint256 amount; AggregatorData aggregatorData; }",
  "struct DestData { address destToken; uint256 minDestAmount; }",
  "struct MultiInSingleOutData { SrcTokenSwapDetails[] srcData; DestData destData; }",
  "function depositQuote(address vaultToken, address depositToken, uint256 amount) view returns (uint256)",
  "function depositWithCustomCooldown(address vaultToken, address depositToken, uint256 amount, uint256 minReceived)",
  "function initWithdrawal(address vaultToken, uint256 amount, ComplexAsset[] complexAssets) returns (TrackedAsset[], address)",
  "function completeWithdrawal(MultiInSingleOutData swapData, uint256 minReceived) returns (uint256)",
  "function completeWithdrawal()",
  "function getTrackedAssets(address depositor) view returns (TrackedAsset[])",
  "function swapper() view returns (address)"
])

/** The functions of a pool token, which is a vault of the platform, that redeeming it depends on. */
export const poolTokenAbi = parseAbi([
  "function getExitRemainingCooldown(address holder) view returns (uint256)",
  "function poolManagerLogic() view returns (address)"
])

/** The platform's guard allows no larger tolerance of a redeemed asset, basis points. */
const maxTolerance = 200

/** Returns the tolerance of a slippage in percent, in basis points: at most the guard's maximum, never more than it. */
export const toleranceOf = (slippage: number): number => Math.min(Math.floor(slippage * 100), maxTolerance)

/** Returns the pool token at an address; `undefined` for every other token. */
export const poolTokenAt = (book: Pick<NetworkBook, "easySwapper">, address: Address): PoolToken | undefined =>
  book.easySwapper?.poolTokens.find((token) => token.address === address)

/** Encodes a purchase of a pool token. */
export const deposit = (vaultToken: Address, depositToken: Address, amount: bigint, minReceived: bigint): Hex =>
  Calldata.encode({
    abi: easySwapperAbi,
    functionName: "depositWithCustomCooldown",
    args: [vaultToken, depositToken, amount, minReceived]
  })

/** Encodes the first step of a redemption. `assets`: those of the pool token's own vault. */
export const init = (
  vaultToken: Address,
  amount: bigint,
  assets: ReadonlyArray<Address>,
  tolerance: number
): Hex =>
  Calldata.encode({
    abi: easySwapperAbi,
    functionName: "initWithdrawal",
    args: [
      vaultToken,
      amount,
      // Without data the platform's own contracts sell what has to be sold, within the tolerance.
      assets.map((supportedAsset) => ({
        supportedAsset,
        withdrawData: "0x" as const,
        slippageTolerance: BigInt(tolerance)
      }))
    ]
  })

/** Encodes the second step that pays out the assets as they are. */
export const claim: Hex = Calldata.encode({ abi: easySwapperAbi, functionName: "completeWithdrawal", args: [] })

/** An asset of a withdrawal that is swapped at Odos's router. */
export interface SwappedAsset {
  readonly token: Address
  readonly amount: bigint
  readonly data: Hex
}

/** Encodes the key of a router at the swapper. */
export const keyOf = (odosKey: string): Hex => stringToHex(odosKey, { size: 32 })

/** Encodes the second step that swaps everything into one asset. */
export const completeInto = (
  odosKey: string,
  swaps: ReadonlyArray<SwappedAsset>,
  destToken: Address,
  minReceived: bigint
): Hex =>
  Calldata.encode({
    abi: easySwapperAbi,
    functionName: "completeWithdrawal",
    args: [
      {
        srcData: swaps.map(({ amount, data, token }) => ({
          token,
          amount,
          aggregatorData: { routerKey: keyOf(odosKey), swapData: data }
        })),
        destData: { destToken, minDestAmount: minReceived }
      },
      minReceived
    ]
  })
