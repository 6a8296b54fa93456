import { assert, describe, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { AggregatorBook, LiquidityBook, UniswapV3Book } from "@vault-trader/core/chain/NetworkConfig"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { decodeFunctionData, encodeAbiParameters, zeroAddress } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import type * as Contract from "../../src/chain/Contract.ts"
import { RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import * as CapabilityReader from "../../src/network/CapabilityReader.ts"
import { factoryAbi, managerLogicAbi, poolAbi } from "../../src/platform/PlatformAbi.ts"

const at = (digits: string): Address => `0x${digits.padStart(40, "0")}`
const [
  router,
  kyber,
  aave,
  comet,
  manager,
  bear,
  writer,
  vault,
  logic,
  stranger,
  slipstream,
  gauge,
  closedGauge,
  swapper
] = [
  at("1"),
  at("2"),
  at("3"),
  at("4"),
  at("5"),
  at("6"),
  at("7"),
  at("8"),
  at("9"),
  at("a"),
  at("b"),
  at("c"),
  at("d"),
  at("e")
] as const
const abi = [...factoryAbi, ...managerLogicAbi, ...poolAbi]

/** A network whose platform guards what the test says, and a vault that has enabled what the test says. */
const make = Effect.gen(function*() {
  const { book } = yield* TestChain.make({ network: "base" })
  const guarded = new Set<string>([router, aave, comet, slipstream, gauge])
  const enabled = new Set<string>([aave, slipstream])
  const state = { isDown: false, hasFactory: true, guardReads: 0 }
  const words = (type: string, value: unknown) => encodeAbiParameters([{ type }], [value])
  const answer = ({ data, to }: Contract.Read<unknown>) => {
    const { args, functionName } = decodeFunctionData({ abi, data })
    const [first = ""] = args ?? []
    const subject = typeof first === "string" ? first.toLowerCase() : ""
    switch (functionName) {
      case "getContractGuard":
        state.guardReads += 1
        return state.hasFactory ? words("address", guarded.has(subject) ? logic : zeroAddress) : undefined
      case "isValidAsset":
        return words("bool", guarded.has(subject))
      case "isPool":
        return words("bool", subject === vault)
      case "poolManagerLogic":
        return to === vault ? words("address", logic) : undefined
      case "isSupportedAsset":
        return words("bool", enabled.has(subject))
      default:
        throw new Error(`an unexpected read: ${functionName}`)
    }
  }
  const chain = {
    book: book({
      uniswapV3: UniswapV3Book.make({ router, quoter: router, factory: router }),
      aggregators: { kyberswap: AggregatorBook.make({ router: kyber }) },
      aaveV3: { pool: aave },
      comets: [comet],
      positionManager: manager,
      velodromeCl: LiquidityBook.make({ positionManager: slipstream, staking: [gauge, closedGauge] }),
      inverseTokens: { WETH: bear },
      easySwapper: {
        address: swapper,
        poolTokens: [{ address: bear, symbol: "ETHBEAR1X", asset: "WETH", leverage: -1 }]
      },
      perpetuals: { coreWriter: writer, depositWallet: writer, usdc: writer, infoUrl: "http://info.invalid" }
    }),
    readAll: (reads: Contract.Reads) =>
      Effect.suspend(() =>
        state.isDown ?
          new RpcUnavailable({ network: "base", reason: "no answer" }) :
          Effect.succeed(reads.map((read) => {
            const bytes = answer(read)
            return bytes === undefined ? Result.fail({ data: undefined, reason: "reverted" }) : read.decode(bytes)
          }))
      )
  } as unknown as ChainClient
  return { read: yield* CapabilityReader.make(chain), guarded, enabled, state }
})

const redeemed_by = { contract: swapper, allowed: false, enabled: false }

describe("what vaults can do on a network", () => {
  it.effect("is what the platform guards, and what the vault has enabled", () =>
    Effect.gen(function*() {
      const { read } = yield* make
      assert.deepStrictEqual(yield* read(vault), {
        network: "base",
        pool: vault,
        // In the order of `auto`.
        venues: [
          { platform: "kyberswap", router: kyber, allowed: false },
          { platform: "uniswapV3", router, allowed: true },
          { platform: "toros", router: swapper, allowed: false }
        ],
        lenders: [
          { lender: "lenderA", market: aave, allowed: true, enabled: true },
          { lender: "lenderB", market: comet, allowed: true, enabled: false }
        ],
        liquidity: [
          {
            ...{ protocol: "velodromeCl", position_manager: slipstream, allowed: true, enabled: true },
            staking: [gauge]
          },
          { protocol: "uniswapV3", position_manager: manager, allowed: false, enabled: false, staking: [] }
        ],
        shorts: [{ asset: "WETH", token: bear, allowed: false, enabled: false, redeemed_by }],
        leveraged: [{
          ...{ asset: "WETH", leverage: -1, symbol: "ETHBEAR1X", token: bear },
          ...{ allowed: false, enabled: false, redeemed_by }
        }],
        perpetuals: { target: writer, allowed: false, enabled: false }
      })
      const { lenders, pool } = yield* read(null)
      assert.deepStrictEqual([pool, lenders.map(({ enabled }) => enabled)], [null, [null, null]])
    }))

  it.effect("follows governance within a minute, and the vault's assets at once", () =>
    Effect.gen(function*() {
      const { enabled, guarded, read, state } = yield* make
      const seen = Effect.map(read(vault), ({ lenders: [, comets] }) => [comets?.allowed, comets?.enabled])
      assert.deepStrictEqual(yield* seen, [true, false])
      guarded.delete(comet)
      enabled.add(comet)
      const reads = state.guardReads
      assert.deepStrictEqual(yield* seen, [true, true])
      assert.strictEqual(state.guardReads, reads)
      yield* TestClock.adjust("61 seconds")
      assert.deepStrictEqual(yield* seen, [false, true])
    }))

  it.effect("is unknown without a node, never empty, and an address that is no vault is refused with 1004", () =>
    Effect.gen(function*() {
      const { read, state } = yield* make
      const refused = yield* Effect.flip(read(stranger))
      assert.match(refused.message, /^pool: 0x0+a is not a vault of the platform on base$/)
      state.isDown = true
      yield* TestClock.adjust("61 seconds")
      const failure = yield* Effect.flip(read(null))
      assert.strictEqual(failure._tag === "ExecutionFailure" && failure.errorType, "rpc_unavailable")
      state.isDown = false
      state.hasFactory = false
      assert.match((yield* Effect.flip(read(null))).message, /rules/)
      state.hasFactory = true
      assert.isTrue((yield* read(null)).venues.some(({ allowed }) => allowed))
    }))
})
