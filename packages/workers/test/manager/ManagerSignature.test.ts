import { assert, describe, it } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { Statement, typedData } from "@vault-trader/core/signature/ManagerSignature"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { privateKeyToAccount } from "viem/accounts"
import { RpcRefused, RpcUnavailable } from "../../src/chain/RpcFailure.ts"
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

/** A node that must never be queried. */
const silent = { callInitcode: () => Effect.die(new Error("asked")), code: () => Effect.die(new Error("asked")) }
/**
 * A node on which the validator returns this answer. Real validator and contract wallets:
 * packages/app/test/manager/Managers.test.ts.
 */
const saying = (answer: Hex, code: Hex = "0x60") => ({
  callInitcode: () => Effect.succeed(answer),
  code: () => Effect.succeed(code)
})
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
        assert.deepStrictEqual(yield* verdict(saying("0x00", "0x"), statement, signature), {
          by: "nobody",
          hasCode: false
        })
      }))
  }

  it.effect("another account's is not accepted", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* verdict(saying("0x00", "0x"), statement, yield* sign(other, statement))).by, "nobody")
    }))

  it.effect("bytes that are no signature are left to the contract, which may take them", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* verdict(saying("0x01"), statement, "0x1234"), { by: "contract", hasCode: true })
      assert.deepStrictEqual(yield* verdict(saying(`0x${"00".repeat(31)}01`), statement, "0x1234"), {
        by: "contract",
        hasCode: true
      })
      assert.strictEqual((yield* verdict(saying("0x"), statement, "0x1234")).by, "nobody")
    }))

  it.effect("code that reverts accepts nothing, and a node that cannot be reached says nothing", () =>
    Effect.gen(function*() {
      const reverts = {
        ...saying("0x01"),
        callInitcode: () => new RpcRefused({ code: 3, reason: "execution reverted" })
      }
      assert.strictEqual((yield* verdict(reverts, statement, "0x1234")).by, "nobody")
      const away = { ...saying("0x01"), callInitcode: () => new RpcUnavailable({ network: "base", reason: "timeout" }) }
      assert.strictEqual((yield* Effect.flip(verdict(away, statement, "0x1234"))).errorType, "rpc_unavailable")
    }))
})
