/** Compiled contracts: their ABI and creation code. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createRequire } from "node:module"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Abi } from "viem"
import { Hex } from "@vault-trader/core/chain/Address"

/** An ABI is trusted to be one: it comes from a compiler, ours or an npm package's. */
const AbiList = Schema.declare((input: unknown): input is Abi => Array.isArray(input), { identifier: "Abi" })

export const Artifact = Schema.Struct({ abi: AbiList, bytecode: Hex })
export type Artifact = typeof Artifact.Type

/** What `contracts/artifacts.json` holds: our own contracts by name. */
export const Artifacts = Schema.Record({ key: Schema.String, value: Artifact })
export type Artifacts = typeof Artifacts.Type

/** A compiled contract is missing or not of the expected shape: the installation is incomplete. */
export class ArtifactMissing extends Data.TaggedError("ArtifactMissing")<{ readonly message: string }> {}

export const artifactsPath = fileURLToPath(new URL("../../contracts/artifacts.json", import.meta.url))

const missing = (what: string) => (cause: unknown) => new ArtifactMissing({ message: `Cannot load ${what}: ${cause}` })

const readJson = <A, I>(path: string, schema: Schema.Schema<A, I>) =>
  Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: missing(path) }).pipe(
    Effect.flatMap((text) => Effect.mapError(Schema.decode(Schema.parseJson(schema))(text), missing(path)))
  )

/** Our own contracts, from the committed artifacts. */
export const own: Effect.Effect<Artifacts, ArtifactMissing> = readJson(artifactsPath, Artifacts)

const require = createRequire(import.meta.url)
const resolve = (path: string) => Effect.try({ try: () => require.resolve(path), catch: missing(path) })

/** Hardhat's artifact format: libraries are linked into the code at known offsets. */
const Linkable = Schema.Struct({
  abi: AbiList,
  bytecode: Schema.TemplateLiteral("0x", Schema.String),
  linkReferences: Schema.optionalWith(
    Schema.Record({
      key: Schema.String,
      value: Schema.Record({
        key: Schema.String,
        value: Schema.Array(Schema.Struct({ start: Schema.Int, length: Schema.Int }))
      })
    }),
    { default: () => ({}) }
  )
})

/** A contract of an npm package, with the addresses of its libraries (by library name) linked in. */
export const fromPackage = (
  path: string,
  libraries: Readonly<Record<string, string>> = {}
): Effect.Effect<Artifact, ArtifactMissing> =>
  Effect.gen(function*() {
    const { abi, bytecode, linkReferences } = yield* Effect.flatMap(resolve(path), (file) => readJson(file, Linkable))
    let code: string = bytecode
    for (const [library, places] of Object.values(linkReferences).flatMap(Object.entries)) {
      const address = libraries[library]
      if (address === undefined) return yield* new ArtifactMissing({ message: `${path} needs library ${library}` })
      for (const { length, start } of places) {
        const from = 2 + start * 2
        code = code.slice(0, from) + address.slice(2) + code.slice(from + length * 2)
      }
    }
    return yield* Effect.mapError(Schema.decodeUnknown(Artifact)({ abi, bytecode: code }), missing(path))
  })

/** Creation code of Multicall3. viem carries it for its deployless calls but does not export it, hence the path. */
export const multicall3Code: Effect.Effect<Hex, ArtifactMissing> = Effect.gen(function*() {
  const file = join(dirname(yield* resolve("viem/package.json")), "_esm/constants/contracts.js")
  const module: unknown = yield* Effect.tryPromise({
    try: () => import(pathToFileURL(file).href),
    catch: missing("Multicall3")
  })
  const schema = Schema.Struct({ multicall3Bytecode: Hex })
  return (yield* Effect.mapError(Schema.decodeUnknown(schema)(module), missing("Multicall3"))).multicall3Bytecode
})
