/**
 * Caches the chain's state after everything but the vaults is deployed, in `.cache/devnet` at the root of the
 * repository: loading it is faster than deploying. Networks with the same tokens share it, because no deployed contract
 * knows its chain id.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createHash, randomUUID } from "node:crypto"
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { Hex } from "@vault-trader/core/chain/Address"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import { type Bundle, fingerprint } from "./Bundle.ts"
import { Foundation } from "./Deployed.ts"

const folder = fileURLToPath(new URL("../../../../.cache/devnet", import.meta.url))
const sourceFolder = fileURLToPath(new URL(".", import.meta.url))

/**
 * Maximum age of a cached state. Interest accrues from the day of deployment on, so a very old chain is not a fresh
 * one.
 */
const maxAgeMillis = 7 * 86_400_000

const Saved = Schema.fromJsonString(Schema.Struct({ foundation: Foundation, state: Hex }))

const anything = [Schema.Record(Schema.String, Schema.Unknown)] as const

/** The state that anvil dumps; only the named parts are changed. */
const State = Schema.fromJsonString(Schema.StructWithRest(
  Schema.Struct({
    best_block_number: Schema.Number,
    blocks: Schema.Array(Schema.StructWithRest(
      Schema.Struct({ header: Schema.StructWithRest(Schema.Struct({ number: Schema.String }), anything) }),
      anything
    )),
    transactions: Schema.Array(Schema.Unknown)
  }),
  anything
))

const [unzip, zip] = [promisify(gunzip), promisify(gzip)]

/** Removes all blocks but the latest. The state shrinks to a fifth, and anvil loads it in one request. */
const withoutHistory = (dump: Hex) =>
  Effect.gen(function*() {
    const text = yield* Effect.promise(() => unzip(Buffer.from(dump.slice(2), "hex")))
    const state = yield* Schema.decodeEffect(State)(text.toString("utf8"))
    const blocks = state.blocks
      .filter(({ header }) => Number(header.number) === state.best_block_number)
      .map((block) => ({ ...block, transactions: [] }))
    const slim = yield* Schema.encodeEffect(State)({ ...state, blocks, transactions: [] })
    const zipped = yield* Effect.promise(() => zip(slim))
    return yield* Schema.decodeUnknownEffect(Hex)(`0x${zipped.toString("hex")}`)
  })

/** Returns the cache key, which changes with every contract and with the code that deploys them. */
const keyOf = (bundle: Bundle, network: Network) =>
  Effect.promise(async () => {
    const hash = createHash("sha256").update(fingerprint(bundle)).update(facts[network].wrappedNative)
    for (const name of (await readdir(sourceFolder)).sort()) hash.update(await readFile(join(sourceFolder, name)))
    return hash.digest("hex").slice(0, 24)
  })

const load = (rpc: AnvilRpc, file: string) =>
  Effect.gen(function*() {
    const { mtimeMs } = yield* Effect.tryPromise(() => stat(file))
    if (Date.now() - mtimeMs > maxAgeMillis) return yield* Effect.fail("too old")
    const text = yield* Effect.tryPromise(() => readFile(file, "utf8"))
    const { foundation, state } = yield* Schema.decodeEffect(Saved)(text)
    yield* rpc.request("anvil_loadState", [state], Schema.Literal(true))
    return foundation
  })

const save = (rpc: AnvilRpc, file: string, foundation: Foundation) =>
  Effect.gen(function*() {
    const state = yield* withoutHistory(yield* rpc.request("anvil_dumpState", [], Hex))
    const text = yield* Schema.encodeEffect(Saved)({ foundation, state })
    yield* Effect.tryPromise(async () => {
      await mkdir(dirname(file), { recursive: true })
      const written = `${file}.${randomUUID()}`
      await writeFile(written, text)
      await rename(written, file)
    })
  })

/**
 * Returns what `deploy` makes, from the cache if the chain is empty and a state was saved. Deploys whenever the cached
 * state cannot be used.
 */
export const once = (
  { bundle, network, rpc }: { readonly rpc: AnvilRpc; readonly network: Network; readonly bundle: Bundle },
  deploy: Effect.Effect<Foundation, RpcFailure>
): Effect.Effect<Foundation, RpcFailure> =>
  Effect.gen(function*() {
    // Loading would overwrite the state of a longer chain.
    if ((yield* rpc.blockNumber) > 0n) return yield* deploy
    const file = join(folder, `${yield* keyOf(bundle, network)}.json`)
    return yield* Effect.catch(load(rpc, file), () =>
      Effect.tap(deploy, (foundation) =>
        Effect.catch(save(rpc, file, foundation), (reason) =>
          Effect.logDebug("A deployment was not cached", reason))))
  })
