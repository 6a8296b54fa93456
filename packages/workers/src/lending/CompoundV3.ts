/**
 * lenderB: markets with Comet's interface, one per base token. Vaults supply and withdraw it; they hold no collateral
 * there.
 */
import type { Token } from "@vault-trader/core/chain/Token"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { maxUint256, parseAbi } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import { readConfirmedGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20, Tokens } from "../chain/Tokens.ts"
import type { VaultContext } from "../vault/Action.ts"
import { commonOf, isTrue, type Lender, notHere, notListed, numberOf, reads } from "./LenderMarket.ts"

export const cometAbi = parseAbi([
  "function baseToken() view returns (address)",
  "function supply(address asset, uint256 amount)",
  "function withdraw(address asset, uint256 amount)",
  "function balanceOf(address account) view returns (uint256)",
  "function isSupplyPaused() view returns (bool)",
  "function isWithdrawPaused() view returns (bool)",
  "function getUtilization() view returns (uint256)",
  "function getSupplyRate(uint256 utilization) view returns (uint64)",
  "function getBorrowRate(uint256 utilization) view returns (uint64)"
])

/** Finds the Comet whose base token is the asset. Prefers one that the vault has enabled. */
const candidates = (context: VaultContext, token: Token) =>
  Effect.gen(function*() {
    const { chain, network, pool } = context
    const { comets } = chain.book
    if (comets.length === 0) return yield* notHere("lenderB", network)
    const [bases, balances, held, supplyPauses, withdrawPauses, ...common] = yield* Effect.mapError(
      readConfirmedGroups(chain, [
        comets.map((comet) => Contract.read(cometAbi, comet, "baseToken", [])),
        comets.map((comet) => Contract.read(cometAbi, comet, "balanceOf", [pool])),
        comets.map((comet) => Contract.read(erc20, token.address, "balanceOf", [comet])),
        comets.map((comet) => Contract.read(cometAbi, comet, "isSupplyPaused", [])),
        comets.map((comet) => Contract.read(cometAbi, comet, "isWithdrawPaused", [])),
        ...comets.map((comet) => reads(context, token, comet))
      ]),
      unavailable
    )
    const found = comets.flatMap((address, index) => {
      const base = bases[index]
      const answers = common[index]
      return base === undefined || answers === undefined || Result.isFailure(base) ||
          Contract.lower(base.success) !== token.address
        ? []
        : [{
          address,
          answers,
          supplied: numberOf(balances[index]),
          liquidity: numberOf(held[index]),
          closedFor: {
            supply: isTrue(supplyPauses[index]) ? "paused" as const : null,
            withdraw: isTrue(withdrawPauses[index]) ? "paused" as const : null
          }
        }]
    })
    if (found.length > 0) return found.find(({ answers }) => isTrue(answers[3])) ?? found[0]
    const known = bases.flatMap((base) => Result.isSuccess(base) ? [Contract.lower(base.success)] : [])
    const tokens = yield* (yield* Tokens).at(network, known)
    return yield* notListed(
      "lenderB",
      network,
      token,
      tokens.flatMap((each) => each === undefined ? [] : [each.symbol])
    )
  })

export const CompoundV3: Lender = {
  contracts: ({ book }) => book.comets,
  find: (context, token) =>
    Effect.gen(function*() {
      const found = yield* candidates(context, token)
      if (found === undefined) return yield* notHere("lenderB", context.network)
      const { address, closedFor, liquidity, supplied, answers } = found
      const shared = yield* commonOf(context, token, answers)
      const call = (functionName: "supply" | "withdraw", amount: bigint) => ({
        to: address,
        data: Calldata.encode({ abi: cometAbi, functionName, args: [token.address, amount] })
      })
      return {
        lender: "lenderB" as const,
        address,
        ...shared,
        supplied,
        liquidity,
        closedFor,
        supply: (amount) => call("supply", amount),
        withdraw: (amount) => call("withdraw", amount === "everything" ? maxUint256 : amount)
      }
    }),
  decode: (_, data) => {
    const call = Calldata.read(cometAbi, data)
    switch (call?.functionName) {
      case "supply": {
        const [asset, amount] = call.args
        return amount === maxUint256
          ? undefined
          : { kind: "supply", gives: [{ token: Contract.lower(asset), amount }], receiver: null }
      }
      // Both calls affect only the caller's own account.
      case "withdraw":
        return { kind: "withdraw", gives: [], receiver: null }
      default:
        return undefined
    }
  }
}
