/**
 * Checks of one network before money depends on it: its nodes, the contracts of its configuration, what the vault
 * platform guards there, and the age of its oracle's prices. Reads only.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { dexNames } from "@vault-trader/core/liquidity/Dex"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as PriceFeed from "../billing/PriceFeed.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import * as DataFee from "../chain/DataFee.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import * as ContractGuard from "../platform/ContractGuard.ts"
import { factoryAbi } from "../platform/PlatformAbi.ts"
import * as VaultContracts from "./VaultContracts.ts"

/**
 * The result of one check. `failed`: the network cannot be used as configured. `warning`: a part of it cannot be used.
 */
export interface Finding {
  readonly check: string
  readonly status: "ok" | "warning" | "failed"
  /** A sentence without its full stop. */
  readonly detail: string
}

const finding = (check: string, status: Finding["status"], detail: string): Finding => ({ check, status, detail })

/** A node's block older than this many seconds means that the node is behind, or that the chain stands still. */
const maxHeadAgeSeconds = 300
/** The platform's oracle refuses prices of feeds that were not updated for longer; most feeds update daily. */
const maxFeedAgeSeconds = 90_000

/** A contract that the service calls, and whether a vault calls it, which the platform must allow. */
interface Called {
  readonly name: string
  readonly address: Address
  readonly byVaults: boolean
}

const marketNames = { lenderA: "Aave V3 pool", lenderB: "Compound V3 market", lenderC: "Fluid fToken" } as const

const calledContracts = (chain: ChainClient): ReadonlyArray<Called> => {
  const one = (name: string, address: Address | undefined, byVaults = true): ReadonlyArray<Called> =>
    address === undefined ? [] : [{ name, address, byVaults }]
  const { multicall3, uniswapV3 } = chain.book
  const { coreWriter, depositWallet, lenders, liquidity, venues } = VaultContracts.of(chain)
  return [
    ...one("Multicall3", multicall3, false),
    ...venues.flatMap(({ platform, router }) => one(`${platform} router`, router)),
    ...one("uniswapV3 factory", uniswapV3?.factory, false),
    ...one("uniswapV3 quoter", uniswapV3?.quoter, false),
    ...liquidity.flatMap(({ dex, manager, staking }) => [
      ...one(`${dexNames[dex]} position manager`, manager),
      ...staking.flatMap((contract) => one(`${dexNames[dex]} staking`, contract))
    ]),
    ...lenders.flatMap(({ lender, market }) => one(marketNames[lender], market)),
    ...one("HyperCore writer", coreWriter),
    ...one("HyperCore deposit wallet", depositWallet)
  ]
}

const checkHead = (chain: ChainClient) =>
  Effect.gen(function*() {
    const { number, time } = yield* chain.head
    const age = Math.round((yield* Clock.currentTimeMillis) / 1000) - time
    const text = `block ${number}, ${Math.max(0, age)} s old`
    return finding("node", age > maxHeadAgeSeconds ? "warning" : "ok", text)
  })

/** Reads the final block by the network's own rule, and says where a node has no tag for it. */
const checkFinality = (chain: ChainClient) =>
  Effect.gen(function*() {
    const { finality, finalityDepth } = chain.book
    if (finality === "depth") return finding("finality", "ok", `${finalityDepth} blocks below the head`)
    const [{ number }, final] = yield* Effect.all([chain.head, chain.finalBlock])
    const byDepth = number - final === BigInt(finalityDepth)
    return byDepth
      ? finding("finality", "warning", `the node has no recent '${finality}' block; ${finalityDepth} blocks are used`)
      : finding("finality", "ok", `'${finality}' block ${final}, ${number - final} below the head`)
  })

const checkFactory = (chain: ChainClient) =>
  Effect.gen(function*() {
    const { network, platformFactory } = chain.book
    const [code, [paused]] = yield* Effect.all([
      chain.code(platformFactory),
      chain.readAll([Contract.read(factoryAbi, platformFactory, "isPaused", [])])
    ])
    if (code === "0x") {
      return finding("platform", "failed", `there is no contract at ${platformFactory}, the factory on ${network}`)
    }
    if (Result.isFailure(paused)) {
      return finding("platform", "failed", `${platformFactory} is not the vault platform's factory`)
    }
    return paused.success
      ? finding("platform", "warning", "the vault platform is paused")
      : finding("platform", "ok", `factory ${platformFactory}`)
  })

/** Checks that a contract exists and, where vaults call it, that the platform guards it. */
const checkContract = (chain: ChainClient, { address, byVaults, name }: Called) =>
  Effect.gen(function*() {
    const [code, [guard]] = yield* Effect.all([
      chain.code(address),
      chain.readAll([ContractGuard.read(chain.book, address)])
    ])
    if (code === "0x") {
      return finding(name, byVaults ? "warning" : "failed", `there is no contract at ${address}; it cannot be used`)
    }
    if (!byVaults) return finding(name, "ok", address)
    return ContractGuard.isGuarded(guard)
      ? finding(name, "ok", `guarded, ${address}`)
      : finding(name, "warning", `the vault platform does not let vaults call ${address}`)
  })

const checkFeed = (chain: ChainClient) =>
  Effect.gen(function*() {
    const { platformFactory, wrappedNative } = chain.book
    const [price] = yield* chain.readAll([
      Contract.read(factoryAbi, platformFactory, "getAssetPrice", [wrappedNative])
    ])
    if (Result.isFailure(price) || price.success === 0n) {
      return finding(
        "native price",
        "warning",
        "the platform's oracle has no price of the wrapped native token; charges are converted at exchanges' prices"
      )
    }
    const updatedAt = yield* PriceFeed.updatedAt(chain, wrappedNative)
    if (updatedAt === null) return finding("native price", "ok", "the platform does not name its feed")
    const age = Math.round(((yield* Clock.currentTimeMillis) - updatedAt) / 1000)
    return finding("native price", age > maxFeedAgeSeconds ? "warning" : "ok", `updated ${Math.max(0, age)} s ago`)
  })

const checkDataFee = (chain: ChainClient) =>
  DataFee.rollups.has(chain.book.network)
    ? Effect.map(
      Effect.all([chain.code(DataFee.gasPriceOracle), chain.dataPrice]),
      ([code, price]) =>
        code === "0x" || price.ofSample === 0n
          ? [finding("L1 data fee", "warning", "the node has no GasPriceOracle; costs on Ethereum are not counted")]
          : [finding("L1 data fee", "ok", `${price.ofSample} wei for 1,024 bytes`)]
    )
    : Effect.succeed<ReadonlyArray<Finding>>([])

/** Turns a read that no node answers into a finding. */
const orFailed = <A>(check: string, read: Effect.Effect<A, RpcFailure>, none: (failed: Finding) => A) =>
  Effect.catch(read, (failure) =>
    Effect.succeed(none(finding(
      check,
      "failed",
      failure._tag === "RpcUnavailable"
        ? `no answer (${failure.reason})`
        : "the node refuses the read"
    ))))

/**
 * Checks the node, the platform's factory, finality, the native price and the L1 data fee. A node that does not answer
 * ends the checks with the first one, and a missing factory with the third.
 */
export const basics = (chain: ChainClient): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function*() {
    const head = yield* Effect.timeoutOption(orFailed("node", checkHead(chain), (failed) => failed), "15 seconds")
    const node = Option.getOrElse(head, () => finding("node", "failed", "no answer"))
    if (node.status === "failed") return [node]
    const factory = yield* orFailed("platform", checkFactory(chain), (failed) => failed)
    const finality = yield* orFailed("finality", checkFinality(chain), (failed) => failed)
    if (factory.status === "failed") return [node, finality, factory]
    const feed = yield* orFailed("native price", checkFeed(chain), (failed) => failed)
    const dataFee = yield* orFailed<ReadonlyArray<Finding>>("L1 data fee", checkDataFee(chain), (failed) => [failed])
    return [node, finality, factory, feed, ...dataFee]
  })

/** Runs every check of a network: `basics`, and each contract that the service calls. */
export const run = (chain: ChainClient): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function*() {
    const found = yield* basics(chain)
    if (found.some(({ check, status }) => status === "failed" && (check === "node" || check === "platform"))) {
      return found
    }
    const contracts = yield* Effect.forEach(
      calledContracts(chain),
      (called) => orFailed(called.name, checkContract(chain, called), (failed) => failed),
      { concurrency: 8 }
    )
    return [...found, ...contracts]
  })
