import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Zlib from "node:zlib"
import { buildConsole } from "../../../scripts/console.mjs"
import { Running, running } from "@vault-trader/testing/harness/Harness"

await buildConsole()

const dist = Path.join(import.meta.dirname, "../dist")

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

  it.effect("loads at most 310 kB of script, compressed, before a page is usable", () =>
    Effect.sync(() => {
      const folder = Path.join(dist, "assets")
      const all = Fs.readdirSync(folder).filter((name) => name.endsWith(".js"))
      const read = (name: string) => Fs.readFileSync(Path.join(folder, name), "utf8")
      // A script with its static imports; lazy imports are loaded on demand.
      const needed = (name: string, found: ReadonlySet<string>): ReadonlySet<string> =>
        found.has(name)
          ? found
          : [...read(name).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].reduce<ReadonlySet<string>>(
            (more, [, next = ""]) => needed(next, more),
            new Set([...found, name])
          )
      const [, entry = ""] =
        /src="\/console\/assets\/([^"]+\.js)"/.exec(Fs.readFileSync(Path.join(dist, "index.html"), "utf8")) ?? []
      const pages = all.filter((name) => /^(Routes|GasWalletsPage)-/.test(name))
      assert.lengthOf(pages, 2)
      const scripts = [entry, ...pages].reduce(
        (found, name) => needed(name, found),
        new Set<string>() as ReadonlySet<string>
      )
      assert.isBelow(scripts.size, all.length, "nothing of the console is loaded later")
      const first = [...scripts].reduce((sum, name) => sum + Zlib.gzipSync(read(name)).length, 0)
      assert.isAtMost(first, 310_000)
      assert.isAtLeast(first, 100_000)
    }))
})
