/** A lane whose wallet trades a vault on a separate chain, with requests planned by the test. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { KeyLimits, none, type VaultId, vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import type { Settled } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { encodeFunctionData, parseAbi } from "viem"
import { erc20 } from "../../src/chain/Tokens.ts"
import { throughVault, type VaultCall } from "../../src/platform/VaultCall.ts"
import * as TestLane from "./TestLane.ts"

export const network = TestLane.network
export const manager: Address = "0x00000000000000000000000000000000000000aa"
export const usd = (dollars: number) => BigInt(dollars) * 10n ** 18n
const usdc = (dollars: number) => BigInt(dollars) * 10n ** 6n

export const routerAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct Multi { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(Single params) payable returns (uint256)",
  "function exactInput(Multi params) payable returns (uint256)",
  "function exactOutputSingle(Single params) payable returns (uint256)",
  "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])"
])

export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const store = yield* KeyLimitStore
  const bench = yield* TestLane.make({ patienceMillis: 60_000 })
  const { chain, wallet } = bench
  const router = chain.deployed.uniswapV3.router
  const vault = chain.createVault({
    manager,
    trader: wallet,
    holdings: { USDC: usdc(1_000_000), WETH: 300n * 10n ** 18n }
  })
  const newVault = Effect.map(vault, ({ pool }) => pool)
  const { managerLogic, pool } = yield* vault
  const late = 2n ** 40n

  const approve = (amount: bigint, spender: Address = router, token: Address = chain.token("USDC")): VaultCall => ({
    to: token,
    data: encodeFunctionData({ abi: erc20, functionName: "approve", args: [spender, amount] })
  })
  const swap = (amountIn: bigint, recipient: Address = pool): Hex =>
    encodeFunctionData({
      abi: routerAbi,
      functionName: "exactInputSingle",
      args: [{
        tokenIn: chain.token("USDC"),
        tokenOut: chain.token("WETH"),
        fee: 3000,
        recipient,
        amountIn,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n
      }]
    })
  const under = (inner: ReadonlyArray<Hex>): VaultCall => ({
    to: router,
    data: encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [late, inner] })
  })
  /** Returns the calls of a trade that sells this many USDC of a vault. */
  const selling = (dollars: number, of: Address = pool) => [approve(usdc(dollars)), under([swap(usdc(dollars), of)])]

  /** Queues a request with its planned call. `worth` is the planned value in dollars; null where the plan has none. */
  const queued = (
    worth: number | null,
    call: {
      readonly calls?: ReadonlyArray<VaultCall>
      readonly data?: Hex
      readonly to?: Address
      readonly value?: bigint
    },
    request:
      | "Trade"
      | "Approve"
      | "MintManagerFee"
      | "MintManagerFeeBatch"
      | "EnableAsset"
      | "DisableAsset"
      | "Unheard" = "Trade",
    /** The vault it is about; the wallet, for a request about several vaults. */
    about: Address = pool,
    /** The asset that it names. */
    asset?: Address
  ) =>
    Effect.gen(function*() {
      const key = yield* bench.put({
        to: call.to ?? pool,
        data: call.data ?? throughVault(call.calls ?? []),
        value: call.value ?? 0n
      })
      const intentId = key.split("/")[0]!
      yield* sql`update intents set pool = ${about}, request = ${
        JSON.stringify({ _tag: request, asset })
      }::jsonb where id = ${intentId}::uuid`
      if (worth !== null) {
        yield* sql`insert into key_spending (intent_id, wallet, day, usd18)
          values (${intentId}::uuid, ${wallet}, (now() at time zone 'utc')::date, ${usd(worth).toString()}::numeric)`
      }
      return key
    })

  const own: VaultId = vaultId(network, pool)
  return {
    ...bench,
    pool,
    managerLogic,
    own,
    router,
    late,
    newVault,
    usdc,
    approve,
    swap,
    under,
    selling,
    queued,
    limit: (changes: Partial<KeyLimits>) => store.change(wallet, () => KeyLimits.make({ ...none, ...changes })),
    /** Returns the outcome of a submission: `sent`, or why it was refused. */
    fate: (settled: Settled) =>
      settled._tag === "Refused"
        ? `${settled.failure.errorType}: ${settled.failure.message}`
        : settled._tag === "Mined"
        ? "sent"
        : settled._tag,
    sent: Effect.map(chain.transactionsOf(wallet), (all) => all.length)
  }
})
