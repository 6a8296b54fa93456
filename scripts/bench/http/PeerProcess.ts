/**
 * The service as one would write it by hand, and nothing of what it promises: Fastify, node-postgres with prepared
 * statements, viem. It finds keys in the service's own table and answers what the service answers.
 */
import Fastify, { type FastifyInstance } from "fastify"
import { createHmac, randomUUID } from "node:crypto"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { Pool } from "pg"
import type { PeerData, PeerTrades } from "./Peer.ts"

/** The parent's first message: the calls of many vaults are too long for an argument. */
const [data] = await once(process, "message") as [PeerData]
const { databaseOf, pepper, tokens, trades } = data

interface Query {
  readonly apiKey: string
  readonly contract: string
  readonly limit: string
  readonly pool: string
}

/** As many connections as a process of the service has. */
const pool = databaseOf === null ? undefined : new Pool({ ...databaseOf, max: 16 })

const rowsOf = async <Row>(name: string, text: string, values: ReadonlyArray<unknown>) => {
  if (pool === undefined) throw new Error("this peer has no database")
  return (await pool.query<Row>({ name, text, values })).rows
}

/** Finds the wallet of a key as the service stores it. */
const callerOf = async (apiKey: string) => {
  const digest = createHmac("sha256", pepper).update(apiKey.toLowerCase()).digest("hex")
  const [caller] = await rowsOf<{ readonly keyId: string; readonly wallet: string }>(
    "key",
    "select id as \"keyId\", wallet from api_keys where digest = $1 and revoked_at is null",
    [digest]
  )
  if (caller === undefined) throw new Error("apiKey: unknown or revoked")
  return caller
}

const one = (type: object) => ({ type: "array", items: type })
const text = { type: "string" }
const optionalText = { type: ["string", "null"] }
const bodyOf = (properties: Readonly<Record<string, object>>) => ({
  schema: { response: { 200: { type: "object", properties: { status: one(text), ...properties } } } }
})

interface IntentRow {
  readonly id: string
  readonly endpoint: string
  readonly network: string
  readonly pool: string
  readonly status: string
  readonly txHash: string | null
  readonly outcome: { readonly message?: string; readonly failure?: { readonly message: string } } | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

const summaryOf = (
  { createdAt, endpoint, id, network, outcome, pool: vault, status, txHash, updatedAt }: IntentRow
) => ({
  intent_id: id,
  endpoint,
  status: status === "succeeded" ? "success" : status === "failed" ? "fail" : "pending",
  network,
  pool: vault,
  tx_hash: txHash,
  message: outcome === null
    ? txHash === null ? "Accepted; no transaction is signed yet." : "Sent; the outcome is not known yet."
    : outcome.message ?? outcome.failure?.message ?? "",
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString()
})

const summary = {
  type: "object",
  properties: {
    intent_id: text,
    endpoint: text,
    status: text,
    network: text,
    pool: text,
    tx_hash: optionalText,
    message: text,
    created_at: text,
    updated_at: text
  }
}

const reads = (app: FastifyInstance) => {
  const symbol = bodyOf({ symbol: one(text), contract: one(text), decimals: one({ type: "integer" }) })
  app.get<{ Querystring: Query }>("/getSymbol", symbol, async ({ query }) => {
    await callerOf(query.apiKey)
    const token = tokens[query.contract.toLowerCase()]
    if (token === undefined) throw new Error("contract: unknown")
    return { status: ["success"], symbol: [token.symbol], contract: [token.address], decimals: [token.decimals] }
  })
  const list = bodyOf({ intents: one(one(summary)), cursor: one(optionalText) })
  app.get<{ Querystring: Query }>("/getIntents", list, async ({ query }) => {
    const { wallet } = await callerOf(query.apiKey)
    const limit = Number(query.limit)
    const [intents, orders] = await Promise.all([
      rowsOf<IntentRow>(
        "intents",
        `select id, endpoint, network, pool, status, tx_hash as "txHash", outcome, created_at as "createdAt",
          updated_at as "updatedAt" from intents where wallet = $1 order by id desc limit $2`,
        [wallet, limit + 1]
      ),
      rowsOf("orders", "select id from exchange_orders where wallet = $1 order by id desc limit $2", [
        wallet,
        limit + 1
      ])
    ])
    if (orders.length > 0) throw new Error("exchange orders are not listed here")
    const page = intents.slice(0, limit).map(summaryOf)
    return {
      status: ["success"],
      intents: [page],
      cursor: [intents.length > limit ? page.at(-1)?.intent_id ?? null : null]
    }
  })
}

/** The table of accepted alerts: one durable row for each. */
const alerts = async (app: FastifyInstance) => {
  await rowsOf("", "create schema if not exists bench", [])
  await rowsOf(
    "",
    `create table if not exists bench.alerts (id uuid primary key, wallet text not null, bot text not null,
      side text not null, created_at timestamptz not null default now())`,
    []
  )
  const accepted = bodyOf({ intent_id: one(text) })
  app.post<{ Querystring: Query & { readonly side: string } }>("/alert", accepted, async ({ query }) => {
    const { wallet } = await callerOf(query.apiKey)
    const id = randomUUID()
    await rowsOf(
      "alert",
      "insert into bench.alerts (id, wallet, bot, side) values ($1, $2, $3, $4)",
      [id, wallet, query.pool, query.side]
    )
    return { status: ["success"], intent_id: [id] }
  })
}

/** Trades a vault with viem's nonce manager, which keeps nothing; the swap was planned before. */
const trading = async (app: FastifyInstance, { calls, chainId, url }: PeerTrades) => {
  const { createNonceManager, createPublicClient, createWalletClient, defineChain, http } = await import("viem")
  const { privateKeyToAccount } = await import("viem/accounts")
  const { jsonRpc } = await import("viem/nonce")
  const chain = defineChain({
    id: chainId,
    name: "devnet",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [url] } }
  })
  const nonceManager = createNonceManager({ source: jsonRpc() })
  const client = createWalletClient({ chain, transport: http(url) })
  const node = createPublicClient({ chain, transport: http(url), pollingInterval: 50 })
  const accounts = new Map(
    Object.values(calls).map(({ privateKey }) => [privateKey, privateKeyToAccount(privateKey, { nonceManager })])
  )
  const callOf = (vault: string) => {
    const call = calls[vault.toLowerCase()]
    const account = call === undefined ? undefined : accounts.get(call.privateKey)
    if (call === undefined || account === undefined) throw new Error("pool: unknown")
    return { account, to: call.to, data: call.data }
  }
  app.get<{ Querystring: Query }>("/vaultTrade", async ({ query }) => {
    await callerOf(query.apiKey)
    const call = callOf(query.pool)
    // The price moves between estimate and block, as the service allows for, too.
    const gas = await node.estimateGas(call) * 3n / 2n
    const hash = await client.sendTransaction({ ...call, gas })
    const { status } = await node.waitForTransactionReceipt({ hash })
    if (status !== "success") throw new Error(`${hash} was reverted`)
    return { status: ["success"], tx_hash: [hash] }
  })
  app.get<{ Querystring: Query }>("/dryRun", async ({ query }) => {
    await callerOf(query.apiKey)
    return { status: ["success"], gas: [String(await node.estimateGas(callOf(query.pool)))] }
  })
}

const app = Fastify()
app.get("/health/live", () => ({ status: ["success"] }))
reads(app)
if (pool !== undefined) await alerts(app)
if (trades !== null) await trading(app, trades)
await app.listen({ host: "127.0.0.1", port: 0 })
process.send?.((app.server.address() as AddressInfo).port)
// The parent process has ended.
process.once("disconnect", () => process.exit())
