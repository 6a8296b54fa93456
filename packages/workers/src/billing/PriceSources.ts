/** Price sources, in order of priority. Add a source by adding an entry here. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import * as Result from "effect/Result"
import { concatHex, numberToHex, parseAbi } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { factoryAbi } from "../platform/PlatformAbi.ts"

/** A token to price. */
type Priced = Pick<Token, "address" | "decimals">

/**
 * A source of token prices: its chain reads, and their conversion to USD (18 decimals) per whole token. One call reads
 * all sources.
 */
interface PriceSource {
  readonly name: string
  /** False when its price can be moved by one trade: charges use it only to check another source. */
  readonly decidesAlone: boolean
  /** Empty when this network has no such source for the token. */
  readonly reads: (chain: ChainClient, token: Priced) => ReadonlyArray<Contract.Read<bigint>>
  readonly priceOf: (
    answers: ReadonlyArray<Result.Result<bigint, Contract.ReadFailure>>,
    chain: ChainClient,
    token: Priced
  ) => bigint | undefined
}

const platformOracle: PriceSource = {
  name: "platform-oracle",
  decidesAlone: true,
  reads: (chain, { address }) => [Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [address])],
  // The oracle itself reverts for a feed that is too old.
  priceOf: ([answer]) =>
    answer !== undefined && Result.isSuccess(answer) && answer.success > 0n ? answer.success : undefined
}

const quoterAbi = parseAbi(["function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut)"])
const fees = [100, 500, 3000, 10000]

/** Returns the network's USDC, the unit of the quoter's answer. */
const dollarOf = ({ book }: ChainClient) => book.tokens.find(({ symbol }) => symbol.toUpperCase() === "USDC")

/** Amount to quote: a tenth of a whole token, too little to move a pool's price. */
const sample = (decimals: number) => 10n ** BigInt(decimals) / 10n

const path = (from: Address, fee: number, to: Address) => concatHex([from, numberToHex(fee, { size: 3 }), to])

const uniswapV3: PriceSource = {
  name: "uniswapV3-usdc",
  decidesAlone: false,
  reads: (chain, { address, decimals }) => {
    const usdc = dollarOf(chain)
    const quoter = chain.book.uniswapV3?.quoter
    if (usdc === undefined || quoter === undefined || usdc.address === address || sample(decimals) === 0n) return []
    return fees.map((fee) =>
      Contract.read(quoterAbi, quoter, "quoteExactInput", [path(address, fee, usdc.address), sample(decimals)])
    )
  },
  priceOf: (answers, chain, { decimals }) => {
    const highest = answers.reduce(
      (best, answer) => Result.isSuccess(answer) && answer.success > best ? answer.success : best,
      0n
    )
    return highest === 0n
      ? undefined
      : highest * 10n ** BigInt(decimals) * 10n ** 18n / sample(decimals) /
        10n ** BigInt(dollarOf(chain)?.decimals ?? 6)
  }
}

/** The first source is used. The others are compared with it, and replace it in displays when it has no price. */
export const sources: ReadonlyArray<PriceSource> = [platformOracle, uniswapV3]

/** Returns true when a price decides about money: one of these sources decides alone, or two of them have a price. */
export const suffice = (names: ReadonlyArray<string>): boolean =>
  names.length > 1 || sources.some(({ decidesAlone, name }) => decidesAlone && names.includes(name))
