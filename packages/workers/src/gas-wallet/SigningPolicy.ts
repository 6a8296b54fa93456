/**
 * Decides which submissions may be signed. Refuses everything that is not known to be this service's own work: a row in
 * the table of submissions is not an authorization to sign. It must carry its planner's MAC, and pass this review. An
 * admitted submission gets a permit for exactly its bytes, and the signer requires one.
 */
import { SettlementStore } from "@vault-trader/core/billing/SettlementStore"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { GasLevelStore } from "@vault-trader/core/gas-wallet/GasLevelStore"
import { keyOf, settlementOf, type Submission, topUpOf } from "@vault-trader/core/gas-wallet/Submission"
import type { Requested } from "@vault-trader/core/gas-wallet/SubmissionReads"
import { SubmissionMac } from "@vault-trader/core/gas-wallet/SubmissionMac"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { ChainClient } from "../chain/ChainClient.ts"
import { ApprovedSettings } from "../change-approval/ApprovedSettings.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import * as RolesOf from "../vault/Roles.ts"
import {
  isPayee,
  later,
  type PaymentCap,
  refusalOfPayment,
  refusalOfSize,
  refusalOfTopUp,
  type Refills
} from "./PaymentReview.ts"
import { read, type ReaderTable, type Reading } from "./Reading.ts"
import type { SignerAway } from "./SigningStop.ts"

/** The call of a transaction: everything but its nonce, gas and fees. */
export interface Call {
  readonly chainId: number
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

/** Permission to sign one call. Only the policy that issued it accepts it. */
export type Permit = Call

/** The verdicts on some submissions, by key. A key without a verdict must be reviewed again later. */
export interface Review {
  /** Those whose row does not carry its planner's MAC: another hand has written or changed it. */
  readonly forged: ReadonlySet<string>
  readonly permits: ReadonlyMap<string, Permit>
  readonly refusals: ReadonlyMap<string, ExecutionFailure>
}

export class SigningPolicy extends Context.Service<SigningPolicy, {
  readonly review: (
    chain: ChainClient,
    wallet: Address,
    submissions: ReadonlyArray<Submission>
  ) => Effect.Effect<Review, SignerAway | SqlError>
  /** Checks that this policy has permitted exactly this call. */
  readonly admits: (permit: Permit, call: Call) => boolean
  /** Returns true for an address that this service itself pays: the treasury, or a wallet that it refills. */
  readonly isPayee: (network: Network, to: Address) => boolean
}>()("vault-trader/workers/gas-wallet/SigningPolicy") {
  /**
   * `treasuries`: the address that is paid for charges, by network. Without `refills` every top-up is refused; without
   * `paymentCap` payments have no maximum.
   */
  static readonly layer = (
    table: ReaderTable,
    treasuries: ReadonlyMap<Network, Address> = new Map(),
    refills?: Refills,
    paymentCap?: PaymentCap
  ): Layer.Layer<SigningPolicy, never, SubmissionStore | SqlClient.SqlClient> =>
    Layer.effect(
      SigningPolicy,
      Effect.map(
        Effect.all([SubmissionStore, SettlementStore.make, GasLevelStore.make, ApprovedSettings, SubmissionMac]),
        ([store, settlements, levels, { isApproved }, macs]) => {
          const issued = new WeakSet<Permit>()
          const roles = RolesOf.make()

          const permit = (chain: ChainClient, { data, to, value, wallet }: Submission): Permit => {
            const newPermit = Object.freeze({ chainId: chain.book.chainId, from: wallet, to, data, value })
            issued.add(newPermit)
            return newPermit
          }

          return {
            review: (chain, wallet, all) =>
              Effect.gen(function*() {
                const [written, forged] = Arr.partition(all, Filter.fromPredicate(macs.verifies))
                const [payments, others] = Arr.partition(
                  written,
                  Filter.fromPredicate(({ key }: Submission) => settlementOf(key) !== undefined)
                )
                const [topUps, actions] = Arr.partition(
                  others,
                  Filter.fromPredicate(({ key }: Submission) => topUpOf(key) !== undefined)
                )
                const terms = yield* settlements.terms(payments.map(({ key }) => key))
                const rows = yield* levels.terms(topUps.map(({ key }) => key))
                const waits = {
                  payments: payments.length > 0 && !(yield* isApproved("treasury")),
                  topUps: topUps.length > 0 && !(yield* isApproved("policy"))
                }
                const treasury = treasuries.get(chain.book.network)
                const verdicts = [
                  ...(yield* Effect.forEach(payments, (payment) => {
                    const refusal = refusalOfPayment(payment, terms.find(({ key }) => key === payment.key), treasury)
                    return Effect.map(
                      waits.payments
                        ? Effect.succeed(later)
                        : refusal === undefined
                        ? refusalOfSize(payment, paymentCap)
                        : Effect.succeed(refusal),
                      (verdict) => [payment, verdict] as const
                    )
                  })),
                  ...topUps.map((topUp) =>
                    [
                      topUp,
                      waits.topUps ? later : refusalOfTopUp(topUp, rows.find(({ key }) => key === topUp.key), refills)
                    ] as const
                  ),
                  ...(yield* reviewActions({ table, roles, store, chain, wallet }, actions))
                ]
                const permits = new Map<string, Permit>()
                const refusals = new Map<string, ExecutionFailure>()
                for (const [submission, verdict] of verdicts) {
                  const foreign = submission.wallet !== wallet || submission.network !== chain.book.network
                  const refusal = foreign ? refused(submission, "it belongs to another wallet or network") : verdict
                  if (refusal === undefined) permits.set(submission.key, permit(chain, submission))
                  else if (refusal !== later) refusals.set(submission.key, refusal)
                }
                return { forged: new Set(forged.map(({ key }) => key)), permits, refusals }
              }),
            isPayee: isPayee(treasuries, refills),
            admits: (permit, call) =>
              issued.has(permit) && permit.chainId === call.chainId && permit.from === call.from &&
              permit.to === call.to &&
              permit.data === call.data && permit.value === call.value
          }
        }
      )
    )

  /** Refuses every submission: for processes that only keep keys. */
  static readonly nothing: Layer.Layer<SigningPolicy> = Layer.succeed(SigningPolicy, {
    review: (_, __, submissions) =>
      Effect.succeed({
        forged: new Set(),
        permits: new Map(),
        refusals: new Map(submissions.map((each) => [each.key, refused(each, "this process signs nothing")]))
      }),
    admits: () => false,
    isPayee: () => false
  })
}

const refused = ({ key }: Submission, reason: string) => explain({ _tag: "SubmissionNotSigned", key, detail: reason })

/** Reviews the submissions of intents; a submission without a refusal may be signed. */
const reviewActions = (
  { chain, roles, store, table, wallet }: {
    readonly table: ReaderTable
    readonly roles: RolesOf.Roles
    readonly store: SubmissionStore["Service"]
    readonly chain: ChainClient
    readonly wallet: Address
  },
  submissions: ReadonlyArray<Submission>
) =>
  Effect.gen(function*() {
    const intents = new Map(
      (yield* store.findIntents(submissions.flatMap(({ intentId }) => intentId ?? []))).map((
        intent
      ) => [intent.id, intent])
    )
    return yield* Effect.forEach(submissions, (submission) =>
      Effect.map(
        refusalOfAction(table, roles, chain, wallet, submission, intents.get(submission.intentId ?? "")),
        (refusal) => [submission, refusal] as const
      ), { concurrency: "unbounded" })
  })

/**
 * Compares a submission with its intent and returns the difference: both must name the same step of the same open
 * request.
 */
const mismatch = (
  { intentId, key, network, wallet }: Submission,
  intent: Requested | undefined
): string | undefined => {
  if (intentId === null || intent === undefined) return "it belongs to no request"
  if (intent.wallet !== wallet || intent.network !== network) return "its request belongs to another wallet or network"
  if (intent.status !== "accepted" && intent.status !== "submitted") return "its request has ended"
  return key === keyOf(intentId, intent.step) ? undefined : "it is not the current step of its request"
}

/**
 * Checks an action: its bytes decode as its intent's kind of request, its vaults are the platform's, and the vault
 * keeps the proceeds.
 */
const refusalOfAction = (
  table: ReaderTable,
  roles: RolesOf.Roles,
  chain: ChainClient,
  wallet: Address,
  submission: Submission,
  intent: Requested | undefined
): Effect.Effect<ExecutionFailure | typeof later | undefined> => {
  const wrong = mismatch(submission, intent)
  if (wrong !== undefined) return Effect.succeed(refused(submission, wrong))
  return Result.match(read(table, chain, submission, intent), {
    onFailure: (reason) => Effect.succeed(refused(submission, reason)),
    onSuccess: (reading) =>
      Effect.matchEffect(isAllowed(roles, chain, wallet, submission, reading), {
        onFailure: (failure) => Effect.as(Effect.logInfo(`a vault's roles were not read: ${failure._tag}`), later),
        onSuccess: (allowed) =>
          Effect.succeed(
            allowed
              ? undefined
              : refused(submission, `${wallet} does not trade ${submission.to}, or it is not a vault of the platform`)
          )
      })
  })
}

const isAllowed = (
  roles: RolesOf.Roles,
  chain: ChainClient,
  wallet: Address,
  { to }: Submission,
  { changesAssetsOf, throughVault, vaults }: Reading
): Effect.Effect<boolean, RpcFailure> =>
  changesAssetsOf !== undefined
    ? roles.mayChangeAssets(chain, changesAssetsOf, to, wallet)
    : throughVault
    ? Effect.zipWith(roles.mayTrade(chain, to, wallet), roles.areVaults(chain, vaults), (mayTrade, known) =>
      mayTrade && known)
    // The call is permissionless, so it must be about at least one vault, and only about the platform's vaults.
    : vaults.length === 0
    ? Effect.succeed(false)
    : roles.areVaults(chain, vaults)
