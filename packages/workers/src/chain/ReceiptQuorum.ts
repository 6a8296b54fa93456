/**
 * Reads receipts. Where a network has several endpoints, a receipt counts only once a second one confirms it: by the
 * same receipt, or, where it has lost its index, by the same block with the transaction in it.
 */
import type { Hash } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Statement } from "./Contradictions.ts"
import { RpcRefused } from "./RpcFailure.ts"
import { hex, lower, RawBlockHashes, RawReceipt, toReceipt } from "./RpcSchema.ts"
import type { TypedRpc } from "./TypedRpc.ts"

/** A receipt and the place of the endpoint that has it; `undefined` where its source counts as no endpoint. */
interface Found {
  readonly endpoint: number | undefined
  readonly receipt: Receipt
}

/** The endpoints' answers about one receipt. `members`: they have no receipt, but the block with the transaction. */
interface Votes {
  readonly statements: Array<Statement>
  readonly members: Set<number>
}

/** The confirmations of some receipts. */
interface Confirmations {
  /** True when another endpoint answered. */
  readonly answered: boolean
  readonly confirmed: ReadonlySet<Hash>
  /** Receipts that another endpoint contradicts. */
  readonly disputed: ReadonlySet<Hash>
}

/** Maximum pause before a second look: an endpoint may have the block a moment later than the first one. */
const maxLagMillis = 500
/** Minimum time between two log lines about endpoints that do not confirm. */
const logMillis = 60_000
/** Minimum number of endpoints that must agree. */
const quorum = 2

/** Returns a text that is equal for receipts with the same effects in the same block; it begins with the block's hash. */
export const textOf = ({ blockHash, logs, succeeded, transactionHash }: Receipt) =>
  JSON.stringify([
    blockHash,
    transactionHash,
    succeeded,
    logs.map(({ address, data, topics }) => [address, topics, data])
  ])

/**
 * Returns true once two endpoints have this receipt. A block with the transaction in it counts as well, unless an
 * endpoint has another receipt: a block does not show its transactions' effects.
 */
const isConfirmed = ({ members, statements }: Votes, receipt: Receipt): boolean => {
  const same = statements.filter(({ says }) => says === textOf(receipt)).length
  return same >= quorum || (same === statements.length && same + members.size >= quorum)
}

/** Builds the confirmation of receipts by the endpoints that did not give them. */
const makeConfirm = (rpc: TypedRpc, knownHash: (number: bigint) => Hash | undefined) => {
  /** Returns those of these receipts whose block at this endpoint is the same one and has the transaction. */
  const inBlocks = (endpoint: number, absent: ReadonlyArray<Found>) =>
    Effect.gen(function*() {
      if (absent.length === 0) return []
      const answers = yield* rpc.requestAllOf(
        endpoint,
        RawBlockHashes,
        "eth_getBlockByNumber",
        absent.map(({ receipt }) => [hex(receipt.blockNumber), false])
      )
      const found: Array<Hash> = []
      for (const [index, { endpoint: first, receipt }] of absent.entries()) {
        const answer = answers[index]
        const block = answer !== undefined && Result.isSuccess(answer) ? answer.success : null
        if (block === null) continue
        const { blockHash, blockNumber, transactionHash } = receipt
        if (lower(block.hash) === blockHash && block.transactions.map(lower).includes(transactionHash)) {
          found.push(transactionHash)
        }
        if (first === undefined) continue
        yield* rpc.compare(`block ${blockNumber}`, [{ endpoint: first, says: blockHash }, {
          endpoint,
          says: lower(block.hash)
        }], (says) => says === knownHash(blockNumber))
      }
      return found
    }).pipe(Effect.orElseSucceed((): ReadonlyArray<Hash> => []))

  return (all: ReadonlyArray<Found>): Effect.Effect<Confirmations> =>
    Effect.gen(function*() {
      const votes = new Map<Hash, Votes>(
        all.map(({ endpoint, receipt }) => [
          receipt.transactionHash,
          { statements: endpoint === undefined ? [] : [{ endpoint, says: textOf(receipt) }], members: new Set() }
        ])
      )
      const votesOf = (hash: Hash): Votes => votes.get(hash) ?? { statements: [], members: new Set() }
      const isDone = ({ receipt }: Found) => isConfirmed(votesOf(receipt.transactionHash), receipt)
      let answered = false
      for (const endpoint of yield* rpc.ranking) {
        const asked = all.filter((each) => each.endpoint !== endpoint && !isDone(each))
        if (asked.length === 0) continue
        const params = asked.map(({ receipt }) => [receipt.transactionHash])
        const answers = yield* Effect.option(
          rpc.requestAllOf(endpoint, RawReceipt, "eth_getTransactionReceipt", params)
        )
        if (Option.isNone(answers)) continue
        const absent: Array<Found> = []
        for (const [index, each] of asked.entries()) {
          const answer = answers.value[index]
          if (answer === undefined || Result.isFailure(answer)) continue
          const other = toReceipt(answer.success)
          const { transactionHash } = each.receipt
          if (other !== null && other.transactionHash !== transactionHash) continue
          answered = true
          if (other === null) absent.push(each)
          else votesOf(transactionHash).statements.push({ endpoint, says: textOf(other) })
        }
        for (const hash of yield* inBlocks(endpoint, absent)) votesOf(hash).members.add(endpoint)
      }
      const confirmed = new Set(all.filter(isDone).map(({ receipt }) => receipt.transactionHash))
      const disputed = new Set<Hash>()
      for (const { receipt: { blockNumber, transactionHash } } of all) {
        const known = knownHash(blockNumber)
        const given = votesOf(transactionHash).statements
        if (new Set(given.map(({ says }) => says)).size > 1) disputed.add(transactionHash)
        yield* rpc.compare(
          `the receipt of ${transactionHash}`,
          given,
          (says) => known !== undefined && says.startsWith(`["${known}"`)
        )
      }
      return { answered, confirmed, disputed }
    })
}

const anotherReceipt = new RpcRefused({ code: 0, reason: "the answer is the receipt of another transaction" })

/** Reads receipts, each with the place of the endpoint that answered. One of another transaction counts as refused. */
const readAll = (rpc: TypedRpc, hashes: ReadonlyArray<Hash>) =>
  Effect.gen(function*() {
    const answers = yield* rpc.requestAllWithEndpoint(
      RawReceipt,
      "eth_getTransactionReceipt",
      hashes.map((hash) => [hash])
    )
    return answers.map(({ answer, endpoint }, index) => {
      const receipt = Result.map(answer, toReceipt)
      const isOther = Result.isSuccess(receipt) && receipt.success !== null &&
        receipt.success.transactionHash !== hashes[index]
      return { endpoint, answer: isOther ? Result.fail(anotherReceipt) : receipt }
    })
  })

/** Makes the report of receipts that are accepted from one endpoint: counts them, and logs it now and then. */
const aloneReporter = (network: NetworkBook["network"]) => {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (count: number) =>
    Effect.gen(function*() {
      yield* Metrics.count(Metrics.rpcQuorumMissed, { network }, count)
      const now = yield* Clock.currentTimeMillis
      if (now - loggedAt < logMillis) return
      loggedAt = now
      yield* Effect.logWarning(
        `Only one RPC endpoint of ${network} answers: receipts are accepted from it alone, and nothing becomes final.`
      )
    })
}

/**
 * Builds the reads of receipts. `knownHash` returns the hash at a height in the chain that is followed. A receipt that
 * no second endpoint confirms is a `Failure` of `receipts`. When no other endpoint has answered for the network's
 * patience, one endpoint's word counts there. `confirmed` returns the hashes of those receipts that two endpoints
 * confirm, however long that takes; with one endpoint all of them.
 */
export const make = (book: NetworkBook, rpc: TypedRpc, knownHash: (number: bigint) => Hash | undefined) => {
  const confirm = makeConfirm(rpc, knownHash)
  const { blockPollMillis, network, patienceMillis } = book
  const reportAlone = aloneReporter(network)
  /** Time since which no other endpoint has answered, clock milliseconds. */
  let silentSince: number | undefined
  let isProbing = false

  const isAlone = Effect.map(
    Clock.currentTimeMillis,
    (now) => silentSince !== undefined && now - silentSince >= patienceMillis
  )

  const look = (found: ReadonlyArray<Found>) =>
    Effect.gen(function*() {
      const at = yield* Clock.currentTimeMillis
      const confirmations = yield* confirm(found)
      silentSince = confirmations.answered ? undefined : silentSince ?? at
      return confirmations
    })

  /** Asks the other endpoints in the background, so that a caller who does without them does not wait for them. */
  const probe = (found: ReadonlyArray<Found>) =>
    Effect.suspend(() => {
      if (isProbing) return Effect.void
      isProbing = true
      const ended = Effect.sync(() => {
        isProbing = false
      })
      return Effect.asVoid(Effect.forkDetach(Effect.ensuring(look(found), ended)))
    })

  /** Returns the hashes of the receipts that count. */
  const accepted = (found: ReadonlyArray<Found>): Effect.Effect<ReadonlySet<Hash>> =>
    Effect.gen(function*() {
      const all = new Set(found.map(({ receipt }) => receipt.transactionHash))
      if (yield* isAlone) {
        yield* Effect.andThen(probe(found), reportAlone(found.length))
        return all
      }
      const { answered, confirmed, disputed } = yield* look(found)
      if (!answered) {
        if (!(yield* isAlone)) return confirmed
        yield* reportAlone(found.length)
        return all
      }
      const late = found.filter(({ receipt: { transactionHash } }) =>
        !confirmed.has(transactionHash) && !disputed.has(transactionHash)
      )
      if (late.length === 0) return confirmed
      yield* Effect.sleep(Math.min(blockPollMillis, maxLagMillis))
      return new Set([...confirmed, ...(yield* look(late)).confirmed])
    })

  const confirmed = (receipts: ReadonlyArray<Receipt>): Effect.Effect<ReadonlySet<Hash>> =>
    rpc.endpoints < quorum
      ? Effect.succeed(new Set(receipts.map(({ transactionHash }) => transactionHash)))
      : Effect.map(confirm(receipts.map((receipt) => ({ endpoint: undefined, receipt }))), (found) => found.confirmed)

  const receipts = (hashes: ReadonlyArray<Hash>) =>
    Effect.gen(function*() {
      const all = yield* readAll(rpc, hashes)
      const found = all.flatMap(({ answer, endpoint }): ReadonlyArray<Found> =>
        Result.isSuccess(answer) && answer.success !== null ? [{ endpoint, receipt: answer.success }] : []
      )
      const counted = rpc.endpoints < quorum || found.length === 0 ? undefined : yield* accepted(found)
      return all.map(({ answer }): Result.Result<Receipt | null, RpcRefused> =>
        counted === undefined || Result.isFailure(answer) || answer.success === null ||
          counted.has(answer.success.transactionHash)
          ? answer
          : Result.fail(new RpcRefused({ code: 0, reason: "no second endpoint confirms this receipt" }))
      )
    })

  return { confirmed, receipts }
}
