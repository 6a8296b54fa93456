import type { Address } from "../../src/chain/Address.ts"
import * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KillSwitch } from "../../src/gas-wallet/KillSwitch.ts"
import { botScope, thresholdBotScope } from "../../src/gas-wallet/SwitchScope.ts"
import * as LedgerMetrics from "../../src/telemetry/LedgerMetrics.ts"
import { text } from "../../src/telemetry/Prometheus.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(ApiKeyStore.layer, GasWalletStore.layer, KillSwitch.layer).pipe(
  Layer.provideMerge(Database)
)

const sampleOf = (sample: string) =>
  Effect.map(Metric.snapshot, (snapshot) => {
    const line = text(snapshot).split("\n").find((each) => each.startsWith(`${sample} `))
    return line === undefined ? undefined : Number(line.split(" ").at(-1))
  })

const readGauges = LedgerMetrics.readGauges(["base", "optimism"])

/** Writes submissions of one wallet with these nonces. */
const submissions = (address: string, network: string, nonces: ReadonlyArray<number | null>, waiting = false) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const to = yield* freshAddress
    yield* Effect.forEach(nonces, (nonce, index) =>
      sql`insert into submissions ${
        sql.insert({
          key: `filler/${network}/${address}/${index}`,
          network,
          wallet: address,
          to_address: to,
          data: "0x",
          value: "0",
          reserve: "0",
          status: nonce === null ? "queued" : "signed",
          nonce,
          waiting_for_gas: waiting
        })
      }`)
  })

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("LedgerMetrics", (it) => {
  it.effect("counts the submissions of all lanes that are not mined, by network and state, and the nonce gaps below them", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* wallet, yield* wallet]
      yield* submissions(one.address, "base", [7, 8, 11, null])
      yield* submissions(other.address, "optimism", [3], true)
      yield* readGauges
      assert.strictEqual(yield* sampleOf(`vault_trader_lane_depth{network="base",state="signed"}`), 3)
      assert.strictEqual(yield* sampleOf(`vault_trader_lane_depth{network="base",state="queued"}`), 1)
      assert.strictEqual(yield* sampleOf(`vault_trader_lane_depth{network="optimism",state="waiting_for_gas"}`), 1)
      assert.strictEqual(yield* sampleOf(`vault_trader_nonce_gap{network="base"}`), 2)
      assert.strictEqual(yield* sampleOf(`vault_trader_nonce_gap{network="optimism"}`), 0)
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from submissions`
      yield* readGauges
      assert.strictEqual(yield* sampleOf(`vault_trader_lane_depth{network="base",state="signed"}`), 0)
      assert.strictEqual(yield* sampleOf(`vault_trader_nonce_gap{network="base"}`), 0)
    }))

  it.effect("reports the age of the oldest intent that has not ended", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { address, keyId } = yield* wallet
      const insert = (seconds: number, status: string) =>
        sql`insert into intents ${
          sql.insert({
            id: crypto.randomUUID(),
            wallet: address,
            key_id: keyId,
            endpoint: "vaultTrade",
            network: "base",
            pool: address,
            request: "{}",
            status,
            outcome: status === "failed" ? "{}" : null,
            created_at: new Date(Date.now() - seconds * 1000)
          })
        }`
      yield* insert(9000, "failed")
      yield* insert(500, "submitted")
      yield* insert(5, "accepted")
      yield* readGauges
      assert.approximately((yield* sampleOf("vault_trader_oldest_intent_seconds")) ?? 0, 500, 60)
      yield* sql`delete from intents`
      yield* readGauges
      assert.strictEqual(yield* sampleOf("vault_trader_oldest_intent_seconds"), 0)
    }))

  it.effect("counts bots by state, and reports how late the most overdue active one is", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const switches = yield* KillSwitch
      const { address, keyId } = yield* wallet
      const bot = (state: "active" | "paused" | "hold", late: number, vault?: Address) =>
        Effect.gen(function*() {
          const pool = vault ?? (yield* freshAddress)
          const legs = { base: yield* freshAddress, quote: yield* freshAddress }
          yield* sql`insert into threshold_bots ${
            sql.insert({
              id: crypto.randomUUID(),
              ...{ network: "base", pool, pair: "WETH-USDC", ...legs },
              ...{
                side: state === "hold" ? "hold" : "long",
                threshold: 1,
                share: 100,
                max_usd: "1",
                slippage: 1,
                platform: "auto",
                lending: false,
                paper: false
              },
              ...{
                wallet: address,
                key_id: keyId,
                active: state !== "paused",
                paused_reason: state === "paused" ? "3 failures" : null
              },
              next_check: new Date(Date.now() - late * 1000)
            })
          }`
          return { network: "base", pool, ...legs } as const
        })
      const [stopped] = [
        yield* bot("active", 900),
        yield* bot("active", 300),
        yield* bot("paused", 5_000),
        yield* bot("hold", 5_000)
      ]
      yield* switches.pause(botScope("base", stopped.pool), "a test")
      yield* readGauges
      const states = Effect.suspend(() =>
        Effect.forEach(["active", "paused", "stopped", "off"], (state) =>
          sampleOf(`vault_trader_bots{network="base",kind="threshold",state="${state}"}`))
      )
      assert.deepStrictEqual(yield* states, [1, 1, 1, 1])
      assert.approximately(
        (yield* sampleOf(`vault_trader_oldest_check_seconds{network="base",kind="threshold"}`)) ?? 0,
        300,
        60
      )
      // A bot that is stopped alone: the other one of its vault is not.
      yield* switches.resume(botScope("base", stopped.pool))
      const alone = yield* bot("active", 1_200, stopped.pool)
      yield* switches.pause(thresholdBotScope(alone), "a test")
      yield* readGauges
      assert.deepStrictEqual(yield* states, [2, 1, 1, 1])
      assert.approximately(
        (yield* sampleOf(`vault_trader_oldest_check_seconds{network="base",kind="threshold"}`)) ?? 0,
        900,
        60
      )
      yield* sql`delete from threshold_bots`
      yield* switches.resume(thresholdBotScope(alone))
      yield* readGauges
      assert.strictEqual(yield* sampleOf(`vault_trader_bots{network="base",kind="threshold",state="active"}`), 0)
    }))

  it.effect("counts active switches", () =>
    Effect.gen(function*() {
      const switches = yield* KillSwitch
      const address = yield* freshAddress
      yield* switches.pause("service", "test")
      yield* switches.pause(`wallet/${address}`, "test")
      yield* readGauges
      assert.deepStrictEqual([
        yield* sampleOf(`vault_trader_switches_on{scope="service"}`),
        yield* sampleOf(`vault_trader_switches_on{scope="wallet"}`)
      ], [1, 1])
      yield* switches.resume("service")
      yield* readGauges
      assert.deepStrictEqual([
        yield* sampleOf(`vault_trader_switches_on{scope="service"}`),
        yield* sampleOf(`vault_trader_switches_on{scope="wallet"}`)
      ], [0, 1])
    }))

  it.effect("reports the age of the oldest unread message, once the cluster has created its table", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* readGauges
      assert.strictEqual(yield* sampleOf("vault_trader_database_up"), 1)
      yield* sql`create table cluster_messages (id bigint primary key, processed boolean not null, deliver_at bigint)`
      const insert = (id: number, secondsAgo: number, processed: boolean, deliverAt: number | null = null) =>
        sql`insert into cluster_messages values (((extract(epoch from now())::bigint - ${secondsAgo}::bigint) * 1000
          - extract(epoch from timestamptz '2025-01-01Z')::bigint * 1000 << 22) + ${id}::bigint, ${processed}, ${deliverAt})`
      yield* insert(1, 5000, true)
      yield* insert(2, 4000, false, Date.now() + 1_000_000)
      yield* insert(3, 300, false)
      yield* insert(4, 10, false)
      yield* readGauges
      assert.strictEqual(yield* sampleOf("vault_trader_unread_messages"), 2)
      assert.approximately((yield* sampleOf("vault_trader_oldest_message_seconds")) ?? 0, 300, 60)
    }))

  it.effect("reports that the database is down, and counts the failure", () =>
    Effect.gen(function*() {
      yield* readGauges
      const before = (yield* sampleOf("vault_trader_database_errors_total")) ?? 0
      const sql = yield* SqlClient.SqlClient
      const down = Object.assign(
        () => Effect.fail(new SqlError({ reason: new ConnectionError({ cause: new Error("gone") }) })),
        sql
      )
      yield* Effect.provideService(readGauges, SqlClient.SqlClient, new Proxy(sql, { apply: down }))
      assert.strictEqual(yield* sampleOf("vault_trader_database_up"), 0)
      assert.strictEqual(yield* sampleOf("vault_trader_database_errors_total"), before + 1)
      yield* readGauges
      assert.strictEqual(yield* sampleOf("vault_trader_database_up"), 1)
    }))

  it.effect("reports the unpaid charges by network, and how many of them wait for a price", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* wallet
      const charge = (network: string, usd: number, wei: string | null, settlement: string | null = null) =>
        sql`insert into charges ${
          sql.insert({
            reference: crypto.randomUUID(),
            wallet: owner.address,
            network,
            action: "trade",
            usd,
            native_wei: wei,
            settlement_id: settlement
          })
        }`
      const settlement = (status: string) =>
        Effect.gen(function*() {
          const id = crypto.randomUUID()
          yield* sql`insert into settlements ${
            sql.insert({
              id,
              network: "base",
              wallet: owner.address,
              treasury: owner.address,
              native_wei: "5",
              usd: 0.5,
              charges: 1,
              status,
              ended_at: status === "open" ? null : new Date()
            })
          }`
          return id
        })
      yield* charge("base", 0.1, "1")
      yield* charge("base", 0.02, null)
      yield* charge("base", 0.5, "5", yield* settlement("open"))
      yield* charge("base", 0.5, "5", yield* settlement("paid"))
      yield* charge("optimism", 0.25, "2")
      yield* readGauges
      assert.approximately((yield* sampleOf(`vault_trader_outstanding_usd{network="base"}`)) ?? 0, 0.62, 1e-9)
      assert.strictEqual(yield* sampleOf(`vault_trader_unconverted_charges{network="base"}`), 1)
      assert.strictEqual(yield* sampleOf(`vault_trader_outstanding_usd{network="optimism"}`), 0.25)
      yield* sql`delete from charges`
      yield* sql`delete from settlements`
      yield* readGauges
      assert.strictEqual(yield* sampleOf(`vault_trader_outstanding_usd{network="base"}`), 0)
    }))
})
