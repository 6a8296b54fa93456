import { assert, describe, it } from "@effect/vitest"
import { endpointsByTitle } from "@vault-trader/core/Catalogue"
import { openApiDocument } from "@vault-trader/core/introspection/OpenApiDocument"
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript"
import ts from "typescript"

const document = JSON.parse(JSON.stringify(openApiDocument(endpointsByTitle, { version: "1.2.3" }))) as OpenAPI3

/** A caller's program: it sends its key as a header, and reads the answers without boxes by their status. */
const program = `
import type { paths } from "./Api"

type Trade = paths["/vaultTrade"]["post"]
export const body: Trade["requestBody"]["content"]["application/json"] = { pool: "0x1", from: "USDC", to: "WETH" }
export const headers: Trade["parameters"]["header"] = { "Idempotency-Key": "signal-1" }
export const query: paths["/poolComposition"]["get"]["parameters"]["query"] = { network: "base", pool: "0x1" }

type Answer = Trade["responses"][200]["content"]["application/vnd.vault-trader.v1+json"]
export const read = (answer: Answer): string => {
  if (answer.status === "fail") return answer.status_code + answer.message
  if (answer.status === "pending") return answer.intent_id ?? answer.message
  return "dryRun" in answer ? answer.message : answer.bought.amount
}

type Failure = Trade["responses"][400]["content"]["application/vnd.vault-trader.v1+json"]
export const failed = ({ error_type, intent_id }: Failure): readonly [string, string | null] => [error_type, intent_id]

type Boxed = Trade["responses"][200]["content"]["application/json"]
export const status = (answer: Boxed): string | undefined => answer.status[0]
`

/** Returns the compiler's messages about a program that imports the generated types. */
const messagesOf = (types: string, text: string): ReadonlyArray<string> => {
  const files: Readonly<Record<string, string>> = { "/Api.ts": types, "/Program.ts": text }
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    module: ts.ModuleKind.ESNext
  }
  const host = ts.createCompilerHost(options)
  const { fileExists, getSourceFile, readFile } = host
  host.fileExists = (path) => path in files || fileExists(path)
  host.readFile = (path) => files[path] ?? readFile(path)
  host.getSourceFile = (path, language, ...rest) => {
    const own = files[path]
    return own === undefined ? getSourceFile(path, language, ...rest) : ts.createSourceFile(path, own, language)
  }
  return ts.getPreEmitDiagnostics(ts.createProgram(["/Program.ts"], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
}

describe("a client that is generated from the OpenAPI document", () => {
  it("sends its key as a header, and discriminates the answers without boxes by their status", async () => {
    const types = astToString(await openapiTS(document))
    assert.deepStrictEqual(messagesOf(types, program), [])
    const [first] = messagesOf(types, program.replace("answer.bought.amount", "answer.status_code"))
    assert.include(first, "status_code")
    const [missing] = messagesOf(types, program.replace(`from: "USDC", `, ""))
    assert.include(missing, "from")
  })
})
