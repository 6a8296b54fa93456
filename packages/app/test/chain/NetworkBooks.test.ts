import { assert, it } from "@effect/vitest"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { builtIn, configured } from "../../src/Networks.ts"
import { Settings } from "../../src/Settings.ts"

const node = "https://node.example"
const factory = "0x615037c2df6fa97634c5ad2d8144708b9dd3b176"

const booksOf = (entries: unknown) =>
  Effect.gen(function*() {
    const file = Path.join(yield* temporaryFolder, "networks.json")
    Fs.writeFileSync(file, JSON.stringify(entries))
    const settings = yield* Settings.parse(ConfigProvider.fromUnknown({ NETWORKS_FILE: file }))
    return yield* configured(settings)
  })

it.effect("lets a NETWORKS_FILE override parts of the built-in configuration", () =>
  Effect.gen(function*() {
    const [base, plain] = yield* booksOf([
      { network: "base", rpcUrls: [node], platformFactory: factory, confirmations: 3 },
      { network: "arbitrum", rpcUrls: [node] }
    ])
    assert.deepStrictEqual([base?.platformFactory, base?.confirmations, base?.chainId], [factory, 3, 8453])
    assert.isAtLeast(base?.comets.length ?? 0, 3)
    assert.deepStrictEqual([plain?.rpcUrls, plain?.finality, plain?.chainId], [[node], "safe", 42161])
  }))

it.effect("takes an entry with a chain id as it is: it inherits no contract", () =>
  Effect.gen(function*() {
    const { aaveV3: _, ...complete } = builtIn("base") as Record<string, unknown>
    const [base] = yield* booksOf([{ ...complete, rpcUrls: [node] }])
    assert.isUndefined(base?.aaveV3)
  }))

it.effect("refuses an override that cannot be read, and an entry without nodes", () =>
  Effect.gen(function*() {
    const wrong = yield* Effect.flip(booksOf([{ network: "base", rpcUrls: [node], confirmations: "three" }]))
    assert.include(wrong.message, "confirmations")
    const without = yield* Effect.flip(booksOf([{ network: "base" }]))
    assert.match(without.message, /is not a list of networks/)
    const unknown = yield* Effect.flip(booksOf([{ network: "bsae", rpcUrls: [node] }]))
    assert.match(unknown.message, /is not a list of networks/)
  }))
