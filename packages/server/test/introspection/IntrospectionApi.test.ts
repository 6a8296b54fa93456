import { assert, layer } from "@effect/vitest"
import { PriceList } from "@vault-trader/core/billing/PriceList"
import { endpoints } from "@vault-trader/core/Catalogue"
import { IntrospectionApi } from "@vault-trader/core/introspection/IntrospectionApi"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Directory } from "../../src/gate/ServedNetworks.ts"
import * as Introspection from "../../src/introspection/IntrospectionApi.ts"
import { Client, Served, unlimited } from "../endpoint/TestService.ts"

const directory = Layer.succeed(Directory, {
  networks: ["base", "polygon"],
  defaultNetwork: "base",
  protocols: ["dhedge", "chamber"]
})
const handlers = Layer.provide(Introspection.layer({ version: "1.2.3", commit: "abc" }), [PriceList.layer(), directory])
const service = Layer.orDie(Served(IntrospectionApi, handlers, unlimited))

const own = { headers: { accept: "application/vnd.vault-trader.v1+json" } }
const asked = (query: string) =>
  Effect.flatMap(
    Client,
    ({ ask }) =>
      Effect.map(
        ask(`/llmIntrospect${query}`, own),
        ({ text }) => JSON.parse(text) as Readonly<Record<string, unknown>>
      )
  )
const namesOf = (fields: Readonly<Record<string, unknown>>) =>
  (fields["endpoints"] as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)

layer(service, { timeout: "4 minutes", excludeTestServices: true })("/llmIntrospect", (it) => {
  it.effect("lists all endpoints, and what this service serves", () =>
    Effect.gen(function*() {
      const fields = yield* asked("")
      assert.deepStrictEqual(namesOf(fields), endpoints.map(({ name }) => name))
      assert.deepStrictEqual(fields["protocols"], ["dhedge", "chamber"])
      assert.deepStrictEqual((fields["networks"] as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name), [
        "base",
        "polygon"
      ])
    }))

  it.effect("finds an endpoint by its name or a path of it, in any case, and a category by its name or title", () =>
    Effect.gen(function*() {
      for (const name of ["vaultTrade", "VAULTTRADE", "/vaultTrade"]) {
        assert.deepStrictEqual(namesOf(yield* asked(`?endpoint=${name}`)), ["vaultTrade"])
      }
      assert.deepStrictEqual(namesOf(yield* asked("?endpoint=depositLenderC")), ["lenderC/lend"])
      assert.deepStrictEqual(namesOf(yield* asked("?category=tokens")), ["getSymbol", "getContract"])
      assert.include(namesOf(yield* asked("?category=Gas%20wallets")), "getGasBalance")
      assert.deepStrictEqual(namesOf(yield* asked("?category=tokens&endpoint=getSymbol")), ["getSymbol"])
    }))

  it.effect("names the accepted values for an unknown one, and those answers are not cached", () =>
    Effect.gen(function*() {
      const endpoint = yield* asked("?endpoint=trade")
      assert.deepStrictEqual([endpoint["status"], endpoint["status_code"]], ["fail", "1010"])
      assert.match(String(endpoint["message"]), /^endpoint: must be one of createGasWallet, .*vaultTrade/)
      assert.match(String((yield* asked("?category=x"))["message"]), /^category: must be one of gas-wallets, .*trading/)
      const other = yield* asked("?category=tokens&endpoint=vaultTrade")
      assert.strictEqual(other["message"], "endpoint: must be one of getSymbol, getContract")
      const { ask } = yield* Client
      assert.isNull((yield* ask("/llmIntrospect?category=x")).headers.get("etag"))
    }))

  it.effect("is compact on request, and compressed, and cached by its ETag in each form", () =>
    Effect.gen(function*() {
      const { ask } = yield* Client
      const [boxed, plain] = [yield* ask("/llmIntrospect?compact=true"), yield* ask("/llmIntrospect?compact=true", own)]
      assert.isBelow(Buffer.byteLength(boxed.text) / 3.6, 6_000)
      assert.deepStrictEqual([boxed, plain].map(({ text }) => text.slice(0, 12)), [`{"status":["`, `{"status":"s`])
      assert.notStrictEqual(boxed.headers.get("etag"), plain.headers.get("etag"))
      for (const { headers, text } of [boxed, plain]) {
        assert.strictEqual(headers.get("cache-control"), "public, max-age=300, must-revalidate")
        assert.include(["gzip", "br"], headers.get("content-encoding"))
        assert.isNotEmpty(text)
      }
      const again = yield* ask("/llmIntrospect?compact=true", {
        headers: { "if-none-match": boxed.headers.get("etag") ?? "" }
      })
      assert.deepStrictEqual([again.status, again.text], [304, ""])
      const identity = yield* ask("/llmIntrospect?compact=true", { headers: { "accept-encoding": "identity" } })
      assert.deepStrictEqual([identity.headers.get("content-encoding"), identity.text], [null, boxed.text])
      const posted = yield* ask("/llmIntrospect", { method: "POST", body: `{"compact":true}` })
      assert.deepStrictEqual([posted.headers.get("etag"), posted.text], [null, boxed.text])
    }))
})
