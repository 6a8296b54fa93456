import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { once } from "node:events"
import * as Net from "node:net"
import * as Path from "node:path"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, rows, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import { type Message, receiver } from "@vault-trader/testing/harness/Receiver"
import { person, proof } from "@vault-trader/testing/harness/Signing"
import { until } from "@vault-trader/testing/harness/Until"

/** The example of docs/webhooks.md, as a reader would copy it. */
const verifier = Effect.promise(async () => {
  const document = Fs.readFileSync(Path.join(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8")
  const [, code] = /```js\n([\s\S]*?)```/.exec(document) ?? []
  const module = await import(`data:text/javascript,${encodeURIComponent(code ?? "")}`) as {
    readonly verify: (secret: string, headers: object, body: string, now?: number) => boolean
  }
  return module.verify
})

const bodyOf = ({ body }: Message) =>
  JSON.parse(body) as { readonly type: string; readonly timestamp: string; readonly data: Fields }
const deliveries = (apiKey: string) =>
  Effect.flatMap(
    Running,
    ({ ask }) =>
      Effect.map(ask("/getWebhookDeliveries", { query: { apiKey } }), (answer) =>
        succeeded(answer)["deliveries"] as ReadonlyArray<Fields>)
  )

/** A server that accepts connections and never answers. */
const tarpit = Effect.gen(function*() {
  const sockets: Array<Net.Socket> = []
  const server = Net.createServer((socket) => {
    sockets.push(socket.on("error", () => undefined))
    socket.resume()
  })
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
    }),
    () =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
  )
  return {
    url: `http://127.0.0.1:${(server.address() as Net.AddressInfo).port}`,
    held: () => sockets.filter(({ destroyed }) => !destroyed)
  }
})

layer(running({ env: { WEBHOOKS_TO_LOOPBACK: "on" } }), { timeout: 240_000, excludeTestServices: true })(
  "webhooks",
  (it) => {
    it.effect("report the outcome of each request, signed as the documented example verifies", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const verify = yield* verifier
        const { messages, url } = yield* receiver
        const { address, apiKey, network, pool } = yield* trader()
        const set = succeeded(yield* ask("/setWebhook", { json: { apiKey, url, events: ["intent.succeeded"] } }))
        const secret = String(set["secret"])
        assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        const traded = succeeded(
          yield* ask("/vaultTrade", { json: { apiKey, network, pool, from: "USDC", to: "DAI", amount: 5 } })
        )
        const [message] = yield* until("the message", Effect.sync(() => messages.length > 0 ? messages : undefined))
        const { data, timestamp, type } = bodyOf(message!)
        assert.strictEqual(type, "intent.succeeded")
        assert.deepInclude(data, {
          intent_id: traded["intent_id"],
          tx_hash: traded["tx_hash"],
          endpoint: "vaultTrade",
          gasWallet: address,
          pool,
          error_type: null
        })
        assert.isFalse(Number.isNaN(Date.parse(timestamp)))
        assert.isTrue(verify(secret, message!.headers, message!.body))
        assert.isFalse(verify(secret, message!.headers, `${message!.body} `))
        assert.isFalse(verify(`whsec_${Buffer.from("another").toString("base64")}`, message!.headers, message!.body))
        assert.isFalse(verify(secret, { ...message!.headers, "webhook-id": "another" }, message!.body))
        assert.isFalse(verify(secret, message!.headers, message!.body, Date.now() / 1000 + 301))
        const [delivery] = yield* until(
          "the delivery's end",
          Effect.map(deliveries(apiKey), (all) => all[0]?.["status"] === "delivered" ? all : undefined)
        )
        assert.deepInclude(delivery!, {
          event_id: message!.headers["webhook-id"],
          type,
          attempts: 1,
          last_status: 204,
          next_attempt_at: null
        })
        // The secret is in that answer and nowhere else.
        const listed = yield* ask("/getWebhooks", { query: { apiKey } })
        assert.notInclude(listed.text + JSON.stringify(yield* rows("select * from webhooks")), secret.slice(6, 30))
        assert.deepInclude((succeeded(listed)["webhooks"] as ReadonlyArray<Fields>)[0]!, {
          webhook_id: set["webhook_id"],
          url
        })
      }))

    it.effect("report a failure, repeat undelivered ones under the same id, and do not follow redirects", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { answer, messages, url } = yield* receiver
        const { apiKey, network, pool } = yield* trader()
        succeeded(yield* ask("/setWebhook", { json: { apiKey, url, events: ["intent.failed"] } }))
        yield* answer(302)
        succeeded(yield* ask("/vaultTrade", { json: { apiKey, network, pool, from: "USDC", to: "DAI", amount: 5 } }))
        const failed = yield* ask("/vaultTrade", {
          json: { apiKey, network, pool, from: "USDC", to: "DAI", amount: 1e12 }
        })
        assert.strictEqual(failed.status, 400, failed.text)
        yield* until(
          "the refused attempt",
          Effect.map(deliveries(apiKey), ([first]) => first?.["last_status"] === 302 ? first : undefined)
        )
        yield* answer(200)
        yield* until(
          "the message to be taken",
          Effect.map(deliveries(apiKey), ([first]) => first?.["status"] === "delivered" ? first : undefined)
        )
        assert.isAtLeast(messages.length, 2)
        assert.strictEqual(new Set(messages.map(({ headers }) => headers["webhook-id"])).size, 1)
        assert.deepStrictEqual([...new Set(messages.map(({ path }) => path))], ["/hook"])
        assert.deepInclude(bodyOf(messages[0]!).data, {
          intent_id: failed.body["intent_id"],
          error_type: failed.body["error_type"],
          message: failed.body["message"]
        })
        assert.lengthOf(yield* deliveries(apiKey), 1)
      }))

    it.effect("of a manager report on every wallet in the list, and are the manager's alone", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { messages, url } = yield* receiver
        const { address, apiKey, network, pool } = yield* trader()
        const manager = yield* person
        succeeded(
          yield* ask("/associateGasWallet", {
            json: { apiKey, ...(yield* proof(manager, "associateGasWallet", address, { apiKey })) }
          })
        )
        const set = succeeded(
          yield* ask("/setWebhook", { json: { url, ...(yield* proof(manager, "setWebhook", url, { url })) } })
        )
        succeeded(yield* ask("/vaultTrade", { json: { apiKey, network, pool, from: "USDC", to: "DAI", amount: 5 } }))
        yield* until("the message", Effect.sync(() => messages[0]))
        const webhook_id = String(set["webhook_id"])
        refused(
          yield* ask("/deleteWebhook", { json: { apiKey, webhook_id } }),
          "1010",
          /^webhook_id: there is no such webhook/
        )
        succeeded(
          yield* ask("/deleteWebhook", {
            json: { webhook_id, ...(yield* proof(manager, "deleteWebhook", webhook_id, { webhook_id })) }
          })
        )
        assert.deepStrictEqual(
          succeeded(yield* ask("/getWebhooks", { query: { ...(yield* proof(manager, "getWebhooks")) } }))["webhooks"],
          []
        )
      }))

    it.effect("of one owner that lead to a tarpit do not delay those of another", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const pit = yield* tarpit
        const { messages, url } = yield* receiver
        const [loud, quiet] = [yield* wallet, yield* wallet]
        for (let index = 0; index < 10; index++) {
          succeeded(yield* ask("/setWebhook", { json: { apiKey: loud.apiKey, url: `${pit.url}/${index}` } }))
        }
        succeeded(yield* ask("/setWebhook", { json: { apiKey: quiet.apiKey, url } }))
        // As 30 failed calls of an unfunded key leave them: 300 deliveries.
        const fails = (address: string, count: number) =>
          rows(
            `select webhook_tell('intent.failed', '${address}', jsonb_build_object('intent_id', n)) from generate_series(1, ${count}) n`
          )
        yield* fails(loud.address, 30)
        yield* until("attempts in the tarpit", Effect.sync(() => pit.held().length >= 4 ? true : undefined))
        const before = pit.held()
        yield* fails(quiet.address, 1)
        yield* until("the other owner's message", Effect.sync(() => messages[0]))
        assert.deepStrictEqual(before.map(({ destroyed }) => destroyed), before.map(() => false))
        assert.lengthOf(pit.held(), before.length)
      }))

    it.effect("are refused in words where they cannot be, and nothing is kept then", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey } = yield* wallet
        const set = (json: Fields) => ask("/setWebhook", { json: { apiKey, ...json } })
        refused(yield* set({}), "1010", /^Missing required parameter: url/)
        refused(yield* set({ url: "hooks.example.com" }), "1010", /^url: must be an https URL/)
        refused(yield* set({ url: "https://user:secret@hooks.example.com/" }), "1010", /^url: must be an https URL/)
        refused(
          yield* set({ url: "https://169.254.169.254/latest" }),
          "1010",
          /^url: its host is not on the public internet/
        )
        refused(yield* set({ url: "http://10.0.0.1/" }), "1010", /^url: its host is not on the public internet/)
        refused(
          yield* set({ url: "https://hooks.example.com/", events: ["everything"] }),
          "1010",
          /^events: has invalid items at position 1/
        )
        assert.deepStrictEqual(succeeded(yield* ask("/getWebhooks", { query: { apiKey } }))["webhooks"], [])
      }))
  }
)

layer(running(), { timeout: 240_000, excludeTestServices: true })(
  "webhooks of a service that permits no loopback",
  (it) => {
    it.effect("are refused to this machine, by http, by name and by number", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey } = yield* wallet
        for (const url of ["http://127.0.0.1:1/", "http://1.1.1.1/"]) {
          refused(yield* ask("/setWebhook", { json: { apiKey, url } }), "1010", /^url: only https URLs are permitted/)
        }
        for (const url of ["https://127.0.0.1/", "https://localhost/", "https://[::1]/"]) {
          refused(
            yield* ask("/setWebhook", { json: { apiKey, url } }),
            "1010",
            /^url: its host is not on the public internet/
          )
        }
      }))
  }
)
