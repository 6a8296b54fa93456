/** The order an aggregator encodes as calldata, and how faults falsify it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { encodeAbiParameters } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Fault } from "./AggregatorFault.ts"
import * as Route from "./Route.ts"

export interface Order {
  readonly router: Address
  readonly receiver: Address
  readonly route: Route.Route
  readonly minOut: bigint
}

/** The address used by faults. It belongs to no account. */
export const elsewhere: Address = "0x00000000000000000000000000000000000bad00"

/** Returns the quoted amount; a stale quote is a fifth too high. */
export const quoted = (amountOut: bigint, fault: Fault | undefined): bigint =>
  fault === "staleQuote" ? amountOut * 6n / 5n : amountOut

/** Returns `amountOut` less a slippage in basis points. */
export const lowered = (amountOut: bigint, slippageBps: number): bigint =>
  amountOut * BigInt(Math.round(1e6 - slippageBps * 100)) / 1_000_000n

/** Returns the best route into any token except the order's two. */
const routeElsewhere = (ground: Route.AggregatorNetwork, route: Route.Route) =>
  Effect.gen(function*() {
    const [from, to] = [Route.soldToken(route), Route.boughtToken(route)]
    for (const { address } of Object.values(ground.deployed.tokens)) {
      if (address === from || address === to) continue
      const found = yield* Route.best(ground, from, address, route.amountIn)
      if (Option.isSome(found)) return found.value
    }
    return route
  })

/** Returns the order as the aggregator encodes it under a fault. */
export const withFault = (
  ground: Route.AggregatorNetwork,
  order: Order,
  fault: Fault | undefined
): Effect.Effect<Order, RpcFailure> => {
  switch (fault) {
    case "otherReceiver":
      return Effect.succeed({ ...order, receiver: elsewhere })
    case "otherRouter":
      return Effect.succeed({ ...order, router: elsewhere })
    case "minOutOne":
      return Effect.succeed({ ...order, minOut: 1n })
    case "otherAmount":
      return Effect.succeed({ ...order, route: { ...order.route, amountIn: order.route.amountIn * 2n } })
    case "wrongToken":
      return Effect.map(routeElsewhere(ground, order.route), (route) => ({ ...order, route, minOut: 1n }))
    default:
      return Effect.succeed(order)
  }
}

/** Encodes the data for the devnet's executor: the path, and the recipient of its output. */
export const executorData = (route: Route.Route, recipient: Address): Hex =>
  encodeAbiParameters([{ type: "bytes" }, { type: "address" }], [Route.path(route), recipient])
