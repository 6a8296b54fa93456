/** A position of Velodrome that can be staked, as tests of liquidity use it. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { encodeFunctionData, parseAbi } from "viem"
import { succeeded } from "./Answers.ts"
import { Running } from "./Harness.ts"

const managerLogicAbi = parseAbi([
  "struct Asset { address asset; bool isDeposit; }",
  "function changeAssets(Asset[] added, address[] removed)"
])

/** Enables Velodrome's position manager in a demo vault, as its manager. */
export const enableVelodrome = (network: Network, pool: Address) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const entry = devnet.file.networks[network]
    const asset = entry?.velodromeCl?.positionManager
    const vault = entry?.vaults.find((each) => each.pool === pool)
    if (asset === undefined || vault === undefined) return yield* Effect.die(new Error("no Velodrome on the devnet"))
    const rpc = yield* Effect.orDie(devnet.rpc(network))
    const args = [[{ asset, isDeposit: false }], []] as const
    yield* Effect.orDie(rpc.impersonating(
      vault.manager,
      rpc.send({
        from: vault.manager,
        to: vault.poolManagerLogic,
        data: encodeFunctionData({ abi: managerLogicAbi, functionName: "changeAssets", args })
      })
    ))
  })

/** Adds a position of WETH and USDC at Velodrome; returns its id. The key's wallet trades the vault. */
export const velodromePosition = (network: Network, pool: Address, apiKey: string) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    yield* enableVelodrome(network, pool)
    const added = yield* ask("/addLiquidity", {
      json: {
        ...{ apiKey, network, pool, asset1: "WETH", asset2: "USDC", input_asset: "USDC", amount: 500 },
        ...{ dex: "aerodrome", tick_spacing: 100 }
      }
    })
    return String(succeeded(added)["token_id"])
  })
