/** The rows of a simulated fleet: wallets with their keys, and bots with a vault each. */
import type { Network } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { createHmac, randomUUID } from "node:crypto"
import { usdc, vaultPrefix, walletOf, walletPrefix, weth } from "./FleetChain.ts"

/** How many of each there are, over these networks in turn. */
export interface FleetRows {
  readonly networks: ReadonlyArray<Network>
  readonly wallets: number
  readonly bots: number
  /** Number of vaults whose values are sampled; all in a real service, at longer intervals. */
  readonly sampled: number
}

/** Seconds after which figures of a bot and the code of a wallet are renewed; the rows begin at all ages between. */
const [figuresSeconds, codeSeconds] = [600, 3_600]
const walletsPerStatement = 5_000

/** Inserts the wallets and returns their API keys. Their private keys are not real: nothing is signed for them. */
const insertWallets = (count: number, pepper: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const made = Array.from({ length: count }, (_, index) => ({ apiKey: randomUUID(), address: walletOf(index) }))
    for (let from = 0; from < count; from += walletsPerStatement) {
      const rows = JSON.stringify(
        made.slice(from, from + walletsPerStatement).map(({ address, apiKey }) => ({
          address,
          id: randomUUID(),
          digest: createHmac("sha256", pepper).update(apiKey).digest("hex"),
          last_four: apiKey.slice(-4)
        }))
      )
      yield* sql`insert into gas_wallets (address, ciphertext, imported)
        select r.address, 'none', false from jsonb_to_recordset(${rows}::jsonb) as r (address text)`
      yield* sql`insert into api_keys (id, wallet, digest, last_four)
        select r.id, r.address, r.digest, r.last_four
        from jsonb_to_recordset(${rows}::jsonb) as r (id uuid, address text, digest text, last_four text)`
    }
    return made.map(({ apiKey }) => apiKey)
  })

/**
 * Inserts the fleet and returns the API keys of its wallets. Each wallet acts on one network. Its bots are long and
 * within their thresholds; what is renewed at intervals is of all ages, as after hours of work.
 */
export const insert = ({ bots, networks, sampled, wallets }: FleetRows, pepper: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const keys = yield* insertWallets(wallets, pepper)
    const names = JSON.stringify(networks)
    const network = sql`(select ${names}::jsonb ->> (w % ${networks.length}::int))`
    const walletText = sql`${`0x${walletPrefix}`} || lpad(to_hex(w), ${40 - walletPrefix.length}::int, '0')`
    const vaultText = sql`${`0x${vaultPrefix}`} || lpad(to_hex(n), ${40 - vaultPrefix.length}::int, '0')`
    yield* sql`insert into vault_sampling (network, pool, next_slot)
      select ${network}, ${vaultText}, case when n > ${sampled}::int then '2200-01-01'::timestamptz end
      from generate_series(1, ${bots}::int) n, lateral (select n % ${wallets}::int as w) i`
    yield* sql`insert into wallet_codes (network, wallet, code, read_at)
      select ${network}, ${walletText}, '0x', now() - make_interval(secs => random() * ${codeSeconds}::int)
      from generate_series(0, ${wallets}::int - 1) w`
    yield* sql`insert into threshold_bots (id, network, pool, pair, base, quote, side, threshold, share, max_usd,
        slippage, platform, lending, paper, wallet, key_id, last_decision)
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${network}, ${vaultText}, 'WETH-USDC',
        ${weth}, ${usdc}, 'long', 1, 100, 10000000, 1, 'auto', false, false, k.wallet, k.id,
        jsonb_build_object('action', 'hold', 'code', 'within_threshold', 'reason', 'It is not read yet.', 'at',
          to_char((now() - make_interval(secs => random() * ${figuresSeconds}::int)) at time zone 'UTC',
            'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from generate_series(1, ${bots}::int) n
      cross join lateral (select n % ${wallets}::int as w) i
      join api_keys k on k.wallet = ${walletText}`
    yield* sql`vacuum analyze threshold_bots`
    yield* sql`vacuum analyze vault_sampling`
    yield* sql`analyze gas_wallets, api_keys, wallet_codes`
    return keys
  }).pipe(Effect.orDie)
