/** Handlers of the read endpoints about one vault. */
import { Chain } from "@vault-trader/core/network/Chain"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import { VaultApi } from "@vault-trader/core/vault/VaultApi"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { read } from "../gate/ActorCall.ts"

export const VaultApiLive = Handlers.layer(
  VaultApi,
  Effect.gen(function*() {
    const vaults = yield* Vault.client
    const chains = yield* Chain.client
    return {
      isPoolTrader: ({ network, pool, trader }) =>
        Effect.gen(function*() {
          const { facts } = yield* read(vaults(idOf(network, pool)).describe({ assets: [] }))
          const isTrader = facts.trader === trader
          return {
            data: { network, pool, trader, poolTrader: facts.trader, manager: facts.manager, isTrader },
            message: isTrader
              ? `${trader} is the vault's trader.`
              : `${trader} is not the vault's trader; the trader is ${facts.trader ?? "not set"}.`
          }
        }),
      getCapabilities: ({ network, pool = null }) => read(chains(network).capabilities({ pool })),
      poolComposition: ({ network, pool }) =>
        Effect.gen(function*() {
          const { holdings, totalValueUsd, block } = yield* read(vaults(idOf(network, pool)).composition())
          return { composition: holdings, total_value_usd: totalValueUsd, block }
        })
    }
  })
)
