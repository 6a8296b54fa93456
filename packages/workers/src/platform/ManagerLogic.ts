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

const reads = ({ book }: Pick<ChainClient, "book">, pool: Address) =>
  [
    Contract.read(factoryAbi, book.platformFactory, "isPool", [pool]),
    Contract.read(poolAbi, pool, "poolManagerLogic", [])
  ] as const

/** Returns the address in the results of the reads. */
const addressIn = (
  chain: Pick<ChainClient, "book">,
  pool: Address,
  [isPool, logic]: Contract.Results<ReturnType<typeof reads>>
): Effect.Effect<Address, ValidationFailure> =>
  Result.isSuccess(isPool) && isPool.success && Result.isSuccess(logic)
    ? Effect.succeed(Contract.lower(logic.success))
    : notAVault(chain, pool)

/** Reads the address of the vault's manager contract; fails with 1004 when the platform does not know the vault. */
export const find = (chain: Pick<ChainClient, "book" | "readAll">, pool: Address) =>
  Effect.flatMap(
    Effect.mapError(chain.readAll(reads(chain, pool)), unavailable),
    (results) => addressIn(chain, pool, results)
  )

/** Reads it until it is found once: a failure (not deployed yet, node down) is retried, and so is a word not to keep. */
const kept = <E>(finding: Effect.Effect<{ readonly address: Address; readonly isAlone: boolean }, E>) => {
  let known: Address | undefined
  return Effect.suspend(() =>
    known === undefined
      ? Effect.map(finding, ({ address, isAlone }) => {
        if (!isAlone) known = address
        return address
      })
      : Effect.succeed(known)
  )
}

/** The same, read until it is found once. */
export const cached = (chain: Pick<ChainClient, "book" | "readAll">, pool: Address) =>
  kept(Effect.map(find(chain, pool), (address) => ({ address, isAlone: false })))

/** The same from two endpoints, where there are as many; what one says while the others are silent is not kept. */
export const cachedConfirmed = (chain: Pick<ChainClient, "book" | "readToKeep">, pool: Address) =>
  kept(
    Effect.flatMap(
      Effect.mapError(chain.readToKeep(reads(chain, pool)), unavailable),
      ({ isAlone, results }) => Effect.map(addressIn(chain, pool, results), (address) => ({ address, isAlone }))
    )
  )
