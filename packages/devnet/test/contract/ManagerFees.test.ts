import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decodeAbiParameters, encodeFunctionData, parseAbi, toEventSelector } from "viem"
import { Hex } from "@vault-trader/core/chain/Address"
import { AddressResult, read } from "../../src/contract/Deployer.ts"
import { network, TestDevnet, testVault } from "./TestVault.ts"

const createdAbi = parseAbi([
  "event FundCreated(address fundAddress, bool isPoolPrivate, string fundName, string managerName, address manager, uint256 time, uint256 performanceFeeNumerator, uint256 managerFeeNumerator, uint256 managerFeeDenominator)"
])
const mintedAbi = parseAbi([
  "event ManagerFeeMinted(address pool, address manager, uint256 available, uint256 daoFee, uint256 managerFee, uint256 tokenPriceAtLastFeeMint)"
])
const abi = parseAbi([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "function aggregate3(Call[] calls) payable returns ((bool success, bytes returnData)[])",
  "function mintManagerFee()",
  "function changeManager(address newManager, string newManagerName)"
])

const invested = 10_000_000_000n
const year = 365 * 86_400

/** A manager with a vault that charges, one that does not, and one whose shares are paused. */
const managing = Effect.gen(function*() {
  const vault = yield* testVault
  const { devnet, stranger: manager } = vault
  const create = (name: string, managementFee: bigint) =>
    devnet.createVault({ network, manager, name, managementFee, invested })
  const [charging, free, paused] = [
    yield* create("Charging", 300n),
    yield* create("Free", 0n),
    yield* create("Paused", 300n)
  ]
  const info = [{ pool: paused.pool, pauseShares: true, pauseTrading: false }]
  yield* vault.asOwner(vault.own.PoolFactory.abi, "setPoolsPaused", info)
  const factory = { address: vault.entry.factory, abi: vault.own.PoolFactory.abi }
  const available = (pool: `0x${string}`, logic: `0x${string}`) =>
    Effect.flatMap(
      vault.readNumber(logic, vault.own.PoolManagerLogic.abi, "totalFundValue"),
      (value) => vault.readNumber(pool, vault.own.PoolLogic.abi, "calculateAvailableManagerFee", value)
    )
  return {
    ...vault,
    manager,
    charging,
    free,
    paused,
    available,
    managed: (whose: `0x${string}`) => read(vault.rpc, factory, Schema.Array(AddressResult), "getManagedPools", whose)
  }
})

layer(TestDevnet)("the fees of a manager with several vaults", (it) => {
  it.effect("can be minted by any account in one transaction, even if one vault refuses", () =>
    Effect.gen(function*() {
      const { available, charging, entry, free, manager, owner, own, pass, paused, readNumber, rpc } = yield* managing
      yield* pass(year)
      assert.approximately(Number(yield* available(charging.pool, charging.poolManagerLogic)), 300e18, 0.01e18)
      assert.strictEqual(yield* available(free.pool, free.poolManagerLogic), 0n)
      const callData = encodeFunctionData({ abi, functionName: "mintManagerFee" })
      const calls = [charging, free, paused].map(({ pool }) => ({ target: pool, allowFailure: true, callData }))
      const data = encodeFunctionData({ abi, functionName: "aggregate3", args: [calls] })
      const { logs } = yield* rpc.send({ from: owner, to: entry.multicall3, data })
      const topic = toEventSelector(mintedAbi[0])
      const minted = logs.filter(({ topics }) => topics[0] === topic)
        .map(({ data }) => decodeAbiParameters(mintedAbi[0].inputs, data))
      assert.deepStrictEqual(minted.map(([pool]) => pool.toLowerCase()), [charging.pool, free.pool])
      assert.deepStrictEqual(minted.map(([, , available, daoFee, managerFee]) => available === daoFee + managerFee), [
        true,
        true
      ])
      const held = yield* readNumber(charging.pool, own.PoolLogic.abi, "balanceOf", manager)
      assert.strictEqual(held, minted[0]?.[4])
      assert.approximately(Number(held), 270e18, 0.01e18)
      assert.strictEqual(minted[1]?.[2], 0n)
    }))

  it.effect("belong to vaults that the factory's events and its list agree on", () =>
    Effect.gen(function*() {
      const { charging, entry, free, managed, manager, paused, rpc } = yield* managing
      const pools = [charging, free, paused].map(({ pool }) => pool)
      assert.deepStrictEqual(yield* managed(manager), pools)
      const filter = { fromBlock: "0x0", address: entry.factory, topics: [toEventSelector(createdAbi[0])] }
      const logs = yield* rpc.request("eth_getLogs", [filter], Schema.Array(Schema.Struct({ data: Hex })))
      const created = logs.map(({ data }) => decodeAbiParameters(createdAbi[0].inputs, data))
      const theirs = created.filter(([, , , , itsManager]) => itsManager.toLowerCase() === manager)
      assert.deepStrictEqual(theirs.map(([pool]) => pool.toLowerCase()), pools)
    }))

  it.effect("belong to the vault's new manager after a transfer", () =>
    Effect.gen(function*() {
      const { charging, managed, manager, rpc, trader } = yield* managing
      const data = encodeFunctionData({ abi, functionName: "changeManager", args: [trader, "Another"] })
      yield* rpc.send({ from: manager, to: charging.poolManagerLogic, data })
      assert.notInclude(yield* managed(manager), charging.pool)
      assert.deepStrictEqual(yield* managed(trader), [charging.pool])
    }))
})
