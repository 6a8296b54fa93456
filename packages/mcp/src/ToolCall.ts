/** Runs a tool: a read at once, a change in two calls, the second of which executes what the first has shown. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Confirmation from "./Confirmation.ts"
import { validFor } from "./Confirmation.ts"
import * as Following from "./Following.ts"
import * as Restriction from "./Restriction.ts"
import { type Answer, type NoAnswer, ServiceClient } from "./ServiceClient.ts"
import { confirmationName, type Tool, tools } from "./Tool.ts"
import * as ToolAnswer from "./ToolAnswer.ts"

type Args = Readonly<Record<string, unknown>>

/** The parameters of the call that shows the plan, and of the one that executes it. */
const rehearsed = ({ rehearsal }: Tool, args: Args) => rehearsal === "dryRun" ? { ...args, dryRun: true } : args
const executed = ({ rehearsal }: Tool, args: Args) => rehearsal === "execute" ? { ...args, execute: true } : args

const minutes = Duration.toMinutes(validFor)

/** Returns the result of a change's first call: the plan, or the request itself, and the confirmation. */
const propose = (tool: Tool, args: Args, plan: Args, token: string) => {
  const sentence = tool.rehearsal === undefined
    ? `Nothing was sent. ${tool.name} would be requested with these arguments; the service shows no plan of it.`
    : `Nothing was sent. This is the plan of ${tool.name}.`
  const next =
    `To execute it, call ${tool.name} with the same arguments and this confirmation within ${minutes} minutes.`
  return ToolAnswer.succeeded(`${sentence} ${next}`, {
    ...plan,
    status: "confirmation_required",
    request: { tool: tool.name, endpoint: tool.facts.name, arguments: args },
    [confirmationName]: token,
    expires_in_seconds: Duration.toSeconds(validFor),
    next_step: next
  })
}

/** Describes how a confirmed call ended, for a second use of its confirmation. */
const ending = ({ fields }: Answer): string => {
  const id = fields["intent_id"]
  const how = fields["status"] === "success" ? "the call succeeded" : `the call ended with ${String(fields["status"])}`
  return typeof id === "string" ? `${how}; getIntent with intent_id ${id} returns its outcome.` : `${how}.`
}

/** Explains why a name is not a tool here. */
const unknownTool = (name: string): CallToolResult => {
  const tool = tools.find((each) => each.name === name)
  const allowed = tool?.scope === undefined
    ? ""
    : ` Its changes need --allow ${tool.scope}, and --pools and --assets must leave it.`
  return ToolAnswer.refused(
    "unknown_tool",
    `This server does not offer a tool ${name.slice(0, 100)}.${allowed} Nothing was sent.`,
    "Use a tool of the list."
  )
}

const unanswered = (failure: NoAnswer) => Effect.succeed(ToolAnswer.unanswered(failure))

/** Returns the function that runs tools under a restriction. It never fails: failures are results with `isError`. */
export const make = (restriction: Restriction.Restriction, confirmations: Confirmation.Confirmations) => {
  const offered = new Map(Restriction.offered(restriction).map((tool) => [tool.name, tool]))

  const prepare = Effect.fnUntraced(function*(tool: Tool, args: Args) {
    const call = { tool: tool.name, args }
    if (tool.rehearsal === undefined) return propose(tool, args, {}, yield* confirmations.issue(call))
    const answer = yield* (yield* ServiceClient).call(tool.facts, rehearsed(tool, args))
    const failure = ToolAnswer.failureOf(answer)
    if (failure !== undefined) return failure
    return propose(tool, args, answer.fields, yield* confirmations.issue(call))
  })

  const execute = Effect.fnUntraced(function*(tool: Tool, args: Args, token: string) {
    const key = yield* confirmations.accept(token, { tool: tool.name, args })
    const { call } = yield* ServiceClient
    const keyed = tool.facts.class === "movesFunds" ? key : undefined
    const answer = yield* call(tool.facts, executed(tool, args), keyed)
    yield* confirmations.end(token, ending(answer))
    const outcome = yield* Following.outcome(answer)
    yield* confirmations.end(token, ending(outcome))
    return ToolAnswer.of(outcome, tool.name)
  })

  const change = (tool: Tool, { [confirmationName]: token, ...args }: Args) =>
    token === undefined || token === ""
      ? prepare(tool, args)
      : execute(tool, args, typeof token === "string" ? token : "").pipe(
        Effect.catchTag("Unconfirmed", ({ message }) =>
          Effect.succeed(ToolAnswer.refused("confirmation_refused", message, "Do not reuse confirmations.")))
      )

  const read = Effect.fnUntraced(function*(tool: Tool, args: Args) {
    return ToolAnswer.of(yield* (yield* ServiceClient).call(tool.facts, args), tool.name)
  })

  return (name: string, args: Args): Effect.Effect<CallToolResult, never, ServiceClient> => {
    const tool = offered.get(name)
    if (tool === undefined) return Effect.succeed(unknownTool(name))
    const refusal = Restriction.refusal(restriction, tool, args)
    if (refusal !== undefined) {
      return Effect.succeed(
        ToolAnswer.refused("refused_here", `${refusal} Nothing was sent.`, "Change the arguments, or ask the operator.")
      )
    }
    return (tool.scope === undefined ? read(tool, args) : change(tool, args)).pipe(
      Effect.catchTag("NoAnswer", unanswered)
    )
  }
}
