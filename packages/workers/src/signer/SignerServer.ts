/** Serves the signer, its policy and the signing record of this process to runners, over a Unix socket. */
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { SubmissionMac } from "@vault-trader/core/gas-wallet/SubmissionMac"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import type { SqlError } from "effect/sql/SqlError"
import { SocketServer } from "effect/socket/SocketServer"
import { Chains } from "../chain/Chains.ts"
import { type NotSigned, Signer } from "../gas-wallet/Signer.ts"
import { SigningPolicy } from "../gas-wallet/SigningPolicy.ts"
import { type RecordConflict, SigningRecord } from "../gas-wallet/SigningRecord.ts"
import { SignerAway } from "../gas-wallet/SigningStop.ts"
import * as IssuedPermits from "./IssuedPermits.ts"
import * as PlannerMark from "./PlannerMark.ts"
import {
  EntriesUnwritable,
  EntryConflict,
  maxFrameSize,
  NotReviewed,
  type RequestedTransaction,
  SignerRpc
} from "./SignerRpc.ts"
import * as SocketFile from "./SocketFile.ts"

/** A failing database is no verdict: the runner asks again. */
const away = () => new SignerAway({ message: "The signer's database does not answer." })

const orAway = <A>(effect: Effect.Effect<A, SignerAway | SqlError>) =>
  Effect.mapError(effect, (failure) => failure._tag === "SqlError" ? away() : failure)

const signedOrAway = <A>(effect: Effect.Effect<A, NotSigned>) =>
  Effect.mapError(effect, (failure) => failure._tag === "SqlError" ? away() : failure)

const conflictOf = ({ entry, message, recorded }: RecordConflict) =>
  new EntryConflict({ entry, message, recorded: recorded ?? null })

/** Checks the signing record before anything is signed: a runner that forgot, or lies, gets no second signature. */
const unrecorded = (record: SigningRecord["Service"], transactions: ReadonlyArray<RequestedTransaction>) =>
  Effect.gen(function*() {
    const known = yield* record.findKeys(transactions.map(({ key }) => key))
    if (known.length > 0) return false
    for (const { chainId, from, nonce } of transactions) {
      if (nonce < Option.getOrElse(yield* record.nextNonce(chainId, from), () => 0n)) return false
    }
    return true
  })

const Handlers = SignerRpc.toLayer(Effect.gen(function*() {
  const signer = yield* Signer
  const policy = yield* SigningPolicy
  const record = yield* SigningRecord
  const chains = yield* Chains
  const mark = PlannerMark.of(yield* SubmissionMac)
  const permits = IssuedPermits.make()
  return SignerRpc.of({
    status: () =>
      Effect.map(record.status, (status) => ({ mark, unwritable: status._tag === "ok" ? null : status.message })),
    review: ({ network, submissions, wallet }) =>
      Effect.gen(function*() {
        const chain = yield* Effect.mapError(
          chains.get(network),
          () => new SignerAway({ message: `The signer does not serve ${network}.` })
        )
        const review = yield* orAway(policy.review(chain, wallet, submissions))
        yield* permits.keep(review)
        return {
          forged: [...review.forged],
          permitted: [...review.permits.keys()],
          refusals: [...review.refusals].map(([key, failure]) => ({ key, failure }))
        }
      }),
    sign: ({ from, transactions }) =>
      Effect.gen(function*() {
        const taken = yield* permits.take(transactions.map(({ key }) => key))
        if (taken === undefined || !(yield* unrecorded(record, transactions))) {
          return yield* new NotReviewed({
            message: "The signer has not permitted these transactions; none was signed."
          })
        }
        const permitted = transactions.map(({ key: _, ...transaction }, index) => ({
          ...transaction,
          permit: taken[index]
        }))
        return yield* signedOrAway(signer.sign(from, permitted))
      }),
    replace: ({ fees, from, raw }) => signedOrAway(signer.replace(from, raw, fees)),
    fill: ({ from, ...empty }) => signedOrAway(signer.fill(from, empty)),
    create: () => orAway(signer.create),
    importKey: ({ privateKey }) => Effect.map(orAway(signer.importKey(privateKey)), Option.getOrNull),
    check: ({ entries }) =>
      Effect.map(record.check(entries), (found) => Option.getOrNull(Option.map(found, conflictOf))),
    commit: ({ entries }) =>
      Effect.mapError(
        record.commit(entries),
        (failure) =>
          failure._tag === "RecordConflict" ? conflictOf(failure) : new EntriesUnwritable({ message: failure.message })
      ),
    nextNonce: ({ chainId, wallet }) => Effect.map(record.nextNonce(chainId, wallet), Option.getOrNull),
    find: ({ chainId, nonce, wallet }) => record.find(chainId, wallet, nonce),
    findKeys: ({ keys }) => record.findKeys(keys)
  })
}))

/** Listens on the socket, which is ready when this is built. */
const listening = (path: string) =>
  Layer.effect(
    SocketServer,
    Effect.gen(function*() {
      yield* SocketFile.prepare(path)
      const server = yield* Effect.mapError(
        NodeSocketServer.make({ path }),
        () => new SocketFile.SocketRefused({ message: `Nothing can listen on the socket ${path} (SIGNER_SOCKET).` })
      )
      yield* SocketFile.restrict(path)
      return server
    })
  )

/** Serves this process's signer at the socket. Requests cannot end it: a defect of one is that one's answer. */
export const layer = (
  path: string
): Layer.Layer<never, SocketFile.SocketRefused, Signer | SigningPolicy | SigningRecord | Chains> =>
  RpcServer.layer(SignerRpc, { disableFatalDefects: true, disableTracing: true }).pipe(
    Layer.provide(Handlers),
    Layer.provide(RpcServer.layerProtocolSocketServer),
    Layer.provide([listening(path), RpcSerialization.layerSchemaBinary({ maxFrameSize })])
  )
