/** The rows and readings that cause events. */
import { assert, layer } from "@effect/vitest"
import * as Audit from "@vault-trader/core/audit/Audit"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { botScope, walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import * as AuditFeed from "@vault-trader/core/notification/AuditFeed"
import { WatchStore } from "@vault-trader/core/notification/WatchStore"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { randomBytes, randomUUID } from "node:crypto"
import * as Bench from "./NotificationBench.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"

/** A wallet that receives every event, and those that it has received. */
const receiving = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const wallet = yield* Bench.wallet
  yield* Bench.channel({ owner: { _tag: "wallet", wallet }, kind: "http", url: "https://example.com/" })
  const events = sql<{ readonly type: string; readonly data: Readonly<Record<string, unknown>> }>`select type, data
    from webhook_events where wallet = ${wallet} order by created_at, id`
  const types = Effect.map(events, (all) => all.map(({ type }) => type))
  const [key] = yield* sql<{ readonly id: string }>`select id from api_keys where wallet = ${wallet}`
  return { events, keyId: key!.id, types, wallet }
})

layer(Bench.Stores, { timeout: "4 minutes", excludeTestServices: true })("events", (it) => {
  it.effect("are caused by the audit log's entries, each once, although several read them", () =>
    Effect.gen(function*() {
      const { events, types, wallet } = yield* receiving
      const sql = yield* SqlClient.SqlClient
      const switches = yield* KillSwitch
      yield* AuditFeed.round
      const before = yield* types
      yield* switches.pauseAsOwner(walletScope(wallet), "market closed")
      yield* switches.resumeAsOwner(walletScope(wallet))
      yield* Audit.transaction(
        sql,
        Audit.append(sql, { action: "limits.raised", subject: wallet, wallet, details: { secret: "never shown" } })
      )
      yield* Effect.all([AuditFeed.round, AuditFeed.round, AuditFeed.round], { concurrency: "unbounded" })
      const after = (yield* events).slice(before.length)
      assert.deepStrictEqual(after.map(({ type }) => type), ["signing.stopped", "signing.resumed", "authority.changed"])
      assert.deepInclude(after[0]?.data, {
        scope: "the wallet",
        by: "owner",
        reason: "market closed",
        gasWallet: wallet
      })
      assert.notInclude(JSON.stringify(after), "never shown")
      yield* switches.pause("service", "maintenance")
      yield* switches.resume("service")
      yield* switches.pause(botScope("base", pool), "no wallet has bots there")
      yield* AuditFeed.round
      assert.deepStrictEqual((yield* types).slice(before.length + 3), ["signing.stopped", "signing.resumed"])
    }))

  it.effect("are caused by fills, charges, drift and the end of orders", () =>
    Effect.gen(function*() {
      const { events, keyId, types, wallet } = yield* receiving
      const sql = yield* SqlClient.SqlClient
      const [order, intent, run, settlement] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
      yield* sql`insert into vault_orders (id, network, pool, wallet, key_id, request, terms, paper, progress, reason,
        starts_at, expires_at) values (${order}, 'base', ${pool}, ${wallet}, ${keyId}, '{}', '{}', false, '{}', 'placed',
        now(), now())`
      yield* sql`insert into vault_order_slices (order_id, slice, intent_id, amount) values (${order}, 1, ${intent}, 5)`
      yield* sql`update vault_order_slices set state = 'succeeded', sold = 5, bought = 4.9, ended_at = now()
        where order_id = ${order}`
      yield* sql`insert into vault_order_events (order_id, kind, reason) values (${order}, 'placed', 'placed'),
        (${order}, 'done', 'all sold')`
      yield* sql`insert into charges (id, reference, wallet, network, action, usd) values (${randomUUID()},
        ${randomUUID()}, ${wallet}, 'base', 'trade', 0.25), (${randomUUID()}, ${randomUUID()}, ${wallet}, 'base', 'lend', 0)`
      yield* sql`insert into settlements (id, network, wallet, treasury, native_wei, usd, charges) values (${settlement},
        'base', ${wallet}, ${pool}, 1, 0.25, 1)`
      yield* sql`update settlements set status = 'paid', ended_at = now() where id = ${settlement}`
      yield* sql`insert into index_bots (network, pool, wallet, key_id, targets, quote, interval_seconds, max_usd18,
        min_trade_usd18, tolerance, slippage, platform, enabled, paper) values ('base', ${pool}, ${wallet}, ${keyId}, '[]',
        '{}', 60, 1, 1, 1, 1, 'auto', true, false)`
      yield* sql`insert into index_runs (id, network, pool, wallet, key_id, reason, quote, force, paper, cap18) values
        (${run}, 'base', ${pool}, ${wallet}, ${keyId}, 'scheduled', '{}', false, false, 1)`
      yield* sql`update index_runs set planned = '[{}, {}]' where id = ${run}`
      assert.deepStrictEqual(yield* types, [
        "order.filled",
        "order.ended",
        "charge.booked",
        "charge.paid",
        "index.drifted"
      ])
      const [filled, , charge] = yield* events
      assert.deepInclude(filled?.data, { order_id: order, sold: "5", bought: "4.9", gasWallet: wallet })
      assert.deepInclude(charge?.data, { usd: 0.25, action: "trade" })
    }))

  it.effect("are caused by orders and bots at exchanges", () =>
    Effect.gen(function*() {
      const { events, types, wallet } = yield* receiving
      const sql = yield* SqlClient.SqlClient
      const [account, bot] = [randomUUID(), randomUUID()]
      yield* sql`insert into exchange_accounts (id, manager, exchange, name, wallet, payment_network, settings, ciphertext)
        values (${account}, ${pool}, 'binance', ${account.slice(0, 8)}, ${wallet}, 'base', '{}', 'c')`
      yield* sql`insert into exchange_bots (id, account_id, pair, symbol, side, strategy, max_usd, share) values (${bot},
        ${account}, 'BTC-USDT', 'BTC/USDT', 'long', 'custom', 100, 50)`
      for (const outcome of [{ status: "closed", filled: 1 }, { status: "closed", filled: 0 }, { status: "lost" }]) {
        const id = randomUUID()
        yield* sql`insert into exchange_orders (id, account_id, bot_id, wallet, exchange, subaccount, pair, symbol,
          revision) values (${id}, ${account}, ${bot}, ${wallet}, 'binance', 'main', 'BTC-USDT', 'BTC/USDT', 1)`
        yield* sql`update exchange_orders set ${sql.update(outcome)} where id = ${id}`
      }
      yield* sql`update exchange_bots set paused_reason = 'three failures', active = false where id = ${bot}`
      const exit = { condition: "stop_loss", entry: "50000", price: "45000", amount: "0.1", ended: false }
      yield* sql`update exchange_bots set exit = ${JSON.stringify(exit)}::jsonb where id = ${bot}`
      yield* sql`update exchange_bots set exit = exit || '{"ended": true}' where id = ${bot}`
      const caused = ["exchange.filled", "exchange.failed", "bot.paused", "exchange.triggered"]
      assert.deepStrictEqual(yield* types, caused)
      assert.deepInclude((yield* events)[3]?.data, {
        ...{ exchange: "binance", pair: "BTC-USDT", condition: "stop_loss", price: "45000" },
        message: "The stop-loss was triggered at 45000; 0.1 is sold."
      })
    }))

  it.effect("of watches report a change of state once, after a trouble that lasts", () =>
    Effect.gen(function*() {
      const { types, wallet } = yield* receiving
      const store = yield* WatchStore
      const subject = `test-${randomBytes(4).toString("hex")}`
      const read = (troubled: boolean) =>
        store.report({
          ...{
            watch: "network",
            subject,
            troubled,
            patience: 3,
            wallets: [wallet],
            data: { network: "base", message: "m" }
          },
          events: { troubled: "network.down", recovered: "network.recovered" }
        })
      for (const troubled of [true, true, false, true, true]) yield* read(troubled)
      assert.deepStrictEqual(yield* types, [])
      for (const troubled of [true, true, true, false, false]) yield* read(troubled)
      assert.deepStrictEqual(yield* types, ["network.down", "network.recovered"])
    }))

  it.effect("of a network go to wallets that are used there and receive them", () =>
    Effect.gen(function*() {
      const { wallet } = yield* receiving
      const store = yield* WatchStore
      const sql = yield* SqlClient.SqlClient
      const has = (all: ReadonlyArray<Address>) => all.includes(wallet)
      assert.isFalse(has(yield* store.walletsOn("base", "network.down")))
      yield* sql`insert into vault_links ${sql.insert({ wallet, network: "base", pool, protocol: "dhedge" })}`
      assert.isTrue(has(yield* store.walletsOn("base", "network.down")))
      assert.isFalse(has(yield* store.walletsOn("optimism", "network.down")))
      assert.deepStrictEqual(yield* store.borrowers([]), [])
      assert.isFalse((yield* store.borrowers(["base"])).some(({ wallets }) => wallets.includes(wallet)))
    }))
})
