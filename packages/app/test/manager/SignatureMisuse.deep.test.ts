/** Signatures and sessions in the hands of others: replayed, moved to another request, network or service. */
import { assert, layer } from "@effect/vitest"
import { endpoints } from "@vault-trader/core/Catalogue"
import { WalletCalls } from "@vault-trader/core/console/ConsoleApi"
import { factsOf } from "@vault-trader/core/endpoint/Endpoint"
import { prefixOf, Statement, typedData } from "@vault-trader/core/signature/ManagerSignature"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { failureOf, opened, sessionOf } from "@vault-trader/testing/harness/ConsoleCalls"
import { type Fields, Running, rows, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import { type Person, person, personOf } from "@vault-trader/testing/harness/Signing"

const send = (path: string, json: Fields) => Effect.flatMap(Running, ({ ask }) => ask(path, { json }))

/** Signs a request as the service prepares it, with changes to the statement. */
const signedBody = (
  by: Person,
  action: string,
  params: Fields,
  changes: Partial<Parameters<typeof Statement.make>[0]> = {}
) =>
  Effect.gen(function*() {
    const asked = { ...params, manager: by.address }
    const prepared = succeeded(
      yield* send("/signingPayload", { action, manager: by.address, params: asked, subject: params["wallet"] })
    )
    const { message } = prepared["typed_data"] as { readonly message: Parameters<typeof Statement.make>[0] }
    const { domain } = prepared["typed_data"] as { readonly domain: { readonly salt?: `0x${string}` } }
    const statement = Statement.make({ ...message, salt: domain.salt ?? null, ...changes })
    return { ...asked, signature: `${prefixOf(statement)}${yield* by.sign(typedData(statement))}` }
  })

const without = (body: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(body).filter(([each]) => each !== name))

const reversed = (body: Fields): Fields => Object.fromEntries(Object.entries(body).reverse())

/** Endpoints that accept a signature and need more than these tests set up; other tests cover them. */
const elsewhere = [
  "registerCEXSubaccount",
  "deleteCEXSubaccount",
  "deleteWebhook",
  "getWebhookDeliveries",
  ...["createChannel", "updateChannel", "deleteChannel", "testChannel", "getChannelMessages"],
  "associateGasWallet",
  // ChangeApprovals.test.ts
  "approveChange",
  "vetoChange"
]

const notTheirs = /^signature: is not 0x[0-9a-f]{40}'s over action/

layer(running({ networks: ["base", "polygon"] }), { timeout: 240_000, excludeTestServices: true })(
  "a manager's signature",
  (it) => {
    it.effect("counts for exactly the request that it was made for, and for a change once, at every endpoint that takes one", () =>
      Effect.gen(function*() {
        const made = yield* trader()
        const { address, network, pool } = made
        const manager = yield* person
        yield* rows(`insert into managers (address) values ('${manager.address}') returning address`)
        yield* rows(
          `insert into manager_wallets (manager, wallet) values ('${manager.address}', '${address}') returning wallet`
        )
        succeeded(yield* send("/setBot", { apiKey: made.apiKey, network, pool, pair: "WETH-USDC", side: "hold" }))
        const other = yield* wallet
        const requests: Readonly<Record<string, { readonly params: Fields; readonly added: Fields }>> = {
          setKeyLimits: {
            params: { wallet: address, max_usd_per_day: "100", read_only: false },
            added: { max_usd_per_trade: "off" }
          },
          setWebhook: { params: { url: "https://1.1.1.1/misuse", events: ["gas.low"] }, added: {} },
          resumeWallet: { params: { wallet: address }, added: {} },
          resumeBot: { params: { wallet: address, network, pool }, added: { protocol: "dhedge" } },
          getWalletAuthority: { params: { wallet: address }, added: { network: "base" } },
          getAssociatedGasWallets: { params: { network: "base" }, added: {} },
          getAllGasBalance: { params: {}, added: { network: "polygon" } },
          getAllBots: { params: {}, added: { network: "base" } },
          getWebhooks: { params: {}, added: {} },
          getChannels: { params: {}, added: {} },
          getAllCEXSubaccounts: { params: {}, added: {} },
          getAuditLog: { params: {}, added: { limit: "10" } },
          getApprovals: { params: {}, added: { all: true } },
          deassociateGasWallet: { params: { wallet: address }, added: { network: "base" } }
        }
        const signable = endpoints.filter(({ params }) => params.some(({ name }) => name === "signature"))
        assert.deepStrictEqual(
          [...Object.keys(requests), ...elsewhere].sort(),
          signable.map(({ name }) => name).sort()
        )
        const nonces = Effect.map(
          rows(`select 1 from manager_nonces where manager = '${manager.address}'`),
          ({ length }) => length
        )
        for (const [action, { added, params }] of Object.entries(requests)) {
          const body = yield* signedBody(manager, action, params)
          const before = yield* nonces
          // Stripped, added and changed parameters.
          const optional = Object.keys(params).filter((name) =>
            signable.some((each) =>
              each.name === action && each.params.some((param) => param.name === name && !param.required)
            ) && name !== "wallet"
          )
          const changed = [
            ...optional.map((name) => without(body, name)),
            ...Object.entries(added).map(([name, value]) => ({ ...body, [name]: value })),
            ...("wallet" in params ? [{ ...body, wallet: other.address }] : [])
          ]
          for (const each of changed) refused(yield* send(`/${action}`, each), "1010", notTheirs)
          // Another manager's name, another chain, another service, another action, another signer.
          const stranger = yield* person
          refused(yield* send(`/${action}`, { ...body, manager: stranger.address }), "1010", notTheirs)
          for (
            const change of [
              { chainId: 137 },
              { salt: `0x${"77".repeat(32)}` as const },
              { action: action === "getAllBots" ? "getWebhooks" : "getAllBots" },
              { subject: other.address }
            ]
          ) {
            refused(yield* send(`/${action}`, yield* signedBody(manager, action, params, change)), "1010", notTheirs)
          }
          const forged = { ...manager, sign: stranger.sign }
          refused(yield* send(`/${action}`, yield* signedBody(forged, action, params)), "1010", notTheirs)
          assert.strictEqual(yield* nonces, before, `${action}: nothing of this uses up a signature`)

          // The order of the parameters means nothing. A change is made once.
          succeeded(yield* send(`/${action}`, reversed(body)))
          const again = yield* send(`/${action}`, body)
          const isRead = signable.some((each) => each.name === action && each.class === "readOnly")
          if (isRead) succeeded(again)
          else refused(again, "1010", /^signature: was used before/)
        }
      }))

    it.effect("opens nothing for a session of a manager who has nothing here", () =>
      Effect.gen(function*() {
        const made = yield* trader()
        const stranger = yield* person
        const console = yield* opened(yield* sessionOf(stranger))
        const before = yield* rows(`select count(*)::int as n from intents`)
        for (const rpc of WalletCalls.requests.values()) {
          const facts = factsOf(rpc)
          const payload = Object.fromEntries(
            Object.entries(facts.exampleRequest).filter(([name]) =>
              !["apiKey", "gas_wallet_api_key", "manager", "signature", "privateKey"].includes(name)
            ).map(([name, value]) => [
              name,
              facts.params.some((param) => param.name === name && param.info.secret) ? "a-secret-of-theirs" : value
            ])
          )
          assert.match(
            failureOf(yield* console(rpc._tag, { ...payload, wallet: made.address })),
            /^wallet: 0x[0-9a-f]{40} is not in your list of gas wallets$/,
            rpc._tag
          )
        }
        for (
          const action of [
            { action: "rotateKey", wallet: made.address },
            { action: "resumeWallet", wallet: made.address },
            { action: "resumeBot", wallet: made.address, network: made.network, pool: made.pool }
          ]
        ) {
          const { action: tag, ...payload } = action
          assert.match(failureOf(yield* console("toSign", action)), /is not in your list/, tag)
          assert.match(failureOf(yield* console(tag, { ...payload, signature: "v2" })), /is not in your list/, tag)
        }
        assert.deepStrictEqual(yield* rows(`select count(*)::int as n from intents`), before)
      }))
  }
)

const publicUrl = "https://vault.example"

layer(running({ networks: ["base"], env: { PUBLIC_URL: publicUrl } }), { timeout: 240_000, excludeTestServices: true })(
  "a manager's signature for a service with a public origin",
  (it) => {
    it.effect("names that origin: one for another service, or for none, is refused", () =>
      Effect.gen(function*() {
        const manager = personOf(`0x${"5a".repeat(32)}`)
        const salt = (url: string) => `0x${createHash("sha256").update(url).digest("hex")}` as const
        const by = (changes: Partial<Parameters<typeof Statement.make>[0]>) =>
          Effect.flatMap(signedBody(manager, "getAllBots", {}, changes), (body) => send("/getAllBots", body))
        succeeded(yield* by({ salt: salt(publicUrl) }))
        refused(yield* by({ salt: salt("https://evil.example") }), "1010", notTheirs)
        refused(yield* by({ salt: null }), "1010", notTheirs)
        refused(yield* by({ salt: salt(`${publicUrl}/`) }), "1010", notTheirs)
      }))
  }
)
