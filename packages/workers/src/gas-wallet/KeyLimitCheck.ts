/**
 * Holds what is about to be signed to its key's limits, by its bytes: whatever planning said, they say what leaves the vault. Nothing
 * is asked of a chain and nothing decoded for wallets without limits. What a wallet pays for its charges, and what refills it, moves
 * nothing of a vault: limits do not count it, and the signing policy holds it to its rows and the configuration.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { SettlementStore } from "@vault-trader/core/billing/SettlementStore"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { aboutWorth, exceeded, isNone, type KeyLimits, refusalOfAll, refusalOfWorth, roundedUp, vaultId, vaultsOf } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore, type Planned } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { settlementOf, type Submission, topUpOf } from "@vault-trader/core/gas-wallet/Submission"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type ChainClient, readGroups } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import { erc20 } from "../chain/Tokens.ts"
import type { Movement } from "../platform/AssetMovement.ts"
import { factoryAbi } from "../platform/PlatformAbi.ts"
import { worthOf } from "../vault/Worth.ts"
import { read, type ReaderTable } from "./Reading.ts"

export interface Inspection {
  /** Why submissions must not be signed, by key. */
  readonly refusals: ReadonlyMap<string, ExecutionFailure>
  /** Of the limits they were held to: it must be the one that stands when they are signed. */
  readonly revision: number
}

/** USD (18 decimals) that this much of a token is worth; none while the oracle has no price for it. */
type Appraisal = (token: Address, amount: bigint) => bigint | undefined

export class KeyLimitCheck extends Context.Service<KeyLimitCheck, {
  readonly inspect: (
    chain: ChainClient,
    wallet: Address,
    submissions: ReadonlyArray<Submission>
  ) => Effect.Effect<Inspection, RpcFailure | SqlError>
  /** What a wallet must keep for charges that are still to be paid, native smallest units; nothing where nobody is paid. */
  readonly owed: (network: Network, wallet: Address) => Effect.Effect<bigint, SqlError>
}>()("vault-trader/workers/gas-wallet/Limits") {
  /** `treasuries`: who is paid for charges, by network. */
  static readonly layer = (
    table: ReaderTable,
    treasuries: ReadonlyMap<Network, Address> = new Map()
  ): Layer.Layer<KeyLimitCheck, never, KeyLimitStore | SqlClient.SqlClient> =>
    Layer.effect(
      KeyLimitCheck,
      Effect.map(Effect.all([KeyLimitStore, SettlementStore.make]), ([store, settlements]) => ({
        owed: (network, wallet) => treasuries.has(network) ? settlements.owed(network, wallet) : Effect.succeed(0n),
        inspect: (chain, wallet, all) =>
          Effect.gen(function*() {
            const { limits, revision } = yield* store.find(wallet)
            if (isNone(limits)) return { refusals: new Map(), revision }
            const submissions = all.filter(({ key }) => settlementOf(key) === undefined && topUpOf(key) === undefined)
            const planned = new Map(
              (yield* store.planned(wallet, submissions.flatMap(({ intentId }) => intentId ?? []))).map((each) => [each.intentId, each])
            )
            const readings = submissions.map((submission) => {
              const told = planned.get(submission.intentId ?? "")
              return { submission, told, does: read(table, chain, submission, told) }
            })
            const known = Arr.getSuccesses(readings.map(({ does }) => does))
            const worth = yield* appraisal(chain, aboutWorth(limits) ? known.flatMap(({ gives }) => gives) : [])
            return {
              refusals: new Map(readings.flatMap(({ does, submission, told }) => {
                const own = told === undefined ? undefined : refusalOfAll(limits, vaultsOf({ ...told, wallet }))
                const refusal = own ?? Result.match(does, {
                  onFailure: (reason) => exceeded(`this key has limits, and ${reason}`),
                  onSuccess: ({ gives, vaults }) =>
                    told === undefined ? undefined : refusalOfAll(limits, vaults.map((vault) => vaultId(told.network, vault))) ??
                      (aboutWorth(limits) ? verdict(limits, told, gives, worth) : undefined)
                })
                return refusal === undefined ? [] : [[submission.key, refusal] as const]
              })),
              revision
            }
          })
      }))
    )
}

/** How far, in percent, the oracle may have moved since planning before what is sold is called more than what was planned. */
const drift = 1n

const verdict = (limits: KeyLimits, { others, usd18 }: Planned, gives: Movement["gives"], appraised: Appraisal): ExecutionFailure | undefined => {
  let worth = 0n
  for (const { amount, token } of gives) {
    const part = appraised(token, amount)
    if (part === undefined) return unpriced(token)
    worth += part
  }
  const reserved = usd18 ?? 0n
  return worth * 100n > reserved * (100n + drift)
    ? exceeded(`this key has limits, the request was planned to sell ${roundedUp(reserved)}, and the transaction would sell ${roundedUp(worth)}`)
    : refusalOfWorth(limits, { usd18: worth, others })
}

/** Reads price and decimals of these tokens anew, in one call: nothing of planning's is used. */
const appraisal = (chain: ChainClient, gives: Movement["gives"]): Effect.Effect<Appraisal, RpcFailure> =>
  Effect.gen(function*() {
    const tokens = [...new Set(gives.flatMap(({ amount, token }) => amount === 0n ? [] : [token]))]
    const [prices, decimals] = tokens.length === 0 ? [[], []] : yield* readGroups(chain, [
      tokens.map((token) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [token])),
      tokens.map((token) => Contract.read(erc20, token, "decimals", []))
    ])
    return (token, amount) => {
      if (amount === 0n) return 0n
      const price = prices[tokens.indexOf(token)]
      const places = decimals[tokens.indexOf(token)]
      if (price === undefined || places === undefined || Result.isFailure(price) || Result.isFailure(places) || price.success === 0n) return undefined
      return worthOf(amount, price.success, places.success)
    }
  })

const unpriced = (token: Address) =>
  new ExecutionFailure({
    errorType: "price_unavailable",
    message: `The vault's oracle has no fresh price for ${token}, so nobody can say whether this key's limits are kept; nothing was sent.`
  })
