/** Handlers that read lending rates and a vault's yield. */
import { Lenders } from "@vault-trader/core/lending/Lenders"
import type { EstimatedYield, TotalYield } from "@vault-trader/core/lending/Yields"
import { YieldsApi } from "@vault-trader/core/lending/YieldsApi"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { read } from "../gate/ActorCall.ts"

const estimateText = ({ apy, positions }: EstimatedYield) => {
  const open = positions.filter((position) => position.apy === null || position.value_usd === null)
  return positions.length === 0
    ? "The vault has no lending positions."
    : apy === null
    ? `No estimate: the rate or price of ${
      open.map(({ lender, symbol }) => `${symbol} with ${lender}`).join(", ")
    } is not known.`
    : `At today's rates the vault's lending ${apy < 0 ? "costs" : "earns"} ${Math.abs(apy)} % of its value a year.`
}

const gainText = ({ days, total }: TotalYield) =>
  days === 0 && total === 0
    ? "The vault's first snapshot was just taken; later results are relative to it."
    : `The vault's token ${total < 0 ? "lost" : "gained"} ${Math.abs(total)} % in ${days} days.`

export const YieldsApiLive = Handlers.layer(
  YieldsApi,
  Effect.gen(function*() {
    const lenders = yield* Lenders.client
    return {
      getAllYields: ({ network }) => Effect.map(read(lenders(network).yields()), (yields) => ({ yields })),
      getEstimatedAnualYield: ({ network, pool }) =>
        Effect.map(
          read(lenders(network).estimatedYield({ pool })),
          (data) => ({ data, message: estimateText(data) })
        ),
      getTotalYield: ({ network, pool }) =>
        Effect.map(read(lenders(network).totalYield({ pool })), (data) => ({ data, message: gainText(data) }))
    }
  })
)
