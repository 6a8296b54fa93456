/** The folder of the strategies: a file's name is its strategy's. TypeScript's types are stripped; nothing is compiled. */
import { StrategyFailure } from "@vault-trader/core/strategy/StrategyFailure"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Module from "node:module"
import * as Path from "node:path"
import type { StrategySource } from "./Sandbox.ts"

/** Folder of the strategies of this process; empty: there is none. */
export const StrategyDirectory = Context.Reference<string>("vault-trader/workers/strategy/StrategyDirectory", {
  defaultValue: () => ""
})

/**
 * Wraps what a bot does outside of the program's clock: files and threads. A harness with a clock of its own stops that
 * clock meanwhile.
 */
export const OutsideClock = Context.Reference<<A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>>(
  "vault-trader/workers/strategy/OutsideClock",
  { defaultValue: () => (work) => work }
)

const maxBytes = 262_144
const extensions = [".ts", ".mjs", ".js"]
const nameForm = /^[a-z0-9][a-z0-9-]{0,63}$/

/** A file of the folder; `digest` names its bytes. */
export interface StrategyFile extends StrategySource {
  readonly name: string
  /** SHA-256 of the file as it is, in hexadecimal. */
  readonly digest: string
}

const refused = (code: StrategyFailure["code"], message: string) => new StrategyFailure({ code, message })

const nameOf = (file: string): string => Path.basename(file, Path.extname(file))

/** Reads a file as JavaScript. */
export const readFile = (path: string): Effect.Effect<StrategyFile, StrategyFailure> =>
  Effect.gen(function*() {
    const file = Path.basename(path)
    const bytes = yield* Effect.tryPromise({
      try: () => Fs.readFile(path),
      catch: () => refused("missing", `${file} cannot be read`)
    })
    if (bytes.length > maxBytes) {
      return yield* refused("invalid_module", `${file} has ${bytes.length} bytes; at most ${maxBytes}`)
    }
    const written = bytes.toString("utf8")
    const text = yield* Effect.try({
      try: () => Path.extname(file) === ".ts" ? Module.stripTypeScriptTypes(written) : written,
      catch: (error) =>
        refused("invalid_module", `${file}: ${error instanceof Error ? error.message.slice(0, 300) : "no TypeScript"}`)
    })
    return { name: nameOf(file), file, text, digest: createHash("sha256").update(bytes).digest("hex") }
  })

/** Lists the strategies of a folder by name. */
export const list = (folder: string): Effect.Effect<ReadonlyArray<string>, StrategyFailure> =>
  folder === ""
    ? Effect.succeed([])
    : Effect.tryPromise({
      try: () => Fs.readdir(folder),
      catch: () => refused("missing", "The folder STRATEGY_DIR cannot be read.")
    }).pipe(Effect.map((files) =>
      [
        ...new Set(
          files.filter((file) => extensions.includes(Path.extname(file)) && !file.endsWith(".d.ts")).map(nameOf)
            .filter((name) => nameForm.test(name))
        )
      ].sort()
    ))

/** Reads a strategy of a folder by its name. */
export const read = (folder: string, name: string): Effect.Effect<StrategyFile, StrategyFailure> =>
  Effect.gen(function*() {
    const names = yield* list(folder)
    if (!names.includes(name)) {
      return yield* refused(
        "missing",
        names.length === 0
          ? `There is no strategy '${name}': STRATEGY_DIR has none.`
          : `There is no strategy '${name}'; STRATEGY_DIR has ${names.join(", ")}.`
      )
    }
    const found = yield* Effect.forEach(
      extensions,
      (extension) => Effect.option(Effect.tryPromise(() => Fs.access(Path.join(folder, `${name}${extension}`))))
    )
    const first = extensions[found.findIndex(({ _tag }) => _tag === "Some")] ?? extensions[0]
    return yield* readFile(Path.join(folder, `${name}${first}`))
  })
