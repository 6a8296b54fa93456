/** The exchanges of concentrated liquidity in a network's address book. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Dex } from "@vault-trader/core/liquidity/Dex"

/** The contracts of one exchange. */
export interface DexContracts {
  readonly dex: Dex
  /** The position manager. */
  readonly manager: Address
  /** The factory of its pools; undefined where the position manager has to be asked. */
  readonly factory: Address | undefined
  /** The contracts in which positions may be staked. */
  readonly staking: ReadonlyArray<Address>
}

/** Returns the exchanges of a network in the order in which `auto` prefers them: on base, Aerodrome first. */
export const of = (
  { network, pancakeCl, positionManager, uniswapV3, velodromeCl }: NetworkBook
): ReadonlyArray<DexContracts> => {
  const uniswap: ReadonlyArray<DexContracts> = positionManager === undefined || uniswapV3 === undefined
    ? []
    : [{ dex: "uniswapV3", manager: positionManager, factory: uniswapV3.factory, staking: [] }]
  const others = ([["velodromeCl", velodromeCl], ["pancakeCl", pancakeCl]] as const).flatMap(([dex, book]) =>
    book === undefined
      ? []
      : [{ dex, manager: book.positionManager, factory: undefined, staking: book.staking } satisfies DexContracts]
  )
  return network === "base" ? [...others, ...uniswap] : [...uniswap, ...others]
}

/** Returns the exchange of a position manager; undefined for any other contract. */
export const byManager = (book: NetworkBook, manager: Address): DexContracts | undefined =>
  of(book).find((each) => each.manager === manager)

/** Returns the exchange whose positions a contract stakes; undefined for any other contract. */
export const byStaking = (book: NetworkBook, contract: Address): DexContracts | undefined =>
  of(book).find(({ staking }) => staking.includes(contract))
