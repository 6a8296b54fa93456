/** Handlers of the price endpoints. They compare the price sources and report a contradiction as a failure. */
import { type ActionPrice, actionPrices, find } from "@vault-trader/core/billing/ActionPrices"
import { ageSeconds, findAgreedReading, type Readings } from "@vault-trader/core/billing/Price"
import { nativeOf, PriceList } from "@vault-trader/core/billing/PriceList"
import { Pricing } from "@vault-trader/core/billing/Pricing"
import { PricingApi } from "@vault-trader/core/billing/PricingApi"
import { Chain } from "@vault-trader/core/network/Chain"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { format, usd } from "@vault-trader/core/chain/Quantity"
import { endpoints } from "@vault-trader/core/Catalogue"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Handlers from "../wire/Handlers.ts"
import { read } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"

/**
 * Returns the price all sources agree on as wire fields. Fails with 2012 and the sources' prices if they do not agree.
 */
const agreedPrice = (network: Network, readings: Readings, now: number) =>
  Result.match(findAgreedReading(readings), {
    onFailure: ({ reason }) => explain({ _tag: "NoPrice", symbol: readings.token.symbol, network, detail: reason }),
    onSuccess: (price) =>
      Effect.succeed({
        network,
        token: readings.token.symbol,
        price_usd: usd(price.usd18),
        source: price.source,
        age_seconds: ageSeconds(price, now),
        sources: readings.readings.map((each) => ({
          source: each.source,
          price_usd: usd(each.usd18),
          age_seconds: ageSeconds(each, now)
        })),
        time: Math.floor(now / 1000)
      })
  })

/** Builds the failure for an unknown action; it lists the existing ones. */
export const unknownAction = (name: string, actions: ReadonlyArray<ActionPrice>): ValidationFailure =>
  new ValidationFailure({
    code: "1010",
    message: `action: '${name}' is not an action; actions are ${actions.map(({ action }) => action).join(", ")}`
  })

/** Returns a network whose native token is ether, the default network if possible. */
const ofEther = ({ defaultNetwork, networks }: Directory["Service"], named: Network | undefined) => {
  const found = named ?? [defaultNetwork, ...networks].find((network) => facts[network].native === "ETH")
  if (found !== undefined && facts[found].native === "ETH") return Effect.succeed(found)
  return new ValidationFailure({
    code: "1010",
    message: named === undefined
      ? "network: none of this service's networks pays gas in ETH; use token-price for other tokens"
      : `network: ${named} pays gas in ${facts[named].native}, not in ETH; use token-price/${named} for its price`
  })
}

/** Said to people while a network's endpoints contradict each other. */
const disputedNote = " Its RPC endpoints have contradicted each other in the last five minutes: what is read from " +
  "them may be wrong, and outcomes wait until two of them agree."

export const PricingApiLive = Handlers.layer(
  PricingApi,
  Effect.gen(function*() {
    const chains = yield* Chain.client
    const pricing = yield* Pricing.client
    const directory = yield* Directory
    const prices = yield* PriceList
    const actions = actionPrices(endpoints, prices)

    const priceOf = (network: Network, token: string | null) =>
      Effect.gen(function*() {
        const readings = yield* read(pricing(network).readings({ token }))
        return { readings, price: yield* agreedPrice(network, readings, yield* Clock.currentTimeMillis) }
      })

    /**
     * Returns an action's fee. The fee in USD does not depend on the native token's price; actions are charged the same
     * way.
     */
    const feeOf = (network: Network, { action, billed, price_usd }: ActionPrice) =>
      Effect.gen(function*() {
        const price = yield* Effect.orElseSucceed(read(pricing(network).chargePrice(), "5 seconds"), () => null)
        const { native } = facts[network]
        const later = price === null && billed
          ? ` No usable price of ${native} at the moment; the charge is converted when there is one.`
          : ""
        return {
          action,
          network,
          fee_usd: price_usd,
          fee_native: !billed ? "0" : price === null ? null : format(nativeOf(price_usd, price.usd18), 18),
          token: native,
          native_price_usd: price === null ? null : usd(price.usd18),
          age_seconds: price === null ? null : ageSeconds(price, yield* Clock.currentTimeMillis),
          message: billed ? `${action} costs ${price_usd} USD once it is executed.${later}` : `${action} is free.`
        }
      })

    return {
      "eth-price": ({ network }) =>
        Effect.map(Effect.flatMap(ofEther(directory, network), (where) => priceOf(where, null)), ({ price }) => price),
      "token-price": ({ asset, network, token }) =>
        asset !== undefined && token !== undefined && asset.toUpperCase() !== token.toUpperCase()
          ? new ValidationFailure({ code: "1010", message: "asset: differs from token; send only one of them" })
          : Effect.map(
            priceOf(network, token ?? asset ?? null),
            ({ price, readings: { token: { address, decimals } } }) => ({ ...price, contract: address, decimals })
          ),
      "calculate-fee": ({ action: name, network }) => {
        const action = find(actions, name)
        return action === undefined ? unknownAction(name, actions) : feeOf(network, action)
      },
      "api/cex/calculateFee": ({ network = directory.defaultNetwork }) =>
        feeOf(network, {
          action: "exchangeTrade",
          class: "exchangeTrade",
          billed: prices.exchangeTrade > 0,
          path: null,
          price_usd: prices.exchangeTrade
        }),
      "all-actions": () => Effect.succeed({ actions }),
      test: ({ network }) =>
        Effect.gen(function*() {
          const { block, chainId, disputed, time } = yield* read(chains(network).head())
          const age = Math.max(0, Math.floor((yield* Clock.currentTimeMillis) / 1000) - time)
          return {
            network,
            chain_id: chainId,
            token: facts[network].native,
            block: block.toString(),
            block_time: time,
            age_seconds: age,
            message: `${network} responds; its latest block is ${age} seconds old.${disputed ? disputedNote : ""}`
          }
        })
    }
  })
)
