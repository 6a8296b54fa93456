import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Zlib from "node:zlib"
import * as Docs from "../../src/introspection/Docs.ts"
import * as DocumentationSite from "../../src/introspection/DocumentationSite.ts"

const documents = [{ name: "api.md", text: "# The API\n\nRules.\n" }]

/** Writes a small site as VitePress does. */
const build = (folder: string) => {
  Fs.mkdirSync(Path.join(folder, "tutorials"), { recursive: true })
  Fs.mkdirSync(Path.join(folder, "assets"), { recursive: true })
  const page = (title: string) => `<!doctype html><h1>${title}</h1><p>${"text ".repeat(200)}</p>`
  for (const name of ["index", "api", "404", "tutorials/first-bot"]) {
    Fs.writeFileSync(Path.join(folder, `${name}.html`), page(name))
  }
  Fs.writeFileSync(Path.join(folder, "assets/app.12ab34cd.js"), "export {}")
  Fs.writeFileSync(Path.join(folder, "secret.pem"), "not a file of a page")
}

const serving = (prepare: (folder: string) => Effect.Effect<void>) => {
  const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-site-"))
  const layer = Layer.merge(
    Docs.layer({ version: { version: "1.2.3", commit: "abc" }, documents }),
    DocumentationSite.layer({ folder, prepare: prepare(folder) }, documents)
  )
  const { handler } = HttpRouter.toWebHandler(layer, { disableLogger: true })
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await handler(new Request(`http://localhost${path}`, { headers }))
    const body = Buffer.from(await response.arrayBuffer())
    return {
      status: response.status,
      body,
      text: body.toString(),
      header: (name: string) => response.headers.get(name)
    }
  }
  return { ask, folder }
}

const built = (folder: string) => Effect.sync(() => build(folder))

describe("the documentation site", () => {
  const { ask } = serving(built)

  it("is at /docs/, with or without the ending of a page, beside the documents as Markdown", async () => {
    const top = await ask("/docs")
    assert.deepStrictEqual([top.status, top.header("location")], [302, "/docs/"])
    assert.include((await ask("/docs/")).text, "<h1>index</h1>")
    for (const path of ["/docs/api.html", "/docs/api", "/docs/api?from=search"]) {
      assert.include((await ask(path)).text, "<h1>api</h1>", path)
    }
    assert.include((await ask("/docs/tutorials/first-bot.html")).text, "<h1>tutorials/first-bot</h1>")
    const markdown = await ask("/docs/api.md")
    assert.deepStrictEqual([markdown.header("content-type"), markdown.text], [
      "text/markdown; charset=utf-8",
      documents[0]?.text
    ])
  })

  it("allows what the console's pages allow: scripts of this origin, and no other page around it", async () => {
    for (const path of ["/docs/", "/docs/api.html", "/docs/nothing", "/docs/assets/app.12ab34cd.js"]) {
      const { header } = await ask(path)
      assert.include(header("content-security-policy"), "script-src 'self'; ", path)
      assert.include(header("content-security-policy"), "frame-ancestors 'none'", path)
    }
  })

  it("is compressed and compared by its ETag; files with a hash in their name are kept", async () => {
    const packed = await ask("/docs/api.html", { "accept-encoding": "br" })
    assert.include(Zlib.brotliDecompressSync(packed.body).toString(), "<h1>api</h1>")
    assert.strictEqual(packed.header("cache-control"), "public, max-age=300, must-revalidate")
    const tag = packed.header("etag") ?? ""
    const again = await ask("/docs/api.html", { "accept-encoding": "br", "if-none-match": tag })
    assert.deepStrictEqual([again.status, again.body.length], [304, 0])
    const script = await ask("/docs/assets/app.12ab34cd.js")
    assert.strictEqual(script.header("cache-control"), "public, max-age=31536000, immutable")
  })

  it("has a page of its own for what does not exist, and sends only files of its folder", async () => {
    for (const path of ["/docs/nothing", "/docs/nothing.md", "/docs/secret.pem", "/docs/..%2fsecret.pem"]) {
      const { status, text } = await ask(path)
      assert.deepStrictEqual([status, text.includes("<h1>404</h1>")], [404, true], path)
    }
  })

  it("serves the new site after it was built again while the service runs", async () => {
    const { ask, folder } = serving(built)
    assert.include((await ask("/docs/")).text, "<h1>index</h1>")
    Fs.rmSync(folder, { recursive: true })
    assert.strictEqual((await ask("/docs/api.html")).status, 200)
    build(folder)
    assert.include((await ask("/docs/api.html")).text, "<h1>api</h1>")
  })
})

describe("a site that is not built", () => {
  it("links the documents as Markdown, and is built once, when it is first requested", async () => {
    const finished = Deferred.makeUnsafe<void>()
    let builds = 0
    const { ask } = serving((folder) =>
      Effect.andThen(Effect.sync(() => builds++), Deferred.await(finished)).pipe(
        Effect.andThen(Effect.sync(() => build(folder)))
      )
    )
    assert.strictEqual(builds, 0)
    const waiting = await ask("/docs/")
    assert.deepStrictEqual([waiting.status, waiting.header("cache-control"), builds], [200, "no-store", 1])
    assert.include(waiting.text, "http-equiv=\"refresh\"")
    assert.include(waiting.text, "<a href=\"/docs/api.md\">")
    Deferred.doneUnsafe(finished, Effect.void)
    assert.include((await ask("/docs/")).text, "<h1>index</h1>")
    assert.strictEqual(builds, 1)
  })

  it("says so, when it could not be built", async () => {
    const { ask } = serving(() => Effect.void)
    const { text } = await ask("/docs/api.html")
    assert.include(text, "is not built here")
    assert.notInclude(text, "refresh")
  })
})
