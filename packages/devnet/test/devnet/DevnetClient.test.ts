import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parseAbi } from "viem"
import type { Address } from "@vault-trader/core/chain/Address"
import { AddressResult, read } from "../../src/contract/Deployer.ts"
import { Devnet } from "../../src/devnet/Devnet.ts"
import * as DevnetClient from "../../src/devnet/DevnetClient.ts"

const network = "polygon"
const somebody: Address = "0x00000000000000000000000000000000000000cc"
const abi = parseAbi([
  "function trader() view returns (address)",
  "function balanceOf(address owner) view returns (uint256)",
  "function latestAnswer() view returns (int256)"
])

/** A client that knows only the devnet's file. */
const client = Effect.gen(function*() {
  const { path } = yield* Devnet
  const client = yield* DevnetClient.fromFile(path)
  const entry = client.file.networks[network]
  if (entry === undefined) return yield* Effect.die(new Error("no such network"))
  return { client, entry, rpc: yield* client.rpc(network) }
})

layer(Devnet.layer({ networks: [network], heartbeat: false }))("a client of the devnet", (it) => {
  it.effect("adds native token to the existing balance", () =>
    Effect.gen(function*() {
      const { client: devnet } = yield* client
      const give = devnet.faucet({ network, address: somebody, amountWei: 3n })
      yield* Effect.all([give, give, give], { concurrency: "unbounded" })
      assert.strictEqual(yield* devnet.balance({ network, address: somebody }), 9n)
    }))

  it.effect("appoints traders as the manager, several at once included", () =>
    Effect.gen(function*() {
      const { client: devnet, entry, rpc } = yield* client
      const { pool, poolManagerLogic } = entry.vaults[0] ?? { pool: somebody, poolManagerLogic: somebody }
      const appoint = devnet.setTrader({ network, pool, trader: somebody })
      const receipts = yield* Effect.all([appoint, appoint, appoint], { concurrency: "unbounded" })
      assert.deepStrictEqual(receipts.map(({ from }) => from), Array(3).fill(devnet.file.manager.address))
      const trader = yield* read(rpc, { address: poolManagerLogic, abi }, AddressResult, "trader")
      assert.strictEqual(trader, somebody)
    }))

  it.effect("gives tokens of every kind", () =>
    Effect.gen(function*() {
      const { client: devnet, entry, rpc } = yield* client
      for (const symbol of ["USDC", "WETH", "WMATIC"]) {
        yield* devnet.mintToken({ network, symbol, address: somebody, amount: 11n })
        const contract = { address: entry.tokens[symbol]?.address ?? "0x", abi } as const
        assert.strictEqual(yield* read(rpc, contract, Schema.BigInt, "balanceOf", somebody), 11n)
      }
    }))

  it.effect("sets prices", () =>
    Effect.gen(function*() {
      const { client: devnet, entry, rpc } = yield* client
      yield* devnet.setPrice({ network, symbol: "LINK", usd: 17.25 })
      const feed = { address: entry.feeds["LINK"] ?? "0x", abi } as const
      assert.strictEqual(yield* read(rpc, feed, Schema.BigInt, "latestAnswer"), 1_725_000_000n)
    }))

  it.effect("reports what the devnet does not have", () =>
    Effect.gen(function*() {
      const { client: devnet } = yield* client
      const failure = yield* Effect.flip(devnet.faucet({ network: "base", address: somebody, amountWei: 1n }))
      assert.strictEqual(failure.message, "The devnet has no network base.")
    }))

  it.effect("refuses a devnet.json that points to a node elsewhere", () =>
    Effect.gen(function*() {
      const { client: devnet, entry } = yield* client
      const file = { ...devnet.file, networks: { [network]: { ...entry, rpcUrl: "https://polygon-rpc.com" } } }
      const failure = yield* Effect.flip(DevnetClient.make(file))
      assert.strictEqual(failure._tag, "NotLoopback")
      assert.strictEqual(failure.url, "https://polygon-rpc.com")
    }))
})
