/** Reads the legs of bots' pairs (balances, supplied amounts, prices) for many vaults in one call. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import type { ExecutionFailure, Failure } from "@vault-trader/core/failure/Failure"
import type { Leg, Legs } from "@vault-trader/core/threshold-bot/ThresholdDecision"
import type { PaperHoldings } from "@vault-trader/core/threshold-bot/ThresholdBot"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { zeroAddress } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20, Tokens } from "../chain/Tokens.ts"
import { dataProviderAbi } from "../lending/AaveV3Abi.ts"
import { dataProviderOf } from "../lending/AaveV3Contracts.ts"
import { factoryAbi } from "../platform/PlatformAbi.ts"

/** The parts of a bot that its legs depend on. */
interface PairRequest {
  readonly pool: Address
  readonly base: Address
  readonly quote: Address
  readonly inverse: Address | null
  readonly lending: boolean
  /** Holdings that replace the vault's; null for the vault's own. */
  readonly paper: PaperHoldings | null
}

const addressesOf = ({ base, inverse, quote }: PairRequest): ReadonlyArray<Address> =>
  inverse === null ? [base, quote] : [base, quote, inverse]

/**
 * A read template: only the address at its end differs by vault. Encoding thousands of calls by the ABI would dominate
 * a check.
 */
const balance = Contract.read(erc20, `0x${"0".repeat(40)}`, "balanceOf", [`0x${"0".repeat(40)}`])
const balanceOf = (token: Address, vault: Address): typeof balance => ({
  to: token,
  data: `0x${balance.data.slice(2, -40)}${vault.slice(2)}`,
  decode: balance.decode
})

/**
 * Returns lenderA's data provider; `absent` when it is not needed or does not exist, `silent` while it cannot be found.
 */
const providerOf = (
  chain: ChainClient,
  bots: ReadonlyArray<PairRequest>
): Effect.Effect<Address | "absent" | "silent"> => {
  const { aaveV3 } = chain.book
  return aaveV3 === undefined || !bots.some(({ lending }) => lending)
    ? Effect.succeed("absent")
    : Effect.orElseSucceed(dataProviderOf(chain, aaveV3), () => "silent" as const)
}

/** Reasons, for messages, why a vault's amount is unknown. */
const unknownReasons = {
  held: "its contract does not report it",
  supplied: "lenderA does not report the supplied amount"
}

type Answer<A> = Result.Result<A, Contract.ReadFailure> | undefined

/** Returns the supplied amount: 0 when lenderA does not list the asset, undefined while it does not answer. */
const suppliedOf = (
  listing: Answer<readonly [string, string, string]>,
  position: Answer<readonly [bigint, ...ReadonlyArray<unknown>]>
): bigint | undefined => {
  if (listing === undefined || Result.isFailure(listing)) return undefined
  if (listing.success[0] === zeroAddress) return 0n
  return position === undefined || Result.isFailure(position) ? undefined : position.success[0]
}

/**
 * Reads the legs at one block in one call, in the order of `bots`; none for a pair with a leg that is not a token.
 * `source` makes the reads of prices and amounts.
 */
export const read = (
  chain: ChainClient,
  bots: ReadonlyArray<PairRequest>,
  source: Pick<ChainClient, "readAll"> = chain
): Effect.Effect<ReadonlyArray<Option.Option<Legs>>, Failure | ExecutionFailure, Tokens> =>
  Effect.gen(function*() {
    const network = chain.book.network
    const addresses = [...new Set(bots.flatMap(addressesOf))]
    const found = yield* (yield* Tokens).at(network, addresses)
    const tokens = new Map(addresses.flatMap((address, index): ReadonlyArray<[Address, Token]> =>
      found[index] === undefined ? [] : [[address, found[index]]]
    ))
    const provider = yield* providerOf(chain, bots)
    const places = bots.flatMap((each) =>
      addressesOf(each).map((token) => ({ ...each, token }))
    )
    const lent = provider === "absent" || provider === "silent" ? [] : places.filter(({ lending }) => lending)
    const market = provider === "absent" || provider === "silent" ? zeroAddress : provider
    const reserves = [...new Set(lent.map(({ token }) => token))]
    const [prices, balances, positions, listings] = yield* Effect.mapError(
      readGroups(source, [
        addresses.map((address) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [address])),
        places.map(({ pool, token }) => balanceOf(token, pool)),
        lent.map(({ pool, token }) => Contract.read(dataProviderAbi, market, "getUserReserveData", [token, pool])),
        reserves.map((token) => Contract.read(dataProviderAbi, market, "getReserveTokensAddresses", [token]))
      ]),
      unavailable
    )
    const price = new Map(addresses.map((address, index) => [address, Result.getOrElse(prices[index]!, () => 0n)]))
    const held = new Map(
      places.map(({ pool, token }, index) => [`${pool}/${token}`, Result.getOrElse(balances[index]!, () => undefined)])
    )
    const supplied = new Map(lent.map(({ pool, token }, index) =>
      [`${pool}/${token}`, suppliedOf(listings[reserves.indexOf(token)], positions[index])] as const
    ))

    /** Returns a vault's balance of an asset and its supply at lenderA; undefined means unknown. */
    const amountsOf = (pool: Address, address: Address, lending: boolean) => ({
      held: held.get(`${pool}/${address}`),
      supplied: lending && provider !== "absent" ? supplied.get(`${pool}/${address}`) : 0n
    })

    const legOf = (
      { lending, paper, pool }: PairRequest,
      address: Address,
      onPaper: bigint | undefined
    ): Leg | undefined => {
      const token = tokens.get(address)
      const now = price.get(address) ?? 0n
      if (token === undefined) {
        return undefined
      }
      const has = paper === null ? amountsOf(pool, address, lending) : { held: onPaper ?? 0n, supplied: 0n }
      const unknown = has.held === undefined
        ? unknownReasons.held
        : has.supplied === undefined
        ? unknownReasons.supplied
        : undefined
      return {
        token,
        held: has.held ?? 0n,
        supplied: has.supplied ?? 0n,
        price: now === 0n ? null : now,
        ...(unknown === undefined ? {} : { unknown })
      }
    }
    return bots.map((each): Option.Option<Legs> => {
      const base = legOf(each, each.base, each.paper?.base)
      const quote = legOf(each, each.quote, each.paper?.quote)
      const inverse = each.inverse === null ? undefined : legOf(each, each.inverse, each.paper?.inverse)
      return base === undefined || quote === undefined
        ? Option.none()
        : Option.some({ base, quote, inverse: inverse ?? null })
    })
  })
