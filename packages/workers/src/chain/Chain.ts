/** Answers for one network: what its tokens are, and which addresses are vaults. */
import * as Entity from "@effect/cluster/Entity"
import { Chain, Head } from "@vault-trader/core/chain/Chain"
import { Network } from "@vault-trader/core/chain/Network"
import { ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { parseAbi } from "viem"
import { signedBy, textSignedBy } from "../manager/ManagerSignature.ts"
import { Chains } from "./Chains.ts"
import * as Contract from "./Contract.ts"
import { unavailable } from "./RpcFailure.ts"
import { Tokens } from "./Tokens.ts"

const factoryAbi = parseAbi(["function isPool(address) view returns (bool)"])

export const ChainLive = Chain.toLayer(
  Effect.gen(function*() {
    const network = Schema.decodeUnknownSync(Network)((yield* Entity.CurrentAddress).entityId)
    const tokens = yield* Tokens
    const chains = yield* Chains
    return {
      head: () =>
        Effect.gen(function*() {
          const chain = yield* chains.get(network)
          const { number, time } = yield* Effect.mapError(chain.head, unavailable)
          return Head.make({ chainId: chain.book.chainId, block: number, time })
        }),
      vaultsAmong: ({ payload: { addresses } }) =>
        Effect.gen(function*() {
          const chain = yield* chains.get(network)
          const answers = yield* Effect.mapError(
            chain.readAll(addresses.map((address) => Contract.read(factoryAbi, chain.book.platformFactory, "isPool", [address]))),
            unavailable
          )
          return addresses.filter((_, index) => Either.getOrElse(answers[index]!, () => false))
        }),
      signedBy: ({ payload: { signature, statement } }) => Effect.flatMap(chains.get(network), (chain) => signedBy(chain, statement, signature)),
      textSignedBy: ({ payload: { manager, signature, text } }) =>
        Effect.flatMap(chains.get(network), (chain) => textSignedBy(chain, { manager, text, signature })),
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
