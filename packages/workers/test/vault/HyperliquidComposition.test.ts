import { assert, layer } from "@effect/vitest"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi } from "viem"
import { approval, testVaultOn, workersOn } from "./TestVault.ts"

const network = "hyperliquid"
const walletAbi = parseAbi(["function deposit(uint256 amount, uint32 dexId)"])

const Hyperliquid = Layer.unwrap(
  Effect.map(Devnet, ({ books }) => workersOn(books.map((book) => NetworkBook.make({ ...book, aggregators: {} }))))
).pipe(Layer.provideMerge(Devnet.layer({ networks: [network], heartbeat: false })))

layer(Hyperliquid, { timeout: "4 minutes", excludeTestServices: true })(
  "a vault with an account at Hyperliquid",
  (it) => {
    it.effect("has the account in 6 decimals, a spot token as the token it is, and the platform's total", () =>
      Effect.gen(function*() {
        const { devnet, entry, execute, own, pool, poolManagerLogic, read, reader, token } = yield* testVaultOn(
          network,
          1
        )
        const { coreWriter, depositWallet } = entry.perpetuals!
        yield* devnet.mintToken({ network, symbol: "USOL", address: pool, amount: 2_000_000_000n })
        const amount = 1_234_560_000n
        yield* execute([
          { to: token("USDC").address, data: approval(depositWallet, amount) },
          {
            to: depositWallet,
            data: encodeFunctionData({ abi: walletAbi, functionName: "deposit", args: [amount, 0] })
          }
        ])
        yield* devnet.core.settled
        const { holdings, totalValueUsd } = yield* reader.composition
        const shown = Object.fromEntries(
          holdings.map(({ amount, asset, asset_type, kind, label, reason, symbol, value_usd }) => [
            asset,
            { amount, asset_type, kind, label, reason, symbol, value_usd }
          ])
        )
        assert.deepStrictEqual(shown[coreWriter], {
          amount: "1234.56",
          asset_type: 39,
          kind: "position",
          label: "Hyperliquid perpetuals account",
          reason: null,
          symbol: "POSITION",
          value_usd: 1_234.56
        })
        assert.deepStrictEqual(shown[token("USOL").address], {
          amount: "2",
          asset_type: 40,
          kind: "token",
          label: "USOL",
          reason: null,
          symbol: "USOL",
          value_usd: 300
        })
        const total = yield* read(poolManagerLogic, own.PoolManagerLogic.abi, Schema.BigInt, "totalFundValue")
        assert.strictEqual(totalValueUsd, Quantity.usd(total))
        assert.deepInclude((yield* reader.state).assets, token("USOL"))
      }))
  }
)
