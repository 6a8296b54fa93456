/** Serves the documentation site at `/docs/`, and until it is built a page that links the documents as Markdown. */
import type { Text } from "@vault-trader/core/introspection/Llms"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as CachedDocument from "../wire/CachedDocument.ts"
import * as PageFile from "../wire/PageFile.ts"
import { pathOf } from "../wire/RequestHead.ts"

export interface Site {
  readonly folder: string
  /** Builds the folder where it is missing or old; run once, when the first page is requested. */
  readonly prepare: Effect.Effect<void>
}

type Response = HttpServerResponse.HttpServerResponse

/** How long a first reader waits for a site that may only have to be compared with its sources. */
const patience = "1 second"

const escaped = (text: string): string => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`)

/** Returns the page in place of a site that is not built yet, or could not be built. */
const placeholder = (documents: ReadonlyArray<Text>, isBuilding: boolean): Response => {
  const links = documents.map(({ name }) => `<li><a href="/docs/${escaped(name)}">${escaped(name)}</a></li>`)
  const state = isBuilding
    ? "The documentation is being built; this page loads it as soon as it is ready."
    : "The documentation is not built here; the log of the service says why."
  return HttpServerResponse.text(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Vault Trader</title>${
      isBuilding ? "<meta http-equiv=\"refresh\" content=\"2\">" : ""
    }</head><body><h1>Vault Trader</h1><p>${state} The same documents as Markdown:</p><ul>${links.join("")}</ul>` +
      "<p><a href=\"/__docs__\">Reference of every endpoint</a></p></body></html>",
    { contentType: "text/html; charset=utf-8", headers: { ...PageFile.headers, "Cache-Control": "no-store" } }
  )
}

/** Lists the files of a built site; undefined before it is there. */
const listed = (folder: string): ReadonlySet<string> | undefined =>
  Fs.existsSync(Path.join(folder, "index.html"))
    ? new Set(
      Fs.readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => PageFile.typeOf(name) !== undefined)
        .map((name) => name.split(Path.sep).join("/"))
    )
    : undefined

/** Returns the file of a path: a page may be named without its ending. */
const fileAt = (names: ReadonlySet<string>, path: string): string =>
  [path === "" ? "index.html" : path, `${path}.html`].find((name) => names.has(name)) ?? "404.html"

/** A built site as it was found. */
interface Found {
  readonly names: ReadonlySet<string>
  /** Files that were read; a response that is sent again is not compressed again. */
  readonly known: Map<string, Response>
}

/** Reads a file once; fails when it is gone, because the site was built again. */
const read = (folder: string, { known }: Found, name: string) =>
  Effect.suspend(() => {
    const response = known.get(name)
    if (response !== undefined) return Effect.succeed(response)
    return Effect.map(Effect.tryPromise(() => Fs.promises.readFile(Path.join(folder, name))), (body) => {
      const fresh = HttpServerResponse.uint8Array(body, { contentType: PageFile.typeOf(name) ?? "" })
      known.set(name, fresh)
      return fresh
    })
  })

const withHeaders = (response: Response, name: string): Response =>
  HttpServerResponse.setHeaders(
    name === "404.html" ? HttpServerResponse.setStatus(response, 404) : response,
    { ...PageFile.headers, ...(PageFile.isHashed(name) ? { "Cache-Control": PageFile.keptForever } : {}) }
  )

/** Serves the site, if there is one. */
export const layer = (site: Site | undefined, documents: ReadonlyArray<Text>) =>
  HttpRouter.use((router) =>
    Effect.gen(function*() {
      if (site === undefined) return
      const sent = CachedDocument.make()
      const scope = yield* Effect.scope
      const preparing = yield* Effect.cached(Effect.forkIn(site.prepare, scope))
      let found: Found | undefined
      const answer = Effect.gen(function*() {
        const request = yield* HttpServerRequest.HttpServerRequest
        const path = pathOf(request)
        // Links of a page are relative to its folder.
        if (/^\/docs$/i.test(path)) return HttpServerResponse.redirect("/docs/", { status: 302 })
        const fiber = yield* preparing
        const prepared = yield* Effect.timeoutOption(Fiber.await(fiber), patience)
        if (prepared._tag === "None") return placeholder(documents, true)
        const names = found?.names ?? listed(site.folder)
        if (names === undefined) return placeholder(documents, false)
        found ??= { names, known: new Map() }
        const name = fileAt(names, path.replace(/^\/docs\/+/i, ""))
        const file = yield* Effect.option(read(site.folder, found, name))
        if (file._tag === "Some") return withHeaders(yield* sent.send(file.value, request), name)
        found = undefined
        return placeholder(documents, true)
      })
      yield* router.add("GET", "/docs/*", answer)
    })
  )
