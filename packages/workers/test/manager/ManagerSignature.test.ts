import { assert, describe, it } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { Statement, typedData } from "@vault-trader/core/signature/ManagerSignature"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { privateKeyToAccount } from "viem/accounts"
import { signedBy } from "../../src/manager/ManagerSignature.ts"

const account = privateKeyToAccount(`0x${"42".repeat(32)}`)
const other = privateKeyToAccount(`0x${"43".repeat(32)}`)
const statement = Statement.make({
  action: "associateGasWallet",
  manager: account.address.toLowerCase() as Address,
  subject: `0x${"ab".repeat(20)}`,
  params: `0x${"5d".repeat(32)}`,
  chainId: 8453,
  issuedAt: 1_800_000_000,
  nonce: "0123456789abcdef",
  salt: null
})
const sign = (by: typeof account, said: Statement) => Effect.promise(() => by.signTypedData(typedData(said)))

const unasked = () => Effect.die(new Error("asked"))
/** A node that must never be queried. */
const silent = { ...{ book: { network: "base" }, quorum: 1 } as const, initcodeOutputs: unasked }
/**
 * A network at whose endpoints the validator returns these outputs. Real validator and contract wallets:
 * packages/app/test/manager/Managers.test.ts.
 */
const outputting = (outputs: ReadonlyArray<Hex | null>, endpoints: number) => ({
  ...{ book: { network: "base" }, quorum: Math.min(2, endpoints) } as const,
  initcodeOutputs: () => Effect.succeed(outputs)
})
const saying = (output: Hex) => outputting([output], 1)
const verdict = (chain: Parameters<typeof signedBy>[0], said: Statement, signature: Hex) =>
  Effect.map(signedBy(chain, said, Redacted.make(signature)), ({ by, hasCode }) => ({ by, hasCode }))

describe("who signed a manager's statement", () => {
  it.effect("an account's signature is recognized from the bytes alone, in any case of the address", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* verdict(silent, statement, yield* sign(account, statement)), {
        by: "account",
        hasCode: false
      })
    }))

  for (
    const [what, changes] of [
      ["another action", { action: "deassociateGasWallet" }],
      ["another subject", { subject: `0x${"cd".repeat(20)}` }],
      ["other parameters", { params: `0x${"5e".repeat(32)}` }],
      ["another chain", { chainId: 10 }],
      ["another time", { issuedAt: 1_800_000_001 }],
      ["another nonce", { nonce: "0123456789abcdee" }],
      ["another service", { salt: `0x${"77".repeat(32)}` }]
    ] as const
  ) {
    it.effect(`one over ${what} is not accepted`, () =>
      Effect.gen(function*() {
        const signature = yield* sign(account, Statement.make({ ...statement, ...changes }))
        assert.deepStrictEqual(yield* verdict(saying("0x00"), statement, signature), {
          by: "nobody",
          hasCode: false
        })
      }))
  }

  it.effect("another account's is not accepted", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* verdict(saying("0x00"), statement, yield* sign(other, statement))).by, "nobody")
    }))

  it.effect("bytes that are no signature are left to the contract, which may take them", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* verdict(saying("0x01"), statement, "0x1234"), { by: "contract", hasCode: false })
      assert.deepStrictEqual(yield* verdict(saying(`0x${"00".repeat(31)}01`), statement, "0x1234"), {
        by: "contract",
        hasCode: false
      })
      assert.strictEqual((yield* verdict(saying("0x"), statement, "0x1234")).by, "nobody")
    }))

  it.effect("code that reverts accepts nothing, and a node that cannot be reached says nothing", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* verdict(outputting([null], 1), statement, "0x1234")).by, "nobody")
      const away = yield* Effect.flip(verdict(outputting([], 1), statement, "0x1234"))
      assert.strictEqual(away.errorType, "rpc_unavailable")
    }))

  for (
    const [outputs, endpoints, result] of [
      [["0x01", "0x01"], 2, "contract"],
      [["0x00", null], 2, "nobody"],
      [["0x01", "0x00"], 2, /contradict each other about a contract's signature/],
      [["0x01"], 2, /cannot be reached|endpoint/],
      [["0x01", "0x00", "0x00"], 3, "nobody"],
      [["0x01", null, "0x01"], 3, "contract"],
      [["0x01", "0x00"], 3, /contradict/],
      [["0x01", "0x01", "0x00", "0x00"], 4, "nobody"]
    ] as const
  ) {
    const name = `${outputs.map((output) => output ?? "a revert").join(", ")} of ${endpoints} endpoints`
    it.effect(`no endpoint of several decides alone whether a contract accepts: ${name}`, () =>
      Effect.gen(function*() {
        const found = yield* Effect.result(verdict(outputting(outputs, endpoints), statement, "0x1234"))
        if (typeof result === "string") {
          assert.strictEqual(Result.isSuccess(found) ? found.success.by : found.failure.message, result)
        } else {
          assert.match(Result.isFailure(found) ? found.failure.message : found.success.by, result)
        }
      }))
  }
})
