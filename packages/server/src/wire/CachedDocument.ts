/**
 * Sends documents that are the same for every caller: compressed as the caller accepts, with an ETag, and answered with
 * 304 when the caller already has it.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Crypto from "node:crypto"
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import * as Preference from "./Preference.ts"
import type { RequestHead } from "./RequestHead.ts"

type Encoding = "br" | "gzip" | "identity"

/** Seconds for which a copy is used without a question; after that its ETag is compared. */
const maxAge = 300

/** Brotli's quality: higher ones take seconds for a few per cent. */
const quality = 5

const gzip = promisify(Zlib.gzip)
const brotli = promisify(Zlib.brotliCompress)

const pack = (encoding: Encoding, body: Uint8Array): Promise<Uint8Array> =>
  encoding === "gzip"
    ? gzip(body)
    : encoding === "br"
    ? brotli(body, { params: { [Zlib.constants.BROTLI_PARAM_QUALITY]: quality } })
    : Promise.resolve(body)

/** A document, and its compressed forms once they were requested. */
interface Document {
  readonly body: Uint8Array
  readonly contentType: string
  readonly hash: string
  readonly packed: Map<Encoding, Promise<Uint8Array>>
}

const documentOf = (body: Uint8Array, contentType: string): Document => ({
  body,
  contentType,
  hash: Crypto.createHash("sha256").update(body).digest("base64url").slice(0, 22),
  packed: new Map()
})

/** Returns the encoding that the caller prefers among ours; without a header, none. */
const encodingOf = (header: string | undefined): Encoding => {
  const qualities = new Map(Preference.parse(header).map(({ name, quality: given }) => [name, given]))
  const qualityOf = (name: string) => qualities.get(name) ?? qualities.get("*") ?? 0
  const plain = qualities.get("identity") ?? 0
  const [best] = (["br", "gzip"] as const).filter((name) => qualityOf(name) > 0 && qualityOf(name) >= plain)
    .sort((one, other) => qualityOf(other) - qualityOf(one))
  return best ?? "identity"
}

const isSame = (tag: string, header: string | undefined): boolean =>
  (header ?? "").split(",").map((each) => each.trim().replace(/^W\//, "")).some((each) => each === tag || each === "*")

/** Answers with the document, or with 304. */
const send = (
  document: Document,
  { headers }: RequestHead
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.gen(function*() {
    const encoding = encodingOf(headers["accept-encoding"])
    const tag = `"${document.hash}${encoding === "identity" ? "" : `-${encoding}`}"`
    const shared = {
      ETag: tag,
      "Cache-Control": `public, max-age=${maxAge}, must-revalidate`,
      Vary: "Accept, Accept-Encoding"
    }
    if (isSame(tag, headers["if-none-match"])) return HttpServerResponse.empty({ status: 304, headers: shared })
    const known = document.packed.get(encoding) ?? pack(encoding, document.body)
    document.packed.set(encoding, known)
    return HttpServerResponse.uint8Array(yield* Effect.promise(() => known), {
      contentType: document.contentType,
      headers: { ...shared, ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }) }
    })
  })

/** The number of documents that are remembered with their compressed forms. */
const maxDocuments = 64

/** Documents by their content, the most recently sent last. */
const remembered = () => {
  const documents = new Map<string, Document>()
  return (body: Uint8Array, contentType: string): Document => {
    const fresh = documentOf(body, contentType)
    const key = `${contentType} ${fresh.hash}`
    const document = documents.get(key) ?? fresh
    documents.delete(key)
    documents.set(key, document)
    const [oldest] = documents.keys()
    if (documents.size > maxDocuments && oldest !== undefined) documents.delete(oldest)
    return document
  }
}

type Response = HttpServerResponse.HttpServerResponse

/** Sends responses as documents. */
export interface Documents {
  /** Sends a complete response as a document; a response with another status than 200 stays as it is. */
  readonly send: (response: Response, request: RequestHead) => Effect.Effect<Response>
}

/** Makes an empty memory of documents. A response that is sent again is hashed and compressed once. */
export const make = (): Documents => {
  const find = remembered()
  const known = new WeakMap<object, Document>()
  return {
    send: (response, request) => {
      const { body, status } = response
      const isRead = request.method === "GET" || request.method === "HEAD"
      if (status !== 200 || body._tag !== "Uint8Array" || !isRead) return Effect.succeed(response)
      const document = known.get(body) ?? find(body.body, body.contentType)
      known.set(body, document)
      return send(document, request)
    }
  }
}

/** Sends the successful responses of the routes below it as documents. */
export const middleware = HttpRouter.middleware(Effect.sync(() => {
  const documents = make()
  return (answer) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) => Effect.flatMap(answer, (response) => documents.send(response, request))
    )
}))
