/** Controls and reads the devnet's EasySwapperV2 and the pool token that it trades, for tests. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Abi, encodeEventTopics, encodeFunctionData, pad, parseAbi, toHex } from "viem"
import * as OnChain from "./OnChain.ts"

/** The pool token of every network of the devnet that has EasySwapperV2. It loses what WBTC gains. */
export const symbol = "BTCBEAR1X"

const abi = parseAbi([
  "struct Asset { address asset; bool isDeposit; }",
  "struct TrackedAsset { address token; uint256 balance; }",
  "function changeAssets(Asset[] added, address[] removed)",
  "function setCustomCooldown(uint256 seconds_)",
  "function setQuoteLie(int256 lie)",
  "function setParts(uint256[] parts)",
  "function completeWithdrawal()",
  "function execTransaction(address to, bytes data) returns (bool)",
  "function getTrackedAssets(address depositor) view returns (TrackedAsset[])",
  "function getExitRemainingCooldown(address holder) view returns (uint256)",
  "function assetValue(address asset) view returns (uint256)",
  "event WithdrawalInitiated(address indexed withdrawalVault, address indexed depositor, address indexed vault, uint256 amount)",
  "event WithdrawalCompleted(address indexed withdrawalVault, address indexed depositor)"
])

/** The same, for functions that are named by a variable. */
const controls: Abi = abi

const Logs = Schema.Array(Schema.Struct({ transactionHash: Schema.String }))

/** Returns the addresses of EasySwapperV2 and of the pool token. */
export const contracts = (
  network: Network
): Effect.Effect<{ readonly easySwapper: Address; readonly poolToken: Address }, never, Devnet> =>
  Effect.flatMap(OnChain.on(network), ({ entry: { easySwapper } }) => {
    const poolToken = easySwapper?.poolTokens[symbol]?.address
    return easySwapper === undefined || poolToken === undefined
      ? Effect.die(new Error(`no EasySwapperV2 on ${network}`))
      : Effect.succeed({ easySwapper: easySwapper.address, poolToken })
  })

/** Sends a call to a contract as its owner. */
const command = (network: Network, to: Address, functionName: string, args: ReadonlyArray<unknown>) =>
  Effect.asVoid(OnChain.asOwner(network, to, encodeFunctionData({ abi: controls, functionName, args })))

/** Enables assets in a vault, by default the pool token and EasySwapperV2. */
export const enable = (network: Network, pool: Address, assets?: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const { easySwapper, poolToken } = yield* contracts(network)
    const added = (assets ?? [poolToken, easySwapper]).map((asset) => ({ asset, isDeposit: false }))
    yield* command(network, yield* OnChain.managerLogicOf(network, pool), "changeAssets", [added, []])
  })

/** Sets for how many seconds pool tokens bought from now on cannot be redeemed. */
export const setCooldown = (network: Network, seconds: bigint) =>
  Effect.flatMap(
    contracts(network),
    ({ easySwapper }) => command(network, easySwapper, "setCustomCooldown", [seconds])
  )

/** Makes quotes promise more than a purchase yields, in parts of 10,000; negative for less. */
export const setQuoteLie = (network: Network, lie: bigint) =>
  Effect.flatMap(contracts(network), ({ easySwapper }) => command(network, easySwapper, "setQuoteLie", [lie]))

/** Sets the basis points of a redemption that are paid in USDC and in WETH. */
export const setParts = (network: Network, usdc: bigint, weth: bigint) =>
  Effect.flatMap(contracts(network), ({ poolToken }) => command(network, poolToken, "setParts", [[usdc, weth]]))

/** Advances the chain's clock. */
export const passTime = (network: Network, seconds: number) =>
  Effect.flatMap(OnChain.on(network), ({ rpc }) => Effect.orDie(Effect.andThen(rpc.increaseTime(seconds), rpc.mine)))

/** Returns the vault's balance of the pool token, smallest units. */
export const held = (network: Network, pool: Address) =>
  Effect.flatMap(
    contracts(network),
    ({ poolToken }) => OnChain.read(network, poolToken, OnChain.tokenAbi, "balanceOf", [pool])
  )

/** Returns the assets of the vault's withdrawal in progress. */
export const tracked = (network: Network, pool: Address) =>
  Effect.flatMap(
    contracts(network),
    ({ easySwapper }) => OnChain.read(network, easySwapper, abi, "getTrackedAssets", [pool])
  )

/** Pays the vault's withdrawal out as the manager would by hand; returns the transaction's hash. */
export const claimByHand = (network: Network, pool: Address) =>
  Effect.gen(function*() {
    const { easySwapper } = yield* contracts(network)
    const claim = encodeFunctionData({ abi, functionName: "completeWithdrawal", args: [] })
    const data = encodeFunctionData({ abi, functionName: "execTransaction", args: [easySwapper, claim] })
    const { rpc } = yield* OnChain.on(network)
    const { address: from } = (yield* Devnet).file.manager
    yield* Effect.orDie(rpc.addBalance(from, 10n ** 18n))
    const receipt = yield* Effect.orDie(rpc.impersonating(from, rpc.send({ from, to: pool, data })))
    return receipt.transactionHash
  })

/** Counts the first and the second steps of the vault's redemptions on the chain. */
export const steps = (network: Network, pool: Address) =>
  Effect.gen(function*() {
    const { rpc } = yield* OnChain.on(network)
    const { easySwapper } = yield* contracts(network)
    const count = (eventName: "WithdrawalInitiated" | "WithdrawalCompleted") =>
      Effect.map(
        Effect.orDie(rpc.request("eth_getLogs", [{
          address: easySwapper,
          fromBlock: toHex(0),
          toBlock: "latest",
          topics: [...encodeEventTopics({ abi, eventName }), null, pad(pool)]
        }], Logs)),
        (logs) => logs.length
      )
    return { inits: yield* count("WithdrawalInitiated"), completes: yield* count("WithdrawalCompleted") }
  })
