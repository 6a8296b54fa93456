/** The handler of the retired setAllocations. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { defaults } from "@vault-trader/core/index-bot/IndexBot"
import { IndexBotApi } from "@vault-trader/core/index-bot/IndexBotApi"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import * as Handlers from "../wire/Handlers.ts"
import * as TargetResolution from "./TargetResolution.ts"

const day = 86_400
/** The `max_usd` that the retired setAllocations proposes for setIndexBot if there is no bot to copy it from; USD. */
const proposedCap = "10000"

/** The retired way to set targets: validates them and returns the request that sets them now. */
export const retiredAllocations = Handlers.part(
  IndexBotApi,
  Effect.gen(function*() {
    const store = yield* IndexBotStore
    const vaults = yield* Vault.client
    return {
      setAllocations: (params) =>
        Effect.gen(function*() {
          const { network, pool } = params
          const { assets, allocations, lower_thresholds, upper_thresholds, slippages, max_usd, platform } = params
          const { notes, slippage, targets: requested } = yield* TargetResolution.given({
            targets: params.targets,
            ...{ assets, allocations, lower_thresholds, upper_thresholds, slippages }
          })
          const named = params.quote ?? defaults.quote
          yield* TargetResolution.resolved(vaults(idOf(network, pool)), requested, named)
          const { wallet } = yield* Caller
          const bot = Option.getOrUndefined(
            Option.filter(yield* query(store.find(network, pool)), (each) => each.wallet === wallet)
          )
          const body = {
            network,
            pool,
            targets: requested,
            interval: String(bot?.intervalSeconds ?? day),
            max_usd: max_usd !== undefined
              ? BigDecimal.format(max_usd)
              : bot === undefined
              ? proposedCap
              : Quantity.format(bot.maxUsd18, 18),
            quote: named,
            ...(slippage === undefined ? {} : { slippage }),
            ...(platform === undefined ? {} : { platform }),
            enabled: bot?.enabled ?? false
          }
          const proposed = bot !== undefined
            ? []
            : max_usd === undefined
            ? ["Its interval and max_usd are proposals."]
            : ["Its interval is a proposal."]
          return {
            data: { method: "POST" as const, path: "/setIndexBot", body },
            message: [
              "The targets are valid. Nothing was written: setAllocations is retired, call setIndexBot.",
              ...proposed,
              ...notes
            ].join(" ")
          }
        })
    }
  })
)
