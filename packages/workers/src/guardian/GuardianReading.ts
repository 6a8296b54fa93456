/**
 * Reads what guardians watch. One endpoint alone must not make a guardian act, where the network has several: two of
 * them must agree.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { GuardianTerms } from "@vault-trader/core/guardian/Guardian"
import type { Reading } from "@vault-trader/core/guardian/GuardianDecision"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseAbi } from "viem"
import * as ChainTime from "../chain/ChainTime.ts"
import * as Contract from "../chain/Contract.ts"
import { balanceRead } from "../chain/Multicall3.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import type { Tokens } from "../chain/Tokens.ts"
import * as LendingAccount from "../lending/LendingAccount.ts"
import type { VaultSource } from "../vault/VaultSource.ts"
import * as OracleGuard from "../vault/OracleGuard.ts"

const vaultAbi = parseAbi(["function tokenPrice() view returns (uint256)"])

/** The vault that a guardian watches, and the wallet that pays its gas. */
interface Place {
  readonly pool: Address
  readonly wallet: Address
}

/** Reads the vault's account at lenderA, from two endpoints where there are as many. */
export const account = ({ chain, network }: VaultSource, pool: Address) =>
  LendingAccount.positions(network, { ...chain, readAll: chain.readConfirmed }, pool)

const readHealth = (source: VaultSource, { pool }: Place) =>
  Effect.gen(function*() {
    const { healthFactor } = yield* account(source, pool)
    const [time] = yield* Effect.mapError(source.chain.readAll([ChainTime.read(source.chain)]), unavailable)
    return {
      _tag: "health_factor" as const,
      block: yield* ChainTime.readAt(time),
      factor18: healthFactor ?? null
    }
  })

/** Reads the price of the vault's token. Deposits and withdrawals do not change it. */
const readShare = ({ chain }: VaultSource, { pool }: Place) =>
  Effect.gen(function*() {
    const [price, time] = yield* Effect.mapError(
      chain.readConfirmed([Contract.read(vaultAbi, pool, "tokenPrice", []), ChainTime.read(chain)]),
      unavailable
    )
    if (Result.isFailure(price) || price.success === 0n) return yield* explain({ _tag: "VaultTokenPriceUnknown" })
    const block = yield* ChainTime.readAt(time)
    const day = new Date(block * 1_000).toISOString().slice(0, 10)
    return { _tag: "loss_breaker" as const, block, day, price18: price.success }
  })

const readGas = ({ chain, network }: VaultSource, { wallet }: Place) =>
  Effect.gen(function*() {
    const [balance, time] = yield* Effect.mapError(
      chain.readConfirmed([
        balanceRead(chain.book.multicall3, wallet),
        ChainTime.read(chain)
      ]),
      unavailable
    )
    if (Result.isFailure(balance)) return yield* explain({ _tag: "NetworkUnreachable", network })
    return { _tag: "gas" as const, block: yield* ChainTime.readAt(time), wei: balance.success }
  })

/** Reads what a guardian of this kind watches. */
export const read = (
  source: VaultSource,
  place: Place,
  terms: GuardianTerms
): Effect.Effect<Reading, Failure, Tokens> => {
  switch (terms._tag) {
    case "health_factor":
      return readHealth(source, place)
    case "loss_breaker":
      return readShare(source, place)
    case "gas":
      return readGas(source, place)
    case "oracle":
      return Effect.gen(function*() {
        const tokens = terms.assets ?? (yield* source.reader.recentState).assets
        return { _tag: "oracle" as const, ...(yield* OracleGuard.answers(source.chain, tokens)) }
      })
  }
}
