import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Fault } from "../src/test-chain/NodeFault.ts"
import { VaultTraderTest } from "../src/VaultTraderTest.ts"
import { buysTheDip } from "./example/BuyTheDip.ts"
import { keepsItsSide } from "./example/ThresholdBot.ts"

layer(VaultTraderTest.devnetLayer(), { timeout: 240_000, excludeTestServices: true })(
  "a strategy on the devnet",
  (it) => {
    it.effect("buys when the price has fallen below its limit", () => buysTheDip)

    it.effect("keeps its side with a threshold bot", () => keepsItsSide)

    it.effect("cannot inject faults into a node", () =>
      Effect.gen(function*() {
        const { fault } = yield* VaultTraderTest
        assert.strictEqual((yield* Effect.flip(fault({ fault: Fault.Http({ status: 503 }) })))._tag, "NotSupported")
      }))
  }
)
