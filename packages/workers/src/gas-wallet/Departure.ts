/** From queued submissions to transactions on their way: simulate, price, check the wallet can pay, sign under nonces, broadcast. */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { ExecutionFailure } from "@vault-trader/core/endpoint/Failure"
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
import type { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ChainClient, Fees } from "../chain/ChainClient.ts"
import { reasonOf } from "../chain/Revert.ts"
import type { RpcUnavailable } from "../chain/RpcFailure.ts"
import { explain } from "../vault/PlatformRevert.ts"
import { capped } from "./Flight.ts"
import type { FlightDeck } from "./FlightDeck.ts"
import type { Inspection, Limits } from "./Limits.ts"
import { persistently } from "./Persistence.ts"
import * as Runway from "./Runway.ts"
import type { Signer } from "./Signer.ts"

interface Ready {
  readonly submission: Submission
  readonly gasLimit: bigint
}

/** A reading of the wallet's balance, and what the deck's landings had cost by then. */
interface Purse {
  readonly balance: bigint
  readonly spentBefore: bigint
  /** Unix milliseconds. */
  readonly readAt: number
}

/** How long a balance is good for another departure, less what was spent since. */
const purseMillis = 10_000

/** How long the planner's simulation of the same call stands for one of the lane's own. */
const estimateMillis = 3_000

/** Guards read oracles, and blocks change what they cost. */
const withMargin = (gas: bigint) => gas * 12n / 10n

/** The node said nothing about the call. */
const later = "later" as const
type Later = typeof later

/** A lane's departures. Each call takes what is queued as far as it goes; refusals are final and recorded. */
export const make = (lane: {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
  readonly store: SubmissionStore["Type"]
  readonly signer: Signer["Type"]
  readonly limits: Limits["Type"]
  readonly deck: FlightDeck
  readonly refused: (key: string, failure: ExecutionFailure) => Effect.Effect<void>
}) => {
  const { chain, network, wallet, store, signer, limits, deck } = lane

  const refuse = (submission: Submission, failure: ExecutionFailure) =>
    Effect.zipRight(persistently(store.refuse(submission.key, failure)), lane.refused(submission.key, failure))

  const refuseAll = (ready: ReadonlyArray<Ready>, failure: ExecutionFailure) =>
    Effect.forEach(ready, ({ submission }) => refuse(submission, failure), { discard: true })

  /**
   * Simulates and measures one call, unless its planner just has. A revert is a refusal with its reason; so is a wallet that the node says cannot pay. A node
   * that gives no estimate for another reason has said nothing about the call: it is tried again later.
   */
  const prepare = (submission: Submission): Effect.Effect<Either.Either<Ready, ExecutionFailure | Later>, RpcUnavailable> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { estimate } = submission
      return estimate !== null && now - estimate.at < estimateMillis
        ? Effect.succeed(Either.right({ submission, gasLimit: withMargin(estimate.gas) }))
        : simulate(submission)
    })

  const simulate = (submission: Submission): Effect.Effect<Either.Either<Ready, ExecutionFailure | Later>, RpcUnavailable> => {
    const transaction = { from: wallet, to: submission.to, data: submission.data, value: submission.value }
    return chain.estimateGas(transaction).pipe(
      Effect.map((gas) => Either.right({ submission, gasLimit: withMargin(gas) })),
      Effect.catchTag("RpcRefused", (estimate) =>
        chain.call(transaction).pipe(
          Effect.as(estimate),
          Effect.catchTag("RpcRefused", Effect.succeed),
          Effect.map((refusal) => {
            const data = refusal.data ?? estimate.data
            const words = `${estimate.reason} ${refusal.reason}`
            if (data !== undefined || /revert/i.test(words)) return Either.left(explain(reasonOf(data), "nothing was sent"))
            return Either.left(/insufficient funds|exceeds allowance|exceeds balance/i.test(words) ? cannotPay(network, wallet) : later)
          })
        )),
      IntentTrace.span("submission.simulate", submission.key)
    )
  }

  /** What the wallet surely still holds beyond its flights, by the last reading of its balance and the most that was spent since. */
  let purse: Purse | undefined
  const left = (fresh: boolean) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      if (fresh || purse === undefined || now - purse.readAt > purseMillis) {
        purse = { spentBefore: yield* deck.spent, balance: yield* chain.balance(wallet), readAt: now }
      }
      return { balance: purse.balance, free: purse.balance - ((yield* deck.spent) - purse.spentBefore) - (yield* deck.committed) }
    })

  const costOf = ({ gasLimit, submission: { reserve, value } }: Ready, fees: Fees) => gasLimit * fees.maxFeePerGas + value + reserve

  /** Keeps what the wallet can pay for, in order; refuses the rest. */
  const affordable = (ready: ReadonlyArray<Ready>, fees: Fees) =>
    Effect.gen(function*() {
      const known = yield* left(false)
      const enough = ready.reduce((sum, item) => sum + costOf(item, fees), 0n) <= known.free
      // Nobody is refused by an old reading.
      const { balance, free: held } = enough ? known : yield* left(true)
      let free = held
      const paid: Array<Ready> = []
      for (const item of ready) {
        const cost = costOf(item, fees)
        if (cost <= free) {
          free -= cost
          paid.push(item)
          yield* Runway.tell({ network, wallet }, free, cost)
        } else yield* refuse(item.submission, poor(network, wallet, balance, cost))
      }
      return paid
    })

  const signAndSend = (ready: ReadonlyArray<Ready>, fees: Fees, chainNonce: bigint, { hold }: Inspection) =>
    Effect.gen(function*() {
      const gasLimits = new Map(ready.map(({ submission, gasLimit }) => [submission.key, gasLimit]))
      const submissions = ready.map(({ submission }) => submission)
      const attempts = yield* store.sign({
        network,
        wallet,
        chainNonce,
        submissions,
        sign: (numbered) =>
          Effect.zipRight(hold, signer.sign(wallet, numbered.map(({ nonce, submission }) => ({
            chainId: chain.book.chainId,
            from: wallet,
            to: submission.to,
            data: submission.data,
            value: submission.value,
            nonce,
            gasLimit: gasLimits.get(submission.key) ?? 0n,
            ...fees
          }))))
      }).pipe(IntentTrace.spans("submission.sign", submissions.map(({ key }) => key)))
      yield* deck.depart(attempts, submissions)
    })

  /** Answers the keys of those that have to be tried again later. */
  return (queued: ReadonlyArray<Submission>) =>
    Effect.gen(function*() {
      if (queued.length === 0) return []
      const [answers, inspected, market, chainNonce] = yield* Effect.all([
        Effect.forEach(queued, (submission) => Effect.map(prepare(submission), (result) => ({ submission, result })), { concurrency: "unbounded" }),
        limits.inspect(chain, wallet, queued),
        chain.recentFees,
        chain.nonce(wallet, "pending")
      ], { concurrency: "unbounded" })
      const fees = capped(market, chain.book.maxFeePerGas)
      const prepared = answers.map(({ submission, result }) => {
        const over = inspected.refusals.get(submission.key)
        return { submission, result: over === undefined ? result : Either.left(over) }
      })
      for (const { submission, result } of prepared) {
        if (Either.isLeft(result) && result.left !== later) yield* refuse(submission, result.left)
      }
      const put = prepared.flatMap(({ submission, result }) => Either.isLeft(result) && result.left === later ? [submission.key] : [])
      const simulated = prepared.flatMap(({ result }) => Either.isRight(result) ? [result.right] : [])
      const ready = yield* affordable(simulated, fees)
      if (ready.length === 0) return put
      yield* signAndSend(ready, fees, chainNonce, inspected).pipe(
        Effect.catchTags({
          LimitsChanged: () => Effect.sync(() => { put.push(...ready.map(({ submission }) => submission.key)) }),
          CannotSign: ({ message }) =>
            refuseAll(ready, new ExecutionFailure({ errorType: "internal", message: `${message} Nothing was sent.` })),
          Paused: ({ scope, reason }) =>
            refuseAll(ready, new ExecutionFailure({
              errorType: "paused",
              message: `Signing is stopped for ${scope === "service" ? "the whole service" : "this wallet"} (${reason}); nothing was sent.`
            }))
        })
      )
      return put
    })
}

const cannotPay = (network: Network, wallet: Address) =>
  new ExecutionFailure({
    errorType: "insufficient_gas",
    message: `The gas wallet ${wallet} does not hold enough ${facts[network].native} on ${network} for this; nothing was sent. Refill it and try again.`
  })

const poor = (network: Network, wallet: Address, balance: bigint, cost: bigint) => {
  const { native } = facts[network]
  return new ExecutionFailure({
    errorType: "insufficient_gas",
    message: `The gas wallet ${wallet} holds ${format(balance, 18)} ${native} on ${network}, but gas and charge need up to ` +
      `${format(cost, 18)} ${native}; nothing was sent. Refill it and try again.`
  })
}
