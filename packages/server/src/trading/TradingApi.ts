/** Handlers of trades, approvals and changes of a vault's assets; each turns its parameters into an intent's request. */
import { parse as parseAddress } from "@vault-trader/core/chain/Address"
import { symbolOf } from "@vault-trader/core/chain/Token"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { type Brands, parse as parseLender, defaultBrands } from "@vault-trader/core/lending/Brands"
import { lenders } from "@vault-trader/core/lending/Lending"
import { DisableAssetRequest, EnableAssetRequest } from "@vault-trader/core/trading/AssetChange"
import { ApproveRequest, defaultSlippage, TradeRequest } from "@vault-trader/core/trading/Trading"
import { TradingApi } from "@vault-trader/core/trading/TradingApi"
import { names as venueNames, parse as parseVenue } from "@vault-trader/core/venue/VenueName"
import * as Effect from "effect/Effect"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as Handlers from "../wire/Handlers.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { Intents } from "../intent/Intents.ts"
import * as Size from "../intent/Size.ts"

/**
 * Returns the venue or else the lender that `text` names; `best` is known only for a swap. Parsed here, because the
 * brands are configuration.
 */
const spenderOf = (brands: Brands, text: string): Effect.Effect<ApproveRequest["platform"], ValidationFailure> => {
  const found = parseVenue(text) ?? parseLender(brands, text)
  if (found !== undefined && found !== "best") return Effect.succeed(found)
  const accepted = ["auto", ...venueNames, ...lenders, ...Object.values(brands)]
  return new ValidationFailure({ code: "1010", message: `platform: must be one of ${accepted.join(", ")}` })
}

/** The parameters and the answer of a trade. */
export interface VaultTrade {
  readonly params: Handlers.Params<typeof TradingApi, "vaultTrade">
  readonly answer: Rpc.Success<Rpc.ExtractTag<RpcGroup.Rpcs<typeof TradingApi>, "vaultTrade">>
}

/** Returns the handler of trades, which the trade of a group calls for each of its vaults. */
export const vaultTradeOf = (intents: Intents["Service"]) =>
  intents.write(
    TradingApi,
    "vaultTrade",
    ({ from, platform = "auto", slippage = defaultSlippage, to, ...size }) =>
      TradeRequest.make({ from, to, slippage, platform, ...Size.of(size) })
  )

const trades = Handlers.part(
  TradingApi,
  Effect.gen(function*() {
    const intents = yield* Intents
    const { brands = defaultBrands } = yield* Directory
    return {
      vaultTrade: vaultTradeOf(intents),
      approve: intents.write(
        TradingApi,
        "approve",
        ({ amount, asset, platform = "auto" }) =>
          Effect.map(
            spenderOf(brands, platform),
            (spender) => ApproveRequest.make({ asset, platform: spender, ...Size.of({ amount }) })
          )
      )
    }
  })
)

/** Returns an address in lower case, or a symbol as the address book spells it. */
const named = (asset: string) => parseAddress(asset) ?? symbolOf(asset)

const changes = Handlers.part(
  TradingApi,
  Effect.gen(function*() {
    const { write } = yield* Intents
    return {
      enableAsset: write(
        TradingApi,
        "enableAsset",
        ({ asset }) => EnableAssetRequest.make({ asset: named(asset) })
      ),
      disableAsset: write(
        TradingApi,
        "disableAsset",
        ({ asset }) => DisableAssetRequest.make({ asset: named(asset) })
      )
    }
  })
)

export const TradingApiLive = Handlers.layer(
  TradingApi,
  Effect.gen(function*() {
    return { ...(yield* trades), ...(yield* changes) }
  })
)
