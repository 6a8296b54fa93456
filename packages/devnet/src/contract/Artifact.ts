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

/** An ABI. It is not validated further: it comes from a compiler, ours or an npm package's. */
const AbiList = Schema.declare((input: unknown): input is Abi => Array.isArray(input), { identifier: "Abi" })

export const Artifact = Schema.Struct({ abi: AbiList, bytecode: Hex })
export type Artifact = typeof Artifact.Type

/** Contracts by name, as in `contracts/artifacts.json`. */
export type Artifacts = Readonly<Record<string, Artifact>>

/** A compiled contract is missing or not of the expected shape: the installation is incomplete. */
export class ArtifactMissing extends Data.TaggedError("ArtifactMissing")<{ readonly message: string }> {}

export const artifactsPath = fileURLToPath(new URL("../../contracts/artifacts.json", import.meta.url))

const missing = (what: string) => (cause: unknown) =>
  new ArtifactMissing({ message: `Cannot load ${what}: ${String(cause)}` })

const readJson = <A, I>(path: string, schema: Schema.Codec<A, I>) =>
  Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: missing(path) }).pipe(
    Effect.flatMap((text) => Effect.mapError(Schema.decodeEffect(Schema.fromJsonString(schema))(text), missing(path)))
  )

/** Loads our own contracts from the committed artifacts. */
export const own = readJson(
  artifactsPath,
  Schema.Struct({
    AaveV3AssetGuard: Artifact,
    AaveV3Guard: Artifact,
    AaveV3NamedErrors: Artifact,
    CLFactory: Artifact,
    CLGauge: Artifact,
    CLPool: Artifact,
    CLPositionManager: Artifact,
    ClosedContractGuard: Artifact,
    Comet: Artifact,
    CometGuard: Artifact,
    CoreDepositWallet: Artifact,
    CoreDepositWalletGuard: Artifact,
    CoreMirror: Artifact,
    CorePositionAssetGuard: Artifact,
    CoreWriter: Artifact,
    CoreWriterGuard: Artifact,
    DevAggregator: Artifact,
    DevToken: Artifact,
    ERC20Guard: Artifact,
    EasySwapperV2: Artifact,
    EasySwapperV2AssetGuard: Artifact,
    EasySwapperV2Guard: Artifact,
    FToken: Artifact,
    FTokenAssetGuard: Artifact,
    FTokenGuard: Artifact,
    GasPriceOracle: Artifact,
    KyberSwapGuard: Artifact,
    KyberSwapRouter: Artifact,
    MasterChefV3: Artifact,
    OdosGuard: Artifact,
    OdosRouter: Artifact,
    OneInchGuard: Artifact,
    OneInchRouter: Artifact,
    PancakeCLPositionGuard: Artifact,
    PancakeMasterChefGuard: Artifact,
    PoolFactory: Artifact,
    PoolLogic: Artifact,
    PoolManagerLogic: Artifact,
    PoolToken: Artifact,
    QuickswapGuard: Artifact,
    QuickswapQuoter: Artifact,
    QuickswapRouter: Artifact,
    SlippageAccumulator: Artifact,
    SwapExecutor: Artifact,
    Swapper: Artifact,
    UniswapV3PositionAssetGuard: Artifact,
    UniswapV3PositionGuard: Artifact,
    UniswapV3RouterGuard: Artifact,
    VelodromeCLAssetGuard: Artifact,
    VelodromeCLGaugeGuard: Artifact,
    VelodromeCLPositionGuard: Artifact,
    WrappedNative: Artifact
  })
)

const require = createRequire(import.meta.url)
const resolve = (path: string) => Effect.try({ try: () => require.resolve(path), catch: missing(path) })

/** A contract of an npm package, in the format hardhat and truffle share. */
const Packaged = Schema.Struct({
  abi: AbiList,
  /** Not valid code until libraries are linked. */
  bytecode: Schema.TemplateLiteral(["0x", Schema.String]),
  /** Offsets of library addresses, in bytes of code: by source file, then by library name. */
  linkReferences: Schema.Record(
    Schema.String,
    Schema.Record(Schema.String, Schema.Array(Schema.Struct({ start: Schema.Int, length: Schema.Int })))
  ).pipe(
    Schema.withDecodingDefaultType(Effect.succeed({}))
  )
})
type Packaged = typeof Packaged.Type

export const fromPackage = (path: string): Effect.Effect<Packaged, ArtifactMissing> =>
  Effect.flatMap(resolve(path), (file) => readJson(file, Packaged))

/** Links a contract: puts the addresses of its libraries (by library name) into its code. */
export const link = (packaged: Packaged, libraries: Readonly<Record<string, string>>): Artifact => {
  let bytecode: Hex = packaged.bytecode
  for (const [library, places] of Object.values(packaged.linkReferences).flatMap((file) => Object.entries(file))) {
    for (const { length, start } of places) {
      const from = 2 + start * 2
      const address = libraries[library]?.slice(2) ?? ""
      bytecode = `0x${bytecode.slice(2, from)}${address}${bytecode.slice(from + length * 2)}`
    }
  }
  return { abi: packaged.abi, bytecode }
}

/** Creation code of Multicall3. viem contains it for its deployless calls but does not export it, hence the path. */
export const multicall3Code: Effect.Effect<Hex, ArtifactMissing> = Effect.gen(function*() {
  const file = join(dirname(yield* resolve("viem/package.json")), "_esm/constants/contracts.js")
  const module: unknown = yield* Effect.tryPromise({
    try: () => import(pathToFileURL(file).href),
    catch: missing("Multicall3")
  })
  const schema = Schema.Struct({ multicall3Bytecode: Hex })
  return (yield* Effect.mapError(Schema.decodeUnknownEffect(schema)(module), missing("Multicall3"))).multicall3Bytecode
})
