/** Handlers that read lending rates and a vault's yield. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Lenders } from "@vault-trader/core/lending/Lenders"
import type { EstimatedYield, TotalYield } from "@vault-trader/core/lending/Yields"
import { YieldsApi } from "@vault-trader/core/lending/YieldsApi"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Handlers from "../wire/Handlers.ts"
import { read } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import * as VaultNetwork from "../vault/VaultNetwork.ts"

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

/** Reads the rates of one network, or of all; a network that cannot be read must not hide the others. */
const allRates = Effect.gen(function*() {
  const lenders = yield* Lenders.client
  const { networks } = yield* Directory
  const ratesOf = (network: Network) =>
    Effect.map(read(lenders(network).yields()), (rates) => rates.map((rate) => ({ network, ...rate })))
  return (named: Network | undefined) =>
    named !== undefined
      ? Effect.map(ratesOf(named), (yields) => ({ yields, unread: [] }))
      : Effect.map(
        Effect.forEach(networks, (network) =>
          Effect.map(Effect.result(ratesOf(network)), (rates) => ({ network, rates })), { concurrency: "unbounded" }),
        (all) => ({
          yields: all.flatMap(({ rates }) =>
            Result.isSuccess(rates) ? rates.success : []
          ),
          unread: all.flatMap(({ network, rates }) =>
            Result.isFailure(rates) ? [{ network, reason: rates.failure.message }] : []
          )
        })
      )
})

export const YieldsApiLive = Handlers.layer(
  YieldsApi,
  Effect.gen(function*() {
    const lenders = yield* Lenders.client
    const rates = yield* allRates
    const findNetwork = yield* VaultNetwork.find
    const networkOf = (named: Network | undefined, pool: Address) =>
      named === undefined ? findNetwork(pool) : Effect.succeed(named)
    return {
      getAllYields: ({ network }) => rates(network),
      getEstimatedAnualYield: ({ network: named, pool }) =>
        Effect.flatMap(networkOf(named, pool), (network) =>
          Effect.map(
            read(lenders(network).estimatedYield({ pool })),
            (data) => ({ network, data, message: estimateText(data) })
          )),
      getTotalYield: ({ network: named, pool }) =>
        Effect.flatMap(networkOf(named, pool), (network) =>
          Effect.map(
            read(lenders(network).totalYield({ pool })),
            (data) => ({ network, data, message: gainText(data) })
          ))
    }
  })
)
