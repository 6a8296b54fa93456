import { assert, describe, it as test, layer } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { parseTransaction, type TransactionSerialized } from "viem"
import { Settings } from "../../src/Settings.ts"
import * as Telemetry from "../../src/Telemetry.ts"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import type { Collector, Span } from "@vault-trader/testing/harness/Collector"
import { type Exposition, valueOf } from "@vault-trader/testing/harness/Exposition"
import { type Fields, rows, Running, trader, type Wallet, wallet } from "@vault-trader/testing/harness/Harness"
import type { NodeRequest, Reply } from "@vault-trader/testing/harness/NodeFront"
import { InstrumentedService, oneProcess, twoProcesses } from "@vault-trader/testing/harness/InstrumentedService"
import { person, proof } from "@vault-trader/testing/harness/Signing"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base" as const
const root = Path.join(import.meta.dirname, "../../../..")
const read = (file: string) => Fs.readFileSync(Path.join(root, file), "utf8")

const isSend = ({ calls }: NodeRequest) => calls.some(({ method }) => method === "eth_sendRawTransaction")

/** A node that refuses every call with this message. */
const saysNo = ({ calls }: NodeRequest, message: string): Reply => ({
  status: 200,
  text: JSON.stringify(calls.map(({ id }) => ({ jsonrpc: "2.0", id, error: { code: -32000, message } })))
})

/** Secrets that must appear nowhere: keys of callers, of the operator and of the service, and signed data. */
interface Secrets {
  /** Returns bytes as hex, without 0x. */
  readonly hex: ReadonlyArray<string>
  readonly words: ReadonlyArray<string>
}

/** Sends keys in every way they arrive, wrong ones too; returns all keys that were used. */
const handled = ({ apiKey, privateKey, ...about }: Wallet & { readonly pool: string }) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const keys = [apiKey]
    const made = yield* wallet
    for (
      const request of [{ json: { privateKey: made.privateKey } }, {
        form: { privateKey: `0x${made.privateKey.toUpperCase()}` }
      }]
    ) {
      keys.push(String(succeeded(yield* ask("/getNewApiKey", request))["apiKey"]))
    }
    const stranger = crypto.randomUUID()
    const trade = { network, pool: about.pool, from: "USDC", to: "WETH", amount: "3" }
    yield* ask("/getNewApiKey", { method: "POST", query: { privateKey } })
    yield* ask("/getNewApiKey", { json: { privateKey: `${privateKey}00` } })
    yield* ask(`/getGasBalance/${apiKey}`, { query: { apiKey, privateKey } })
    yield* ask("/vaultTrade", { query: { ...trade, apiKey: stranger } })
    yield* ask("/vaultTrade", {
      query: { ...trade, pool: privateKey, from: apiKey, to: privateKey, apiKey },
      json: { apiKey: privateKey }
    })
    yield* ask("/getGasBalance", { query: { network }, headers: { authorization: `Bearer ${apiKey}` } })
    yield* ask("/getGasBalance", {
      query: { network },
      headers: {
        "x-api-key": apiKey,
        "user-agent": apiKey,
        b3: `${apiKey}-${privateKey.slice(0, 16)}-1`,
        cookie: `key=${privateKey}`
      }
    })
    succeeded(yield* ask("/vaultTrade", { query: trade, headers: { authorization: `Bearer ${apiKey}` } }))
    succeeded(yield* ask("/vaultTrade", { query: { ...trade, apiKey } }))
    // A manager's signature, in the URL and in the body, valid and for another action; a chart's token; a webhook's
    // secret.
    const { manager, signature } = yield* proof(yield* person, "getAssociatedGasWallets")
    succeeded(yield* ask("/getAssociatedGasWallets", { query: { manager, signature } }))
    yield* ask("/getAllBots", { query: { manager, signature }, json: { signature: privateKey } })
    yield* ask("/getAllGasBalance", { json: { manager, signature } })
    const token = String(
      succeeded(
        yield* ask("/createWebhookToken", { json: { apiKey, network, pool: about.pool, pair: "WETH-USDC" } })
      )["token"]
    )
    succeeded(yield* ask(`/webhook/${token}`, { json: { side: "hold" } }))
    yield* ask(`/webhook/${token}`, { json: { side: "up" } })
    yield* ask(`/webhook/${token}/more`, { json: {} })
    const secret = String(
      succeeded(
        yield* ask("/setWebhook", { json: { apiKey, url: "https://1.1.1.1/", events: ["bot.paused"] } })
      )["secret"]
    )
    const signed = signature.split(".")[3]!.slice(2)
    return {
      hex: [privateKey, made.privateKey, signed, token.slice(4)],
      words: [...keys, made.apiKey, stranger, token, secret, secret.slice(6)]
    }
  })

/** Returns the signed data: the bytes, and the halves of the signature. */
const signedIn = (attempts: ReadonlyArray<Fields>): ReadonlyArray<string> =>
  attempts.map(({ raw }) => String(raw) as TransactionSerialized).flatMap((raw) => {
    const { r, s } = parseTransaction(raw)
    return [raw, r ?? "", s ?? ""].map((hex) => hex.replace(/^0x/, "")).filter((hex) => hex !== "")
  })

/** Returns every spelling of a secret that text may contain. */
const spellings = ({ hex, words }: Secrets): ReadonlyArray<string> => [
  ...[...hex, ...words].flatMap((word) => {
    const bytes = Buffer.from(word)
    return [
      word,
      word.replaceAll("-", ""),
      bytes.toString("hex"),
      bytes.toString("base64").replace(/=+$/, ""),
      bytes.toString("base64url"),
      encodeURIComponent(word)
    ]
  }),
  ...hex.flatMap((
    word
  ) => [Buffer.from(word, "hex").toString("base64").replace(/=+$/, ""), Buffer.from(word, "hex").toString("base64url")])
]

const nowhereIn = (sinks: Readonly<Record<string, string>>, secrets: Secrets) => {
  const looked = spellings(secrets).map((spelling) => spelling.toLowerCase())
  assert.isTrue(looked.every((spelling) => spelling.length >= 12))
  for (const [name, text] of Object.entries(sinks)) {
    const folded = text.toLowerCase()
    assert.isAbove(folded.length, 200, `nothing was written to ${name}`)
    for (const spelling of looked) {
      const at = folded.indexOf(spelling)
      assert.strictEqual(
        at,
        -1,
        `${name} holds a secret (${spelling.length} characters): ${text.slice(Math.max(0, at - 300), Math.max(0, at))}`
      )
    }
  }
}

/** All output; its last parts arrive when the processes have ended. */
const sinks = (names: ReadonlyArray<ServiceProcess.Command>) =>
  Effect.gen(function*() {
    const { collector, output, scrapeText, the } = yield* InstrumentedService
    const scrapes = yield* Effect.forEach(names, scrapeText)
    yield* Effect.forEach(names, (name) => the(name).stop, { discard: true })
    const received = yield* collector.received
    const bodies = (path: string) => received.filter((each) => each.path === path).map(({ body }) => body).join("\n")
    return {
      traces: bodies("/v1/traces"),
      metrics: bodies("/v1/metrics"),
      logs: bodies("/v1/logs"),
      output: output(),
      scrapes: scrapes.join("\n")
    }
  })

const fileSecrets = Effect.map(
  Running,
  ({ dataDir }) => ["kek", "pepper"].map((name) => Fs.readFileSync(Path.join(dataDir, name), "utf8").trim())
)

/** Lines that are not part of the log: printed before it, and when the process is ready. */
const notLogged = /^(building the console|Vault Trader \S+ ready in )/

/** Returns the lines of a process's log. */
const logOf = (output: string): ReadonlyArray<Fields> =>
  output.split("\n").filter((line) => line !== "" && !notLogged.test(line)).map((line) => JSON.parse(line) as Fields)

const inNetwork = { network }

/** Milliseconds; a loaded machine takes long to start processes. */
const slow = 600_000

layer(oneProcess, { timeout: 240_000, excludeTestServices: true })("a service in one process that is watched", (it) => {
  it.effect(
    "exports every metric with a value that makes sense, in a format every scraper reads",
    () =>
      Effect.gen(function*() {
        const { nodes, scrape } = yield* InstrumentedService
        const { ask, dataDir } = yield* Running
        const before = yield* scrape("start")
        for (
          const name of [
            "vault_trader_foreign_nonces_total",
            "vault_trader_reorged_total",
            "vault_trader_nonce_gap",
            "vault_trader_seconds_to_mine_count"
          ]
        ) {
          assert.strictEqual(valueOf(before, name, inNetwork), 0, name)
        }
        const { apiKey, pool } = yield* trader()
        const trade = { apiKey, network, pool, from: "USDC", to: "WETH", amount: "7" }
        succeeded(yield* ask("/vaultTrade", { query: trade }))

        // One transaction that no node accepts is seen in flight.
        yield* nodes((asked) => isSend(asked) ? "silence" : undefined)
        const held = yield* Effect.forkChild(ask("/vaultTrade", { query: trade }))
        const during = yield* until(
          "a transaction in flight",
          Effect.map(scrape("start"), (seen) =>
            // The depth is read from the database, and the bytes are broadcast after they are recorded, so both follow
            // a moment later.
            valueOf(seen, "vault_trader_in_flight", inNetwork) === 1 &&
              valueOf(seen, "vault_trader_lane_depth", { ...inNetwork, state: "signed" }) === 1 &&
              seen.get("vault_trader_rpc_errors_total")?.samples.some(({ labels }) =>
                  labels["method"] === "eth_sendRawTransaction"
                ) === true
              ? seen
              : undefined)
        )
        assert.isAbove(valueOf(during, "vault_trader_oldest_intent_seconds") ?? 0, 0)
        yield* nodes(() => undefined)
        succeeded(yield* Fiber.join(held))
        assert.strictEqual(
          (yield* ask("/vaultTrade", { query: { ...trade, amount: "100000000" } })).fields["error_type"],
          "insufficient_balance"
        )

        // An endpoint that fails once, and a switch that is on.
        let failures = 1
        yield* nodes(({ calls }) =>
          calls.some(({ method }) => method === "eth_estimateGas") && failures-- > 0
            ? { status: 500, text: "no" }
            : undefined
        )
        succeeded(yield* ask("/vaultTrade", { query: { ...trade, dryRun: "true" } }))
        yield* nodes(() => undefined)
        yield* ServiceProcess.rowsOf(dataDir, "insert into kill_switches (scope, reason) values ('service', 'a test')")

        const after = yield* until(
          "the end of the flight",
          Effect.map(
            scrape("start"),
            (seen) => valueOf(seen, "vault_trader_in_flight", inNetwork) === 0 ? seen : undefined
          )
        )
        yield* ServiceProcess.rowsOf(dataDir, "delete from kill_switches")
        const [charged] = yield* ServiceProcess.rowsOf(
          dataDir,
          "select sum(usd)::float8 as usd, (select max((receipt ->> 'blockNumber')::int) from submissions) as block from charges"
        )
        assert.strictEqual(
          valueOf(after, "vault_trader_charged_usd_total", { ...inNetwork, action: "trade" }),
          charged?.["usd"]
        )
        // A receipt may be in a block that was not polled yet.
        yield* until(
          "the newest block is seen",
          Effect.map(scrape("start"), (seen) =>
            (valueOf(seen, "vault_trader_head_block", inNetwork) ?? 0) >= Number(charged?.["block"])
              ? true
              : undefined)
        )
        const rpc = [
          ...after.get("vault_trader_rpc_calls_total")!.samples,
          ...after.get("vault_trader_rpc_errors_total")!.samples
        ]
        assert.isTrue(rpc.every(({ labels }) =>
          /^127\.0\.0\.1:\d+$/.test(labels["endpoint"]!)
        ))
        const of = (name: string, match: (labels: Readonly<Record<string, string>>) => boolean) =>
          after.get(name)!.samples.filter(({ labels }) => match(labels)).reduce((sum, { value }) => sum + value, 0)
        assert.isAtLeast(of("vault_trader_rpc_calls_total", ({ method }) => method === "eth_sendRawTransaction"), 2)
        assert.strictEqual(
          of(
            "vault_trader_rpc_errors_total",
            ({ method, reason }) => method === "eth_estimateGas" && reason === "HTTP 500"
          ),
          1
        )
        assert.isAtLeast(of("vault_trader_rpc_errors_total", ({ method }) => method === "eth_sendRawTransaction"), 1)
        const exact: ReadonlyArray<readonly [name: string, labels: Readonly<Record<string, string>>, value: number]> = [
          ["vault_trader_intents_total", { ...inNetwork, outcome: "succeeded" }, 2],
          ["vault_trader_intents_total", { ...inNetwork, outcome: "insufficient_balance" }, 1],
          ["vault_trader_intents_total", { ...inNetwork, outcome: "no_route" }, 0],
          ["vault_trader_http_requests_total", { endpoint: "vaultTrade", status: "200" }, 3],
          ["vault_trader_http_requests_total", { endpoint: "vaultTrade", status: "400" }, 1],
          ["vault_trader_http_seconds_count", { endpoint: "vaultTrade" }, 4],
          ["vault_trader_signatures_total", { ...inNetwork, kind: "first" }, 2],
          ["vault_trader_signatures_total", { ...inNetwork, kind: "replacement" }, 0],
          ["vault_trader_signatures_total", { ...inNetwork, kind: "filler" }, 0],
          ["vault_trader_seconds_to_mine_count", inNetwork, 2],
          ["vault_trader_gas_runway_count", inNetwork, 2],
          ["vault_trader_gas_runway_bucket", { ...inNetwork, le: "5" }, 0],
          ["vault_trader_lane_depth", { ...inNetwork, state: "signed" }, 0],
          ["vault_trader_lane_depth", { ...inNetwork, state: "queued" }, 0],
          ["vault_trader_lane_depth", { ...inNetwork, state: "waiting_for_gas" }, 0],
          ["vault_trader_nonce_gap", inNetwork, 0],
          ["vault_trader_waiting_for_gas_total", inNetwork, 0],
          ["vault_trader_foreign_nonces_total", inNetwork, 0],
          ["vault_trader_reorged_total", inNetwork, 0],
          ["vault_trader_oldest_intent_seconds", {}, 0],
          ["vault_trader_oldest_message_seconds", {}, 0],
          ["vault_trader_unread_messages", {}, 0],
          ["vault_trader_database_up", {}, 1],
          ["vault_trader_database_errors_total", {}, 0],
          ["vault_trader_switches_on", { scope: "service" }, 1],
          ["vault_trader_switches_on", { scope: "wallet" }, 0]
        ]
        for (const [name, labels, value] of exact) {
          assert.strictEqual(valueOf(after, name, labels), value, `${name} ${JSON.stringify(labels)}`)
        }
      }),
    slow
  )

  it.effect(
    "is described in documents, alerts and dashboard by metrics and labels that exist, and by all of them",
    () =>
      Effect.gen(function*() {
        const exported = yield* (yield* InstrumentedService).scrape("start")
        const texts = {
          "operations.md": read("docs/operations.md"),
          "alerts.yml": read("docs/grafana/alerts.yml"),
          dashboard: read("docs/grafana/vault-trader.json")
        }
        for (const [where, text] of Object.entries(texts)) {
          for (const expression of expressionsIn(text)) checkNames(exported, where, expression)
        }
        for (const name of exported.keys()) {
          assert.include(texts["operations.md"], `\`${name}\``, `operations.md does not explain ${name}`)
        }
      }),
    slow
  )

  it.effect(
    "has written no private key, no API key, nothing signed and no key of its operator anywhere",
    () =>
      Effect.gen(function*() {
        const { collector, nodes, operatorKeys } = yield* InstrumentedService
        const { dataDir } = yield* Running
        const caller = yield* trader()
        // A node that repeats in its refusals the request and the key it came with.
        let refusals = 1
        yield* nodes((asked) =>
          isSend(asked) && refusals-- > 0
            ? saysNo(asked, `not for ${operatorKeys[0]}: ${String(asked.calls[0]?.params[0])}`)
            : undefined
        )
        const used = yield* handled(caller)
        const attempts = yield* ServiceProcess.rowsOf(dataDir, "select raw from attempts")
        assert.isAtLeast(attempts.length, 4)
        const secrets = {
          hex: [...used.hex, ...(yield* fileSecrets), ...signedIn(attempts)],
          words: [...used.words, ...operatorKeys]
        }
        const written = yield* sinks(["start"])
        nowhereIn(written, secrets)
        // The refusal was logged, without its secrets.
        const reasons = logOf(written.output).map(({ annotations }) => String((annotations as Fields)["reason"]))
          .filter((reason) => reason.startsWith("not for"))
        assert.strictEqual(reasons.length, 1)
        assert.match(String(reasons[0]), /^not for <redacted>: 0x02f\w{5}…$/)
        assert.isTrue(
          (yield* collector.received).every(({ authorization }) => authorization === `Bearer ${operatorKeys[1]}`)
        )
      }),
    slow
  )
})

/** The attribute with the id of a span's intent. */
const intentOf = ({ attributes }: Pick<Span, "attributes">) => attributes["intent.id"]

const [server, workers] = ["vault-trader-server", "vault-trader-workers"] as const

/** The spans of a trade, by the process that makes them. */
const way: ReadonlyArray<readonly [service: string, name: string]> = [
  [server, "http.server GET"],
  [server, "endpoint vaultTrade"],
  [server, "intent.accept"],
  [server, "Vault.client.execute"],
  [workers, "Vault.execute"],
  [workers, "intent.carryOut"],
  [workers, "intent.plan"],
  [workers, "GasWallet.submit"],
  [workers, "submission.sign"],
  [workers, "submission.broadcast"],
  [workers, "submission.mined"],
  [workers, "intent.outcome"]
]

/** Waits for spans until all of these are among them, with the parents of all but those whose parent is `outside`. */
const spansOf = (
  collector: Collector,
  which: (span: Span) => boolean,
  names: ReadonlyArray<readonly [string, string]>,
  outside?: string
) =>
  until(
    `spans ${names.map(([, name]) => name).join(", ")}`,
    Effect.map(collector.spans, (all) => {
      const spans = all.filter(which)
      const ids = new Set(spans.map(({ spanId }) => spanId))
      const whole = outside === undefined || spans.every(({ parentSpanId }) =>
        parentSpanId === outside || (parentSpanId !== undefined && ids.has(parentSpanId))
      )
      return whole && names.every(([service, name]) =>
          spans.some((span) => span.service === service && span.name === name)
        )
        ? spans
        : undefined
    })
  )

layer(twoProcesses, { timeout: 240_000, excludeTestServices: true })("a server and a runner that are watched", (it) => {
  it.effect(
    "make one trace of a trade, from the caller's request to the receipt, with the intent's id on every span of the way",
    () =>
      Effect.gen(function*() {
        const { collector } = yield* InstrumentedService
        const { ask } = yield* Running
        const { apiKey, pool } = yield* trader()
        const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"]
        const answer = yield* ask("/vaultTrade", {
          query: { apiKey, network, pool, from: "USDC", to: "WETH", amount: "11" },
          headers: { traceparent: `00-${traceId}-${spanId}-01`, "x-request-id": "the-request" }
        })
        const { intent_id: id, tx_hash: hash } = succeeded(answer)
        const trace = yield* spansOf(collector, (span) => span.traceId === traceId, way, spanId)
        for (const [service, name] of way) {
          const [span, ...others] = trace.filter((each) => each.service === service && each.name === name)
          assert.deepStrictEqual([intentOf(span!), others], [id, []], name)
        }
        const accepted = trace.find(({ name }) => name === "intent.accept")!
        for (const span of trace.filter(({ start }) => start >= accepted.start)) {
          assert.strictEqual(intentOf(span), id, span.name)
        }
        const request = trace.find(({ name }) => name === "http.server GET")!
        assert.deepStrictEqual(
          [
            request.parentSpanId,
            request.attributes["http.route"],
            request.attributes["http.response.status_code"],
            request.attributes["request.id"]
          ],
          [spanId, "/vaultTrade", 200, "the-request"]
        )
        assert.strictEqual(trace.find(({ name }) => name === "submission.mined")!.attributes["hash"], hash)
        assert.isTrue(
          trace.some(({ attributes, name, service }) =>
            service === workers && name === "rpc eth_sendRawTransaction" &&
            /^127\.0\.0\.1:\d+$/.test(String(attributes["endpoint"]))
          )
        )

        const logs = yield* until(
          "the log of it",
          Effect.map(collector.logs, (all) => {
            const lines = all.filter((line) => line.traceId === traceId)
            return lines.some(({ message }) => message === "answered") ? lines : undefined
          })
        )
        assert.strictEqual(
          logs.find(({ message }) => message === "an intent was accepted")?.attributes["intent.id"],
          id
        )
        const names = yield* until(
          "metrics of both",
          Effect.map(collector.metrics, (all) => {
            const has = (service: string, metric: string) => all.some(([of, name]) => of === service && name === metric)
            return has(server, "vault_trader_http_requests_total") && has(workers, "vault_trader_rpc_calls_total")
              ? all
              : undefined
          })
        )
        assert.isTrue(
          [server, workers].every((service) =>
            names.some(([of, name]) => of === service && name === "vault_trader_database_up")
          )
        )
      }),
    slow
  )

  it.effect("continue under the same intent id in another process when one of them dies", () =>
    Effect.gen(function*() {
      const { collector, nodes, start, the } = yield* InstrumentedService
      const { ask } = yield* Running
      const { apiKey, pool } = yield* trader()
      yield* nodes((asked) => isSend(asked) ? "silence" : undefined)
      const query = { apiKey, network, pool, from: "USDC", to: "WETH", amount: "13", idempotency_key: "cut-short" }
      const request = yield* Effect.forkChild(Effect.exit(ask("/vaultTrade", { query })))
      const id = yield* until(
        "a signature",
        Effect.map(
          rows(
            "select i.id::text from intents i join submissions s on s.intent_id = i.id where i.idempotency_key = " +
              "'cut-short' and s.nonce is not null"
          ),
          ([row]) => row?.["id"]
        )
      )
      yield* the("workers").kill
      yield* nodes(() => undefined)
      const first = new Set(
        (yield* collector.spans).filter(({ service }) => service === workers).map(({ instance }) => instance)
      )
      yield* start("workers")
      yield* Fiber.join(request)
      yield* until(
        "the outcome",
        Effect.map(
          ask("/getIntent", { query: { apiKey, intent_id: String(id) } }),
          ({ fields }) => (fields["intent"] as Fields | undefined)?.["status"] === "success" ? true : undefined
        )
      )
      const names = ["intent.carryOut", "submission.broadcast", "submission.mined", "intent.outcome"].map((name) =>
        [workers, name] as const
      )
      yield* spansOf(collector, (span) => intentOf(span) === id && !first.has(span.instance), names)
    }), slow)

  it.effect("have written no secret anywhere, and every line of their logs is JSON", () =>
    Effect.gen(function*() {
      const { operatorKeys } = yield* InstrumentedService
      const used = yield* handled(yield* trader())
      const attempts = yield* rows("select raw from attempts")
      const secrets = {
        hex: [...used.hex, ...(yield* fileSecrets), ...signedIn(attempts)],
        words: [...used.words, ...operatorKeys]
      }
      const written = yield* sinks(["server", "workers"])
      nowhereIn(written, secrets)
      const lines = logOf(written.output)
      assert.isTrue(lines.every(({ level, message, timestamp }) =>
        message !== undefined && typeof level === "string" && typeof timestamp === "string"
      ))
      const traced = lines.filter(({ message }) =>
        message === "an intent was accepted"
      )
      assert.isAtLeast(traced.length, 3)
      for (const { annotations, spanId, traceId } of traced) {
        assert.match(`${String(traceId)} ${String(spanId)}`, /^[0-9a-f]{32} [0-9a-f]{16}$/)
        assert.match(String((annotations as Fields)["intent.id"]), /^[0-9a-f-]{36}$/)
        assert.isString((annotations as Fields)["request_id"])
      }
    }), slow)
})

describe("Telemetry", () => {
  const settingsOf = (env: Readonly<Record<string, string>>) =>
    Effect.provideService(
      Settings,
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: { DATA_DIR: "/nonexistent", ...env } })
    )

  test.effect("traces nothing when there is nowhere to send it", () =>
    Effect.gen(function*() {
      const settings = yield* settingsOf({})
      const seen = yield* Telemetry.launch(settings, "test")(
        Layer.effectDiscard(Effect.flatMap(References.TracerEnabled, Effect.fail))
      ).pipe(Effect.flip)
      assert.isFalse(seen)
    }))

  test.effect("takes a collector's URL without credentials, and its headers as secrets", () =>
    Effect.gen(function*() {
      for (
        const OTLP_URL of [
          "collector:4318",
          "ftp://collector",
          "https://user:password@collector",
          "https://collector/?key=1"
        ]
      ) {
        assert.isTrue((yield* Effect.result(settingsOf({ OTLP_URL })))._tag === "Failure", OTLP_URL)
      }
      assert.isTrue((yield* Effect.result(settingsOf({ OTLP_HEADERS: "authorization" })))._tag === "Failure")
      const { service } = yield* settingsOf({
        OTLP_URL: "https://collector:4318/otlp",
        OTLP_HEADERS: "Authorization=Basic a=b, x-team=1"
      })
      assert.deepStrictEqual(
        Object.entries(service.otlpHeaders).map(([name, value]) => [name, Redacted.value(value)]),
        [["authorization", "Basic a=b"], ["x-team", "1"]]
      )
      assert.notInclude(JSON.stringify(service), "Basic")
    }))

  test("a secret would be found in whatever spelling it was written", () => {
    const secrets = { hex: ["0123456789abcdef".repeat(4)], words: ["2f1c7a50-9d1e-4b63-9a53-1f8f0a5d8c11"] }
    const text = "a line of a log ".repeat(20)
    nowhereIn({ log: text }, secrets)
    for (
      const written of [
        `0x${"0123456789ABCDEF".repeat(4)}`,
        Buffer.from("0123456789abcdef".repeat(4), "hex").toString("base64"),
        Buffer.from("0123456789abcdef".repeat(4)).toString("base64"),
        "apiKey=2f1c7a50-9d1e-4b63-9a53-1f8f0a5d8c11&",
        Buffer.from("2f1c7a50-9d1e-4b63-9a53-1f8f0a5d8c11").toString("hex")
      ]
    ) assert.throws(() => nowhereIn({ log: `${text}${written}` }, secrets), /holds a secret/)
    assert.throws(() => nowhereIn({ log: "" }, secrets), /nothing was written/)
  })

  test("operations.md explains every alert with the rule's own expression", () => {
    const rules = [...read("docs/grafana/alerts.yml").matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)].map((
      [, name, expression]
    ) => [name, expression])
    const told = [...read("docs/operations.md").matchAll(/### (\w+)\n```promql\n(.+)\n```\n/g)].map((
      [, name, expression]
    ) => [name, expression])
    assert.isAtLeast(rules.length, 10)
    assert.deepStrictEqual(told, rules)
  })
})

/** Places where metrics are named: expressions of rules and panels, and code in a document. */
const expressionsIn = (text: string): ReadonlyArray<string> =>
  text.split("\n").map((line) => line.replaceAll("\\\"", "\"")).filter((line) => line.includes("vault_trader_"))

const functionLabels = new Set(["le", "instance", "job"])

/** Asserts that every metric exists, with every label it is selected or grouped by and every value of one. */
const checkNames = (exported: Exposition, where: string, expression: string) => {
  const labelsOf = (name: string) => exported.get(name) ?? exported.get(name.replace(/_(bucket|sum|count)$/, ""))
  for (const [name, , selector = ""] of expression.matchAll(/vault_trader_[a-z_]+(\{([^}]*)\})?/g)) {
    const metric = labelsOf(name.replace(/\{.*$/, ""))
    assert.isDefined(metric, `${where} names ${name}, which nothing exports`)
    for (const [, label = "", operator, value] of selector.matchAll(/([a-z_]+)(=~|!~|!=|=)"([^"]*)"/g)) {
      const values = metric.samples.map(({ labels }) => labels[label])
      assert.isTrue(values.some((each) => each !== undefined), `${where}: ${name} has no label ${label}`)
      if (operator === "=") assert.include(values, value, `${where}: ${name} has no series with ${label}="${value}"`)
    }
  }
  const names = [...expression.matchAll(/vault_trader_[a-z_]+/g)].map(([name]) => name)
  for (const [, list = ""] of expression.matchAll(/\b(?:by|on) \(([a-z_, ]+)\)/g)) {
    for (const label of list.split(",").map((each) => each.trim()).filter((each) => !functionLabels.has(each))) {
      const known = names.some((name) => labelsOf(name)!.samples.some(({ labels }) => label in labels))
      assert.isTrue(known, `${where}: no metric of ${expression.trim()} has the label ${label}`)
    }
  }
}
