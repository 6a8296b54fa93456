import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as SqlClient from "effect/sql/SqlClient"
import * as Tracer from "effect/Tracer"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { inspect } from "node:util"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { ended, opened, sessionOf } from "@vault-trader/testing/harness/ConsoleCalls"
import { customer, outcome, registered } from "@vault-trader/testing/harness/ExchangeSetup"
import { type Answer, type Fields, Running, running } from "@vault-trader/testing/harness/Harness"
import { person, proof } from "@vault-trader/testing/harness/Signing"

/** All output: log lines of every level, spans with their attributes and events, answers. */
const said: Array<string> = []
const Listening = Layer.merge(
  Logger.layer([
    Logger.make((options) => {
      said.push(Logger.formatSimple.log(options))
    }),
    Logger.tracerLogger
  ]),
  Layer.succeed(
    Tracer.Tracer,
    Tracer.make({
      span: ({ annotations, kind, links, name, parent, startTime }) => {
        const attributes = new Map<string, unknown>()
        return {
          ...{
            _tag: "Span",
            name,
            parent,
            annotations,
            links,
            kind,
            attributes,
            sampled: true,
            spanId: "1".repeat(16),
            traceId: "1".repeat(32)
          },
          status: { _tag: "Started", startTime },
          end: (_, exit) => {
            said.push(`${name} ${inspect([...attributes])} ${inspect(exit, { depth: 8 })}`)
          },
          attribute: (key, value) => {
            attributes.set(key, value)
          },
          event: (event, _, about) => {
            said.push(`${event} ${inspect(about)}`)
          },
          addLinks: () => {}
        }
      }
    })
  )
)

const secrets: Array<string> = []
const remembered = (made: { readonly apiKey: string; readonly secret: string }) => {
  secrets.push(made.apiKey, made.secret)
}

const failed = ({ body, status, text }: Answer, code: string, type: string) =>
  assert.deepStrictEqual(
    [status, body["status"], body["status_code"], body["error_type"]],
    [400, "fail", code, type],
    text
  )

const env = { EXCHANGE_CHECK_SECONDS: "1", LOG_LEVEL: "debug" }

layer(running({ env }).pipe(Layer.provide(Listening)), { timeout: 240_000, excludeTestServices: true })(
  "exchange accounts refuse",
  (it) => {
    it.effect("what cannot be registered, with a reason, and keep nothing of it", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const made = yield* customer()
        remembered(made)
        const { about, register } = made
        refused(
          yield* register({ exchange: "mtgox" }),
          "1010",
          /^exchange: must be one of binance, bitget, gate, kucoin, okx$/
        )
        refused(yield* register({ cex_secret: undefined }), "1010", /^Missing required parameter: cex_secret$/)
        refused(
          yield* register({ cex_api_key: "tooshort" }),
          "1010",
          /^cex_api_key: must be 64 letters and digits, as binance issues them$/
        )
        const wrong = "w".repeat(64)
        secrets.push(wrong)
        refused(
          yield* register({ cex_api_key: wrong }),
          "1010",
          /^cex_api_key: binance refuses the credentials: Invalid API-key/
        )
        refused(
          yield* register({ cex_secret: wrong }),
          "1010",
          /^cex_api_key: binance refuses the credentials: Signature for this request is not valid/
        )
        const okx = { exchange: "okx", cex_api_key: "01234567-89ab-4cde-8f01-23456789abcd" }
        refused(
          yield* register(okx),
          "1010",
          /^Missing required parameter: cex_passphrase; a key of okx comes with one$/
        )
        refused(yield* register({ cex_passphrase: "open sesame" }), "1010", /^cex_passphrase: must be/)
        refused(
          yield* register({ cex_passphrase: "sesame" }),
          "1010",
          /^cex_passphrase: a key of binance has none; leave it out$/
        )
        const settings =
          /^settings: must be a JSON object with no members other than testnet \(true or false\) and slippage/
        for (
          const each of ["nonsense", "{\"testnet\":", { testnet: "perhaps" }, { slippage: 50 }, {
            url: "http://169.254.169.254/"
          }, { urls: { api: "http://127.0.0.1:1" } }]
        ) {
          refused(yield* register({ settings: each }), "1010", settings)
        }
        refused(
          yield* register({
            exchange: "kucoin",
            cex_api_key: "0123456789abcdef01234567",
            cex_passphrase: "sesame",
            settings: { testnet: true }
          }),
          "1010",
          /^settings: kucoin has no test network/
        )
        refused(yield* register({ subaccount_name: "a/b" }), "1010", /^subaccount_name: must be 1 to 64 characters/)
        refused(yield* register({ payment_network: "narnia" }), "1000", /^payment_network: must be one of base/)
        refused(
          yield* register({ gas_wallet_api_key: "00000000-0000-4000-8000-000000000000" }),
          "1002",
          /^gas_wallet_api_key: unknown or revoked$/
        )
        const other = {
          ...about,
          subaccount_name: "another",
          exchange: "binance",
          cex_api_key: made.apiKey,
          cex_secret: made.secret
        }
        refused(
          yield* register(yield* proof(yield* person, "registerCEXSubaccount", "another", other)),
          "1010",
          /^signature: is not 0x/
        )
        const inUrl = yield* ask("/registerCEXSubaccount", {
          method: "POST",
          query: { ...about, cex_secret: made.secret }
        })
        assert.strictEqual(inUrl.fields["status_code"], "1010")

        const withdrawing = yield* customer({ mayWithdraw: true })
        remembered(withdrawing)
        refused(
          yield* withdrawing.register(),
          "1010",
          /^cex_api_key: the key may withdraw from binance; make one that may trade and nothing else$/
        )

        const { exchange } = yield* Devnet
        exchange.inject("maintenance")
        failed(yield* register(), "2030", "exchange_error")
        exchange.heal()
        assert.deepStrictEqual(
          succeeded(
            yield* ask("/getAllCEXSubaccounts", { query: { gas_wallet_api_key: made.gas.apiKey } })
          )["subaccounts"],
          []
        )
      }))

    it.effect("a list of accounts to all but the wallet's key and the manager who registered them", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const made = yield* registered()
        remembered(made)
        const list = (by: Fields) => ask("/getAllCEXSubaccounts", { json: by })
        const names = (answer: Answer) =>
          (succeeded(answer)["subaccounts"] as ReadonlyArray<Fields>).map((each) => each["subaccount_name"])
        const proven = yield* proof(made.manager, "getAllCEXSubaccounts")
        const byManager = yield* list(proven)
        assert.deepStrictEqual(names(byManager), ["main"])
        assert.deepStrictEqual(names(yield* ask("/getAllCEXSubaccounts", { query: proven })), ["main"])
        assert.deepStrictEqual(names(yield* list({ gas_wallet_api_key: made.gas.apiKey })), ["main"])
        for (const secret of [made.apiKey, made.secret]) assert.notInclude(byManager.text, secret)
        const stranger = yield* person
        assert.deepStrictEqual(names(yield* list(yield* proof(stranger, "getAllCEXSubaccounts"))), [])
        refused(
          yield* list({ ...proven, manager: stranger.address }),
          "1010",
          /^signature: is not 0x[0-9a-f]{40}'s over action 'getAllCEXSubaccounts'/
        )
        refused(yield* list(yield* proof(made.manager, "getAllBots")), "1010", /^signature: is not/)
        refused(yield* list({}), "1010", /^Missing required parameter: gas_wallet_api_key, or manager and signature$/)
        refused(yield* list({ manager: made.manager.address }), "1010", /^Missing required parameter: signature$/)
        // The console lists those of one wallet of the manager's list.
        const key = { apiKey: made.gas.apiKey, privateKey: made.gas.privateKey }
        const associated = yield* proof(made.manager, "associateGasWallet", made.gas.address, key)
        succeeded(yield* ask("/associateGasWallet", { json: { ...key, ...associated } }))
        const session = yield* opened(yield* sessionOf(made.manager))
        const shown = ended(yield* session("wallet.getAllCEXSubaccounts", { wallet: made.gas.address })) as Fields
        assert.deepStrictEqual(
          (shown["subaccounts"] as ReadonlyArray<Fields>).map((each) => each["subaccount_name"]),
          ["main"]
        )
      }))

    it.effect("what cannot be set, and another owner's account as if it did not exist", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const made = yield* registered()
        remembered(made)
        const { about, gas, manager, register, set } = made
        refused(
          yield* register(),
          "1010",
          /^subaccount_name: main is taken; choose another name, or delete that sub-account first$/
        )
        refused(yield* set({ pair: "BTC-EUR" }), "1003", /^pair: binance has no BTC-EUR; it has BTC-USDT, BTC-USDC/)
        refused(yield* set({ pair: "BTCUSDT" }), "1003", /^pair: must be BASE-QUOTE/)
        refused(
          yield* set({ max_usd: 2 }),
          "1010",
          /^max_usd: an order of BTC-USDT on binance is worth at least \$5, more than the given \$2$/
        )
        refused(yield* set({ max_usd: "much" }), "1010", /^max_usd: must be a number of US dollars above 0$/)
        refused(yield* set({ side: "short" }), "1008", /^side: must be one of long, neutral, hold$/)
        refused(yield* set({ share: 0 }), "1007", /^share: must be a number above 0 and at most 100$/)
        refused(yield* set({ strategy: "luck" }), "1010", /^strategy: must be one of custom, trend$/)
        refused(
          yield* set({ subaccount_name: "other" }),
          "1010",
          /^subaccount_name: the key's wallet has no sub-account other$/
        )
        refused(
          yield* ask("/deactivateCEXBot", { json: { ...about, pair: "ETH-USDT" } }),
          "1003",
          /^pair: main has no bot of ETH-USDT; it has no bots$/
        )
        refused(
          yield* ask("/deleteCEXBot", { method: "DELETE", query: { ...about, pair: "ETH-USDT" } }),
          "1003",
          /has no bots$/
        )
        refused(yield* ask("/getCEXSide", { query: { ...about, pair: "ETH-USDT" } }), "1003", /has no bots$/)
        refused(
          yield* ask("/setCEXStrategy", { json: { ...about, pair: "ETH-USDT", strategy: "trend" } }),
          "1003",
          /has no bots$/
        )

        const stranger = yield* customer()
        remembered(stranger)
        const key = { gas_wallet_api_key: stranger.gas.apiKey }
        for (const path of ["/setCEXSide", "/deactivateCEXBot", "/deleteCEXBot", "/setCEXStrategy"]) {
          const answer = yield* ask(path, {
            json: { ...about, ...key, pair: "BTC-USDT", side: "long", max_usd: 100, share: 100, strategy: "custom" }
          })
          refused(answer, "1010", /^subaccount_name: the key's wallet has no sub-account main$/)
        }
        refused(yield* ask("/getCEXSide", { query: { ...about, ...key } }), "1010", /has no sub-account main$/)
        const proven = yield* proof(stranger.manager, "deleteCEXSubaccount", "main", { subaccount_name: "main" })
        refused(
          yield* ask("/deleteCEXSubaccount", { method: "DELETE", json: { ...proven, subaccount_name: "main" } }),
          "1010",
          /^subaccount_name: the manager has no sub-account main$/
        )
        refused(
          yield* ask("/deleteCEXSubaccount", {
            method: "DELETE",
            json: { ...proven, manager: manager.address, subaccount_name: "main" }
          }),
          "1010",
          /^signature: /
        )

        const first = succeeded(yield* set({ max_usd: 100, idempotency_key: "once" }))
        assert.strictEqual(
          succeeded(yield* set({ max_usd: 100, idempotency_key: "once" }))["intent_id"],
          first["intent_id"]
        )
        refused(
          yield* set({ max_usd: 200, idempotency_key: "once" }),
          "1010",
          /^idempotency_key: was used for another request/
        )
        yield* outcome(gas.apiKey, first["intent_id"])
        const { intents } = succeeded(yield* ask("/getIntents", { query: { apiKey: gas.apiKey } }))
        assert.deepStrictEqual(
          (intents as ReadonlyArray<Readonly<Record<string, unknown>>>).map((
            { intent_id: id, network }
          ) => [id, network]),
          [[first["intent_id"], null]]
        )
        refused(
          yield* ask("/getIntent", { query: { apiKey: stranger.gas.apiKey, intent_id: String(first["intent_id"]) } }),
          "1010",
          /has no intent/
        )
        assert.lengthOf(made.there.orders, 1)
      }))

    it.effect("candles and prices of exchanges, pairs and lengths that there are not, naming those that there are", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { gas: { apiKey } } = yield* customer()
        refused(
          yield* ask("/getCandles", { query: { apiKey, exchange: "mtgox" } }),
          "1010",
          /^exchange: 'mtgox' is not known; accepted are .*binance.*kraken/
        )
        refused(
          yield* ask("/getTicks", { query: { apiKey, exchange: "constructor" } }),
          "1010",
          /^exchange: 'constructor' is not known/
        )
        refused(
          yield* ask("/getCandles", { query: { apiKey, pair: "BTC-DOGE" } }),
          "1003",
          /^pair: coinbase has no BTC-DOGE; it has BTC-USD/
        )
        refused(
          yield* ask("/getCandles", { query: { apiKey, timeframe: "7m" } }),
          "1010",
          /^timeframe: coinbase has no 7m; accepted are 1m, 5m/
        )
        refused(
          yield* ask("/getCandles", { query: { apiKey, bars_back: "1001" } }),
          "1010",
          /^bars_back: must be a whole number from 1 to 1000$/
        )
        refused(
          yield* ask("/getCandles", { query: { apiKey, before: "0", timeframe: "1m" } }),
          "1010",
          /^before: is more than 20000 candles away/
        )
      }))

    it.effect("to let credentials out: they are in no row, no file, no line of the log, no span and no answer", () =>
      Effect.gen(function*() {
        const { dataDir } = yield* Running
        const sql = yield* SqlClient.SqlClient
        assert.isAbove(secrets.length, 8)
        assert.isAbove(said.length, 100)
        const tables = yield* sql<
          { readonly schema: string; readonly name: string }
        >`select table_schema as schema, table_name as name
        from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`
        const content = yield* Effect.forEach(tables, ({ name, schema }) =>
          Effect.map(
            sql<{ readonly row: string }>`select row_to_json(t)::text as row from ${sql(schema)}.${sql(name)} t`,
            (found) => found.map(({ row }) => row).join("\n")
          ))
        assert.include(content.join("\n"), "\"ciphertext\"")
        const files = Fs.readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
          entry.isFile()
        ).map((entry) => Path.join(entry.parentPath, entry.name))
        const places: ReadonlyArray<readonly [string, string]> = [
          ...content.map((text, index) => [`table ${tables[index]?.name ?? ""}`, text] as const),
          ["the log or a span", said.join("\n")],
          ...files.map((file) => [file, Fs.readFileSync(file).toString("latin1")] as const)
        ]
        for (const [where, text] of places) {
          for (const secret of secrets) {
            assert.isFalse(text.includes(secret), `${where} holds a credential in clear`)
            assert.isFalse(
              text.includes(Buffer.from(secret).toString("base64")),
              `${where} holds a credential's base64`
            )
            assert.isFalse(text.includes(Buffer.from(secret).toString("hex")), `${where} holds a credential's bytes`)
          }
        }
      }))
  }
)
