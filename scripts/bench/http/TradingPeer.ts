/** Vaults and traders for the service and for its peer, which sends the service's own swap with keys of its own. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { ask, network, ServiceUnderTest, type Trader } from "../engine/ServiceUnderTest.ts"
import * as Peer from "./Peer.ts"

/** Its name in the table. */
export const name = "Fastify + viem nonceManager"

/** Settings of a service whose responses to writes are their outcomes. */
export const patient = { WAIT_SECONDS: "300", REQUEST_SECONDS: "310" }

/** Slippage, in percent: the peer sends a swap that was planned at an earlier price. */
const slippage = "5"

/** The query of a trade of one dollar. */
export const queryOf = (
  { apiKey, pool }: Pick<Trader, "apiKey" | "pool">,
  more: Readonly<Record<string, string>> = {}
): Readonly<Record<string, string>> => ({
  apiKey,
  network,
  pool,
  from: "USDC",
  to: "WETH",
  amount: "1",
  slippage,
  ...more
})

export const pathOf = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query).toString()}`

const Transaction = Schema.Struct({ to: Schema.String, input: Schema.String })

/** Writes the swap of one vault for another one: the same call, with the other vault as the recipient. */
export const swapOf = (input: string, from: Address, to: Address): Hex =>
  input.toLowerCase().replaceAll(from.slice(2).toLowerCase(), to.slice(2).toLowerCase()) as Hex

/**
 * Makes the vaults the peer's: each gets a trader whose key the peer has. The service trades the first vault once
 * before, and the peer's swaps are that trade's.
 */
export const start = (baseUrl: string, traders: ReadonlyArray<Trader>) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const { env, front } = yield* ServiceUnderTest
    const rpc = yield* devnet.rpc(network)
    const [first] = traders
    const chainId = devnet.books[0]?.chainId
    if (first === undefined || chainId === undefined) return yield* Effect.die(new Error("the peer needs a vault"))
    const answer = yield* ask(baseUrl, "/vaultTrade", queryOf(first, { idempotency_key: `sample-${first.pool}` }))
    if (answer["status"] !== "success") {
      return yield* Effect.die(new Error(`the sample was not executed: ${JSON.stringify(answer)}`))
    }
    const { input, to } = yield* rpc.request(
      "eth_getTransactionByHash",
      [String(answer["tx_hash"]) as Hash],
      Transaction
    )
    if (to.toLowerCase() !== first.pool) return yield* Effect.die(new Error("the sample is no call of the vault"))
    // One key for each of our wallets: neither side has more lanes than the other.
    const keys = new Map<Address, Hex>()
    const calls: Record<string, Peer.PeerTrades["calls"][string]> = {}
    for (const { pool, wallet } of traders) {
      const known = keys.get(wallet)
      const privateKey = known ?? generatePrivateKey()
      const trader = privateKeyToAddress(privateKey).toLowerCase() as Address
      if (known === undefined) {
        keys.set(wallet, privateKey)
        yield* devnet.faucet({ network, address: trader, amountWei: 100n * 10n ** 18n })
      }
      yield* devnet.setTrader({ network, pool, trader })
      calls[pool] = { to: pool, data: swapOf(input, first.pool, pool), privateKey }
    }
    return yield* Peer.start(yield* Peer.dataOf(env.DATA_DIR, [], { url: front.url, chainId, calls }))
  }).pipe(Effect.orDie)
