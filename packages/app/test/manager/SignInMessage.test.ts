import { assert, describe, it } from "@effect/vitest"
import { messageOf, signInSeconds } from "@vault-trader/core/console/SignInMessage"
import { createSiweMessage, parseSiweMessage } from "viem/siwe"

const address = "0xA0Cf798816D4b9b9866b5330EEa46a18382f251e"
const issuedAt = 1_767_225_600

const fields = (domain: string) => ({
  domain,
  origin: `https://${domain}`,
  address,
  chainId: 8453,
  nonce: "0123456789abcdef",
  issuedAt
})

const statement = "Sign in to the Vault Trader console. This sends no transaction and moves no funds."

describe("the message that a manager signs to sign in", () => {
  it("is the text that viem writes for the same fields", () => {
    for (const domain of ["trade.example", "localhost:8080", "127.0.0.1:8080", "a.b.trade.example:8443"]) {
      const expected = createSiweMessage({
        domain,
        address,
        statement,
        uri: `https://${domain}/console`,
        version: "1",
        chainId: 8453,
        nonce: "0123456789abcdef",
        issuedAt: new Date(issuedAt * 1000),
        expirationTime: new Date((issuedAt + signInSeconds) * 1000)
      })
      assert.strictEqual(messageOf(fields(domain)), expected)
    }
  })

  it("is read back by viem, also for a host that viem would not write", () => {
    for (const domain of ["trade.example", "trader:8080"]) {
      const { address: signer, chainId, expirationTime, nonce, uri } = parseSiweMessage(messageOf(fields(domain)))
      assert.deepStrictEqual([signer, chainId, nonce, uri, expirationTime?.getTime()], [
        address,
        8453,
        "0123456789abcdef",
        `https://${domain}/console`,
        (issuedAt + signInSeconds) * 1000
      ])
    }
  })
})
