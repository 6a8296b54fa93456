/** Answers for one network: what its tokens are. */
import * as Entity from "@effect/cluster/Entity"
import { Chain } from "@vault-trader/core/chain/Chain"
import { Network } from "@vault-trader/core/chain/Network"
import { ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Tokens } from "./Tokens.ts"

export const ChainLive = Chain.toLayer(
  Effect.gen(function*() {
    const network = Schema.decodeUnknownSync(Network)((yield* Entity.CurrentAddress).entityId)
    const tokens = yield* Tokens
    return {
      token: ({ payload: { address } }) =>
        Effect.flatMap(tokens.at(network, [address]), ([token]) =>
          token === undefined
            ? new ValidationFailure({ code: "1005", message: `contract: ${address} is not a token on ${network}` })
            : Effect.succeed(token)),
      symbol: ({ payload: { symbol } }) =>
        Effect.mapError(tokens.resolve(network, symbol, []), (failure) =>
          failure._tag === "ValidationFailure" && failure.code === "1010"
            ? new ValidationFailure({ code: "1010", message: `symbol: ${failure.message}` })
            : failure)
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true }
)
