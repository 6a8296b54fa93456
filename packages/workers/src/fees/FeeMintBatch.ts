/** Plans one transaction that mints the fees of many vaults, limited by gas, and interprets its receipt. */
import { Address, type Hex } from "@vault-trader/core/chain/Address"
import { Network } from "@vault-trader/core/chain/Network"
import { describeReason, explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { maxBatch } from "@vault-trader/core/fees/Fees"
import type { Estimate, Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import { multicall3Abi } from "../chain/Multicall3.ts"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import type { Decision, ActionResult, PlanContext } from "../vault/Action.ts"
import type { MovementDecoder } from "../platform/AssetMovement.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"
import type { SurveyedVault } from "./FeeSurvey.ts"
import { mintCall, mintedBy, tokens } from "./FeeMintReceipt.ts"

/** The plan; `reason` explains why a vault is not part of the transaction. Vault tokens have 18 decimals. */
export const Details = Schema.Struct({
  network: Network,
  /** The manager whose vaults were requested; null for a list of vaults. */
  manager: Schema.NullOr(Address),
  scanned: Schema.Int,
  results: Schema.Array(
    Schema.Struct({
      pool: Address,
      available: Schema.NullOr(Schema.BigIntFromString),
      reason: Schema.NullOr(Schema.String)
    })
  )
})
export type Details = typeof Details.Type

const encode = (pools: ReadonlyArray<Address>, allowFailure: boolean): Hex =>
  Calldata.encode({
    abi: multicall3Abi,
    functionName: "aggregate3",
    args: [pools.map((target) => ({ target, allowFailure, callData: mintCall }))]
  })

/** Decodes a batch that contains only mints, with its vaults; `undefined` for anything else. */
export const movement: MovementDecoder = (chain, { data, to }) => {
  const call = to === chain.book.multicall3 ? Calldata.read(multicall3Abi, data) : undefined
  return call?.functionName === "aggregate3" && call.args[0].every(({ callData }) => callData === mintCall)
    ? { gives: [], receiver: null, vaults: call.args[0].map(({ target }) => Contract.lower(target)) }
    : undefined
}

/**
 * Maximum estimated gas of a batch. Many networks limit a transaction's gas (EIP-7825), and the lane adds a fifth to
 * the estimate.
 */
const maxGas = 2n ** 24n * 10n / 12n

interface FittedBatch {
  readonly pools: ReadonlyArray<Address>
  readonly estimate: Estimate | undefined
}

/**
 * Returns as many of the vaults, in order, as one transaction has gas for. The estimate lets no mint fail: a node
 * searches for the least gas with which a transaction succeeds, and one that tolerates failing mints succeeds with
 * almost none.
 */
const fitToGas = (
  place: Pick<PlanContext, "chain" | "wallet">,
  pools: ReadonlyArray<Address>
): Effect.Effect<FittedBatch, ExecutionFailure> =>
  Effect.gen(function*() {
    const { chain, wallet } = place
    const at = yield* Clock.currentTimeMillis
    const fewer = (count: number) => fitToGas(place, pools.slice(0, Math.max(1, Math.min(count, pools.length - 1))))
    const estimated = yield* Effect.result(
      chain.estimateGas({ from: wallet, to: chain.book.multicall3, data: encode(pools, false), value: 0n })
    )
    if (estimated._tag === "Failure") {
      const { failure } = estimated
      if (failure._tag === "RpcUnavailable") return yield* unavailable(failure)
      if (failure.data !== undefined && failure.data !== "0x") {
        return yield* explain(meaningOf(reasonOf(failure.data)))
      }
      // Too much gas for the node, which does not report its limit. A single vault is left for the lane to estimate.
      return pools.length > 1 ? yield* fewer(Math.floor(pools.length / 2)) : { pools, estimate: undefined }
    }
    const gas = estimated.success
    return gas > maxGas && pools.length > 1
      ? yield* fewer(Number(BigInt(pools.length) * maxGas / gas))
      : { pools, estimate: { gas, at } }
  })

const noFee = "The vault has no fee to mint"
const noRoom = "The transaction has no room for it; request it again when this one is mined"

const largestFirst = (one: SurveyedVault, other: SurveyedVault) => {
  const [left, right] = [one.available ?? 0n, other.available ?? 0n]
  return left < right ? 1 : left > right ? -1 : 0
}

/** Plans the batch for surveyed vaults. */
export const plan = (
  place: PlanContext,
  about: Pick<Details, "manager" | "scanned"> & {
    readonly vaults: ReadonlyArray<SurveyedVault>
    readonly allowFailure: boolean
  }
): Effect.Effect<Decision<Details>, ExecutionFailure> =>
  Effect.gen(function*() {
    const { allowFailure, manager, scanned, vaults } = about
    const owing = vaults.filter(({ available }) => available !== 0n)
    const reverting = owing.flatMap(({ pool, revert }) => revert === undefined ? [] : [{ pool, reverted: revert }])
    if (!allowFailure && Arr.isReadonlyArrayNonEmpty(reverting)) {
      return yield* explain({ _tag: "FeesNotMintable", vaults: reverting })
    }
    const able = owing.filter(({ revert }) => revert === undefined).sort(largestFirst).slice(0, maxBatch).map((
      { pool }
    ) => pool)
    const { estimate, pools } = able.length === 0 ? { pools: [], estimate: undefined } : yield* fitToGas(place, able)
    const reasonFor = ({ available, pool, revert }: SurveyedVault) =>
      available === 0n
        ? noFee
        : revert !== undefined
        ? describeReason(revert).sentence
        : pools.includes(pool)
        ? null
        : noRoom
    return {
      calls: [],
      vaults: pools,
      details: {
        network: place.network,
        manager,
        scanned,
        results: vaults.map((vault) => ({
          pool: vault.pool,
          available: vault.available ?? null,
          reason: reasonFor(vault)
        }))
      },
      nothingToDo: nothingToDo(place.network, manager, vaults.length, reverting.length),
      ...(pools.length === 0 ? {} : { direct: { to: place.chain.book.multicall3, data: encode(pools, allowFailure) } }),
      ...(estimate === undefined ? {} : { estimate })
    }
  })

const countText = (count: number) => `${count} vault${count === 1 ? "" : "s"}`

const nothingToDo = (network: Network, manager: Address | null, vaults: number, reverting: number) => {
  if (vaults === 0) return `${manager ?? "The manager"} manages no vault on ${network}; nothing was sent.`
  const why = reverting === 0 ? "" : `, and ${countText(reverting)} cannot be minted now`
  return `There is no fee to mint in ${countText(vaults)}${why}; nothing was sent.`
}

/**
 * Builds the response's fields, before the transaction or after it. A vault without a fee is in `skipped` only; one
 * whose fee cannot be minted now is in both.
 */
export const fields = (details: Details, receipt: Receipt | null) => {
  const results = details.results.filter(({ available }) => available !== 0n).map(({ available, pool, reason }) => {
    const minted = receipt === null ? undefined : mintedBy(receipt.logs, pool)
    return {
      pool,
      availableManagerFee: available === null ? null : tokens(available),
      hasFee: available === null ? null : available > 0n,
      willSucceed: reason === null,
      managerFee: minted === undefined ? null : tokens(minted.managerFee),
      daoFee: minted === undefined ? null : tokens(minted.daoFee)
    }
  })
  const count = results.filter(({ willSucceed }) => willSucceed).length
  return {
    ...(details.manager === null ? {} : { manager: details.manager }),
    network: details.network,
    scanned: details.scanned,
    matched: details.results.length,
    eligible: results.filter(({ hasFee }) => hasFee === true).length,
    count,
    wouldSucceed: count,
    minted: results.filter(({ managerFee }) => managerFee !== null).length,
    results,
    skipped: details.results.flatMap(({ pool, reason }) => reason === null ? [] : [{ pool, reason }])
  }
}

export const settle = (details: Details, receipt: Receipt | null): Effect.Effect<ActionResult, ExecutionFailure> => {
  const result = fields(details, receipt)
  if (receipt !== null && result.minted === 0) {
    return explain({ _tag: "NoFeeMinted", vaults: result.count }, "mined")
  }
  const rest = result.count - result.minted
  return Effect.succeed({
    message: `Minted the fee${result.minted === 1 ? "" : "s"} of ${countText(result.minted)}${
      rest === 0 ? "" : `; ${rest} failed to mint`
    }.`,
    result: { dryRun: false, ...result }
  })
}
