/**
 * Holds what is about to be signed to its key's limits, by its bytes: whatever planning said, they say what leaves the vault. Nothing
 * is asked of a chain and nothing decoded for wallets without limits. What a wallet pays for its charges moves nothing of a vault:
 * limits do not count it, but its bytes must say exactly what the rows say, whoever's wallet it is. Nor do they count what refills a
 * wallet, which is held to its row and to the operator's configuration.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { SettlementStore, type Terms } from "@vault-trader/core/billing/SettlementStore"
import { ExecutionFailure } from "@vault-trader/core/endpoint/Failure"
import { aboutWorth, exceeded, isNone, type KeyLimits, refusalOfAll, refusalOfWorth, roundedUp, vaultId, vaultsOf } from "@vault-trader/core/gas-wallet/KeyLimits"
import { GasLevelStore, type Purse, type TopUpTerms } from "@vault-trader/core/gas-wallet/GasLevelStore"
import { KeyLimitStore, type Planned } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { settlementOf, type Submission, topUpOf } from "@vault-trader/core/gas-wallet/Submission"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { type ChainClient, readGroups } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import { erc20 } from "../chain/Tokens.ts"
import type { Readers } from "../vault/Action.ts"
import { callsOf, type Movement } from "../vault/Movement.ts"
import { factoryAbi } from "../vault/PlatformAbi.ts"
import { worthOf } from "../vault/Worth.ts"

export interface Inspection {
  /** Why submissions must not be signed, by key. */
  readonly refusals: ReadonlyMap<string, ExecutionFailure>
  /** Of the limits they were held to: it must be the one that stands when they are signed. */
  readonly revision: number
}

/** Who reads the calls of which request. */
export type ReaderTable = { readonly [K in IntentRequest["_tag"]]: Readers }

/** Who refills which wallets, by the configuration. */
export interface Refills {
  readonly funder: Address
  readonly wallets: ReadonlyArray<Purse>
}

/** USD (18 decimals) that this much of a token is worth; none while the oracle has no price for it. */
type Appraisal = (token: Address, amount: bigint) => bigint | undefined

export class Limits extends Context.Tag("vault-trader/workers/gas-wallet/Limits")<Limits, {
  readonly inspect: (
    chain: ChainClient,
    wallet: Address,
    submissions: ReadonlyArray<Submission>
  ) => Effect.Effect<Inspection, RpcFailure | SqlError>
  /** What a wallet must keep for charges that are still to be paid, native smallest units; nothing where nobody is paid. */
  readonly owed: (network: Network, wallet: Address) => Effect.Effect<bigint, SqlError>
}>() {
  /** `treasuries`: who is paid for charges, by network. Without `refills` nothing is refilled. */
  static readonly layer = (
    table: ReaderTable,
    treasuries: ReadonlyMap<Network, Address> = new Map(),
    refills?: Refills
  ): Layer.Layer<Limits, never, KeyLimitStore | SqlClient.SqlClient> =>
    Layer.effect(
      Limits,
      Effect.map(Effect.all([KeyLimitStore, SettlementStore.make, GasLevelStore.make]), ([store, settlements, levels]) => ({
        owed: (network, wallet) => treasuries.has(network) ? settlements.owed(network, wallet) : Effect.succeed(0n),
        inspect: (chain, wallet, all) =>
          Effect.gen(function*() {
            const { limits, revision } = yield* store.find(wallet)
            const [others, payments] = Arr.partition(all, ({ key }) => settlementOf(key) !== undefined)
            const [submissions, topUps] = Arr.partition(others, ({ key }) => topUpOf(key) !== undefined)
            const terms = yield* settlements.terms(payments.map(({ key }) => key))
            const rows = yield* levels.terms(topUps.map(({ key }) => key))
            const wrong = [
              ...payments.map((payment) => [payment.key, refusalOfPayment(payment, terms.find(({ key }) => key === payment.key), treasuries.get(chain.book.network))] as const),
              ...topUps.map((topUp) => [topUp.key, refusalOfTopUp(topUp, rows.find(({ key }) => key === topUp.key), refills)] as const)
            ].flatMap(([key, refusal]) => refusal === undefined ? [] : [[key, refusal] as const])
            if (isNone(limits)) return { refusals: new Map(wrong), revision }
            const planned = new Map(
              (yield* store.planned(wallet, submissions.flatMap(({ intentId }) => intentId ?? []))).map((each) => [each.intentId, each])
            )
            const read = submissions.map((submission) => {
              const told = planned.get(submission.intentId ?? "")
              return { submission, told, does: done(table, chain, submission, told) }
            })
            const worth = yield* appraisal(chain, aboutWorth(limits) ? read.flatMap(({ does }) => Either.match(does, { onLeft: () => [], onRight: ({ gives }) => gives })) : [])
            return {
              refusals: new Map([...wrong, ...read.flatMap(({ does, submission, told }) => {
                const own = told === undefined ? undefined : refusalOfAll(limits, vaultsOf({ ...told, wallet }))
                const refusal = own ?? Either.match(does, {
                  onLeft: (reason) => exceeded(`this key has limits, and ${reason}`),
                  onRight: ({ gives, vaults }) =>
                    told === undefined ? undefined : refusalOfAll(limits, vaults.map((vault) => vaultId(told.network, vault))) ??
                      (aboutWorth(limits) ? verdict(limits, told, gives, worth) : undefined)
                })
                return refusal === undefined ? [] : [[submission.key, refusal] as const]
              })]),
              revision
            }
          })
      }))
    )
}

/** A payment goes to the treasury that is configured now, without data, and is what its charges come to. */
const refusalOfPayment = (payment: Submission, terms: Terms | undefined, treasury: Address | undefined): ExecutionFailure | undefined => {
  const { data, intentId, network, reserve, to, value, wallet } = payment
  const isAsAgreed = terms !== undefined && treasury !== undefined && to === treasury && terms.treasury === treasury && data === "0x" &&
    value === terms.nativeWei && reserve === 0n && intentId === null && network === terms.network && wallet === terms.wallet
  return isAsAgreed ? undefined : new ExecutionFailure({
    errorType: "internal",
    message: `The settlement ${payment.key} is not what its charges and the configured treasury say; nothing was sent, the charges are outstanding.`
  })
}

/** A top-up goes from the configured funder to a configured wallet, without data, and is what its row says. */
const refusalOfTopUp = (topUp: Submission, row: TopUpTerms | undefined, refills: Refills | undefined): ExecutionFailure | undefined => {
  const { data, intentId, network, reserve, to, value, wallet } = topUp
  const isAsAgreed = row !== undefined && refills !== undefined && wallet === refills.funder && row.funder === refills.funder &&
    refills.wallets.some((purse) => purse.network === network && purse.wallet === to) && row.wallet === to && row.network === network &&
    value === row.wei && data === "0x" && reserve === 0n && intentId === null
  return isAsAgreed ? undefined : new ExecutionFailure({
    errorType: "internal",
    message: `The top-up ${topUp.key} is not what its row and the configuration say; nothing was sent.`
  })
}

/** What each call of the transaction does, through the vault or at the wallet's own hands; `undefined` where nobody can tell. */
const movementsOf = (readers: Readers | undefined, chain: ChainClient, { data, to, value }: Submission, pool: Address) => {
  if (readers === undefined || value !== 0n) return undefined
  const calls = to === pool ? callsOf(data) : undefined
  return calls === undefined ? [readers.directMovement?.(chain, { to, data })] : calls.map((call) => readers.movement(chain, call))
}

/** Everything the bytes take out of the vault, and the other vaults they are about; or why that cannot be told. */
const done = (
  table: ReaderTable,
  chain: ChainClient,
  submission: Submission,
  told: Planned | undefined
): Either.Either<Required<Pick<Movement, "gives" | "vaults">>, string> => {
  if (told === undefined) return Either.left("the transaction belongs to no request of its wallet")
  const readers = Object.entries(table).find(([request]) => request === told.request)?.[1]
  const movements = movementsOf(readers, chain, submission, told.pool) ?? []
  const known = movements.flatMap((movement) => movement ?? [])
  if (known.length === 0 || known.length < movements.length || submission.network !== told.network) {
    return Either.left("what the transaction would do cannot be told from its bytes")
  }
  const stranger = known.find(({ receiver }) => receiver !== null && receiver !== told.pool)?.receiver
  return stranger === undefined
    ? Either.right({ gives: known.flatMap(({ gives }) => gives), vaults: known.flatMap(({ vaults = [] }) => vaults) })
    : Either.left(`its proceeds would go to ${stranger}, not to the vault`)
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
      if (price === undefined || places === undefined || Either.isLeft(price) || Either.isLeft(places) || price.right === 0n) return undefined
      return worthOf(amount, price.right, places.right)
    }
  })

const unpriced = (token: Address) =>
  new ExecutionFailure({
    errorType: "price_unavailable",
    message: `The vault's oracle has no fresh price for ${token}, so nobody can say whether this key's limits are kept; nothing was sent.`
  })
