/** Decides what a group's trade does with each vault, before anything is accepted. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Caller } from "@vault-trader/core/endpoint/Admission"
import { factsOf } from "@vault-trader/core/endpoint/Endpoint"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import { TradingApi } from "@vault-trader/core/trading/TradingApi"
import { splitBy } from "@vault-trader/core/vault-group/AmountSplit"
import type { GroupMember, GroupRequest, MemberPlan, VaultGroup } from "@vault-trader/core/vault-group/VaultGroup"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import type * as Rpc from "effect/rpc/Rpc"
import { Gatekeeper } from "../endpoint/Gatekeeper.ts"
import { read } from "../gate/ActorCall.ts"

type By = Caller["Service"]

/** A vault as it was read for a plan. `barred`: the key may not trade it, or it does not exist. */
type Reading =
  | { readonly _tag: "barred" | "refused"; readonly reason: string }
  | {
    readonly _tag: "held"
    readonly holding: BigDecimal.BigDecimal
    readonly symbol: string
    readonly decimals: number
  }

type Read = readonly [GroupMember, Reading]

/** Time limit of each read of a vault, so that time is left for the trades of the others. */
export const checkMillis = 6_000

/** The facts of the endpoint that each trade is a call of. */
export const tradeFacts = {
  ...factsOf(TradingApi.requests.get("vaultTrade") as unknown as Rpc.AnyWithProps),
  timeoutMillis: checkMillis
}

const nothing = BigDecimal.make(0n, 0)

/** Returns why a sub-key may not trade a vault; its other bounds are checked by admission. */
export const barredForSubKey = ({ subKey }: By, network: Network, pool: Address): ValidationFailure | undefined => {
  const vaults = subKey?.vaults ?? null
  const id = vaultId(network, pool)
  return vaults === null || vaults.includes(id)
    ? undefined
    : new ValidationFailure({ code: "1002", message: `apiKey: this sub-key is not for ${id}` })
}

const barring: ReadonlySet<string> = new Set(["1002", "1004", "1006"])

/** Returns true for a failure that says that the key may not trade the vault, or that there is none. */
const isBar = (failure: Failure) =>
  failure._tag === "ValidationFailure" ? barring.has(failure.code) : failure.errorType === "limit_exceeded"

const refuse = (message: string) => new ValidationFailure({ code: "1010", message })

const planOf = (
  { network, pool }: GroupMember,
  decision: MemberPlan["decision"],
  rest: Partial<Pick<MemberPlan, "share" | "amount" | "reason">>
): MemberPlan => ({ network, pool, decision, share: null, amount: null, reason: null, ...rest })

/** Splits an amount by holdings or weights. The weights of vaults that do not trade count, so no other sells more. */
const amountsOf = (request: GroupRequest, reads: ReadonlyArray<Read>, byWeight: boolean) =>
  splitBy(
    request.amount ?? nothing,
    reads.map(([{ weight }, reading]) => ({
      weight: byWeight
        ? BigDecimal.fromNumberUnsafe(weight ?? 0)
        : reading._tag === "held"
        ? reading.holding
        : nothing,
      decimals: reading._tag === "held" ? reading.decimals : null
    }))
  )

/** Checks that an amount can be split as asked. */
const splittable = (request: GroupRequest, reads: ReadonlyArray<Read>, byWeight: boolean) =>
  Effect.gen(function*() {
    const { amount } = request
    if (amount === null || byWeight) return
    const unknown = reads.find(([, { _tag }]) => _tag === "refused")
    if (unknown !== undefined) {
      const [{ network, pool }, reading] = unknown
      return yield* refuse(
        `amount: cannot be split, because the holding of ${network}/${pool} is not known: ${
          reading._tag === "held" ? "" : reading.reason
        } Nothing was accepted`
      )
    }
    const held = BigDecimal.sumAll(reads.map(([, reading]) => reading._tag === "held" ? reading.holding : nothing))
    if (BigDecimal.isGreaterThan(amount, held)) {
      return yield* refuse(
        `amount: is more than the ${BigDecimal.format(held)} ${request.from} that the vaults hold together`
      )
    }
  })

const plansOf = (request: GroupRequest, reads: ReadonlyArray<Read>, byWeight: boolean): ReadonlyArray<MemberPlan> => {
  const amounts = request.amount === null ? [] : amountsOf(request, reads, byWeight)
  return reads.map(([member, reading], index) => {
    if (reading._tag !== "held") return planOf(member, "refuse", { reason: reading.reason })
    if (!BigDecimal.isPositive(reading.holding)) {
      return planOf(member, "skip", { reason: `The vault holds no ${reading.symbol}.` })
    }
    if (request.amount === null) return planOf(member, "trade", { share: request.share })
    const amount = amounts[index] ?? nothing
    return BigDecimal.isPositive(amount)
      ? planOf(member, "trade", { amount })
      : planOf(member, "skip", { reason: "Its part of the amount is less than the smallest unit of the token." })
  })
}

/** Returns the function that plans a group's trade. It fails, and nothing is accepted, if the key may not trade a vault. */
export const make = Effect.gen(function*() {
  const { admitAs } = yield* Gatekeeper
  const vaults = yield* Vault.client

  const readOf = (
    { network, pool }: GroupMember,
    { from, to }: GroupRequest,
    by: By
  ): Effect.Effect<Reading, Failure> =>
    Effect.gen(function*() {
      const barred = barredForSubKey(by, network, pool)
      if (barred !== undefined) return yield* barred
      yield* admitAs(tradeFacts, { network, pool, from, to }, by)
      const vault = vaults(idOf(network, pool))
      const [{ tokens: [token] }, { holdings }] = yield* Effect.all(
        [read(vault.describe({ assets: [from] }), checkMillis), read(vault.composition(), checkMillis)],
        { concurrency: "unbounded" }
      )
      if (token === undefined) return yield* Effect.die(new Error("a described asset is missing"))
      const { decimals, symbol } = token
      const line = holdings.find(({ asset, kind }) => asset === token.address && kind === "token")
      if (line?.amount === null) return { _tag: "refused", reason: `What it holds of ${symbol} is not known.` }
      const holding = line === undefined ? nothing : BigDecimal.fromStringUnsafe(line.amount)
      return { _tag: "held", holding, decimals, symbol }
    })

  return ({ members }: VaultGroup, request: GroupRequest, by: By): Effect.Effect<ReadonlyArray<MemberPlan>, Failure> =>
    Effect.gen(function*() {
      const weighted = members.every(({ weight }) => weight !== null)
      if (request.split === "weight" && !weighted) {
        return yield* refuse("split: the group's vaults have no weights; set them, or split by holding")
      }
      const reads = yield* Effect.forEach(
        members,
        (member) =>
          Effect.map(
            Effect.catch(
              readOf(member, request, by),
              (failure) =>
                Effect.succeed<Reading>({ _tag: isBar(failure) ? "barred" : "refused", reason: failure.message })
            ),
            (reading): Read => [member, reading]
          ),
        { concurrency: "unbounded" }
      )
      const barred = reads.flatMap(([{ network, pool }, reading]) =>
        reading._tag === "barred" ? [`${network}/${pool} (${reading.reason})`] : []
      )
      if (barred.length > 0) {
        return yield* new ValidationFailure({
          code: "1006",
          message: `group: this key may not trade ${barred.join("; ")}. Nothing was accepted`
        })
      }
      const byWeight = (request.split ?? (weighted ? "weight" : "holding")) === "weight"
      yield* splittable(request, reads, byWeight)
      return plansOf(request, reads, byWeight)
    })
})
