import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { buildConsole } from "../../../scripts/console.mjs"
import { barriers, browser, picture } from "@vault-trader/testing/harness/Browser"
import { builtConsole, serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, manager } from "./Fixture.ts"

await buildConsole()

/** Copies the build to a folder where it has another name, as the next build has. */
const nextBuild = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-console-"))
    Fs.cpSync(builtConsole, folder, { recursive: true })
    for (const name of ["index.html", "service-worker.js"]) {
      const file = Path.join(folder, name)
      Fs.writeFileSync(file, Fs.readFileSync(file, "utf8").replaceAll(buildName, next))
    }
    return folder
  }),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
)

const next = "0123456789abcdef"
const buildName = /name="build" content="([0-9a-f]{16})"/.exec(
  Fs.readFileSync(Path.join(builtConsole, "index.html"), "utf8")
)?.[1] ?? ""

/** Runs in the page: the names of the service worker's caches, and the paths that they keep. */
const kept = async () => {
  const names = await caches.keys()
  const paths: Array<string> = []
  for (const name of names) {
    for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname)
  }
  return { names, paths }
}

/** Returns the width and height in a PNG's header. */
const sizeOf = (name: string) => {
  const bytes = Fs.readFileSync(Path.join(builtConsole, name))
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

layer(Layer.empty, { excludeTestServices: true })("the installed console", (it) => {
  it.effect("keeps hashed files and the offline page only, and never shows an old build", () =>
    Effect.scoped(Effect.gen(function*() {
      const answers = answersOf({ bots: 3, vaults: 2 })
      const first = yield* Scope.make()
      const { url } = yield* Scope.provide(serve(manager, answers), first)
      const chromium = yield* browser
      const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce" }))
      const complaints: Array<string> = []
      page.on("pageerror", (error) => complaints.push(error.message))
      page.on("console", (line) => {
        if (/policy|refused to/i.test(line.text())) complaints.push(line.text())
      })
      yield* act(async () => {
        await page.goto(`${url}/console/bots`)
        await page.getByRole("heading", { name: "Trading Bots" }).waitFor()
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
        await page.reload()
        await page.getByRole("heading", { name: "Trading Bots" }).waitFor()
        await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
        await page.reload()
        await page.getByRole("heading", { name: "Trading Bots" }).waitFor()
      })
      // The browser finds a manifest without errors, and icons of the sizes that it says.
      const session = yield* Effect.promise(() => page.context().newCDPSession(page))
      const manifest = yield* Effect.promise(() => session.send("Page.getAppManifest"))
      assert.deepStrictEqual(manifest.errors, [])
      assert.match(manifest.url, /\/console\/manifest\.webmanifest$/)
      assert.deepStrictEqual(sizeOf("icon-192.png"), [192, 192])
      assert.deepStrictEqual(sizeOf("icon-512.png"), [512, 512])
      assert.deepStrictEqual(sizeOf("icon-maskable-512.png"), [512, 512])

      const before = yield* Effect.promise(() => page.evaluate(kept))
      assert.deepStrictEqual(before.names, [`console-${buildName}`])
      assert.isAbove(before.paths.filter((path) => path.startsWith("/console/assets/")).length, 3)
      assert.deepStrictEqual(
        before.paths.filter((path) => !/^\/console\/assets\/[^/]+\.(js|css|svg)$/.test(path)).sort(),
        ["/console/icon-192.png", "/console/offline.html"]
      )

      // The service is down: no page of it, no figures.
      yield* Scope.close(first, Exit.void)
      yield* act(async () => {
        await page.reload()
        await page.getByRole("heading", { name: "The service cannot be reached" }).waitFor()
      })
      assert.deepStrictEqual(yield* barriers(page), [])
      yield* picture(page, "offline")

      // It comes back as it was, and the link leads there.
      const port = Number(new URL(url).port)
      const second = yield* Scope.make()
      yield* Scope.provide(serve(manager, answers, { port }), second)
      yield* act(async () => {
        await page.getByRole("link", { name: "Try again" }).click()
        await page.getByRole("heading", { name: "Home" }).waitFor()
      })
      assert.strictEqual(yield* Effect.promise(() => page.getByText("A new version of the console").count()), 0)

      // Then with a new build, while the page is open: the page says so, and is reloaded by its user.
      yield* Scope.close(second, Exit.void)
      yield* serve(manager, answers, { folder: yield* nextBuild, port })
      yield* act(async () => {
        await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
        await page.getByText("A new version of the console is ready").waitFor()
      })
      assert.deepStrictEqual(yield* barriers(page), [])
      yield* picture(page, "new-build")
      assert.deepStrictEqual((yield* Effect.promise(() => page.evaluate(kept))).names, [`console-${next}`])
      yield* act(async () => {
        await page.getByRole("button", { name: "Reload" }).click()
        await page.locator(`meta[name="build"][content="${next}"]`).waitFor({ state: "attached" })
        await page.getByRole("heading", { name: "Home" }).waitFor()
      })
      assert.strictEqual(yield* Effect.promise(() => page.getByText("A new version of the console").count()), 0)
      assert.deepStrictEqual(complaints, [])
    })))
})
