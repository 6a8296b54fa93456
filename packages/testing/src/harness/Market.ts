/** Vaults with several traders, and the proof of everything that happens to them: for tests of groups of processes. */
import type { Network } from "@vault-trader/core/chain/Network"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ChainProof from "./ChainProof.ts"
import * as Trades from "./Trades.ts"

export class Market extends Context.Service<Market, {
  readonly burst: (size: number) => ReadonlyArray<Trades.TradeRequest>
  readonly holdsWith: ChainProof.ChainProof["holdsWith"]
}>()("vault-trader/testing/harness/Market") {
  /** Six vaults that three wallets trade. */
  static readonly layer = (network: Network) =>
    Layer.effect(
      Market,
      Effect.gen(function*() {
        const vaults = yield* Trades.traded(network, { vaults: 6, wallets: 3 })
        const { holdsWith } = yield* ChainProof.begin(vaults)
        return { burst: (size) => Trades.burst(vaults, size), holdsWith }
      })
    )
}
