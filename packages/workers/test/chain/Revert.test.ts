import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import { encodeErrorResult, parseAbi } from "viem"
import { reasonOf } from "../../src/chain/Revert.ts"

const abi = parseAbi([
  "error Error(string)",
  "error Panic(uint256)",
  "error ERC20InsufficientBalance(address,uint256,uint256)",
  "error ERC20InsufficientAllowance(address,uint256,uint256)",
  "error SafeERC20FailedOperation(address)",
  "error Unheard(uint256)"
])
const somebody = "0x00000000000000000000000000000000000000AA"
const words = (text: string) => encodeErrorResult({ abi, errorName: "Error", args: [text] })

describe("the reason of a revert", () => {
  it("is the text of a require", () => {
    assert.strictEqual(reasonOf(words("dh24")), "dh24")
    assert.strictEqual(reasonOf(words("slippage impact exceeded")), "slippage impact exceeded")
  })

  it("is the number of a panic", () => {
    assert.strictEqual(reasonOf(encodeErrorResult({ abi, errorName: "Panic", args: [0x11n] })), "Panic(17)")
  })

  it("is the name and the arguments of the errors every token throws", () => {
    for (const errorName of ["ERC20InsufficientBalance", "ERC20InsufficientAllowance"] as const) {
      assert.strictEqual(
        reasonOf(encodeErrorResult({ abi, errorName, args: [somebody, 1n, 2n] })),
        `${errorName}(${somebody}, 1, 2)`
      )
    }
    const failed = encodeErrorResult({ abi, errorName: "SafeERC20FailedOperation", args: [somebody] })
    assert.strictEqual(reasonOf(failed), `SafeERC20FailedOperation(${somebody})`)
  })

  it("is the selector of an unknown error", () => {
    assert.strictEqual(reasonOf("0xcafebabe"), "custom error 0xcafebabe")
    assert.match(reasonOf(encodeErrorResult({ abi, errorName: "Unheard", args: [1n] })), /^custom error 0x[0-9a-f]{8}$/)
  })

  it("is the selector when what follows does not decode", () => {
    assert.strictEqual(reasonOf(words("dh24").slice(0, 60)), "custom error 0x08c379a0")
    assert.strictEqual(reasonOf("0x08c379a0"), "custom error 0x08c379a0")
  })

  it("is not given by no data, by no hex and by less than a selector", () => {
    for (const data of [undefined, "", "0x", "0x08c3", "reverted", "0xzzzzzzzz", "08c379a0"]) {
      assert.strictEqual(reasonOf(data), "no reason given")
    }
  })

  it("is not given by an empty text", () => {
    assert.strictEqual(reasonOf(words("")), "no reason given")
    assert.strictEqual(reasonOf(words("\u0000\u0001")), "no reason given")
  })

  it("is fit for a message and for the ledger: no control characters, and no novel", () => {
    // Postgres takes no NUL in jsonb: an outcome with one could never be stored.
    assert.strictEqual(reasonOf(words("dh\u000024\n\u202e\u0007")), "dh24")
    assert.strictEqual(reasonOf(words("é ₮ 中")), "é ₮ 中")
    assert.isAtMost(reasonOf(words("x".repeat(100_000))).length, 300)
  })

  it("is printable and short whatever a contract says", () =>
    FastCheck.assert(FastCheck.property(FastCheck.string({ unit: "binary", maxLength: 500 }), (text) => {
      assert.match(reasonOf(words(text)), /^\P{C}{1,300}$/u)
    })))

  it("throws at no bytes", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.string({ unit: FastCheck.constantFrom(..."0123456789abcdef"), maxLength: 400 }),
        (digits) => {
          for (const data of [`0x${digits}`, `0x08c379a0${digits}`, `0x4e487b71${digits}`]) {
            assert.match(reasonOf(data), /^\P{C}{1,300}$/u)
          }
        }
      )
    ))
})
