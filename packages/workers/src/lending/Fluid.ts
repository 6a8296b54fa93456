/** lenderC: fTokens, each an ERC-4626 vault of one token. */
import type { Token } from "@vault-trader/core/chain/Token"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import { readConfirmedGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import type { VaultContext } from "../vault/Action.ts"
import { commonOf, isTrue, type Lender, notHere, notListed, numberOf, reads } from "./LenderMarket.ts"

export const fTokenAbi = parseAbi([
  "function asset() view returns (address)",
  "function deposit(uint256 assets, address receiver) returns (uint256)",
  "function withdraw(uint256 assets, address receiver, address owner) returns (uint256)",
  "function redeem(uint256 shares, address receiver, address owner) returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
  "function convertToAssets(uint256 shares) view returns (uint256)",
  "function maxDeposit(address receiver) view returns (uint256)",
  "function maxWithdraw(address owner) view returns (uint256)"
])

/** Number of shares to convert to assets; large enough that the rounding is negligible. */
export const manyShares = 10n ** 30n

/** Finds the fToken of the asset. Prefers one that the vault has enabled. */
const candidates = (context: VaultContext, token: Token) =>
  Effect.gen(function*() {
    const { chain, network, pool } = context
    const { fTokens } = chain.book
    if (fTokens.length === 0) return yield* notHere("lenderC", network)
    const [assets, balances, worths, withdrawable, acceptable, ...common] = yield* Effect.mapError(
      readConfirmedGroups(chain, [
        fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "asset", [])),
        fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "balanceOf", [pool])),
        fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "convertToAssets", [manyShares])),
        fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "maxWithdraw", [pool])),
        fTokens.map((fToken) => Contract.read(fTokenAbi, fToken, "maxDeposit", [pool])),
        ...fTokens.map((fToken) => reads(context, token, fToken))
      ]),
      unavailable
    )
    const found = fTokens.flatMap((address, index) => {
      const asset = assets[index]
      const answers = common[index]
      return asset === undefined || answers === undefined || Result.isFailure(asset) ||
          Contract.lower(asset.success) !== token.address
        ? []
        : [{
          address,
          answers,
          shares: numberOf(balances[index]),
          worth: numberOf(worths[index]),
          liquidity: numberOf(withdrawable[index]),
          // The market has no flag: it accepts nothing while this is zero. One that cannot be read may be open.
          closedFor: {
            supply: Result.getOrElse(acceptable[index] ?? Result.fail(undefined), () => 1n) === 0n
              ? "full" as const
              : null,
            withdraw: null
          }
        }]
    })
    if (found.length > 0) return found.find(({ answers }) => isTrue(answers[3])) ?? found[0]
    const known = assets.flatMap((asset) => Result.isSuccess(asset) ? [Contract.lower(asset.success)] : [])
    const tokens = yield* (yield* Tokens).at(network, known)
    return yield* notListed(
      "lenderC",
      network,
      token,
      tokens.flatMap((each) => each === undefined ? [] : [each.symbol])
    )
  })

export const Fluid: Lender = {
  contracts: ({ book }) => book.fTokens,
  find: (context, token) =>
    Effect.gen(function*() {
      const found = yield* candidates(context, token)
      if (found === undefined) return yield* notHere("lenderC", context.network)
      const { address, closedFor, liquidity, shares, answers, worth } = found
      const { pool } = context
      const shared = yield* commonOf(context, token, answers)
      return {
        lender: "lenderC" as const,
        address,
        ...shared,
        supplied: shares * worth / manyShares,
        liquidity,
        closedFor,
        supply: (amount) => ({
          to: address,
          data: Calldata.encode({ abi: fTokenAbi, functionName: "deposit", args: [amount, pool] })
        }),
        withdraw: (amount) => ({
          to: address,
          // Interest raises the value of shares, not their number: redeeming all of them leaves nothing.
          data: amount === "everything"
            ? Calldata.encode({ abi: fTokenAbi, functionName: "redeem", args: [shares, pool, pool] })
            : Calldata.encode({ abi: fTokenAbi, functionName: "withdraw", args: [amount, pool, pool] })
        })
      }
    }),
  decode: (to, data) => {
    const call = Calldata.read(fTokenAbi, data)
    switch (call?.functionName) {
      case "deposit": {
        const [amount, receiver] = call.args
        // The calldata does not name the token. The platform prices an fToken as its token, and both have the same
        // decimals.
        return { kind: "supply", gives: [{ token: to, amount }], receiver: Contract.lower(receiver) }
      }
      case "withdraw":
      case "redeem": {
        const [, receiver, owner] = call.args
        return receiver === owner ? { kind: "withdraw", gives: [], receiver: Contract.lower(receiver) } : undefined
      }
      default:
        return undefined
    }
  }
}
