/** Handlers of the endpoints about one vault. Changes of its assets become intents. */
import { parse as parseAddress } from "@vault-trader/core/chain/Address"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { Chain } from "@vault-trader/core/network/Chain"
import { DisableAssetRequest, EnableAssetRequest } from "@vault-trader/core/vault/AssetChange"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import { VaultApi } from "@vault-trader/core/vault/VaultApi"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { read } from "../gate/ActorCall.ts"
import { Intents } from "../intent/Intents.ts"

const changes = Handlers.part(
  VaultApi,
  Effect.gen(function*() {
    const vaults = yield* Vault.client
    const { write } = yield* Intents
    /**
     * Returns the address of the asset that a caller names. The signer compares it with the bytes of the transaction,
     * and a symbol could name another asset there.
     */
    const addressOf = ({ asset, network, pool }: Handlers.Params<typeof VaultApi, "enableAsset">) =>
      Effect.gen(function*() {
        const address = parseAddress(asset)
        if (address !== undefined) return address
        const { tokens: [token] } = yield* Effect.mapError(
          read(vaults(idOf(network, pool)).describe({ assets: [asset] })),
          (failure) =>
            failure._tag === "ValidationFailure" && failure.asset !== undefined
              ? new ValidationFailure({ code: failure.code, message: `asset: ${failure.message}` })
              : failure
        )
        return token === undefined
          ? yield* new ValidationFailure({ code: "1010", message: `asset: '${asset}' is not a token on ${network}` })
          : token.address
      })
    return {
      enableAsset: write(
        VaultApi,
        "enableAsset",
        (params) => Effect.map(addressOf(params), (asset) => EnableAssetRequest.make({ asset }))
      ),
      disableAsset: write(
        VaultApi,
        "disableAsset",
        (params) => Effect.map(addressOf(params), (asset) => DisableAssetRequest.make({ asset }))
      )
    }
  })
)

const reads = Handlers.part(
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

export const VaultApiLive = Handlers.layer(
  VaultApi,
  Effect.gen(function*() {
    return { ...(yield* changes), ...(yield* reads) }
  })
)
