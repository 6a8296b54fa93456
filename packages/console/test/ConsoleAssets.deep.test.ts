import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Zlib from "node:zlib"
import { buildConsole } from "../../../scripts/console.mjs"
import { Running, running } from "@vault-trader/testing/harness/Harness"

await buildConsole()

const dist = Path.join(import.meta.dirname, "../dist")
const folder = Path.join(dist, "assets")
const all = Fs.readdirSync(folder).filter((name) => name.endsWith(".js"))
const read = (name: string) => Fs.readFileSync(Path.join(folder, name), "utf8")

/** Adds a script and its static imports; lazy imports are loaded on demand. */
const needed = (name: string, found: ReadonlySet<string>): ReadonlySet<string> =>
  found.has(name)
    ? found
    : [...read(name).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].reduce<ReadonlySet<string>>(
      (more, [, next = ""]) => needed(next, more),
      new Set([...found, name])
    )

const [, entry = ""] =
  /src="\/console\/assets\/([^"]+\.js)"/.exec(Fs.readFileSync(Path.join(dist, "index.html"), "utf8")) ?? []
const [routes = ""] = all.filter((name) => name.startsWith("Routes-"))
const pages = all.filter((name) => /^[A-Za-z]+Page-/.test(name))

/** The scripts that the service names in each page, by its path. */
const preloads = Object.fromEntries(
  Object.entries(JSON.parse(Fs.readFileSync(Path.join(dist, "preloads.json"), "utf8")) as Record<string, string[]>)
    .map(([path, files]) => [path, files.map((file) => file.replace(/^assets\//, ""))] as const)
)

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })("the console", (it) => {
  it.effect("is served with a strict policy; hashed files are cached, the page is not", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const page = yield* ask("/console/bots")
      assert.strictEqual(page.headers.get("cache-control"), "no-store")
      const policy = page.headers.get("content-security-policy") ?? ""
      assert.include(policy, "script-src 'self';")
      assert.include(policy, "default-src 'none'")
      assert.include(policy, "frame-ancestors 'none'")
      const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? ""
      assert.strictEqual((yield* ask(script)).headers.get("cache-control"), "public, max-age=31536000, immutable")
      assert.strictEqual((yield* ask("/console/assets/nothing.js")).status, 404)
      assert.strictEqual((yield* ask("/")).text, page.text)
    }))

  it.effect("loads at most 108 kB of script for sign-in and 200 kB for any page, compressed, in at most 9 files", () =>
    Effect.sync(() => {
      const weigh = (names: ReadonlyArray<string>) => {
        const scripts = names.reduce((found, name) => needed(name, found), new Set<string>() as ReadonlySet<string>)
        const bytes = [...scripts].reduce((sum, name) => sum + Zlib.gzipSync(read(name)).length, 0)
        return { files: scripts.size, bytes }
      }
      const signIn = weigh([entry])
      assert.isAtMost(signIn.bytes, 108_000)
      assert.strictEqual(signIn.files, 1)
      assert.isAtLeast(pages.length, 30)
      const lists = Object.values(preloads)
      for (const page of pages) {
        // The table of bots and that of vaults are lazy parts of their pages, which are loaded at once.
        const atOnce = lists.find((files) => files.includes(page)) ?? []
        const { bytes, files } = weigh([entry, routes, page, ...atOnce])
        // The style page, which only a devnet has, draws every part of the console.
        const isStyle = page.startsWith("StylePage")
        assert.isAtMost(bytes, isStyle ? 256_000 : 200_000, page)
        assert.isAtMost(files, isStyle ? 21 : 9, page)
      }
    }))

  it.effect("loads dialogs and notices after each page", () =>
    Effect.sync(() => {
      const [overlays = ""] = all.filter((name) => name.startsWith("Overlays-"))
      assert.isAbove(read(overlays).length, 0)
      // The style page shows a notice among all other parts.
      for (const page of pages.filter((name) => !name.startsWith("StylePage"))) {
        assert.isFalse(needed(page, needed(routes, needed(entry, new Set()))).has(overlays), page)
      }
    }))

  it.effect("names every script of every page in that page, so that none is found only when another has run", () =>
    Effect.sync(() => {
      const named = Object.values(preloads)
      for (const page of pages) {
        const [found = []] = named.filter((files) => files.includes(page))
        const own = [...needed(page, needed(routes, new Set()))].filter((file) => file !== entry)
        assert.deepStrictEqual(own.filter((file) => !found.includes(file)), [], page)
      }
      // None is of another build, and sign-in's script is in the page already.
      for (const file of named.flat()) assert.include(all, file)
      assert.notInclude(named.flat(), entry)
    }))
})
