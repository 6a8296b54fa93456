import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { assertLoopback } from "../../src/anvil/Loopback.ts"

const here = [
  "http://127.0.0.1:8545",
  "http://127.8.9.10",
  "http://localhost:1",
  "http://[::1]:8545",
  "ws://127.0.0.1:8545",
  "http://127.1:8545"
]

const elsewhere = [
  "https://mainnet.infura.io/v3/key",
  "http://192.168.1.2:8545",
  "http://0.0.0.0:8545",
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
  "http://127.0.0.1@example.com",
  "http://[2001:db8::1]:8545",
  "ftp://127.0.0.1",
  "127.0.0.1:8545",
  ""
]

for (const url of here) {
  it.effect(`accepts ${url}`, () => assertLoopback(url))
}

for (const url of elsewhere) {
  it.effect(`refuses "${url}"`, () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(assertLoopback(url))
      assert.strictEqual(failure._tag, "NotLoopback")
      assert.include(failure.message, "only talks to this machine")
    }))
}
