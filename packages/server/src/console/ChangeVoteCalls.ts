/** Handlers of a manager's votes on changes: the session says who votes, and the manager's wallet signs each vote. */
import { actionOf, statementOf, type Verdict, voteParams } from "@vault-trader/core/change-approval/ChangeVote"
import { sentenceOf } from "@vault-trader/core/change-approval/ChangeRequest"
import { ConsoleCalls } from "@vault-trader/core/console/ConsoleApi"
import { SignedIn } from "@vault-trader/core/console/Session"
import * as Param from "@vault-trader/core/endpoint/Param"
import * as RequestDigest from "@vault-trader/core/manager/RequestDigest"
import * as ManagerSignature from "@vault-trader/core/signature/ManagerSignature"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { ChangeVotes } from "../change-approval/ChangeVotes.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { ManagerProof } from "../manager/ManagerProof.ts"
import * as Handlers from "../wire/Handlers.ts"
import { Origin } from "../wire/Origin.ts"
import { ChangeNotifier } from "./ChangeNotifier.ts"
import { beyond } from "./SessionCalls.ts"

const described = Param.describe(voteParams)

/** Returns the manager who votes; a contract wallet's session cannot. */
const voter = (verdict: Verdict) =>
  Effect.flatMap(
    SignedIn,
    ({ manager, network }) => network === null ? Effect.succeed(manager) : beyond(network, actionOf(verdict))
  )

export const changeVoteCalls = Handlers.part(
  ConsoleCalls,
  Effect.gen(function*() {
    const votes = yield* ChangeVotes
    const proofs = yield* ManagerProof
    const { salt } = yield* Origin
    const { defaultNetwork } = yield* Directory
    const { notifyNow } = yield* ChangeNotifier
    return {
      voteToSign: ({ change, request: id, verdict }) =>
        Effect.gen(function*() {
          const approver = yield* voter(verdict)
          const request = yield* votes.find(id, change)
          const statement = yield* statementOf({ id, sentence: sentenceOf(request) }, {
            approver,
            verdict,
            salt,
            chainId: ManagerSignature.chainIdOf(undefined, defaultNetwork),
            issuedAt: Math.floor((yield* Clock.currentTimeMillis) / 1000),
            nonce: crypto.randomUUID().replaceAll("-", "")
          })
          return { typedData: ManagerSignature.typedData(statement), prefix: ManagerSignature.prefixOf(statement) }
        }),
      voteOnChange: ({ change, request, signature, verdict }) =>
        Effect.gen(function*() {
          const approver = yield* voter(verdict)
          yield* proofs.verify({
            action: actionOf(verdict),
            manager: approver,
            subject: change,
            params: yield* RequestDigest.of(described, { request, change, manager: approver }),
            network: undefined,
            signature,
            use: "once"
          })
          const { message } = yield* votes.cast({ approver, verdict, request, change, signature })
          yield* notifyNow
          return message
        }).pipe(Effect.uninterruptible)
    }
  })
)
