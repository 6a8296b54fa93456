import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Address } from "../../src/chain/Address.ts"
import { NetworkBook } from "../../src/chain/NetworkConfig.ts"

const read = Schema.decodeUnknownResult(NetworkBook)
const address = (digit: string): Address => `0x${digit.repeat(40)}`
const entry = {
  network: "base",
  chainId: 8453,
  rpcUrls: ["https://node.example"],
  confirmations: 1,
  finalityDepth: 64,
  blockPollMillis: 500,
  platformFactory: address("1"),
  multicall3: address("2"),
  wrappedNative: address("3"),
  tokens: []
} as const

describe("a network's entry", () => {
  it("accepts the maximum fee in decimal digits or in hex", () => {
    for (
      const [text, wei] of [["500000000000", 500_000_000_000n], ["0x746a528800", 500_000_000_000n], [
        " 7 ",
        7n
      ]] as const
    ) {
      const found = read({ ...entry, maxFeePerGas: text })
      assert.strictEqual(Result.isSuccess(found) ? found.success.maxFeePerGas : found.failure.message, wei)
    }
    for (const text of ["", " ", "1.5", "1e9", "many"]) {
      assert.isTrue(Result.isFailure(read({ ...entry, maxFeePerGas: text })), text)
    }
  })

  it("has the same defaults whether decoded or constructed", () => {
    assert.deepStrictEqual(Result.getOrThrow(read(entry)), NetworkBook.make(entry))
  })
})
