/** The built console: files from memory, compressed once, under a policy that lets nothing foreign in. */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Zlib from "node:zlib"
import * as Wire from "../wire/Wire.ts"

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8"
}

/** Scripts only from here, connections only to here. Styles may stand in the page: the component library writes some there. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  // Wallets bring their icons as data.
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

interface Asset {
  readonly body: Uint8Array
  readonly packed: Uint8Array
  readonly type: string
  /** Its name says its content. */
  readonly hashed: boolean
}

/** Files under their paths in the folder; none where the console is not built. */
const read = (folder: string): ReadonlyMap<string, Asset> => {
  if (!Fs.existsSync(Path.join(folder, "index.html"))) return new Map()
  const names = Fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => types[Path.extname(name)] !== undefined)
  return new Map(names.map((name) => {
    const body = Fs.readFileSync(Path.join(folder, name))
    const path = name.split(Path.sep).join("/")
    return [path, { body, packed: Zlib.gzipSync(body), type: types[Path.extname(name)] ?? "", hashed: path.startsWith("assets/") }]
  }))
}

const served = ({ body, hashed, packed, type }: Asset) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const gzip = /\bgzip\b/.test(headers["accept-encoding"] ?? "")
    return HttpServerResponse.uint8Array(gzip ? packed : body, {
      contentType: type,
      headers: {
        "Cache-Control": hashed ? "public, max-age=31536000, immutable" : "no-store",
        "Content-Security-Policy": policy,
        "X-Frame-Options": "DENY",
        // Without any referrer browsers would hide the page's origin from us too, by which we know our own page.
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        Vary: "Accept-Encoding",
        ...(gzip ? { "Content-Encoding": "gzip" } : {})
      }
    })
  })

/** The page with further scripts in its head, which run before its own: those are modules, and wait for the whole page. */
const withScripts = (page: Asset, scripts: ReadonlyArray<string>): Asset => {
  const tags = scripts.map((path) => `<script src="${path}"></script>`).join("")
  const body = Buffer.from(Buffer.from(page.body).toString("utf8").replace("</head>", `${tags}</head>`))
  return { ...page, body, packed: Zlib.gzipSync(body) }
}

/** `/console` and what is under it; `/` leads there. Paths that are no file are the page's own. */
export const layer = (folder: string | undefined, scripts: ReadonlyArray<string>) =>
  HttpRouter.use((router) =>
    Effect.gen(function*() {
      const files = folder === undefined ? new Map<string, Asset>() : read(folder)
      const built = files.get("index.html")
      if (built === undefined) return
      const page = withScripts(built, scripts)
      const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const path = (request.url.split("?")[0] ?? "").replace(/^\/console\/?/, "")
        const file = files.get(path)
        if (file !== undefined) return served(file === built ? page : file)
        return /\.[a-z0-9]+$/i.test(path) ? Effect.succeed(Wire.error(404, "There is no such file; reload the page.")) : served(page)
      })
      yield* router.add("GET", "/", Effect.succeed(HttpServerResponse.redirect("/console", { status: 302 })))
      yield* router.add("GET", "/console/*", answer)
    })
  )
