/**
 * `vault-trader lane show|release`: the quarantines of lanes, on the service's database. A quarantined lane signs
 * nothing. A release declares the transactions in its evidence explained.
 */
import { needsApproval } from "@vault-trader/core/change-approval/ApprovalSettings"
import { laneChange } from "@vault-trader/core/change-approval/ChangeApplication"
import { ChangeRequestStore } from "@vault-trader/core/change-approval/ChangeRequestStore"
import { parse } from "@vault-trader/core/chain/Address"
import { names } from "@vault-trader/core/chain/Network"
import type { LaneQuarantine } from "@vault-trader/core/gas-wallet/LaneQuarantine"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import * as LaneRelease from "@vault-trader/core/intent/LaneRelease"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { configuration } from "../Configuration.ts"
import { RunningDatabase } from "../RunningDatabase.ts"
import { Operator } from "./Operator.ts"
import * as ParsedParam from "./ParsedParam.ts"

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const networkOf = (text: string) => names.find((name) => name === text.toLowerCase())

const wallet = ParsedParam.argument("wallet", "the address of a gas wallet", parse)
const network = ParsedParam.argument("network", `one of ${names.join(", ")}`, networkOf)

const linesOf = ({ createdAt, evidence, kind, network, reason, wallet }: LaneQuarantine) => [
  `${wallet} on ${network}: ${kind}, since ${DateTime.formatIso(createdAt)}`,
  `  It signs nothing: ${reason}.`,
  ...evidence.transactions.map(({ hash, nonce, note }) =>
    `  nonce ${nonce}: ${hash ?? "no transaction known"}; ${note}`
  )
]

const show = Command.make(
  "show",
  { wallet: Argument.optional(wallet), network: Argument.optional(network) },
  Effect.fnUntraced(function*(which) {
    const all = yield* (yield* LaneQuarantineStore).list
    const found = all.filter((each) =>
      each.wallet === Option.getOrElse(which.wallet, () => each.wallet) &&
      each.network === Option.getOrElse(which.network, () => each.network)
    )
    if (found.length === 0) return yield* say("No such lane is quarantined.")
    yield* Effect.forEach(found.flatMap(linesOf), say, { discard: true })
  })
).pipe(Command.withDescription("Shows the quarantined lanes, with the evidence."))

const runsRequests = ParsedParam.toggle("run-requests").pipe(
  Flag.withDescription(
    "Execute the open requests, although they may have been executed before. Without this they end."
  )
)

const countText = (requests: number) => requests === 1 ? "1 open request" : `${requests} open requests`

const release = Command.make(
  "release",
  { wallet, network, reason: Argument.variadic(Argument.String("reason")), runsRequests },
  Effect.fnUntraced(function*({ network, reason, runsRequests, wallet }) {
    const by = reason.join(" ") || "the operator"
    const { approvals } = yield* configuration
    if (needsApproval(approvals, "lanes")) {
      const found = yield* (yield* LaneQuarantineStore).find(network, wallet)
      if (Option.isNone(found)) return yield* say(`${wallet} is not quarantined on ${network}.`)
      const { id, summary } = yield* (yield* ChangeRequestStore).propose(
        laneChange(found.value, { by, runsRequests }),
        { proposer: "operator", delayHours: approvals.delayHours }
      )
      return yield* say(
        `Nothing is released yet: request ${id} waits for approvals, and the service releases the lane when it has ` +
          `them. ${summary}`
      )
    }
    const released = yield* LaneRelease.release({ network, wallet, by, runsRequests })
    if (Option.isNone(released)) return yield* say(`${wallet} is not quarantined on ${network}.`)
    const { ended, quarantine } = released.value
    const explained = quarantine.evidence.transactions.map(({ hash, nonce }) => `nonce ${nonce} (${hash ?? "unknown"})`)
    yield* say(`${wallet} signs again on ${network}. Declared explained: ${explained.join(", ")}.`)
    if (ended > 0) {
      yield* say(
        `${countText(ended)} ended, because they may have been executed before: their callers get error 2042.`
      )
    }
  })
).pipe(
  Command.withDescription(
    "Ends a lane's quarantine. Do this only when you know what each transaction in the evidence was. Requests that " +
      "were accepted and of which nothing is signed end with an unknown outcome, or are executed with --run-requests."
  )
)

export const lane = Command.make("lane").pipe(
  Command.withDescription("Shows and releases wallets that sign nothing because the ledger does not explain them."),
  Command.withSubcommands([show, release]),
  Command.provide(
    Layer.mergeAll(LaneQuarantineStore.layer, ChangeRequestStore.layer, Operator).pipe(
      Layer.provideMerge(RunningDatabase)
    )
  )
)
