import { assert, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { configured } from "../../src/Networks.ts"
import { Settings } from "../../src/Settings.ts"

const booksOf = (env: Record<string, string>) =>
  Effect.flatMap(Settings.parse(ConfigProvider.fromUnknown(env)), configured)

const RPC_URL_BASE = "https://node.example"
const RPC_PRIVATE_URL_BASE = "https://relay.example/secret, https://other.example"

it.effect("gives a network its private endpoints, and how long calls go to them alone", () =>
  Effect.gen(function*() {
    const env = { RPC_URL_BASE, RPC_URL_POLYGON: RPC_URL_BASE, RPC_PRIVATE_URL_BASE, RPC_PRIVATE_SECONDS: "30,base=5" }
    const [base, polygon] = yield* booksOf(env)
    assert.deepStrictEqual(base?.privateRpcUrls, ["https://relay.example/secret", "https://other.example"])
    assert.deepStrictEqual([base?.privateFallbackMillis, polygon?.privateFallbackMillis], [5_000, 30_000])
    assert.deepStrictEqual(polygon?.privateRpcUrls, [])
    const [other] = yield* booksOf({ RPC_URL_BASE })
    assert.deepStrictEqual([other?.privateRpcUrls, other?.privateFallbackMillis], [[], 60_000])
  }))

it.effect("refuses a private endpoint that would not be used, without showing its URL", () =>
  Effect.gen(function*() {
    const alone = yield* Effect.flip(booksOf({ RPC_PRIVATE_URL_BASE }))
    assert.include(alone.message, "RPC_PRIVATE_URL_BASE needs RPC_URL_BASE")
    const beside = yield* Effect.flip(booksOf({ RPC_PRIVATE_URL_BASE, RPC_URL_BASE, NETWORKS_FILE: "networks.json" }))
    assert.include(beside.message, "RPC_PRIVATE_URL_BASE has no effect beside NETWORKS_FILE")
    assert.notInclude(`${alone.message} ${beside.message}`, "relay")
  }))

it.effect("follows each chain's own rule of finality", () =>
  Effect.gen(function*() {
    const books = yield* booksOf(
      Object.fromEntries(
        ["ETHEREUM", "POLYGON", "BASE", "HYPERLIQUID"].map((name) => [`RPC_URL_${name}`, RPC_URL_BASE])
      )
    )
    assert.deepStrictEqual(Object.fromEntries(books.map(({ finality, network }) => [network, finality])), {
      ethereum: "finalized",
      polygon: "finalized",
      base: "safe",
      hyperliquid: "depth"
    })
  }))
