/** Texts for language models in the form of llmstxt.org: an index of the documents, and everything in one file. */
import type { EndpointFacts } from "../endpoint/Endpoint.ts"
import { executionCodes, validationCodes } from "../failure/Failure.ts"
import { unboxed } from "./MediaType.ts"

/** A document in Markdown, with the name of its file. */
export interface Text {
  readonly name: string
  readonly text: string
}

type ByTitle = Readonly<Record<string, ReadonlyArray<EndpointFacts>>>

/** Returns a group's title as it is written in a URL: `Gas wallets` as `gas-wallets`. */
export const categoryOf = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, "-")

const listed = (endpointsByTitle: ByTitle): ReadonlyArray<readonly [string, ReadonlyArray<EndpointFacts>]> =>
  Object.entries(endpointsByTitle).flatMap(([title, endpoints]) => {
    const shown = endpoints.filter(({ listed }) => listed)
    return shown.length === 0 ? [] : [[title, shown] as const]
  })

const opening = ({ version }: { readonly version: string }): string =>
  `# Vault Trader

> An HTTP API (version ${version}) that lets software act as the trader of a managed on-chain vault: trade, approve,
> lend, provide liquidity, run bots, collect fees. Custody stays in the vault; each call is signed by the gas wallet of
> the caller's API key.

- Send the key as \`Authorization: Bearer\` or \`X-API-Key\`, parameters as a JSON body or in the query string.
- Every field of an answer is a one-element array; with \`Accept: ${unboxed}\` there are no boxes.
- Check \`status\` in the body, not only the HTTP status: success, pending (call getIntent), or fail.
- Endpoints that move funds take \`dryRun=true\` and an \`Idempotency-Key\`: send both, the first to plan, the second to
  repeat safely.
`

const link = (name: string, path: string, notes: string): string => `- [${name}](${path}): ${notes}`

/** Returns a document's title and its first sentence. */
const about = ({ name, text }: Text): readonly [title: string, notes: string] => {
  const [, title = name, rest = ""] = /^# (.+)\n+([\s\S]*)$/.exec(text) ?? []
  const paragraph = rest.split(/\n\n/)[0]?.replace(/\s+/g, " ").trim() ?? ""
  const plain = paragraph.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
  const sentence = /^[A-Z].*?[.:](?= |$)/.exec(plain)?.[0] ?? `${title}.`
  return [title, sentence.replace(/:$/, ".")]
}

/** Builds `/llms.txt`: the reference, the documents, and each group of endpoints. */
export const index = (
  endpointsByTitle: ByTitle,
  service: { readonly version: string },
  documents: ReadonlyArray<Text>
): string =>
  [
    opening(service),
    "## Reference\n",
    link("OpenAPI 3.1", "/openapi.json", "every endpoint; `?answers=unboxed` has only the answers without boxes"),
    link(
      "Metadata",
      "/llmIntrospect?compact=true",
      "every endpoint in a line, for agents; `?endpoint=` has all of one"
    ),
    link("Everything in one file", "/llms-full.txt", "the documents and every endpoint"),
    ...(documents.length === 0 ? [] : ["\n## Documents\n"]),
    ...documents.map((document) => link(about(document)[0], `/docs/${document.name}`, about(document)[1])),
    "\n## Endpoints\n",
    ...listed(endpointsByTitle).map(([title, endpoints]) =>
      link(title, `/llmIntrospect?category=${categoryOf(title)}`, endpoints.map(({ name }) => name).join(", "))
    ),
    "\n## Optional\n",
    link("Interactive reference", "/__docs__", "a page for people"),
    ""
  ].join("\n")

const parameterLine = ({ description, name, required }: EndpointFacts["params"][number]): string =>
  `- \`${name}\`${required ? "" : " (optional)"}: ${description}`

const endpointText = ({ charge, class: kind, failsWith, methods, params, paths, summary, example }: EndpointFacts) =>
  [
    `### ${paths[0] ?? ""}\n`,
    `${summary} (${kind}, ${methods.join(" or ")}${charge === "free" ? "" : `, price class ${charge}`})\n`,
    ...(paths.length > 1 ? [`Other paths: ${paths.slice(1).join(", ")}\n`] : []),
    ...params.map(parameterLine),
    ...(failsWith.length > 0
      ? [`\nFails with ${failsWith.map((errorType) => `${executionCodes[errorType]} ${errorType}`).join(", ")}.`]
      : []),
    `\nAnswer: \`${JSON.stringify({ status: "success", ...example })}\`\n`
  ].join("\n")

const codesText = (): string =>
  [
    "## Codes\n",
    ...Object.entries(validationCodes).map(([code, meaning]) => `- ${code}: ${meaning}`),
    ...Object.entries(executionCodes).map(([errorType, code]) => `- ${code}: ${errorType}`)
  ].join("\n")

/** Builds `/llms-full.txt`: the documents, and every endpoint with its parameters, failures and an answer. */
export const full = (
  endpointsByTitle: ByTitle,
  service: { readonly version: string },
  documents: ReadonlyArray<Text>
): string =>
  [
    opening(service),
    codesText(),
    ...listed(endpointsByTitle).map(([title, endpoints]) =>
      `\n## ${title}\n\n${endpoints.map(endpointText).join("\n")}`
    ),
    ...documents.map(({ name, text }) => `\n<!-- /docs/${name} -->\n\n${text.trim()}\n`)
  ].join("\n")
