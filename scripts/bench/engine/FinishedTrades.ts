/** The ledger of a service that has run for a while: finished trades, inserted directly. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

const request = JSON.stringify({ _tag: "Trade", from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })
const outcome = JSON.stringify({
  _tag: "Succeeded",
  message: "Sold 1000 USDC for 0.333 WETH on uniswapV3.",
  result: { venue: "uniswapV3" }
})

/**
 * Inserts this many finished trades of a wallet, one nonce each: intents, submissions, receipts, attempts with bytes,
 * charges.
 */
export const insert = (
  { keyId, network, wallet }: { readonly keyId: string; readonly network: Network; readonly wallet: Address },
  count: number
): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const series = sql.literal(`generate_series(0, ${count - 1}) n`)
    const id = sql.literal(`('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))`)
    const hash = sql.literal(`'0x' || md5(n::text) || md5(n::text || 'b')`)
    yield* sql.withTransaction(Effect.gen(function*() {
      // The references hold by construction; checking each of them would take minutes.
      yield* sql`set local session_replication_role = replica`
      yield* sql`set local synchronous_commit = off`
      yield* sql`insert into intents
          (id, wallet, key_id, endpoint, network, pool, request, status, step, plan, tx_hash, outcome, created_at, updated_at)
        select ${id}::uuid, ${wallet}, ${keyId}::uuid, 'vaultTrade', ${network}, ${wallet}, ${request}::jsonb, 'succeeded', 1,
          '{"venue":"uniswapV3"}'::jsonb, ${hash}, ${outcome}::jsonb || jsonb_build_object('txHash', ${hash}),
          now() - interval '1 day', now() - interval '1 day' from ${series}`
      yield* sql`insert into submissions
          (key, intent_id, network, wallet, to_address, data, value, reserve, status, nonce, receipt, created_at, updated_at)
        select ${id} || '/1', ${id}::uuid, ${network}, ${wallet}, ${wallet}, ${`0x${
        "ab".repeat(68)
      }`}, 0, 0, 'final', n,
          jsonb_build_object('transactionHash', ${hash}, 'blockNumber', n::text, 'succeeded', true, 'logs', '[]'::jsonb),
          now() - interval '1 day', now() - interval '1 day' from ${series}`
      yield* sql`insert into attempts
          (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
        select ${network}, ${wallet}, n, 0, ${id} || '/1', ${hash}, ${`0x02${
        "cd".repeat(180)
      }`}, 60000, 2000000000, 1000000 from ${series}`
      yield* sql`insert into charges (intent_id, wallet, network, action, usd)
        select ${id}::uuid, ${wallet}, ${network}, 'trade', 0.1 from ${series}`
    }))
    // As autovacuum would have done before.
    yield* sql`vacuum analyze`
    yield* sql`checkpoint`
  }).pipe(Effect.orDie)
