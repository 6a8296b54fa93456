/** The networks a fake aggregator serves, and the schemas for what callers name. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address } from "@vault-trader/core/chain/Address"
import { AddressResult } from "../contract/Deployer.ts"
import { Refused } from "./Answer.ts"
import * as Route from "./Route.ts"

export type Grounds = ReadonlyArray<Route.AggregatorNetwork>

/** An address in any letter case. */
export const AnyAddress = AddressResult

/** An amount in smallest units, as APIs write them. */
export const Amount = Schema.String.check(Schema.isPattern(/^[1-9]\d*$/)).pipe(Schema.decodeTo(Schema.BigIntFromString))

export const byChainId = (grounds: Grounds, chainId: number): Effect.Effect<Route.AggregatorNetwork, Refused> => {
  const found = grounds.find((ground) => ground.chainId === chainId)
  return found === undefined
    ? new Refused({ kind: "badRequest", reason: `chain ${chainId} is not supported` })
    : Effect.succeed(found)
}

/** Returns KyberSwap's name for a network. */
const nameOf = ({ network }: Route.AggregatorNetwork) => network === "hyperliquid" ? "hyperevm" : network

export const byName = (grounds: Grounds, name: string): Effect.Effect<Route.AggregatorNetwork, Refused> => {
  const found = grounds.find((ground) => nameOf(ground) === name)
  return found === undefined
    ? new Refused({ kind: "badRequest", reason: `chain ${name} is not supported` })
    : Effect.succeed(found)
}

/** Returns the best route; refuses when there is none. */
export const routed = (ground: Route.AggregatorNetwork, from: Address, to: Address, amount: bigint) =>
  Effect.flatMap(
    Route.best(ground, from, to, amount),
    Option.match({ onNone: () => new Refused({ kind: "noRoute" }), onSome: Effect.succeed })
  )
