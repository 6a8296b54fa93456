/** The resources of agents: the wallet's vaults, bots and last requests as JSON, and the documents. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { endpoint } from "./Following.ts"
import { ServiceClient } from "./ServiceClient.ts"

/** A document that ships with the service. */
export interface Document {
  /** Its file's name, as `api.md`. */
  readonly name: string
  readonly title: string
  readonly read: Effect.Effect<string, UnknownResource>
}

/** There is no resource of this URI, or it cannot be read now. */
export class UnknownResource extends Data.TaggedError("UnknownResource")<{ readonly message: string }> {}

const scheme = "vault-trader://"

/** Resources that are the answer of a read. */
const answers = [
  {
    path: "vaults",
    title: "Vaults",
    description: "The vaults linked to the wallet, and whether it is their trader.",
    endpoint: "getGasWalletPools",
    params: {}
  },
  {
    path: "bots",
    title: "Bots",
    description: "The wallet's threshold bots and index bots, with their state.",
    endpoint: "getAllBots",
    params: {}
  },
  {
    path: "intents",
    title: "Last requests",
    description: "The last 20 requests of the wallet, newest first, with their outcomes.",
    endpoint: "getIntents",
    params: { limit: 20 }
  }
] as const

const documentUri = ({ name }: Document) => `${scheme}docs/${name}`

/** Lists the resources. */
export const list = (documents: ReadonlyArray<Document>) => [
  ...answers.map(({ description, path, title }) => ({
    uri: `${scheme}${path}`,
    name: path,
    title,
    description,
    mimeType: "application/json"
  })),
  ...documents.map((document) => ({
    uri: documentUri(document),
    name: document.name,
    title: document.title,
    mimeType: "text/markdown"
  }))
]

const answered = Effect.fnUntraced(function*(uri: string, { endpoint: name, params }: (typeof answers)[number]) {
  const facts = yield* endpoint(name)
  const { fields } = yield* (yield* ServiceClient).call(facts, params)
  if (fields["status"] !== "success") {
    return yield* new UnknownResource({ message: `${uri} cannot be read: ${String(fields["message"])}` })
  }
  return { uri, mimeType: "application/json", text: JSON.stringify(fields, null, 2) }
})

/** Reads a resource of the list. */
export const read = Effect.fnUntraced(function*(documents: ReadonlyArray<Document>, uri: string) {
  const document = documents.find((each) => documentUri(each) === uri)
  if (document !== undefined) return { uri, mimeType: "text/markdown", text: yield* document.read }
  const answer = answers.find(({ path }) => `${scheme}${path}` === uri)
  if (answer === undefined) {
    return yield* new UnknownResource({ message: `There is no resource ${uri.slice(0, 200)}.` })
  }
  return yield* answered(uri, answer).pipe(
    Effect.catchTag("NoAnswer", ({ message, next }) => new UnknownResource({ message: `${message} ${next}` }))
  )
})
