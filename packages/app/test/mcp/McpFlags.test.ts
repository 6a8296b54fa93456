import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mcpFlags } from "../../src/cli/Mcp.ts"
import { parsed } from "../cli/ParsedWords.ts"

const read = (...words: ReadonlyArray<string>) => parsed(mcpFlags, words)
const vault = `0x${"ab".repeat(20)}`

describe("the flags of vault-trader mcp", () => {
  it.effect("are optional, and are read as they are meant", () =>
    Effect.gen(function*() {
      const none = yield* read()
      assert.deepStrictEqual(
        [none.url, none.keyFile, none.allow, none.pools, none.assets, none.maxUsd],
        Array(6).fill(undefined)
      )
      const all = yield* read(
        ...["--url", "https://trade.example/", "--allow", "trade,lend", "--max-usd", "12.5"],
        ...["--assets", `USDC, WETH,${vault.toUpperCase().replace("X", "x")}`],
        ...["--pools", `${vault.toUpperCase().replace("X", "x")}, ${vault}`]
      )
      assert.deepStrictEqual([all.url, all.maxUsd], ["https://trade.example", 12.5])
      assert.deepStrictEqual((yield* read("--http", "127.0.0.1:0")).http, { host: "127.0.0.1", port: 0 })
      assert.deepStrictEqual((yield* read("--http", "[::1]:8090")).http, { host: "::1", port: 8090 })
      assert.deepStrictEqual([...all.allow ?? []], ["trade", "lend"])
      assert.deepStrictEqual([...all.pools ?? []], [vault])
      assert.deepStrictEqual([...all.assets ?? []], ["USDC", "WETH", vault])
    }))

  it.effect("send the key without TLS to this machine only, and to no URL that has more than a host", () =>
    Effect.gen(function*() {
      for (const url of ["http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:1", "https://trade.example:1"]) {
        assert.strictEqual((yield* read("--url", url)).url, url)
      }
      const refused = [
        "http://trade.example",
        "http://127.0.0.1.trade.example",
        "http://localhost@trade.example",
        "https://user:secret@trade.example",
        "https://trade.example/path",
        "https://trade.example/?x=1",
        "ftp://127.0.0.1",
        "127.0.0.1:8080"
      ]
      for (const url of refused) {
        assert.match(yield* Effect.flip(read("--url", url)), /--url.*https URL without a path/, url)
      }
    }))

  it.effect("refuse what they cannot use, with what they accept", () =>
    Effect.gen(function*() {
      const cases = [
        [["--allow", "spend"], /--allow: expected all, or a list of wallets, .*trade.*, not 'spend'/],
        [["--pools", "0x12"], /--pools: expected addresses of vaults/],
        [["--pools", `${vault},`], /--pools: expected addresses of vaults/],
        [["--assets", "USDC,"], /--assets: expected symbols or addresses of assets/],
        [["--assets", "US DC"], /--assets: expected symbols or addresses of assets/],
        [["--max-usd", "0"], /--max-usd: expected an amount above 0/],
        [["--max-usd", "1e3"], /--max-usd: expected an amount above 0/],
        [["--http", "0.0.0.0:8090"], /--http: expected 127\.0\.0\.1/],
        [["--http", "127.0.0.1:99999"], /--http: expected 127\.0\.0\.1/],
        [["--http", "8090"], /--http: expected 127\.0\.0\.1/],
        [["--key", "x"], /no option --key/]
      ] as const
      for (const [words, sentence] of cases) assert.match(yield* Effect.flip(read(...words)), sentence)
    }))
})
