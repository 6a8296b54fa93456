import { assert, describe, it } from "@effect/vitest"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Zlib from "node:zlib"
import * as Docs from "../../src/introspection/Docs.ts"

const documents = [{ name: "api.md", text: "# The API\n\nRules.\n" }]
const { handler } = HttpRouter.toWebHandler(Docs.layer({ version: { version: "1.2.3", commit: "abc" }, documents }), {
  disableLogger: true
})

const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await handler(new Request(`http://localhost${path}`, { headers }))
  return {
    response,
    body: Buffer.from(await response.arrayBuffer()),
    header: (name: string) => response.headers.get(name)
  }
}

for (const path of ["/openapi.json", "/__docs__", "/llms.txt", "/llms-full.txt", "/docs/api.md"]) {
  describe(path, () => {
    it("is compressed as the caller accepts, and the same document in each form", async () => {
      const identity = await ask(path)
      const gzip = await ask(path, { "accept-encoding": "gzip, deflate" })
      const brotli = await ask(path, { "accept-encoding": "gzip, deflate, br" })
      assert.deepStrictEqual([identity, gzip, brotli].map(({ header }) => header("content-encoding")), [
        null,
        "gzip",
        "br"
      ])
      assert.isTrue(Zlib.gunzipSync(gzip.body).equals(identity.body))
      assert.isTrue(Zlib.brotliDecompressSync(brotli.body).equals(identity.body))
      assert.isAbove(identity.body.length, 0)
      const refusing = await ask(path, { "accept-encoding": "gzip;q=0, br;q=0" })
      assert.isNull(refusing.header("content-encoding"))
      const preferring = await ask(path, { "accept-encoding": "br;q=0.5, gzip;q=0.8" })
      assert.strictEqual(preferring.header("content-encoding"), "gzip")
    })

    it("may be cached by anyone, and is compared by its ETag after that", async () => {
      const { header, response } = await ask(path)
      const tag = header("etag") ?? ""
      assert.strictEqual(response.status, 200)
      assert.strictEqual(header("cache-control"), "public, max-age=300, must-revalidate")
      assert.include(header("vary"), "Accept-Encoding")
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
        const again = await ask(path, { "if-none-match": known })
        assert.deepStrictEqual([again.response.status, again.body.length, again.header("etag")], [304, 0, tag], known)
      }
      assert.strictEqual((await ask(path, { "if-none-match": `"other"` })).response.status, 200)
      const gzip = { "accept-encoding": "gzip", "if-none-match": tag }
      assert.strictEqual((await ask(path, gzip)).response.status, 200)
    })
  })
}

describe("the documents", () => {
  it("are made when they are first requested, not at the start", async () => {
    let reads = 0
    const version = {
      commit: "abc",
      get version() {
        reads++
        return "1.2.3"
      }
    }
    const web = HttpRouter.toWebHandler(Docs.layer({ version, documents }), { disableLogger: true })
    const read = (path: string) => web.handler(new Request(`http://localhost${path}`))
    await read("/docs/api.md")
    assert.strictEqual(reads, 0)
    for (const path of ["/openapi.json", "/openapi.json?answers=boxed", "/__docs__", "/llms.txt", "/llms-full.txt"]) {
      const before = reads
      const answers = await Promise.all([read(path), read(path)])
      assert.strictEqual(new Set(answers.map(({ headers }) => headers.get("etag"))).size, 1)
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200])
      const made = reads
      assert.isAbove(made, before, path)
      await read(path)
      assert.strictEqual(reads, made, path)
    }
  })
})

describe("/openapi.json", () => {
  it("has the answers of both media types, or of the one that is requested", async () => {
    const both = (await ask("/openapi.json")).body.toString()
    const unboxed = (await ask("/openapi.json?answers=unboxed")).body.toString()
    const boxed = (await ask("/openapi.json?answers=boxed")).body.toString()
    const types = [
      "application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Boxed\"",
      "application/vnd.vault-trader.v1+json\":{"
    ]
    assert.deepStrictEqual(types.map((type) => [both, boxed, unboxed].map((text) => text.includes(type))), [
      [true, false, false],
      [true, false, true]
    ])
    assert.include(boxed, "ExecutedBoxed")
  })

  it("names the accepted answers for an unknown one, which is not cached", async () => {
    const { body, header, response } = await ask("/openapi.json?answers=plain")
    assert.strictEqual(response.status, 400)
    assert.include(body.toString(), "must be one of both, boxed, unboxed")
    assert.isNull(header("etag"))
  })
})

describe("/__docs__", () => {
  it("is a third of its size when it is compressed", async () => {
    const [plain, gzip] = [await ask("/__docs__"), await ask("/__docs__", { "accept-encoding": "gzip" })]
    assert.isBelow(gzip.body.length, plain.body.length / 3)
  })
})
