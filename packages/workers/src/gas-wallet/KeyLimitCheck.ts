/**
 * Checks submissions against their key's limits before they are signed. It uses their bytes and not the plan, because
 * the bytes decide what leaves the vault. For a wallet without limits no chain is queried and nothing is decoded.
 * Payments for charges and top-ups move no vault assets: limits do not count them, and the signing policy checks them
 * against their rows and the configuration.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { SettlementStore } from "@vault-trader/core/billing/SettlementStore"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import {
  aboutWorth,
  isNone,
  type KeyLimits,
  refusalOfAll,
  refusalOfWorth,
  roundedUp,
  vaultId,
  vaultsOf
} from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import type { Planned } from "@vault-trader/core/gas-wallet/SalesLedger"
import { settlementOf, type Submission, topUpOf } from "@vault-trader/core/gas-wallet/Submission"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { readConfirmedGroups } from "../chain/ReadGroups.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import { erc20 } from "../chain/Tokens.ts"
import type { Movement } from "../platform/AssetMovement.ts"
import { factoryAbi } from "../platform/PlatformAbi.ts"
import { usdValue } from "@vault-trader/core/chain/Quantity"
import { read, type ReaderTable } from "./Reading.ts"

export interface Inspection {
  /** Reasons why submissions must not be signed, by key. */
  readonly refusals: ReadonlyMap<string, ExecutionFailure>
  /** Revision of the limits that were checked: it must still be current when the submissions are signed. */
  readonly revision: number
}

/** Returns the USD value (18 decimals) of an amount of a token; `undefined` while the oracle has no price for it. */
type Appraisal = (token: Address, amount: bigint) => bigint | undefined

export class KeyLimitCheck extends Context.Service<KeyLimitCheck, {
  readonly inspect: (
    chain: ChainClient,
    wallet: Address,
    submissions: ReadonlyArray<Submission>
  ) => Effect.Effect<Inspection, RpcFailure | SqlError>
  /** Native smallest units that a wallet must keep for unpaid charges; zero on a network without a treasury. */
  readonly owed: (network: Network, wallet: Address) => Effect.Effect<bigint, SqlError>
}>()("vault-trader/workers/gas-wallet/KeyLimitCheck") {
  /** `treasuries`: the address that is paid for charges, by network. */
  static readonly layer = (
    table: ReaderTable,
    treasuries: ReadonlyMap<Network, Address> = new Map()
  ): Layer.Layer<KeyLimitCheck, never, KeyLimitStore | SqlClient.SqlClient> =>
    Layer.effect(
      KeyLimitCheck,
      Effect.map(Effect.all([KeyLimitStore, SettlementStore.make]), ([store, settlements]) => ({
        owed: (network, wallet) =>
          treasuries.has(network) ? settlements.amountOwed(network, wallet) : Effect.succeed(0n),
        inspect: (chain, wallet, all) =>
          Effect.gen(function*() {
            const { limits, revision } = yield* store.find(wallet)
            // A wallet with sub-keys has a row of limits, also if the wallet itself has none.
            if (revision === 0) return { refusals: new Map(), revision }
            const submissions = all.filter(({ key }) => settlementOf(key) === undefined && topUpOf(key) === undefined)
            const planned = new Map(
              (yield* store.findPlanned(wallet, submissions.flatMap(({ intentId }) => intentId ?? []))).map((
                each
              ) => [each.intentId, each])
            )
            const bounded = submissions.filter(({ intentId }) =>
              !isNone(limits) || planned.get(intentId ?? "")?.subKey?.limits !== undefined
            )
            const readings = bounded.map((submission) => {
              const plan = planned.get(submission.intentId ?? "")
              return { submission, plan, decoded: read(table, chain, submission, plan) }
            })
            const known = Arr.getSuccesses(readings.map(({ decoded }) => decoded))
            const isValued = [...planned.values()].some(({ subKey }) => subKey !== null && aboutWorth(subKey.limits))
            const worth = yield* appraisal(
              chain,
              isValued || aboutWorth(limits) ? known.flatMap(({ gives }) => gives) : []
            )
            return {
              refusals: new Map(readings.flatMap(({ decoded, plan, submission }) => {
                const ofKey = plan?.subKey === null ? undefined : plan?.subKey
                const refusal = refusalOf({ wallet, plan, decoded, worth }, { limits, others: plan?.others ?? 0n }) ??
                  (ofKey === undefined ? undefined : refusalOf({ wallet, plan, decoded, worth }, ofKey))
                return refusal === undefined ? [] : [[submission.key, refusal] as const]
              })),
              revision
            }
          })
      }))
    )
}

/** Maximum move of the oracle since planning, in percent, before a sale counts as larger than the planned one. */
const maxDriftPercent = 1n

/** Limits, and the other sales of the day that they count. */
interface Bounds {
  readonly limits: KeyLimits
  readonly others: bigint
}

/** A submission as its bytes and its plan show it. */
interface Inspected {
  readonly wallet: Address
  readonly plan: Planned | undefined
  readonly decoded: ReturnType<typeof read>
  readonly worth: Appraisal
}

/** Returns why these limits refuse a submission. */
const refusalOf = ({ decoded, plan, wallet, worth }: Inspected, bounds: Bounds): ExecutionFailure | undefined => {
  const { limits } = bounds
  if (isNone(limits)) return undefined
  const own = plan === undefined ? undefined : refusalOfAll(limits, vaultsOf({ ...plan, wallet }))
  return own ?? Result.match(decoded, {
    onFailure: (reason) => explain({ _tag: "KeyCallUnread", detail: reason }),
    onSuccess: ({ gives, vaults }) =>
      plan === undefined ?
        undefined :
        refusalOfAll(limits, vaults.map((vault) => vaultId(plan.network, vault))) ??
          (aboutWorth(limits) ? verdict(bounds, plan, gives, worth) : undefined)
  })
}

const verdict = (
  { limits, others }: Bounds,
  { usd18 }: Planned,
  gives: Movement["gives"],
  appraised: Appraisal
): ExecutionFailure | undefined => {
  let worth = 0n
  for (const { amount, token } of gives) {
    const part = appraised(token, amount)
    if (part === undefined) return explain({ _tag: "SoldAssetUnpriced", address: token })
    worth += part
  }
  const reserved = usd18 ?? 0n
  return worth * 100n > reserved * (100n + maxDriftPercent)
    ? explain({ _tag: "KeySellsMoreThanPlanned", planned: roundedUp(reserved), found: roundedUp(worth) })
    : refusalOfWorth(limits, { usd18: worth, others })
}

/** Reads the current price and decimals of these tokens in one call: nothing from the plan is used. */
const appraisal = (chain: ChainClient, gives: Movement["gives"]): Effect.Effect<Appraisal, RpcFailure> =>
  Effect.gen(function*() {
    const tokens = [...new Set(gives.flatMap(({ amount, token }) => amount === 0n ? [] : [token]))]
    const [prices, decimals] = tokens.length === 0 ? [[], []] : yield* readConfirmedGroups(chain, [
      tokens.map((token) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [token])),
      tokens.map((token) => Contract.read(erc20, token, "decimals", []))
    ])
    return (token, amount) => {
      if (amount === 0n) return 0n
      const price = prices[tokens.indexOf(token)]
      const places = decimals[tokens.indexOf(token)]
      if (
        price === undefined || places === undefined || Result.isFailure(price) || Result.isFailure(places) ||
        price.success === 0n
      ) return undefined
      return usdValue(amount, price.success, places.success)
    }
  })
