/** The tools of agents, made from the catalogue: one for each endpoint that an API key alone may call. */
import { endpointsByTitle } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import type { ParamDescription } from "@vault-trader/core/endpoint/Param"
import type * as SchemaAST from "effect/SchemaAST"
import * as Scope from "@vault-trader/core/endpoint/ChangeScope"

/** The flag with which an endpoint shows its plan: sent by the first call, or sent only by the second one. */
export type Rehearsal = "dryRun" | "execute"

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly facts: EndpointFacts
  /** The scope that offers the tool; undefined for a read, which is always offered. */
  readonly scope: Scope.Scope | undefined
  /** The parameters that an agent may give. */
  readonly params: ReadonlyArray<ParamDescription>
  /** Undefined for reads, and for changes whose endpoint shows no plan. */
  readonly rehearsal: Rehearsal | undefined
  readonly inputSchema: {
    readonly type: "object"
    readonly properties: Readonly<Record<string, object>>
    readonly required: Array<string>
    readonly additionalProperties: false
  }
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** An endpoint that is never a tool, with the reason. */
export interface Withheld {
  readonly name: string
  readonly reason: string
}

/** The name under which a change's second call sends the token of the first. */
export const confirmationName = "confirmation"

/** Groups about the proofs of managers. Also their reads are withheld: an agent asks no person for a signature. */
const groupsOfManagers: ReadonlySet<string> = new Set(["Managers"])

const isKey = ({ name }: ParamDescription) => name === "apiKey" || name === "gas_wallet_api_key"

/** Returns true when an answer contains a secret, at any depth. */
const containsSecret = (ast: SchemaAST.AST): boolean => {
  switch (ast._tag) {
    case "Declaration":
      return ast.annotations?.["expected"] === "Redacted" || ast.typeParameters.some(containsSecret)
    case "Objects":
      return ast.propertySignatures.some(({ type }) => containsSecret(type))
    case "Arrays":
      return [...ast.elements, ...ast.rest].some(containsSecret)
    case "Union":
      return ast.types.some(containsSecret)
    default:
      return false
  }
}

/** Returns the reason why an endpoint is never a tool. */
const withheldFor = (title: string, facts: EndpointFacts): string | undefined => {
  if (groupsOfManagers.has(title)) return "it is about the proofs of managers"
  if (facts.params.some((param) => param.required && param.info.secret && !isKey(param))) {
    return "it needs a private key, a signature or another secret"
  }
  if (facts.creates !== undefined || containsSecret(facts.success.ast)) return "it returns a secret"
  if (facts.class === "readOnly") return undefined
  if (facts.access !== "apiKey") return "a person may prove it by a signature or a private key"
  return Scope.ofTitle(title) === undefined ? "changes of its group are not for agents" : undefined
}

/** Parameters that prove authority, on endpoints that accept another proof than an API key. */
const proofs: ReadonlySet<string> = new Set(["manager", "wallet"])
/** Parameters that this server sets itself. */
const own: ReadonlySet<string> = new Set(["dryRun", "execute", "idempotency_key"])

const offeredParams = ({ access, params }: EndpointFacts): ReadonlyArray<ParamDescription> => {
  const otherProofs = access !== "apiKey" && access !== "open"
  return params.filter(({ info, name }) => !info.secret && !own.has(name) && !(otherProofs && proofs.has(name)))
}

const rehearsalOf = ({ class: kind, params }: EndpointFacts): Rehearsal | undefined =>
  kind === "readOnly"
    ? undefined
    : (["dryRun", "execute"] as const).find((flag) => params.some(({ name }) => name === flag))

const confirmationSchema = {
  type: "string",
  description: "The confirmation that the first call with the same arguments returned. Without it nothing is changed."
}

/** Describes a change: nothing happens before its second call. */
const changeText = (rehearsal: Rehearsal | undefined) =>
  `Call it twice: the first call ${
    rehearsal === undefined ? "says what would be requested" : "returns the plan"
  } and a confirmation, and changes nothing; the second call, with the same arguments and the confirmation, executes it.`

/** Returns the tool's name: clients accept letters, digits, `_` and `-` only. */
const nameOf = ({ name }: EndpointFacts) => name.replaceAll("/", "_")

const make = (group: string, facts: EndpointFacts): Tool => {
  const isRead = facts.class === "readOnly"
  const params = offeredParams(facts)
  const rehearsal = rehearsalOf(facts)
  const title = `${group}: ${facts.name}`
  return {
    name: nameOf(facts),
    title,
    description: isRead ? facts.summary : `${facts.summary} ${changeText(rehearsal)}`,
    facts,
    scope: isRead ? undefined : Scope.ofTitle(group),
    params,
    rehearsal,
    inputSchema: {
      type: "object",
      properties: {
        ...Object.fromEntries(
          params.map(({ description, info, name }) => [name, { ...info.jsonSchema, description }])
        ),
        ...(isRead ? {} : { [confirmationName]: confirmationSchema })
      },
      required: params.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false
    },
    annotations: {
      title,
      readOnlyHint: isRead,
      // Every change replaces or spends something.
      destructiveHint: !isRead,
      idempotentHint: facts.class !== "movesFunds",
      // A read of rows only depends on no chain and no exchange.
      openWorldHint: !(isRead && facts.fromRows)
    }
  }
}

const classified = Object.entries(endpointsByTitle).flatMap(([title, group]) =>
  group.map((facts) => ({ title, facts, reason: withheldFor(title, facts) }))
)

/** Every tool, whether a scope offers it or not. */
export const tools: ReadonlyArray<Tool> = classified.flatMap(({ facts, reason, title }) =>
  reason === undefined ? [make(title, facts)] : []
)

/** Every endpoint that is never a tool. */
export const withheld: ReadonlyArray<Withheld> = classified.flatMap(({ facts, reason }) =>
  reason === undefined ? [] : [{ name: facts.name, reason }]
)
