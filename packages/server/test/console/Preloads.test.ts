import { assert, describe, it } from "@effect/vitest"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Assets from "../../src/console/Assets.ts"
import * as Preloads from "../../src/console/Preloads.ts"
import { cookie } from "../../src/console/SessionToken.ts"

const scripts = {
  "/": ["assets/HomePage-a1.js"],
  "/vaults/$network/$pool": ["assets/VaultPage-b2.js", "assets/parts-c3.js"]
}

const tagOf = (file: string) => `<link rel="modulepreload" crossorigin href="/console/${file}">`

/** A built console of one page, with the scripts of each path unless `names` is false. */
const built = (names: boolean) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-console-"))
      Fs.writeFileSync(Path.join(folder, "index.html"), "<head><title>Console</title></head>")
      if (names) Fs.writeFileSync(Path.join(folder, Preloads.fileName), JSON.stringify(scripts))
      return folder
    }),
    (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
  )

const signedIn = cookie(Redacted.make("0".repeat(64)), { seconds: 60, secure: false })

/** Returns a function that requests a page from a service with that console. */
const serving = ({ names = true }: { readonly names?: boolean } = {}) =>
  Effect.gen(function*() {
    const layer = HttpRouter.serve(Assets.layer(yield* built(names), []), {
      disableListenLog: true,
      disableLogger: true
    })
    const context = yield* Layer.build(Layer.provideMerge(layer, NodeHttpServer.layerTest))
    return (path: string, cookies: string) =>
      HttpClient.execute(HttpClientRequest.setHeader(HttpClientRequest.get(path), "cookie", cookies)).pipe(
        Effect.flatMap(({ text }) => text),
        Effect.provide(context)
      )
  })

describe("the scripts of a page", () => {
  it("are found by its path, whatever its parameters are", () => {
    const found = Preloads.make(Buffer.from(JSON.stringify(scripts)), (tags) => tags.join(""))
    const vault = scripts["/vaults/$network/$pool"].map(tagOf).join("")
    assert.strictEqual(found(""), tagOf("assets/HomePage-a1.js"))
    assert.strictEqual(found("vaults/base/0xa0"), vault)
    assert.strictEqual(found("vaults/base/0xa0/"), vault)
    for (const other of ["vaults", "vaults/base", "vaults/base/0xa0/report", "a/vaults/base/0xa0", "vaults//0xa0"]) {
      assert.isUndefined(found(other), other)
    }
  })

  it.effect("are named in the page of a visitor with a session's cookie, and in no other", () =>
    Effect.scoped(Effect.gen(function*() {
      const page = yield* serving()
      assert.include(yield* page("/console/", signedIn), tagOf("assets/HomePage-a1.js"))
      assert.include(yield* page("/console/vaults/base/0xa0?tab=1", signedIn), tagOf("assets/VaultPage-b2.js"))
      for (const cookies of ["", "other=1", "vault_trader_session=short"]) {
        assert.notInclude(yield* page("/console/", cookies), "modulepreload", cookies)
      }
      // A path of the visitor's making is in no page.
      assert.notInclude(yield* page("/console/%3Cscript%3E", signedIn), "script")
    })))

  it.effect("are optional: a console that names none is served as it is", () =>
    Effect.scoped(Effect.gen(function*() {
      const page = yield* serving({ names: false })
      assert.strictEqual(yield* page("/console/", signedIn), "<head><title>Console</title></head>")
    })))
})
