import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { inspect } from "node:util"
import { parse, prefixOf, Statement, typedData } from "../../src/signature/ManagerSignature.ts"

const manager = `0x${"ab".repeat(20)}` as const
const statement = Statement.make({
  action: "associateGasWallet",
  manager,
  subject: manager,
  params: `0x${"5d".repeat(32)}`,
  chainId: 8453,
  issuedAt: 1_800_000_000,
  nonce: "0123456789abcdef",
  salt: null
})
const signature = `0x${"1c".repeat(65)}` as const
const parsed = (text: string) => parse(Redacted.make(text))

describe("a manager's signature", () => {
  it("parses what the service prepared, and is redacted when printed", () => {
    const found = Option.getOrThrow(parsed(` ${prefixOf(statement)}${signature} `))
    assert.deepStrictEqual([found.issuedAt, found.nonce, Redacted.value(found.signature)], [
      1_800_000_000,
      "0123456789abcdef",
      signature
    ])
    assert.notInclude(
      `${JSON.stringify(found)} ${Redacted.isRedacted(found.signature) ? inspect(found.signature) : ""}`,
      signature
    )
  })

  for (
    const [what, text] of [
      ["the bare signature", signature],
      ["another version", `v1.1800000000.0123456789abcdef.${signature}`],
      ["one without a time", `v2..0123456789abcdef.${signature}`],
      ["a nonce that is too short", `v2.1800000000.0123.${signature}`],
      ["half a byte", `v2.1800000000.0123456789abcdef.0x123`],
      ["an empty signature", "v2.1800000000.0123456789abcdef.0x"],
      ["one that is longer than any", `v2.1800000000.0123456789abcdef.0x${"00".repeat(4097)}`]
    ] as const
  ) {
    it(`is refused when it is ${what}`, () => assert.deepStrictEqual(parsed(text), Option.none()))
  }

  it("covers every member of the statement, and the service's salt when there is one", () => {
    const { domain, message, types } = typedData(statement)
    assert.deepStrictEqual(domain, { name: "Vault Trader", version: "2" })
    assert.deepStrictEqual(types["ManagerRequest"]?.map(({ name }) => name), Object.keys(message))
    const salted = typedData(Statement.make({ ...statement, salt: `0x${"77".repeat(32)}` }))
    assert.strictEqual(salted.domain.salt, `0x${"77".repeat(32)}`)
    assert.deepStrictEqual(salted.types["EIP712Domain"]?.map(({ name }) => name), Object.keys(salted.domain))
  })
})
