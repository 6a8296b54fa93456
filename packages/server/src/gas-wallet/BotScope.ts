/** Finds the kill switch's scope of a vault's bots, or of its threshold bot of a pair. Only the database is read. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { botScope, thresholdBotScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { isOfLegs } from "@vault-trader/core/chain/PairMatch"
import { legsOf } from "@vault-trader/core/chain/PairText"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as Effect from "effect/Effect"
import { query } from "../gate/ActorCall.ts"

interface Bots {
  readonly network: Network
  readonly pool: Address
  readonly pair: string | undefined
}

/** Builds the function. It fails where the vault has no bot of the pair, or several of its symbols. */
export const BotScope = Effect.map(
  ThresholdBotStore,
  (store) => ({ network, pair, pool }: Bots) =>
    Effect.gen(function*() {
      if (pair === undefined) return { scope: botScope(network, pool), name: "the bots of this vault" }
      const [base, quote] = legsOf(pair)
      const bots = yield* query(store.ofVault(network, pool))
      const [bot, ...others] = bots.filter((each) => isOfLegs(each, base, quote))
      if (bot === undefined) {
        return yield* new ValidationFailure({
          code: "1010",
          message: `pair: the vault has no bot of ${pair}; ${
            bots.length === 0
              ? "it has no threshold bot"
              : `its bots are of ${bots.map((each) => each.pair).join(", ")}`
          }`
        })
      }
      if (others.length > 0) {
        return yield* new ValidationFailure({
          code: "1010",
          message: `pair: the vault has ${others.length + 1} bots of ${pair}; name the assets by their addresses`
        })
      }
      return { scope: thresholdBotScope(bot), name: `the bot of ${bot.pair}` }
    })
)
