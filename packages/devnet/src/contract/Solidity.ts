/** Compiles `contracts/**\/*.sol` with the npm compiler: no native solc, no network. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Artifact, type Artifacts } from "./Artifact.ts"

/** The Solidity sources do not compile; the message is the compiler's. */
export class SolidityFailure extends Data.TaggedError("SolidityFailure")<{ readonly message: string }> {}

const contractsFolder = fileURLToPath(new URL("../../contracts", import.meta.url))
const require = createRequire(import.meta.url)

/** Without metadata the bytecode depends on the sources alone, so it can be committed and compared. */
const settings = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } }
}

const Output = Schema.fromJsonString(Schema.Struct({
  errors: Schema.Array(Schema.Struct({ errorCode: Schema.optional(Schema.String), formattedMessage: Schema.String }))
    .pipe(
      Schema.withDecodingDefaultType(Effect.succeed([]))
    ),
  contracts: Schema.Record(
    Schema.String,
    Schema.Record(
      Schema.String,
      Schema.Struct({
        abi: Artifact.fields.abi,
        // Missing from every contract when one source has an error; the error must then be reported.
        evm: Schema.Struct({ bytecode: Schema.Struct({ object: Schema.String }) }).pipe(
          Schema.withDecodingDefaultType(Effect.succeed({ bytecode: { object: "" } }))
        )
      })
    )
  ).pipe(Schema.withDecodingDefaultType(Effect.succeed({})))
}))

/** The part of npm `solc` that we use; the package has no types. */
interface Solc {
  readonly compile: (
    input: string,
    callbacks: { readonly import: (path: string) => { readonly contents: string } }
  ) => string
}

const sources = () =>
  Object.fromEntries(
    readdirSync(contractsFolder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".sol"))
      .sort()
      .map((path) => [path, { content: readFileSync(join(contractsFolder, path), "utf8") }])
  )

const runCompiler = (own: ReturnType<typeof sources>): string => {
  const solc = require("solc") as Solc
  const input = { language: "Solidity", sources: own, settings }
  return solc.compile(JSON.stringify(input), {
    // Called only for packages: our own files are all in the input.
    import: (path) => ({ contents: readFileSync(require.resolve(path), "utf8") })
  })
}

/** "Transient storage can break composability": intended, because the platform forbids mixing operations by it. */
const intendedWarning = "2394"

/** Compiles every deployable contract of ours, by name. Warnings are failures: the sources are ours to keep clean. */
export const compile: Effect.Effect<Artifacts, SolidityFailure> = Effect.gen(function*() {
  const own = yield* Effect.sync(sources)
  const text = yield* Effect.try({
    try: () => runCompiler(own),
    catch: (cause) => new SolidityFailure({ message: `The Solidity compiler did not run: ${String(cause)}` })
  })
  const { contracts, errors } = yield* Effect.orDie(Schema.decodeEffect(Output)(text))
  const complaints = errors.filter((error) => error.errorCode !== intendedWarning)
  if (complaints.length > 0) {
    return yield* new SolidityFailure({ message: complaints.map((error) => error.formattedMessage).join("\n") })
  }
  const deployable = Object.entries(contracts)
    .filter(([path]) => path in own)
    .flatMap(([, inFile]) => Object.entries(inFile))
    .filter(([, contract]) => contract.evm.bytecode.object !== "")
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(
    deployable.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` as const }])
  )
}).pipe(Effect.withSpan("Solidity.compile"))

/** Returns the text of `artifacts.json` for a set of contracts: one contract a line, so a diff names what changed. */
export const print = (artifacts: Artifacts): string =>
  `{\n${
    Object.entries(artifacts)
      .map(([name, artifact]) => `${JSON.stringify(name)}: ${JSON.stringify(artifact)}`)
      .join(",\n")
  }\n}\n`
