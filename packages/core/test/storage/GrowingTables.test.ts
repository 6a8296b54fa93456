/** The tables that grow beside the ledger: alerts, orders, values of vaults, decisions, entries of the audit log. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { AuditStore } from "../../src/audit/AuditStore.ts"
import type { Address } from "../../src/chain/Address.ts"
import { ExchangeOrderStore } from "../../src/exchange/ExchangeOrderStore.ts"
import { FollowerStore } from "../../src/follower/FollowerStore.ts"
import { KeyLimitStore } from "../../src/gas-wallet/KeyLimitStore.ts"
import { GuardianStore } from "../../src/guardian/GuardianStore.ts"
import { ValueSampleStore } from "../../src/performance/ValueSampleStore.ts"
import { SignalStore } from "../../src/signal/SignalStore.ts"
import { RetentionStore } from "../../src/storage/RetentionStore.ts"
import { StrategyBotStore } from "../../src/strategy/StrategyBotStore.ts"
import { VaultOrderStore } from "../../src/vault-order/VaultOrderStore.ts"
import * as ScanStatistics from "./ScanStatistics.ts"

/** Timeout in milliseconds, for a machine under load. */
const slow = 240_000

const Stores = Layer.mergeAll(
  ...[AuditStore.layer, FollowerStore.layer, GuardianStore.layer] as const,
  ExchangeOrderStore.layer.pipe(Layer.provide(KeyLimitStore.layer)),
  ...[RetentionStore.layer, SignalStore.layer, StrategyBotStore.layer, ValueSampleStore.layer] as const,
  VaultOrderStore.layer
).pipe(Layer.provideMerge(ScanStatistics.SingleConnection), Layer.orDie)

const address = (n: number, digit = "0"): Address => `0x${n.toString(16).padStart(40, digit)}`
const busy = address(0)
const pool = address(7, "a")
const place = { network: "base", pool } as const
const id = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`

/** Rows of one half for one busy wallet, the others over 50 wallets and 300 vaults; most are ended. */
const past = (columns: string, from = "past") => `select ${columns} from ${from}`
const uuid = "('00000000-0000-4000-8000-'||lpad(to_hex(n), 12, '0'))::uuid"
const json = "'{}'::jsonb"
const ended = "case when n > 19900 then null else at end"
const history = [
  // Rows without their owners: only the ways to them count here.
  `set session_replication_role = replica`,
  `create temporary table past as select n, uuidv7((n - 20000) * interval '2 minutes') as v7,
      '0x'||lpad(to_hex(case when n % 2 = 0 then 0 else n % 50 end), 40, '0') as wallet,
      '0x'||lpad(to_hex(n % 300), 40, 'a') as pool, now() + (n - 20000) * interval '2 minutes' as at
    from generate_series(1, 20000) n`,
  `insert into signals (id, source, wallet, token, body, body_length, understood, state, received_at) ${
    past(`v7, 'alert', wallet, ${uuid}, 'buy', 3, ${json}, 'accepted', at`)
  }`,
  `insert into signal_results (signal, position, kind, network, pool, pair, side, state, intent_id) ${
    past(`v7, 0, 'threshold', 'base', pool, 'WETH-USDC', 'long', 'accepted', ${uuid}`)
  }`,
  `insert into vault_orders (id, network, pool, wallet, key_id, request, terms, paper, state, progress, reason, starts_at,
      expires_at, created_at, updated_at, ended_at) ${
    past(`${uuid}, 'base', pool, wallet, ${uuid}, ${json}, ${json}, false,
      case when n > 19900 then 'open' else 'done' end, ${json}, '', at, at, at, at, ${ended}`)
  }`,
  `insert into vault_order_slices (order_id, slice, intent_id, amount) ${past(`${uuid}, 1, ${uuid}, 1`)}`,
  `insert into vault_order_events (order_id, kind, reason) ${past(`${uuid}, 'placed', ''`)}`,
  `insert into exchange_orders (id, account_id, bot_id, wallet, exchange, subaccount, pair, symbol, revision, status, failure,
      created_at, updated_at) ${
    past(`v7, ${uuid}, ${uuid}, wallet, 'binance', 's', 'ETH-USDC', 'ETH/USDC', 1, 'refused', '{}'::jsonb, at, at`)
  }`,
  `insert into vault_values (network, pool, slot, interval_seconds, at, block, block_hash, value_usd, supply, owed, details,
      final) ${past(`'base', pool, at, 3600, at, n, '0x'||lpad(to_hex(n), 64, '0'), 1, 1, 0, ${json}, n < 19900`)}`,
  `insert into audit_entries (seq, at, actor_kind, action, subject, wallet, details, previous, digest) ${
    past(`n, at, 'service', 'bot.set', 's'||n, wallet, ${json}, lpad(to_hex(n - 1), 64, '0'), lpad(to_hex(n), 64, '0')`)
  }`,
  `insert into strategy_decisions (bot_id, number, bucket, decision, reason, trades, state) ${
    past(`('${id(1)}')::uuid, n, n, ${json}, '', '[]', 'done'`)
  }`,
  `insert into strategy_candles (bot_id, bucket, candle) ${past(`('${id(1)}')::uuid, n, ${json}`)}`,
  `insert into strategy_events (bot_id, kind, reason) ${past(`${uuid}, 'set', ''`)}`,
  `insert into vault_follower_trades (follower_id, step, intent_id, trade, usd18) ${
    past(`${uuid}, 1, ${uuid}, ${json}, 0`)
  }`,
  `insert into vault_follower_events (follower_id, kind, reason) ${past(`${uuid}, 'set', ''`)}`,
  `insert into vault_guardian_actions (guardian_id, step, intent_id, action) ${past(`${uuid}, 1, ${uuid}, ${json}`)}`,
  `insert into vault_guardian_events (guardian_id, kind, reason) ${past(`${uuid}, 'set', ''`)}`,
  `set session_replication_role = default`
]

const tables = [
  ...["signals", "signal_results", "vault_orders", "vault_order_slices", "vault_order_events", "exchange_orders"],
  ...["vault_values", "audit_entries", "strategy_decisions", "strategy_candles", "strategy_events"],
  ...["vault_follower_trades", "vault_follower_events", "vault_guardian_actions", "vault_guardian_events"]
]

const sequentialScans = ScanStatistics.of(tables)

/** The queries of callers and actors on these tables, by name. */
const questions = Effect.gen(function*() {
  const audit = yield* AuditStore
  const exchange = yield* ExchangeOrderStore
  const followers = yield* FollowerStore
  const guardians = yield* GuardianStore
  const orders = yield* VaultOrderStore
  const retention = yield* RetentionStore
  const signals = yield* SignalStore
  const strategies = yield* StrategyBotStore
  const values = yield* ValueSampleStore
  const sql = yield* SqlClient.SqlClient
  const [last] = yield* sql<
    { readonly id: string }
  >`select id from signals where wallet = ${busy} order by id desc limit 1`
  const signal = last?.id ?? ""
  const page = { limit: 21, before: null, open: false } as const
  const from = new Date(Date.now() - 86_400_000)
  const to = new Date()
  const list: Readonly<Record<string, Effect.Effect<unknown, unknown>>> = {
    "signals of a wallet": signals.list({ wallet: busy, limit: 21 }),
    "signals of a vault": signals.list({ wallet: busy, ...place, limit: 21 }),
    "signals of a state there is little of": signals.list({ wallet: busy, state: "refused", limit: 21 }),
    "a signal": signals.find(busy, signal),
    "the replay of a signal": signals.replayOf(busy, signal),
    "signals that wait for an account": signals.unanswered,
    "the result of a signal": signals.settle({ signal, position: 0 }, { state: "ignored", reason: "", intentId: null }),
    "an order": orders.find(id(19_950)),
    "orders of a vault": orders.ofVault({ ...place, ...page, wallet: null }),
    "open orders of a vault": orders.ofVault({ ...place, ...page, wallet: null, open: true }),
    "orders of wallets": orders.ofWallets({ ...page, wallets: [busy, address(3)], network: null }),
    "open orders of wallets": orders.ofWallets({ ...page, wallets: [busy], network: "base", open: true }),
    "orders that hold": orders.openOf("base", pool),
    "slices of an order": orders.slices(id(7)),
    "events of an order": orders.events(id(7)),
    "orders that are due": orders.due("base", 0, 2, { after: null, size: 100 }),
    "exchange orders": exchange.list({
      ...{ wallet: busy, subaccount: undefined, pair: undefined, before: undefined, limit: 21 }
    }),
    "exchange orders of a pair there is none of": exchange.list({
      ...{ wallet: busy, subaccount: "s", pair: "BTC-USDC", before: undefined, limit: 21 }
    }),
    "exchange orders in progress": exchange.unfinished(id(7)),
    "executed exchange orders": exchange.executed(id(7), "ETH/USDC"),
    "the newest executed exchange order": exchange.newestExecuted(id(7), "ETH/USDC"),
    "what a bot has sold at an exchange": exchange.soldBy({ id: id(7), accountId: id(7), symbol: "ETH/USDC" }, 1),
    "values of a vault": values.points(place, from, to),
    "missed values": values.missed(place, from, to),
    "details of values": values.details(place, [from]),
    "the newest value": values.newestBefore(place, to),
    "values that are not final": values.provisional("base", 20_000),
    "the audit log": audit.list({ limit: 21 }),
    "the audit log of a wallet": audit.list({ wallet: busy, limit: 21 }),
    "what a manager reads": audit.listFor({ wallets: [busy], manager: { address: busy, network: "base" } }, {
      limit: 21
    }),
    "audit entries in order": audit.after(19_000, 100),
    "the end of the audit log": audit.head,
    "the audit log up to a time": audit.lastBefore(from),
    "decisions of a strategy": strategies.decisions(id(1), 20),
    "candles of a strategy": strategies.candles(id(1), 20),
    "events of a strategy": strategies.events(id(7)),
    "trades of a follower": followers.trades(id(7)),
    "events of a follower": followers.events(id(7)),
    "actions of a guardian": guardians.actions(id(7)),
    "events of a guardian": guardians.events(id(7)),
    "retention of signals": retention.signals(30, null),
    "retention of values": retention.samples(30)
  }
  return list
})

layer(Stores, { timeout: slow, excludeTestServices: true })("the tables that grow beside the ledger", (it) => {
  it.effect("answer every query through an index", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(history, (statement) => sql.unsafe(statement), { discard: true })
      yield* Effect.forEach(tables, (table) => sql.unsafe(`vacuum analyze ${table}`), { discard: true })
      // The check itself first: a query without an index is noticed.
      yield* ScanStatistics.forget
      yield* sql`select count(*) from signals where body_length > 1000000`
      assert.deepStrictEqual(yield* sequentialScans, [{ table: "signals", scans: 1 }])
      const scanned: Array<unknown> = []
      for (const [name, ask] of Object.entries(yield* questions)) {
        yield* ScanStatistics.forget
        // The rows have no real contents: what they decode to does not matter.
        yield* Effect.exit(ask)
        const scans = yield* sequentialScans
        if (scans.length > 0) scanned.push({ name, scans })
      }
      assert.deepStrictEqual(scanned, [])
    }), slow)
})
