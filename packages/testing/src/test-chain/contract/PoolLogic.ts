/** The vault: executes guarded calls for its manager and trader, one alone or several atomically. */
import * as Result from "effect/Result"
import { toEventSelector, zeroAddress } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { inTurn, type Log, type Outcome, returned, revert, silentRevert, andThen } from "../Message.ts"
import * as AbiWords from "../AbiWords.ts"
import { addressOf, balance, contractAt, slot, type ManagerLogic, type Vault, type World } from "../ChainState.ts"
import * as Code from "./Code.ts"
import { assetOf, guardOf, isTradingPaused, priceOf } from "./Factory.ts"
import { supports } from "./ManagerLogic.ts"
import * as RouterGuard from "./RouterGuard.ts"

const executedTopic = toEventSelector("TransactionExecuted(address,address,uint16,uint256)")
const poolEventTopic = toEventSelector("PoolEvent(address)")
const approve = Code.selector("approve(address,uint256)")
const executionGas = 60_000n

/** Address of the platform's factory, which emits events for every vault. */
export const factoryAddress = addressOf("vault platform factory")

interface Permitted {
  readonly txType: bigint
  readonly swap?: RouterGuard.GuardedSwap
}

/**
 * Checks a call with the contract's guard, then with the token guard if that one does not apply. Returns `undefined`
 * for arguments that do not decode.
 */
const permit = (
  world: World,
  logic: ManagerLogic,
  to: Address,
  data: Hex
): Result.Result<Permitted | undefined, string> => {
  if (guardOf(world, to)?.kind === "router") {
    const checked = RouterGuard.check(logic, data)
    if (Result.isFailure(checked)) return Result.fail(checked.failure)
    if (checked.success !== undefined) return Result.succeed({ txType: checked.success.txType, swap: checked.success })
  }
  const asset = assetOf(world, to)
  if (asset?.assetType === 0 && !supports(logic, to)) return Result.fail("dh22")
  if (data.slice(2, 10) !== approve) return Result.succeed({ txType: 0n })
  const args = new AbiWords.Reader(data.slice(10))
  if (args.length < 2) return Result.succeed(undefined)
  return guardOf(world, args.address(0)) === undefined
    ? Result.fail("unsupported spender approval")
    : Result.succeed({ txType: 1n })
}

const events = (vault: Address, manager: Address, txType: bigint, timestamp: bigint): ReadonlyArray<Log> => [
  {
    address: vault,
    topics: [executedTopic],
    data: AbiWords.hex(
      AbiWords.address(vault),
      AbiWords.address(manager),
      AbiWords.uint(txType),
      AbiWords.uint(timestamp)
    )
  },
  { address: factoryAddress, topics: [poolEventTopic], data: AbiWords.hex(AbiWords.address(vault)) }
]

const execute = ({ env, message, self }: Code.CallContext<Vault>, world: World, to: Address, data: Hex): Outcome => {
  const vault = message.to
  if (world.platform.paused) return revert("dh1")
  if (isTradingPaused(world, vault)) return revert("dh20")
  if (to === zeroAddress) return revert("dh18")
  const logic = contractAt(world, self.managerLogic)
  if (logic?._tag !== "ManagerLogic") return silentRevert
  const permitted = permit(world, logic, to, data)
  if (Result.isFailure(permitted)) return revert(permitted.failure)
  if (permitted.success === undefined) return silentRevert
  const { swap, txType } = permitted.success
  if (txType === 0n) return revert("dh23")
  if (message.from !== logic.manager && message.from !== logic.trader) return revert("dh24")
  return andThen(env.call(env, world, { from: vault, to, data, value: 0n }), (called) =>
    andThen(
      swap === undefined
        ? returned(called.world)
        : RouterGuard.charge(world, called.world, logic, self.managerLogic, swap, env.timestamp),
      (charged) =>
        returned(charged.world, "0x", { gas: executionGas, logs: events(vault, logic.manager, txType, env.timestamp) })
    ))
}

export const run = Code.make<Vault>([
  // As if a thousand shares were out: what the vault's tokens are worth, over that.
  ["tokenPrice()", 0, ({ env, message, self, world }) => {
    const logic = contractAt(world, self.managerLogic)
    if (logic?._tag !== "ManagerLogic") return silentRevert
    let total = 0n
    for (const { asset } of logic.assets) {
      const price = priceOf(world, asset, env.timestamp)
      if (Result.isFailure(price)) return revert(price.failure)
      const token = contractAt(world, asset)
      const decimals = token?._tag === "Token" ? token.decimals : 18
      total += price.success * slot(world, balance(asset, message.to)) / 10n ** BigInt(decimals)
    }
    return returned(world, AbiWords.hex(AbiWords.uint(total / 1_000n)))
  }],
  ["poolManagerLogic()", 0, ({ self, world }) => returned(world, AbiWords.hex(AbiWords.address(self.managerLogic)))],
  ["execTransaction(address,bytes)", 3, (scene) => {
    const data = scene.args.bytes(1)
    return data === undefined
      ? silentRevert
      : andThen(
        execute(scene, scene.world, scene.args.address(0), data),
        ({ world }) => returned(world, AbiWords.hex(AbiWords.bool(true)))
      )
  }],
  ["execTransactions((address,bytes)[])", 2, (scene) => {
    const calls = scene.args.items(0)?.map((call) => ({ to: call.address(0), data: call.bytes(1) }))
    if (calls === undefined) return silentRevert
    return inTurn(
      scene.world,
      calls,
      (world, { data, to }) => data === undefined ? silentRevert : execute(scene, world, to, data)
    )
  }]
])
