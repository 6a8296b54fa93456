/** The index bot's actor: previews what a run would trade, and completes one run after another. */
import { IndexBots, notSet } from "@vault-trader/core/index-bot/IndexBot"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { parseId } from "@vault-trader/core/vault/Vault"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Chains } from "../chain/Chains.ts"
import { orNotServed } from "../chain/ServedChain.ts"
import { retryForever } from "../actor/Retry.ts"
import * as VaultReader from "../vault/VaultReader.ts"
import * as IndexRunner from "./IndexRunner.ts"
import { preview } from "./RebalancePlanner.ts"

export const IndexBotLive = IndexBots.toLayer(
  Effect.gen(function*() {
    const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
    const bots = yield* IndexBotStore
    const chain = yield* (yield* Chains).get(network)
    const reader = yield* VaultReader.make({ network, pool, chain })
    const runner = yield* IndexRunner.make({ network, pool, reader })

    return IndexBots.of({
      preview: ({ payload: { force, quote } }) =>
        Effect.gen(function*() {
          const bot = Option.getOrUndefined(yield* retryForever(bots.find(network, pool)))
          if (bot === undefined) return yield* notSet(pool)
          return yield* preview(reader, bot, {
            quote: quote ?? bot.quote,
            maxUsd18: bot.maxUsd18,
            force,
            without: new Set()
          })
        }),
      run: ({ payload: { runId } }) => runner.run(runId),
      wake: () => runner.wake
    })
  }).pipe(
    orNotServed((refuse) => ({ preview: refuse, run: () => Effect.die(refuse()), wake: () => Effect.void }))
  ),
  { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "1 minute" }
)
