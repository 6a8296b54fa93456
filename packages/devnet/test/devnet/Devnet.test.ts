import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { facts } from "@vault-trader/core/chain/Network"
import type { AnvilRpc } from "../../src/anvil/AnvilRpc.ts"
import { read } from "../../src/contract/Deployer.ts"
import { Devnet } from "../../src/devnet/Devnet.ts"
import { DevnetFile } from "../../src/devnet/DevnetFile.ts"
import { parseAbi } from "viem"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "devnet-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const network = "polygon"

it.effect("six networks answer with their chain ids, tokens and a vault without a trader", () =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    assert.deepStrictEqual(devnet.books.map((book) => book.network), [
      "optimism",
      "base",
      "arbitrum",
      "polygon",
      "ethereum",
      "hyperliquid"
    ])
    const abi = parseAbi(["function symbol() view returns (string)", "function trader() view returns (address)"])
    for (const book of devnet.books) {
      const rpc = yield* devnet.rpc(book.network)
      assert.strictEqual(yield* rpc.chainId, facts[book.network].chainId)
      assert.strictEqual(book.rpcUrls[0], rpc.url)
      const symbol = yield* read(rpc, { address: book.wrappedNative, abi }, Schema.String, "symbol")
      assert.strictEqual(symbol, facts[book.network].wrappedNative)
      const vault = devnet.file.networks[book.network]?.vaults[0]
      const logic = { address: vault?.poolManagerLogic ?? "0x", abi } as const
      assert.match(yield* read(rpc, logic, Schema.String, "trader"), /^0x0{40}$/)
      assert.strictEqual(vault?.manager, devnet.file.manager.address)
      assert.notStrictEqual(yield* rpc.code(book.multicall3), "0x")
    }
  }).pipe(Effect.provide(Devnet.layer({ heartbeat: false }))))

it.effect("a second start continues the same chains, vaults, ports and manager", () =>
  Effect.gen(function*() {
    const dataDir = yield* folder
    const layer = Devnet.layer({ dataDir, networks: [network, "base"], heartbeat: false })
    const first = yield* Effect.provide(
      Effect.gen(function*() {
        const devnet = yield* Devnet
        yield* devnet.faucet({ network, address: "0x00000000000000000000000000000000000000bb", amountWei: 5n })
        return devnet.file
      }),
      layer
    )
    yield* Effect.provide(
      Effect.gen(function*() {
        const devnet = yield* Devnet
        assert.deepStrictEqual(devnet.file, first)
        assert.strictEqual(
          yield* devnet.balance({ network, address: "0x00000000000000000000000000000000000000bb" }),
          5n
        )
      }),
      layer
    )
  }))

it.effect("a deleted chain is deployed again for the same manager", () =>
  Effect.gen(function*() {
    const dataDir = yield* folder
    const layer = Devnet.layer({ dataDir, networks: [network], heartbeat: false })
    const file = Effect.provide(Effect.map(Devnet, (devnet) => devnet.file), layer)
    const first = yield* file
    yield* Effect.promise(() => rm(join(dataDir, `${network}.state.json`)))
    assert.deepStrictEqual((yield* file).manager, first.manager)
  }))

it.effect("devnet.json is readable by its owner only and contains every address", () =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const path = devnet.path
    assert.strictEqual((yield* Effect.promise(() => stat(path))).mode & 0o777, 0o600)
    const text = yield* Effect.promise(() => readFile(path, "utf8"))
    assert.deepStrictEqual(yield* Schema.decodeEffect(Schema.fromJsonString(DevnetFile))(text), devnet.file)
    const entry = devnet.file.networks[network]
    assert.deepStrictEqual(
      Object.keys(entry?.tokens ?? {}),
      ["USDC", "WETH", "WBTC", "DAI", "LINK", "ETHBEAR1X", "AAVE", "AERO", "WMATIC"]
    )
  }).pipe(Effect.provide(Devnet.layer({ networks: [network], heartbeat: false }))))

it.effect("a network configuration names every venue and lender with the platform's guard on each", () =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const rpc = yield* devnet.rpc(network)
    const book = devnet.books[0]!
    const { "1inch": oneInch, kyberswap, odosV3 } = book.aggregators
    const guarded = [
      ...[oneInch, kyberswap, odosV3, book.quickswap, book.uniswapV3].map((venue) => venue?.router),
      ...[book.aaveV3?.pool, book.positionManager, ...book.comets, ...book.fTokens]
    ]
    const abi = parseAbi(["function getContractGuard(address target) view returns (address)"])
    for (const target of guarded) {
      const guard = yield* read(rpc, { address: book.platformFactory, abi }, Schema.String, "getContractGuard", target)
      assert.notMatch(guard, /^0x0{40}$/)
    }
    assert.lengthOf(new Set(guarded), 12)
    assert.deepStrictEqual([oneInch, kyberswap, odosV3].map((each) => new URL(each?.url ?? "").pathname), [
      "/1inch",
      "/kyberswap",
      "/odos"
    ])
  }).pipe(Effect.provide(Devnet.layer({ networks: [network], heartbeat: false }))))

it.effect(
  "the derivatives network's configuration names KyberSwap as the only venue, no lender, and where perpetual " +
    "contracts are traded",
  () =>
    Effect.gen(function*() {
      const devnet = yield* Devnet
      const rpc = yield* devnet.rpc("hyperliquid")
      const book = devnet.books[0]!
      assert.deepStrictEqual(Object.keys(book.aggregators), ["kyberswap"])
      assert.deepStrictEqual([book.uniswapV3, book.positionManager, book.aaveV3, book.comets, book.fTokens], [
        undefined,
        undefined,
        undefined,
        [],
        []
      ])
      assert.deepStrictEqual(book.tokens.map(({ symbol }) => symbol), ["USDC", "WETH", "WBTC", "USOL", "WHYPE"])
      const { coreWriter, depositWallet, infoUrl, usdc } = book.perpetuals!
      assert.strictEqual(coreWriter, "0x3333333333333333333333333333333333333333")
      assert.strictEqual(usdc, book.tokens[0]?.address)
      assert.strictEqual(new URL(infoUrl).pathname, "/info")
      const abi = parseAbi(["function getContractGuard(address target) view returns (address)"])
      const guardOf = (target: string) =>
        read(rpc, { address: book.platformFactory, abi }, Schema.String, "getContractGuard", target)
      for (const guarded of [book.aggregators.kyberswap?.router ?? "", coreWriter, depositWallet]) {
        assert.notMatch(yield* guardOf(guarded), /^0x0{40}$/)
      }
      const { aggregators, uniswapV3 } = devnet.file.networks.hyperliquid!
      for (const other of [aggregators["1inch"], aggregators.odosV3, uniswapV3.router, uniswapV3.positionManager]) {
        assert.match(yield* guardOf(other), /^0x0{40}$/)
      }
    }).pipe(Effect.provide(Devnet.layer({ networks: ["hyperliquid"], heartbeat: false })))
)

it.effect("a devnet.json of an older version keeps its manager; its chains are deployed again", () =>
  Effect.gen(function*() {
    const dataDir = yield* folder
    const layer = Devnet.layer({ dataDir, networks: [network], heartbeat: false })
    const file = Effect.provide(Effect.map(Devnet, (devnet) => devnet.file), layer)
    const { manager, networks } = yield* file
    const { factory, fingerprint, rpcUrl } = networks[network]!
    const older = { manager, networks: { [network]: { factory, fingerprint, rpcUrl } } }
    yield* Effect.promise(() => writeFile(join(dataDir, "devnet.json"), JSON.stringify(older)))
    const again = yield* file
    assert.deepStrictEqual(again.manager, manager)
    assert.notStrictEqual(again.networks[network]?.factory, factory)
  }))

it.effect("a damaged devnet.json is named, with the next step", () =>
  Effect.gen(function*() {
    const dataDir = yield* folder
    yield* Effect.promise(() => writeFile(join(dataDir, "devnet.json"), "{"))
    const failure = yield* Effect.flip(Effect.provide(Devnet, Devnet.layer({ dataDir, networks: [network] })))
    assert.strictEqual(failure._tag, "DevnetFileUnreadable")
    assert.include(failure.message, join(dataDir, "devnet.json"))
  }))

/**
 * Moves the clock until a block is mined. One move may come before the heartbeat sleeps: its block is visible before
 * its request was answered.
 */
const untilHeartbeat = (rpc: AnvilRpc) =>
  Effect.gen(function*() {
    const { number } = yield* rpc.latestBlock
    const moved = Effect.andThen(TestClock.adjust("1 second"), rpc.latestBlock)
    return yield* Effect.repeat(moved, { until: (block) => block.number > number })
  })

it.effect("the heartbeat keeps blocks coming at a steady base fee", () =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const rpc = yield* devnet.rpc(network)
    // No block of the deployment has this fee: it falls with every empty block.
    yield* Effect.repeat(rpc.latestBlock, { until: ({ baseFeePerGas }) => baseFeePerGas === 1_000_000_000n })
    assert.strictEqual((yield* untilHeartbeat(rpc)).baseFeePerGas, 1_000_000_000n)
  }).pipe(Effect.provide(Devnet.layer({ networks: [network] }))))

it.effect("a heartbeat restores the base fee in steps, so that transactions priced at the previous block still pay enough", () =>
  Effect.gen(function*() {
    const rpc = yield* (yield* Devnet).rpc(network)
    yield* Effect.repeat(rpc.latestBlock, { until: ({ baseFeePerGas }) => baseFeePerGas === 1_000_000_000n })
    yield* rpc.setNextBaseFee(1_000n)
    yield* rpc.mine
    let fee = 1_000n
    while (fee < 1_900n) {
      const next = (yield* untilHeartbeat(rpc)).baseFeePerGas
      // Several heartbeats may have passed between two looks.
      const steps = [fee]
      for (let raised = fee; raised < next; raised = raised * 5n / 4n + 1n) steps.push(raised * 5n / 4n + 1n)
      assert.include(steps.slice(1), next)
      fee = next
    }
  }).pipe(Effect.provide(Devnet.layer({ networks: [network] }))))
