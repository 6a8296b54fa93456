/** What an aggregator makes calldata for, and what becomes of it when the aggregator lies. */
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

/** Where lies lead: nobody's address. */
export const elsewhere: Address = "0x00000000000000000000000000000000000bad00"

/** A quote a fifth too good to be true any more. */
export const quoted = (amountOut: bigint, fault: Fault | undefined): bigint =>
  fault === "staleQuote" ? amountOut * 6n / 5n : amountOut

/** `amountOut` less a slippage in basis points. */
export const lowered = (amountOut: bigint, slippageBps: number): bigint =>
  amountOut * BigInt(Math.round(1e6 - slippageBps * 100)) / 1_000_000n

/** The best way into any token but the two of the order. */
const wayElsewhere = (ground: Route.Ground, route: Route.Route) =>
  Effect.gen(function*() {
    const [from, to] = [Route.soldToken(route), Route.boughtToken(route)]
    for (const { address } of Object.values(ground.deployed.tokens)) {
      if (address === from || address === to) continue
      const found = yield* Route.best(ground, from, address, route.amountIn)
      if (Option.isSome(found)) return found.value
    }
    return route
  })

/** The order as the aggregator will write it down. */
export const told = (ground: Route.Ground, order: Order, fault: Fault | undefined): Effect.Effect<Order, RpcFailure> => {
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
      return Effect.map(wayElsewhere(ground, order.route), (route) => ({ ...order, route, minOut: 1n }))
    default:
      return Effect.succeed(order)
  }
}

/** What the devnet's executor is told: the path, and who gets what it pays. */
export const executorData = (route: Route.Route, recipient: Address): Hex =>
  encodeAbiParameters([{ type: "bytes" }, { type: "address" }], [Route.path(route), recipient])
