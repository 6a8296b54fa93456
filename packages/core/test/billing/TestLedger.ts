/** Test charges of fresh wallets, with the transaction status that the test chooses. */
import * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ChargeStore } from "../../src/billing/ChargeStore.ts"
import { SettlementStore } from "../../src/billing/SettlementStore.ts"
import type { Address } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { SubmissionStore } from "../../src/gas-wallet/SubmissionStore.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

export const Stores = Layer.mergeAll(
  ChargeStore.layer,
  SettlementStore.layer,
  SubmissionStore.layer,
  ApiKeyStore.layer,
  GasWalletStore.layer
).pipe(
  Layer.provideMerge(Database)
)

export const network = "base"
export const treasury: Address = "0x7ea5000000000000000000000000000000000003"

const hash = () => `0x${randomUUID().replaceAll("-", "")}${randomUUID().replaceAll("-", "")}`

const receipt = (succeeded: boolean, fees: { readonly l1Fee?: string } = {}) => ({
  transactionHash: hash(),
  blockHash: hash(),
  blockNumber: "7",
  succeeded,
  gasUsed: "21000",
  effectiveGasPrice: "10",
  ...fees,
  logs: []
})

/** Creates a wallet, and changes its charges and settlements without going through the stores. */
export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const settlements = yield* SettlementStore
  const { address, keyId } = yield* wallet
  let nonce = 0

  /** Inserts an executed action and its charge; `stands` is the status of its transaction. */
  const charge = (
    wei: bigint | null,
    { stands = "final", usd = 0.1 }: { readonly stands?: "mined" | "final"; readonly usd?: number } = {}
  ) =>
    Effect.gen(function*() {
      const id = randomUUID()
      yield* sql`insert into intents (id, wallet, key_id, endpoint, network, pool, request, step, status,
        outcome)
        values (${id}, ${address}, ${keyId}, 'vaultTrade', ${network}, ${yield* freshAddress}, '{}'::jsonb, 1,
        'succeeded', '{}'::jsonb)`
      yield* sql`insert into submissions (key, intent_id, network, wallet, to_address, data, value, reserve, status,
        nonce, receipt)
        values (${`${id}/1`}, ${id}, ${network}, ${address}, ${treasury}, '0x', 0, 0, ${stands}, ${nonce++}, ${
        JSON.stringify(receipt(true))
      }::jsonb)`
      yield* sql`insert into charges (id, intent_id, wallet, network, action, usd, native_wei)
        values (${id}, ${id}, ${address}, ${network}, 'trade', ${usd}, ${wei?.toString() ?? null}::numeric)`
      return id
    })

  /** Ends a settlement's submission. */
  const ends = (
    key: string,
    how: "paid" | "reverted" | "refused" | "superseded" | "cancelled",
    fees: { readonly l1Fee?: string } = {}
  ) =>
    how === "refused"
      ? sql`update submissions set status = 'refused', failure = '{}'::jsonb where key = ${key}`
      : how === "superseded"
      ? sql`update submissions set status = 'superseded', nonce = ${nonce++} where key = ${key}`
      : sql`update submissions set status = 'final', nonce = ${nonce++}, receipt = ${
        JSON.stringify(receipt(how !== "reverted", fees))
      }::jsonb, cancelled = ${how === "cancelled" ? "stopped" : null} where key = ${key}`

  return {
    address,
    charge,
    ends,
    claim: (affordable = 10n ** 30n) => settlements.claim({ network, wallet: address, treasury, affordable }),
    isDue: Effect.map(
      settlements.due({ networks: [network], aboveUsd: 0 }),
      (lanes) => lanes.find(({ wallet }) => wallet === address)
    ),
    rows: sql<
      { readonly wei: string; readonly status: string; readonly charges: number }
    >`select t.native_wei::text as wei, t.status,
      (select count(*)::int from charges c where c.settlement_id = t.id) as charges from settlements t
      where t.wallet = ${address} order by id`,
    /** Skips the delay after a released settlement. */
    later: sql`update settlements set ended_at = ended_at - interval '2 hours'
        where wallet = ${address} and status = 'released'`
  }
})
