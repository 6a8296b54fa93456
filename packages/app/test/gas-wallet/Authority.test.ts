import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Http from "node:http"
import { getAddress } from "viem"
import { generatePrivateKey } from "viem/accounts"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import * as ContractWallet from "@vault-trader/testing/harness/ContractWallet"
import { ended, failureOf, opened, sessionOf, signedCalls } from "@vault-trader/testing/harness/ConsoleCalls"
import {
  demoVault,
  type Fields,
  Running,
  rows,
  running,
  trader,
  type Wallet,
  wallet
} from "@vault-trader/testing/harness/Harness"
import { type Person, person, personOf, proof, signature } from "@vault-trader/testing/harness/Signing"

const associate = (by: Person, { address, apiKey }: Pick<Wallet, "address" | "apiKey">, more: Fields = {}) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const asked = { apiKey, ...more }
    return yield* ask("/associateGasWallet", {
      json: { ...asked, ...(yield* proof(by, "associateGasWallet", address, asked)) }
    })
  })

const managersOf = (address: Address) =>
  Effect.map(
    rows(`select manager, network from manager_wallets where wallet = '${address}' order by manager, network`),
    (found) => found.map(({ manager, network }) => `${String(manager)} ${String(network)}`)
  )

const limited = (apiKey: string, json: Fields) =>
  Effect.flatMap(Running, ({ ask }) => Effect.map(ask("/setKeyLimits", { json: { apiKey, ...json } }), succeeded))

/** The account that manages the devnet's vaults on chain. */
const vaultManager = Effect.map(Devnet, ({ file }) => personOf(file.manager.privateKey))

/** A request with headers that fetch would set itself. */
const raw = (path: string, headers: Readonly<Record<string, string>>, body?: unknown) =>
  Effect.flatMap(
    Running,
    ({ baseUrl }) =>
      Effect.callback<{ readonly status: number; readonly text: string }>((resume) => {
        const request = Http.request(new URL(path, baseUrl), {
          method: body === undefined ? "GET" : "POST",
          agent: false,
          headers: { "content-type": "application/json", ...headers }
        }, (response) => {
          const chunks: Array<Buffer> = []
          // The connection of a refused socket stays open.
          if (headers["upgrade"] !== undefined) {
            response.resume()
            return resume(Effect.succeed({ status: response.statusCode ?? 0, text: "" }))
          }
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on(
            "end",
            () => resume(Effect.succeed({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
          )
        })
        request.on("upgrade", (response, socket) => {
          socket.destroy()
          resume(Effect.succeed({ status: response.statusCode ?? 0, text: "" }))
        })
        request.end(body === undefined ? undefined : JSON.stringify(body))
      })
  )

layer(running({ networks: ["base", "polygon"] }), { timeout: 240_000, excludeTestServices: true })(
  "who may act for a wallet",
  (it) => {
    it.effect(
      "a thief with a leaked key becomes no wallet's manager: not of a wallet with a manager, not of one that " +
        "trades, by no path",
      () =>
        Effect.gen(function*() {
          const { ask } = yield* Running
          const [owner, thief] = [yield* person, yield* person]
          const signedCall = signedCalls(yield* opened(yield* sessionOf(thief)), thief)
          const notNew = /^apiKey: 0x[0-9a-f]{40} is not a new wallet .*privateKey/

          const owned = yield* wallet
          succeeded(yield* associate(owner, owned))
          refused(yield* associate(thief, owned), "1010", /is not a new wallet \(it is in another manager's list\)/)
          assert.match(
            failureOf(
              yield* signedCall({ action: "associateWallet", apiKey: owned.apiKey, privateKey: null, label: null })
            ),
            notNew
          )

          const trading = yield* trader()
          succeeded(
            yield* ask("/vaultTrade", {
              json: { apiKey: trading.apiKey, network: "base", pool: trading.pool, from: "USDC", to: "DAI", amount: 2 }
            })
          )
          refused(yield* associate(thief, trading), "1010", notNew)
          assert.match(
            failureOf(
              yield* signedCall({ action: "associateWallet", apiKey: trading.apiKey, privateKey: null, label: null })
            ),
            notNew
          )

          const linked = yield* trader({ network: "polygon" })
          succeeded(
            yield* ask("/linkGasWallet", { json: { apiKey: linked.apiKey, network: "polygon", pool: linked.pool } })
          )
          refused(yield* associate(thief, linked), "1010", /is not a new wallet \(it has vaults, bots or trades\)/)

          // The private key of another wallet proves nothing.
          refused(
            yield* associate(thief, linked, { privateKey: generatePrivateKey().slice(2) }),
            "1010",
            /^privateKey: is not the key of 0x/
          )
          assert.deepStrictEqual([
            yield* managersOf(owned.address),
            yield* managersOf(trading.address),
            yield* managersOf(linked.address)
          ], [[`${owner.address} any`], [], []])
        })
    )

    it.effect("a read-only or limited key associates nothing, not even a new wallet, by no path", () =>
      Effect.gen(function*() {
        const thief = yield* person
        const signedCall = signedCalls(yield* opened(yield* sessionOf(thief)), thief)
        for (
          const limits of [{ read_only: true }, { max_usd_per_day: "10" }, {
            vaults: [`base/${yield* demoVault("base")}`]
          }]
        ) {
          const seen = yield* wallet
          yield* limited(seen.apiKey, limits)
          const answer = yield* associate(thief, seen)
          assert.deepInclude(answer.body, { status: "fail", status_code: "2013" }, answer.text)
          assert.match(
            failureOf(
              yield* signedCall({ action: "associateWallet", apiKey: seen.apiKey, privateKey: null, label: null })
            ),
            /^Limit exceeded: /
          )
          assert.deepStrictEqual(yield* managersOf(seen.address), [])
        }
      }))

    it.effect("a wallet that is not new gets a manager by its private key, or the manager on chain of every vault it trades", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const [manager, second] = [yield* vaultManager, yield* person]
        const trading = yield* trader({ network: "polygon" })
        succeeded(
          yield* ask("/linkGasWallet", { json: { apiKey: trading.apiKey, network: "polygon", pool: trading.pool } })
        )
        succeeded(yield* associate(manager, trading))
        refused(yield* associate(second, trading), "1010", /is not a new wallet/)
        succeeded(yield* associate(second, trading, { privateKey: `0x${trading.privateKey}` }))
        const third = yield* person
        const { apiKey, privateKey } = trading
        ended(
          yield* signedCalls(yield* opened(yield* sessionOf(third)), third)({
            action: "associateWallet",
            apiKey,
            privateKey,
            label: "mine"
          })
        )
        assert.lengthOf(yield* managersOf(trading.address), 3)
      }))

    it.effect(
      "an owner who rotates by private key is rid of the thief: list, session, alert token and webhook, all " +
        "named in the answer; `keep` keeps them",
      () =>
        Effect.gen(function*() {
          const { ask } = yield* Running
          const thief = yield* person
          const stolen = yield* trader()
          succeeded(yield* associate(thief, stolen))
          const session = yield* sessionOf(thief)
          const console = yield* opened(session)
          ended(yield* console("wallet.getGasWalletPools", { wallet: stolen.address }))
          const { apiKey, pool } = stolen
          const token = succeeded(
            yield* ask("/createWebhookToken", { json: { apiKey, network: "base", pool, pair: "WETH-USDC" } })
          )
          const url = "https://1.1.1.1/thief"
          const hook = succeeded(yield* ask("/setWebhook", { json: { apiKey, url, events: ["intent.succeeded"] } }))

          const kept = succeeded(yield* ask("/getNewApiKey", { json: { privateKey: stolen.privateKey, keep: true } }))
          const nothing = { managers: [], sessions: 0, webhook_tokens: [], webhooks: [], channels: [] }
          assert.deepStrictEqual(kept["ended"], nothing)
          const everything = {
            managers: [thief.address],
            sessions: 1,
            webhook_tokens: [token["token_id"]],
            webhooks: [{ webhook_id: hook["webhook_id"], url }],
            channels: []
          }
          assert.deepStrictEqual(kept["kept"], everything)
          assert.match(
            String(kept["message"]),
            /revoked\. Kept: 1 manager, 1 console session, 1 chart alert token, 1 webhook\.$/
          )
          assert.deepStrictEqual(yield* managersOf(stolen.address), [`${thief.address} any`])

          const answer = yield* ask("/getNewApiKey", { json: { privateKey: stolen.privateKey } })
          const rotated = succeeded(answer)
          assert.deepStrictEqual(rotated["ended"], everything)
          assert.deepStrictEqual(rotated["kept"], nothing)
          assert.match(
            String(rotated["message"]),
            /previous one is revoked\. Ended with it: 1 manager, 1 console session, 1 chart alert token, 1 webhook\.$/
          )
          assert.notInclude(answer.text, String(token["token"]))
          assert.notInclude(answer.text, String(hook["secret"]))

          assert.deepStrictEqual(yield* managersOf(stolen.address), [])
          assert.deepStrictEqual(
            (yield* ask("/console/session", { headers: { cookie: session.cookie } })).body["manager"],
            null
          )
          assert.match(failureOf(yield* console("wallet.getGasWalletPools", { wallet: stolen.address })), /signed out/)
          refused(
            yield* ask(`/webhook/${String(token["token"])}`, { json: { side: "hold" } }),
            "1010",
            /^token: unknown or revoked/
          )
          assert.deepStrictEqual(
            succeeded(yield* ask("/getWebhooks", { query: { apiKey: String(rotated["apiKey"]) } }))["webhooks"],
            []
          )
          // The thief has no access left: the leaked key is revoked, and the wallet is not new.
          refused(yield* associate(thief, stolen), "1002", /unknown or revoked/)
        })
    )

    it.effect("a session alone does not rotate a key or let a wallet go on: the manager's wallet signs each, for that wallet, once", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const manager = yield* person
        const console = yield* opened(yield* sessionOf(manager))
        const [one, other] = [yield* wallet, yield* wallet]
        for (const each of [one, other]) succeeded(yield* associate(manager, each))
        const sign = (action: string, { address }: Wallet, by = manager) =>
          Effect.gen(function*() {
            const { prefix, typedData } = ended(yield* console("toSign", { action, wallet: address })) as {
              readonly prefix: string
              readonly typedData: unknown
            }
            return `${prefix}${yield* by.sign(typedData)}`
          })
        const alive = ({ apiKey }: Wallet) =>
          Effect.map(
            ask("/getGasBalance", { query: { apiKey, network: "base" } }),
            ({ fields }) => fields["status"] === "success"
          )
        const rotate = (signed: string) => console("rotateKey", { wallet: one.address, signature: signed })
        assert.match(failureOf(yield* rotate("")), /^signature: must be v2/)
        assert.match(failureOf(yield* rotate(yield* sign("rotateKey", one, yield* person))), /^signature: is not/)
        assert.match(failureOf(yield* rotate(yield* sign("rotateKey", other))), /^signature: is not/)
        assert.match(failureOf(yield* rotate(yield* sign("resumeWallet", one))), /^signature: is not/)
        assert.isTrue(yield* alive(one))
        const signed = yield* sign("rotateKey", one)
        assert.match(String(ended(yield* rotate(signed))), /^[0-9a-f-]{36}$/)
        assert.isFalse(yield* alive(one))
        assert.match(failureOf(yield* rotate(signed)), /^signature: was used before/)
        succeeded(yield* ask("/pauseWallet", { json: { apiKey: other.apiKey } }))
        assert.match(
          failureOf(
            yield* console("resumeWallet", { wallet: other.address, signature: yield* sign("rotateKey", other) })
          ),
          /^signature: is not/
        )
        assert.match(
          String(
            ended(
              yield* console("resumeWallet", { wallet: other.address, signature: yield* sign("resumeWallet", other) })
            )
          ),
          /^Resumed: /
        )
      }))

    it.effect("a session alone makes no sub-key, sets no limit, lets no chat resume: the manager signs with all bounds", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const manager = yield* person
        const console = yield* opened(yield* sessionOf(manager))
        const own = yield* wallet
        succeeded(yield* associate(manager, own))
        const sign = (action: string, params: Fields, by = manager) =>
          Effect.gen(function*() {
            const { prefix, typedData } = ended(yield* console("toSign", { action, wallet: own.address, params })) as {
              readonly prefix: string
              readonly typedData: unknown
            }
            return `${prefix}${yield* by.sign(typedData)}`
          })
        const make = (params: Fields, signature: string) =>
          console("signed.createSubKey", { ...params, wallet: own.address, signature })
        const bounds = { label: "agent", scopes: ["trade"], max_usd_per_day: "100", days: "3" }
        assert.match(failureOf(yield* make(bounds, "")), /^signature: must be v2/)
        assert.match(
          failureOf(yield* make(bounds, yield* sign("createSubKey", bounds, yield* person))),
          /^signature: is not/
        )
        // The signature covers every bound.
        const more = { ...bounds, max_usd_per_day: "1000" }
        assert.match(failureOf(yield* make(more, yield* sign("createSubKey", bounds))), /^signature: is not/)
        assert.match(failureOf(yield* make(bounds, yield* sign("setKeyLimits", {}))), /^signature: is not/)
        const signed = yield* sign("createSubKey", bounds)
        const made = ended(yield* make(bounds, signed)) as Fields
        assert.match(failureOf(yield* make(bounds, signed)), /^signature: was used before/)
        const read = (apiKey: unknown) => ask("/getGasBalance", { query: { apiKey: String(apiKey), network: "base" } })
        succeeded(yield* read(made["apiKey"]))
        const listed = ended(yield* console("wallet.getSubKeys", { wallet: own.address })) as {
          readonly sub_keys: ReadonlyArray<Fields>
        }
        assert.deepStrictEqual(listed.sub_keys.map((key) => key["max_usd_per_day"]), ["100"])
        const [key] = listed.sub_keys
        ended(yield* console("wallet.revokeSubKey", { wallet: own.address, sub_key_id: key?.["sub_key_id"] }))
        refused(yield* read(made["apiKey"]), "1002", /^apiKey/)

        const limit = (params: Fields, signature: string) =>
          console("signed.setKeyLimits", { ...params, wallet: own.address, signature })
        const low = { max_usd_per_trade: "250", read_only: "false" }
        assert.match(failureOf(yield* limit(low, yield* sign("setKeyLimits", {}))), /^signature: is not/)
        const set = ended(yield* limit(low, yield* sign("setKeyLimits", low))) as { readonly limits: Fields }
        assert.strictEqual(set.limits["max_usd_per_trade"], "250")
        // The manager who set the limit may raise it.
        const high = { max_usd_per_trade: "off" }
        const raised = ended(yield* limit(high, yield* sign("setKeyLimits", high))) as { readonly limits: Fields }
        assert.strictEqual(raised.limits["max_usd_per_trade"], null)

        const telegram = { kind: "telegram", name: "phone", access_token: "123456789:abcdefgh", commands: "resume" }
        assert.match(failureOf(yield* console("manager.createChannel", telegram)), /^commands: a chat that may resume/)
      }))

    it.effect(
      "a contract at the manager's address on polygon has no authority on base: not by session, not by " +
        "signature, not over the key",
      () =>
        Effect.gen(function*() {
          const { ask } = yield* Running
          const [attacker, owner] = [yield* person, yield* person]
          const { deploy, walletOf } = yield* ContractWallet.factory("polygon")
          yield* deploy(attacker.address)
          const contract: Person = { ...attacker, address: walletOf(attacker.address) }
          // As the wallet's owner proved it on base, and as the previous version stored it.
          const trading = yield* trader()
          const polygonVault = yield* demoVault("polygon")
          for (const network of ["base", "any"]) {
            yield* rows(
              `insert into managers (address) values ('${contract.address}') on conflict do nothing returning address`
            )
            yield* rows(
              `insert into manager_wallets (manager, wallet, network) values ('${contract.address}', ` +
                `'${trading.address}', '${network}') returning wallet`
            )
          }
          const onBase = yield* sessionOf(contract, 8453)
          assert.deepStrictEqual(onBase.cookie, "")
          assert.match(onBase.said, /The signature is not 0x[0-9a-f]{40}'s, according to base/)
          const console = yield* opened(yield* sessionOf(contract, 137))
          for (
            const [tag, payload] of [
              ["wallet.vaultTrade", { network: "base", pool: trading.pool, from: "USDC", to: "DAI", amount: "1" }],
              ["wallet.getGasWalletPools", {}],
              ["wallet.pauseWallet", {}],
              ["rotateKey", { signature: "" }],
              ["toSign", { action: "rotateKey" }],
              ["manager.deassociateGasWallet", {}]
            ] as const
          ) {
            assert.match(
              failureOf(yield* console(tag, { wallet: trading.address, ...payload })),
              /is not in (your list|the list)/,
              tag
            )
          }
          assert.deepStrictEqual(
            (ended(yield* console("manager.getAssociatedGasWallets", {})) as Fields)["wallets"],
            []
          )

          const by = (action: string, params: Fields) =>
            Effect.gen(function*() {
              const signed = yield* signature({
                action,
                by: attacker,
                manager: contract.address,
                subject: trading.address,
                params
              })
              return yield* ask(`/${action}`, { json: { ...params, manager: contract.address, signature: signed } })
            })
          const wide = { wallet: trading.address, max_usd_per_day: "off" }
          refused(yield* by("setKeyLimits", { ...wide, network: "base" }), "1010", /^signature: is not .* on base/)
          refused(yield* by("setKeyLimits", wide), "1010", /^signature: is/)
          refused(yield* by("setKeyLimits", { ...wide, network: "polygon" }), "1005", /is not in the list of/)
          refused(
            yield* by("deassociateGasWallet", { wallet: trading.address, network: "polygon" }),
            "1005",
            /is not in the list of/
          )
          // The key was leaked, too: being a manager on polygon proves nothing for a wallet that trades on base.
          refused(
            yield* by("associateGasWallet", { apiKey: trading.apiKey, network: "polygon" }),
            "1010",
            /is not a new wallet|is not/
          )
          assert.deepStrictEqual(yield* managersOf(trading.address), [
            `${contract.address} any`,
            `${contract.address} base`
          ])

          // On polygon it acts for a wallet in its list there; on base it does not, and it changes nothing that applies
          // to all networks.
          const own = yield* wallet
          succeeded(
            yield* Effect.flatMap(
              signature({
                action: "associateGasWallet",
                by: attacker,
                manager: contract.address,
                subject: own.address,
                params: { apiKey: own.apiKey, network: "polygon" }
              }),
              (signed) =>
                ask("/associateGasWallet", {
                  json: { apiKey: own.apiKey, network: "polygon", manager: contract.address, signature: signed }
                })
            )
          )
          assert.deepStrictEqual(yield* managersOf(own.address), [`${contract.address} polygon`])
          ended(
            yield* console("wallet.isPoolTrader", {
              wallet: own.address,
              network: "polygon",
              pool: polygonVault,
              trader: own.address
            })
          )
          assert.match(
            failureOf(
              yield* console("wallet.isPoolTrader", {
                wallet: own.address,
                network: "base",
                pool: trading.pool,
                trader: own.address
              })
            ),
            /^network: you are signed in with a contract wallet on polygon/
          )
          assert.match(
            failureOf(yield* console("toSign", { action: "rotateKey", wallet: own.address })),
            /^rotateKey: you are signed in with a contract wallet on polygon/
          )
          assert.match(
            failureOf(yield* console("rotateKey", { wallet: own.address, signature: "v2.1.0123456789abcdef.0x12" })),
            /^rotateKey: you are signed in with a contract wallet/
          )
          assert.strictEqual(
            (yield* rows(`select count(*)::int as many from api_keys where wallet = '${own.address}'`))[0]?.["many"],
            1
          )
          assert.notStrictEqual(owner.address, contract.address)
        })
    )

    it.effect("a sign-in under another site's name is refused, and so are its sockets and its calls", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const by = yield* person
        const evil = { host: "evil.example", origin: "http://evil.example" }
        const begin = (headers: Readonly<Record<string, string>>) =>
          raw("/console/sign-in", headers, { address: getAddress(by.address), chainId: 8453 })
        const refusal = yield* begin(evil)
        assert.strictEqual(refusal.status, 421, refusal.text)
        assert.match(refusal.text, /The host 'evil\.example' is not this service's/)
        assert.strictEqual((yield* begin({ host: new URL(baseUrl).host, origin: "http://evil.example" })).status, 403)
        assert.strictEqual((yield* begin({ host: new URL(baseUrl).host, origin: baseUrl })).status, 200)
        assert.deepStrictEqual(yield* rows("select 1 from sign_ins where message like '%evil%'"), [])
        const { cookie } = yield* sessionOf(by)
        const handshake = {
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": Buffer.alloc(16, 7).toString("base64"),
          cookie
        }
        assert.strictEqual((yield* raw("/console/rpc", { ...handshake, ...evil })).status, 421)
        assert.strictEqual(
          (yield* raw("/console/rpc", { ...handshake, host: new URL(baseUrl).host, origin: "http://evil.example" }))
            .status,
          403
        )
        assert.strictEqual(
          (yield* raw("/console/rpc", { ...handshake, host: new URL(baseUrl).host, origin: baseUrl })).status,
          101
        )
        for (const path of ["/createGasWallet", "/llmIntrospect", "/__docs__"]) {
          assert.strictEqual((yield* raw(path, { host: "evil.example" })).status, 421, path)
        }
        assert.strictEqual((yield* raw("/health/live", { host: "evil.example" })).status, 200)
      }))

    it.effect("a signature that lowers limits, sent with other parameters, is refused and changes nothing", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const manager = yield* person
        const made = yield* wallet
        succeeded(yield* associate(manager, made))
        const set = (proven: Fields, asked: Fields) =>
          ask("/setKeyLimits", { json: { wallet: made.address, ...proven, ...asked } })
        const lower = { max_usd_per_trade: "250", read_only: true }
        const first = yield* proof(manager, "setKeyLimits", made.address, { wallet: made.address, ...lower })
        for (
          const other of [
            { max_usd_per_trade: "off", read_only: false },
            { max_usd_per_trade: "250" },
            { ...lower, vaults: "any" },
            { ...lower, max_usd_per_day: "off" },
            {}
          ]
        ) {
          refused(yield* set(first, other), "1010", /^signature: is not .*parameters of this request/)
        }
        assert.deepStrictEqual(yield* rows(`select 1 from key_limits where wallet = '${made.address}'`), [])
        assert.deepInclude(succeeded(yield* set(first, lower))["limits"] as object, {
          max_usd_per_trade: "250",
          read_only: true
        })
        const lowered = yield* proof(manager, "setKeyLimits", made.address, {
          wallet: made.address,
          max_usd_per_trade: "100"
        })
        refused(
          yield* set(lowered, { max_usd_per_trade: "off", max_usd_per_day: "off", vaults: "any", read_only: false }),
          "1010",
          /^signature: is not/
        )
      }))
  }
)
