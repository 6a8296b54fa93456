import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Fault } from "../src/test-chain/NodeFault.ts"
import { VaultTraderTest } from "../src/VaultTraderTest.ts"
import { buysTheDip } from "./example/BuyTheDip.ts"

layer(VaultTraderTest.layer())("a strategy in process", (it) => {
  it.effect("buys when the price has fallen below its limit", () => buysTheDip)
})
