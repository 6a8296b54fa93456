/** Finds the manager contract of a vault. */
import type { Address } from "@vault-trader/core/chain/Address"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { factoryAbi, poolAbi } from "./PlatformAbi.ts"

/** 1004: the address is no vault of the platform. */
export const notAVault = (chain: Pick<ChainClient, "book">, pool: Address) =>
  new ValidationFailure({
    code: "1004",
    message: `pool: ${pool} is not a vault of the platform on ${chain.book.network}`
  })

/** Reads the address of the vault's manager contract; fails with 1004 when the platform does not know the vault. */
export const find = (chain: Pick<ChainClient, "book" | "readAll">, pool: Address) =>
  Effect.gen(function*() {
    const [isPool, logic] = yield* Effect.mapError(
      chain.readAll([
        Contract.read(factoryAbi, chain.book.platformFactory, "isPool", [pool]),
        Contract.read(poolAbi, pool, "poolManagerLogic", [])
      ]),
      unavailable
    )
    return Result.isSuccess(isPool) && isPool.success && Result.isSuccess(logic)
      ? Contract.lower(logic.success)
      : yield* notAVault(chain, pool)
  })

/** The same, read until it is found once: a failure (not deployed yet, node down) is retried. */
export const cached = (chain: Pick<ChainClient, "book" | "readAll">, pool: Address) => {
  let found: Address | undefined
  return Effect.suspend(() =>
    found === undefined
      ? Effect.tap(find(chain, pool), (address) =>
        Effect.sync(() => {
          found = address
        }))
      : Effect.succeed(found)
  )
}
