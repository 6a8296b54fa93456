/**
 * Refuses trades of a vault while its oracle guardian's limits are passed. Read again for each trade: what the guardian
 * saw last may be seconds old.
 */
import type { Network } from "@vault-trader/core/chain/Network"
import type { Token } from "@vault-trader/core/chain/Token"
import type { Charge } from "@vault-trader/core/endpoint/Endpoint"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { faultOf, type OracleAnswer } from "@vault-trader/core/guardian/GuardianDecision"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import { isStable } from "@vault-trader/core/guardian/Stablecoins"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import * as PriceFeed from "../billing/PriceFeed.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { factoryAbi } from "../platform/PlatformAbi.ts"
import type { PlanContext } from "./Action.ts"

/**
 * Reads the oracle's answers about tokens and the block's time, unix seconds. Two of the network's endpoints must agree,
 * where it has so many.
 */
export const answers = (
  chain: ChainClient,
  tokens: ReadonlyArray<Token>
): Effect.Effect<{ readonly block: number; readonly answers: ReadonlyArray<OracleAnswer> }, Failure> =>
  Effect.gen(function*() {
    const source = { readAll: chain.readConfirmed }
    const assets = tokens.map(({ address }) => address)
    const [found, updates] = yield* Effect.mapError(
      Effect.all([
        chain.readConfirmed([
          ChainTime.read(chain),
          ...assets.map((asset) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [asset]))
        ]),
        PriceFeed.updatesOf(chain, source, assets)
      ]),
      unavailable
    )
    const [time, ...prices] = found
    return {
      block: yield* ChainTime.readAt(time),
      answers: tokens.map((token, index): OracleAnswer => {
        const price = prices[index]
        // The oracle itself reverts for a feed that is too old.
        const price18 = price === undefined ? null : Result.getOrElse(price, () => null)
        return {
          symbol: token.symbol,
          price18: price18 === 0n ? null : price18,
          updatedAt: updates[index] ?? null,
          isStable: isStable(token)
        }
      })
    }
  })

/** Builds the check of a network's trades. */
export const make = ({ chain, network }: { readonly chain: ChainClient; readonly network: Network }) =>
  Effect.map(GuardianStore, (store) => {
    /** Fails with 2043 for a trade of a vault while its oracle guardian refuses it; other actions always pass. */
    return (charge: Charge, { pool, state }: Pick<PlanContext, "pool" | "state">): Effect.Effect<
      void,
      Failure | SqlError
    > =>
      Effect.gen(function*() {
        if (charge !== "trade") return
        const terms = Option.getOrUndefined(yield* store.oracleTermsOf(network, pool))
        if (terms === undefined) return
        const tokens = terms.assets ?? (yield* state).assets
        const seen = yield* answers(chain, tokens)
        const fault = faultOf(terms, seen.answers, seen.block)
        if (fault !== undefined) return yield* explain({ _tag: "GuardianHold", detail: fault })
      })
  })
