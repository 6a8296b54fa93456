/**
 * Serves the built console from memory, each file compressed once, when it is first requested so; with a policy that
 * allows only resources of this origin.
 */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { promisify } from "node:util"
import * as Zlib from "node:zlib"
import * as PageFile from "../wire/PageFile.ts"
import * as Wire from "../wire/Wire.ts"
import * as Preloads from "./Preloads.ts"
import { tokenOf } from "./SessionToken.ts"

interface Asset {
  readonly body: Uint8Array
  readonly packed: () => Promise<Uint8Array>
  readonly type: string
  /** The file name contains a hash of the content. */
  readonly hashed: boolean
}

const gzip = promisify(Zlib.gzip)

const packedOnce = (body: Uint8Array): Asset["packed"] => {
  let packed: Promise<Uint8Array> | undefined
  return () => packed ??= gzip(body)
}

/** Reads the files by their path in the folder; returns none if the console is not built. */
const read = (folder: string): ReadonlyMap<string, Asset> => {
  if (!Fs.existsSync(Path.join(folder, "index.html"))) return new Map()
  const names = Fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    PageFile.typeOf(name) !== undefined
  )
  return new Map(names.map((name) => {
    const body = Fs.readFileSync(Path.join(folder, name))
    const path = name.split(Path.sep).join("/")
    return [path, {
      body,
      packed: packedOnce(body),
      type: PageFile.typeOf(name) ?? "",
      hashed: PageFile.isHashed(path)
    }]
  }))
}

const serve = ({ body, hashed, packed, type }: Asset) =>
  Effect.gen(function*() {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const gzip = /\bgzip\b/.test(headers["accept-encoding"] ?? "")
    return HttpServerResponse.uint8Array(gzip ? yield* Effect.promise(packed) : body, {
      contentType: type,
      headers: {
        ...PageFile.headers,
        "Cache-Control": hashed ? PageFile.keptForever : "no-store",
        Vary: "Accept-Encoding",
        ...(gzip ? { "Content-Encoding": "gzip" } : {})
      }
    })
  })

/** Adds tags to the page's head. */
const withTags = (page: Asset, tags: ReadonlyArray<string>): Asset => {
  const body = Buffer.from(Buffer.from(page.body).toString("utf8").replace("</head>", `${tags.join("")}</head>`))
  return { ...page, body, packed: packedOnce(body) }
}

/**
 * Serves `/console` and below; `/` redirects there. Paths that are not files return the page, whose router handles
 * them.
 */
export const layer = (folder: string | undefined, scripts: ReadonlyArray<string>) =>
  HttpRouter.use((router) =>
    Effect.gen(function*() {
      const files = folder === undefined ? new Map<string, Asset>() : read(folder)
      const built = files.get("index.html")
      if (built === undefined) return
      // They run before the page's own scripts, which are modules and thus deferred.
      const page = withTags(built, scripts.map((path) => `<script src="${path}"></script>`))
      const preloaded = Preloads.make(files.get(Preloads.fileName)?.body, (tags) => withTags(page, tags))
      const pageOf = (path: string, { headers }: HttpServerRequest.HttpServerRequest) =>
        tokenOf(headers) === undefined ? page : preloaded(path) ?? page
      const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const path = (request.url.split("?")[0] ?? "").replace(/^\/console\/?/, "")
        const file = files.get(path)
        if (file !== undefined) return serve(file === built ? pageOf("", request) : file)
        return /\.[a-z0-9]+$/i.test(path)
          ? Effect.succeed(Wire.error(404, "File not found; reload the page."))
          : serve(pageOf(path, request))
      })
      yield* router.add("GET", "/", Effect.succeed(HttpServerResponse.redirect("/console", { status: 302 })))
      yield* router.add("GET", "/console/*", answer)
    })
  )
