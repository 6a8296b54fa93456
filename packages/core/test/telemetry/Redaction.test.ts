import { assert, describe, it } from "@effect/vitest"
import * as Redaction from "../../src/telemetry/Redaction.ts"

describe("Redaction", () => {
  it("takes credentials and keys out of an operator's URLs, and leaves their names", () => {
    assert.deepStrictEqual(Redaction.secretsOfNode("https://rpc.example/ethereum-mainnet/v2/0123456789abcdefghij"), [
      "",
      "0123456789abcdefghij"
    ])
    const secrets = [
      ...Redaction.secretsOfNode("https://rpc.example/v2/0123456789abcdefghij"),
      ...Redaction.secretsOfDatabase(
        "postgres://trader:hunter22@db.example/vault_trader?host=/run/postgresql/12345678"
      ),
      ...Redaction.secretsOfNode("https://node.example/?key=klmnopqrstuvwxyzklmnopqrstuvwxyz")
    ]
    const redacted = Redaction.make(secrets)(
      "POST https://rpc.example/v2/0123456789abcdefghij as trader:hunter22 of vault_trader, " +
        "key=klmnopqrstuvwxyzklmnopqrstuvwxyz at node.example"
    )
    assert.strictEqual(
      redacted,
      "POST https://rpc.example/v2/<redacted> as trader:<redacted> of vault_trader, key=<redacted> at node.example"
    )
  })

  it("finds a secret in its JSON and URL encodings", () => {
    const scrub = Redaction.make([`pass"word /1`])
    assert.strictEqual(scrub(JSON.stringify({ a: `pass"word /1` })), `{"a":"<redacted>"}`)
    assert.strictEqual(scrub("?a=pass%22word%20%2F1"), "?a=<redacted>")
  })

  it("does not garble text because of a very short password", () => {
    assert.strictEqual(Redaction.make(["", "a", "abc"])("a cab, abc"), "a cab, abc")
  })

  it("keeps addresses and hashes, shortens longer hex, and removes text that looks like a key", () => {
    const scrub = Redaction.make([])
    const hash = `0x${"ab".repeat(32)}`
    const key = "0123456789ABCDEF".repeat(4)
    assert.strictEqual(scrub(`to 0x${"cd".repeat(20)} in ${hash}`), `to 0x${"cd".repeat(20)} in ${hash}`)
    assert.strictEqual(scrub(`raw 0x02f8${"ab".repeat(100)}.`), "raw 0x02f8abab….")
    assert.strictEqual(scrub(`{"key":"${key}"}`), `{"key":"<redacted>"}`)
    assert.strictEqual(scrub(`${key}00`), "<redacted>")
    assert.strictEqual(scrub("trace 4bf92f3577b34da6a3ce929d0e0e4736"), "trace 4bf92f3577b34da6a3ce929d0e0e4736")
  })
})
