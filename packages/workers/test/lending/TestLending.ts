/**
 * The devnet's vault that may use every lender, and its four actions: planned, stored as in the ledger, executed,
 * interpreted.
 */
import { layer as suite } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Quantity } from "@vault-trader/core/chain/Quantity"
import { type LenderChoice, defaultFloor } from "@vault-trader/core/lending/Lending"
import { BorrowRequest, LendRequest, RepayRequest, UnlendRequest } from "@vault-trader/core/lending/Lending"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parseAbi } from "viem"
import { lendingActions } from "../../src/lending/LendingActions.ts"
import type { PlanContext } from "../../src/vault/Action.ts"
import { network, TestDevnet, testVaultOn } from "../vault/TestVault.ts"

export const viewAbi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function getUserReserveData(address asset, address user) view returns (uint256 supplied, uint256 stableDebt, uint256 variableDebt, uint256, uint256, uint256, uint256, uint40, bool isCollateral)",
  "function getUserAccountData(address user) view returns (uint256, uint256, uint256, uint256, uint256, uint256 healthFactor)"
])

/** Where a proxy keeps its implementation (EIP-1967). */
const implementationSlot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"

export interface Ask {
  readonly lender?: LenderChoice
  readonly share?: number
  readonly amount?: string
}

const Shown = Schema.Struct({
  lender: Schema.String,
  market: Schema.String,
  projected_health_factor: Schema.NullOr(Schema.String),
  supplied: Schema.optional(Quantity),
  withdrawn: Schema.optional(Quantity),
  borrowed: Schema.optional(Quantity),
  repaid: Schema.optional(Quantity),
  still_owed: Schema.optional(Schema.NullOr(Quantity))
})

const fields = (asset: string, { amount, lender = "lenderA", share }: Ask) => ({
  lender,
  asset,
  ...(share === undefined ? {} : { share }),
  ...(amount === undefined ? {} : { amount: BigDecimal.fromStringUnsafe(amount) })
})

/** Decodes the result of a receipt. */
const decodeFields = Schema.decodeUnknownEffect(Shown)

export const lending = (floor: bigint = defaultFloor) =>
  Effect.gen(function*() {
    const vault = yield* testVaultOn(network, 1)
    const { fTokens } = vault.entry
    const [comet, aaveV3] = [vault.entry.comets["USDC"]!, vault.entry.aaveV3!]
    const actions = lendingActions(floor)
    const requests = {
      lend: (asset: string, ask: Ask, place: PlanContext) =>
        actions.Lend.plan(place, LendRequest.make(fields(asset, ask))),
      unlend: (asset: string, ask: Ask, place: PlanContext) =>
        actions.Unlend.plan(place, UnlendRequest.make(fields(asset, ask))),
      borrow: (asset: string, ask: Ask, place: PlanContext) =>
        actions.Borrow.plan(place, BorrowRequest.make(fields(asset, ask))),
      repay: (asset: string, ask: Ask, place: PlanContext) =>
        actions.Repay.plan(place, RepayRequest.make(fields(asset, ask)))
    }
    const action = { lend: actions.Lend, unlend: actions.Unlend, borrow: actions.Borrow, repay: actions.Repay }
    type Verb = keyof typeof requests

    const plan = (verb: Verb, asset: string, ask: Ask = {}, place: PlanContext = vault.place) =>
      Effect.map(requests[verb](asset, ask, place), (decision) => {
        // The ledger keeps details as JSON between planning and settlement.
        const details: unknown = JSON.parse(JSON.stringify(decision.details))
        return { ...decision, details, shown: action[verb].describe(details) }
      })
    const readNumber = (address: Address, name: string, ...args: ReadonlyArray<unknown>) =>
      vault.read(address, viewAbi, Schema.BigInt, name, ...args)
    const reserve = (symbol: string) =>
      vault.read(
        aaveV3.poolDataProvider,
        viewAbi,
        Schema.Array(Schema.Union([Schema.BigInt, Schema.Number, Schema.Boolean])),
        "getUserReserveData",
        vault.token(symbol).address,
        vault.pool
      )

    return {
      ...vault,
      actions: action,
      plan,
      /** Plans and executes; returns the result and the plan. */
      does: (verb: Verb, asset: string, ask: Ask = {}) =>
        Effect.gen(function*() {
          const { calls, details, shown, worth } = yield* plan(verb, asset, ask)
          const receipt = yield* vault.execute(calls)
          const { message, result } = yield* action[verb].interpretReceipt(
            { network, pool: vault.pool },
            details,
            receipt
          )
          return { calls, message, planned: yield* decodeFields(shown), result: yield* decodeFields(result), worth }
        }),
      lenderA: aaveV3.pool,
      /** A call of lenderA's administrator at its configurator. */
      configure: (signature: string, ...args: ReadonlyArray<unknown>) =>
        Effect.gen(function*() {
          const configurator = yield* vault.read(
            aaveV3.addressesProvider,
            parseAbi(["function getPoolConfigurator() view returns (address)"]),
            Schema.String,
            "getPoolConfigurator"
          )
          const abi = parseAbi([signature])
          const [item] = abi as ReadonlyArray<{ readonly name?: string }>
          yield* vault.send(vault.owner, configurator.toLowerCase() as Address, abi, item?.name ?? "", ...args)
        }),
      /** Puts the named errors of Aave's newer versions in front of lenderA. */
      useNamedErrors: Effect.gen(function*() {
        const slot = yield* vault.rpc.request(
          "eth_getStorageAt",
          [aaveV3.pool, implementationSlot, "latest"],
          Schema.String
        )
        const named = yield* vault.deployer.deploy(vault.own.AaveV3NamedErrors, `0x${slot.slice(-40)}`)
        // The provider would initialise it again, which the pool refuses.
        const word = `0x${named.address.slice(2).padStart(64, "0")}`
        yield* vault.rpc.request("anvil_setStorageAt", [aaveV3.pool, implementationSlot, word], Schema.Unknown)
      }),
      lenderB: comet,
      lenderC: (symbol: string): Address => fTokens[symbol] ?? "0x",
      supplied: (symbol: string) => Effect.map(reserve(symbol), ([amount]) => amount),
      isCollateral: (symbol: string) => Effect.map(reserve(symbol), (facts) => facts[8]),
      owed: (symbol: string) => Effect.map(reserve(symbol), (facts) => facts[2]),
      healthFactor: Effect.map(
        vault.read(aaveV3.pool, viewAbi, Schema.Array(Schema.BigInt), "getUserAccountData", vault.pool),
        (facts) => Number(facts[5]) / 1e18
      ),
      balanceAt: (market: Address) => readNumber(market, "balanceOf", vault.pool),
      allowanceOf: (symbol: string, market: Address) =>
        readNumber(vault.token(symbol).address, "allowance", vault.pool, market),
      /** Advances time, so that interest accrues. */
      pass: (seconds: number) => Effect.andThen(vault.rpc.increaseTime(seconds), vault.rpc.mine)
    }
  })

export const usdc = 1_000_000n
export const ether = 10n ** 18n

/** A suite on one small devnet. */
export const lendingSuite = suite(TestDevnet, { timeout: "4 minutes", excludeTestServices: true })
