/**
 * The L1 data fee: on OP-stack networks a transaction also pays for the publication of its bytes on Ethereum. The fee
 * is taken from the sender's balance beside the gas, and no gas limit contains it.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { max } from "@vault-trader/core/chain/Quantity"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { concatHex, keccak256, numberToHex, parseAbi, size } from "viem"
import type { ReadAll } from "./BatchedCalls.ts"
import * as Contract from "./Contract.ts"
import type { RpcFailure } from "./RpcFailure.ts"

/** The contract that computes the fee, at the same address on every OP-stack network. */
export const gasPriceOracle: Address = "0x420000000000000000000000000000000000000f"

export const rollups: ReadonlySet<Network> = new Set<Network>(["optimism", "base"])

const oracleAbi = parseAbi(["function getL1Fee(bytes transaction) view returns (uint256)"])

/** Bytes that do not compress: the oracle prices a transaction by its compressed size, and calldata compresses better. */
const sample = concatHex(Array.from({ length: 32 }, (_, index) => keccak256(numberToHex(index, { size: 32 }))))
const sampleBytes = BigInt(size(sample))

/** Bytes of a signed transaction beside its calldata; the oracle itself adds those of the signature. */
const envelopeBytes = 100n

/** The oracle's fees of two transactions, native smallest units. Zero where there is no oracle. */
export interface DataPrice {
  /** The fee of `sampleBytes` bytes that do not compress. */
  readonly ofSample: bigint
  /** The fee of an empty transaction: the oracle has a minimum. */
  readonly least: bigint
}

/** The price where data costs nothing beside gas, or is not known. */
export const free: DataPrice = { ofSample: 0n, least: 0n }

/** Adds a quarter: Ethereum's fees rise by an eighth a block, and the price is some seconds old. */
const withMargin = (fee: bigint) => fee * 5n / 4n

/** Returns the most that a transaction of this many bytes is expected to pay, native smallest units. */
const feeOf = ({ least, ofSample }: DataPrice, bytes: bigint): bigint =>
  withMargin(max(least, bytes * ofSample / sampleBytes))

/** The same for a transaction that is not signed yet, by its calldata. */
export const ofCall = (price: DataPrice, data: Hex): bigint => feeOf(price, BigInt(size(data)) + envelopeBytes)

/** The same for signed bytes. */
export const ofSigned = (price: DataPrice, raw: Hex): bigint => feeOf(price, BigInt(size(raw)))

/** How old a price is before the next reads renew it, and before it is read by itself. */
const renewMillis = 5_000
const maxAgeMillis = 30_000

const oracleReads = [
  Contract.read(oracleAbi, gasPriceOracle, "getL1Fee", [sample]),
  Contract.read(oracleAbi, gasPriceOracle, "getL1Fee", ["0x"])
] as const

/**
 * Returns the network's `readAll`, which renews the price with reads that are made anyway, and the price, which costs a
 * request only when nothing has been read for `maxAgeMillis`.
 */
export const make = (
  network: Network,
  readAll: ReadAll
): Effect.Effect<{ readonly readAll: ReadAll; readonly price: Effect.Effect<DataPrice, RpcFailure> }> =>
  Effect.map(Semaphore.make(1), (mutex) => {
    if (!rollups.has(network)) return { readAll, price: Effect.succeed(free) }
    let last: { readonly price: DataPrice; readonly at: number } | undefined
    const isOlder = (millis: number) =>
      Effect.map(Clock.currentTimeMillis, (now) => last === undefined || now - last.at >= millis)

    const readWith = <const R extends Contract.Reads>(reads: R) =>
      Effect.gen(function*() {
        const at = yield* Clock.currentTimeMillis
        const answers = yield* readAll([...reads, ...oracleReads])
        const [ofSample, least] = answers.slice(reads.length) as unknown as Contract.Results<typeof oracleReads>
        // The reads fail where the network has no oracle, as on a private chain.
        const price = Result.isSuccess(ofSample) && Result.isSuccess(least)
          ? { ofSample: ofSample.success, least: least.success }
          : free
        last = { price, at }
        return { answers: answers.slice(0, reads.length) as unknown as Contract.Results<R>, price }
      })

    const current = Effect.flatMap(
      isOlder(maxAgeMillis),
      (isOld) =>
        isOld || last === undefined ? Effect.map(readWith([]), ({ price }) => price) : Effect.succeed(last.price)
    )
    return {
      readAll: <const R extends Contract.Reads>(reads: R, block?: bigint) =>
        block !== undefined
          ? readAll(reads, block)
          : Effect.flatMap(isOlder(renewMillis), (isOld) =>
            isOld ? Effect.map(readWith(reads), ({ answers }) => answers) : readAll(reads)),
      // Callers that find it too old at the same time share one read.
      price: mutex.withPermits(1)(current)
    }
  })
