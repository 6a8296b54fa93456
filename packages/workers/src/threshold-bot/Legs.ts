/** Reads the legs of bots' pairs: balances, what is supplied, prices; of many vaults in one call. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import type { ExecutionFailure, Failure } from "@vault-trader/core/endpoint/Failure"
import type { Leg, Legs } from "@vault-trader/core/threshold-bot/Decide"
import type { PaperHoldings } from "@vault-trader/core/threshold-bot/ThresholdBot"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { type ChainClient, readGroups } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20, Tokens } from "../chain/Tokens.ts"
import { dataProviderAbi } from "../lending/AaveV3Abi.ts"
import { dataProviderOf } from "../lending/AaveV3Contracts.ts"
import { factoryAbi } from "../vault/PlatformAbi.ts"

/** A bot as far as its legs go. */
export interface Asked {
  readonly pool: Address
  readonly base: Address
  readonly quote: Address
  readonly inverse: Address | null
  readonly lending: boolean
  /** Taken for what the vault holds; null for the vault's own. */
  readonly paper: PaperHoldings | null
}

const addressesOf = ({ base, inverse, quote }: Asked): ReadonlyArray<Address> => inverse === null ? [base, quote] : [base, quote, inverse]

/** The same for every vault but for the address at its end: encoding thousands of them by the ABI, one by one, is most of a look's work. */
const balance = Contract.read(erc20, `0x${"0".repeat(40)}`, "balanceOf", [`0x${"0".repeat(40)}`])
const balanceOf = (token: Address, vault: Address): typeof balance =>
  ({ to: token, data: `0x${balance.data.slice(2, -40)}${vault.slice(2)}`, decode: balance.decode })

/** None where lenderA is not on the network, or does not answer: then nothing is supplied there as far as a bot knows. */
const providerOf = (chain: ChainClient, asked: ReadonlyArray<Asked>): Effect.Effect<Option.Option<Address>> => {
  const { aaveV3 } = chain.book
  return aaveV3 === undefined || !asked.some(({ lending }) => lending) ? Effect.succeedNone : Effect.option(dataProviderOf(chain, aaveV3))
}

/** At one block, in one call; the legs in the order asked, none where a leg is no token. */
export const read = (
  chain: ChainClient,
  asked: ReadonlyArray<Asked>
): Effect.Effect<ReadonlyArray<Option.Option<Legs>>, Failure | ExecutionFailure, Tokens> =>
  Effect.gen(function*() {
    const network = chain.book.network
    const addresses = [...new Set(asked.flatMap(addressesOf))]
    const found = yield* (yield* Tokens).at(network, addresses)
    const tokens = new Map(addresses.flatMap((address, index): ReadonlyArray<[Address, Token]> => found[index] === undefined ? [] : [[address, found[index]]]))
    const provider = yield* providerOf(chain, asked)
    const places = asked.flatMap((each) => addressesOf(each).map((token) => ({ ...each, token })))
    const lent = Option.isNone(provider) ? [] : places.filter(({ lending }) => lending)
    const [prices, balances, positions] = yield* Effect.mapError(
      readGroups(chain, [
        addresses.map((address) => Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [address])),
        places.map(({ pool, token }) => balanceOf(token, pool)),
        lent.map(({ pool, token }) => Contract.read(dataProviderAbi, Option.getOrElse(provider, () => token), "getUserReserveData", [token, pool]))
      ]),
      unavailable
    )
    const price = new Map(addresses.map((address, index) => [address, Either.getOrElse(prices[index]!, () => 0n)]))
    const held = new Map(places.map(({ pool, token }, index) => [`${pool}/${token}`, Either.getOrElse(balances[index]!, () => 0n)]))
    const supplied = new Map(lent.map(({ pool, token }, index) => {
      const position = positions[index]
      return [`${pool}/${token}`, position !== undefined && Either.isRight(position) ? position.right[0] : 0n] as const
    }))

    const legOf = ({ lending, paper, pool }: Asked, address: Address, onPaper: bigint | undefined): Leg | undefined => {
      const token = tokens.get(address)
      const now = price.get(address) ?? 0n
      return token === undefined ? undefined : {
        token,
        held: paper === null ? held.get(`${pool}/${address}`) ?? 0n : onPaper ?? 0n,
        supplied: lending && paper === null ? supplied.get(`${pool}/${address}`) ?? 0n : 0n,
        price: now === 0n ? null : now
      }
    }
    return asked.map((each): Option.Option<Legs> => {
      const base = legOf(each, each.base, each.paper?.base)
      const quote = legOf(each, each.quote, each.paper?.quote)
      const inverse = each.inverse === null ? undefined : legOf(each, each.inverse, each.paper?.inverse)
      return base === undefined || quote === undefined ? Option.none() : Option.some({ base, quote, inverse: inverse ?? null })
    })
  })
