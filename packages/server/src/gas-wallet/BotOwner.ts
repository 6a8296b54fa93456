/**
 * Decides which wallets may stop and resume the bots of a vault. For a wallet that set a bot only the database is read,
 * so this works without nodes.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { FollowerStore } from "@vault-trader/core/follower/FollowerStore"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { StrategyBotStore } from "@vault-trader/core/strategy/StrategyBotStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { VaultOrderStore } from "@vault-trader/core/vault-order/VaultOrderStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import { TraderNow } from "../vault/TraderNow.ts"

/**
 * Builds the check. It fails unless the wallet set a bot, guardian or follower of the vault, has an order there, or is the vault's
 * trader.
 */
export const BotOwner = Effect.gen(function*() {
  const bots = yield* ThresholdBotStore
  const indexes = yield* IndexBotStore
  const orders = yield* VaultOrderStore
  const guardians = yield* GuardianStore
  const followers = yield* FollowerStore
  const strategies = yield* StrategyBotStore
  const traderNow = yield* TraderNow
  return (wallet: Address, network: Network, pool: Address) =>
    Effect.gen(function*() {
      const [threshold, index, follower, open, watching, running] = yield* query(Effect.all([
        ...[bots.ofVault(network, pool), indexes.find(network, pool)] as const,
        followers.ofVault(network, pool),
        ...[orders.openOf(network, pool), guardians.ofVault(network, pool)] as const,
        strategies.ofVault(network, pool)
      ]))
      const several = [...threshold, ...open, ...watching, ...running]
      const isOwner = several.some((each) => each.wallet === wallet) ||
        Option.exists(index, (bot) => bot.wallet === wallet) ||
        Option.exists(follower, (each) => each.wallet === wallet)
      if (isOwner) return
      if (several.length === 0 && Option.isNone(index) && Option.isNone(follower)) {
        return yield* new ValidationFailure({
          code: "1010",
          message: `pool: the wallet of this key has no bot at ${pool} on ${network}; use the key of the wallet that ` +
            "set the vault's bots"
        })
      }
      yield* traderNow({ network, pool }, wallet)
    })
})
