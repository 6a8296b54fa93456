import { assert, layer } from "@effect/vitest"
import { endpoints } from "@vault-trader/core/Catalogue"
import * as RequestDigest from "@vault-trader/core/manager/RequestDigest"
import { Statement, prefixOf, typedData } from "@vault-trader/core/signature/ManagerSignature"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import * as ContractWallet from "@vault-trader/testing/harness/ContractWallet"
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
import { until } from "@vault-trader/testing/harness/Until"
import { type Person, person, proof, signature } from "@vault-trader/testing/harness/Signing"

const secondsNow = Effect.sync(() => Math.floor(Date.now() / 1000))

/** Associates a wallet and returns the service's answer. */
const associate = (by: Person, { address, apiKey }: Pick<Wallet, "address" | "apiKey">, more: Fields = {}) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const asked = { apiKey, ...more }
    return yield* ask("/associateGasWallet", {
      json: { ...asked, ...(yield* proof(by, "associateGasWallet", address, asked)) }
    })
  })

/** A manager with a wallet in the list. */
const managed = Effect.gen(function*() {
  const made = yield* wallet
  const manager = yield* person
  succeeded(yield* associate(manager, made, { label: "momentum" }))
  return { ...made, manager }
})

const listOf = (manager: Person) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const { wallets } = succeeded(
      yield* ask("/getAssociatedGasWallets", { query: { ...(yield* proof(manager, "getAssociatedGasWallets")) } })
    )
    return (wallets as ReadonlyArray<{ readonly address: string; readonly label: string | null }>).map((
      { address, label }
    ) => ({ address, label }))
  })

const listing = endpoints.find(({ name }) => name === "getAssociatedGasWallets")!

/** Signs exactly the given parameters, whatever the service would prepare. */
const crafted = (by: Person, changes: Partial<Parameters<typeof Statement.make>[0]>) =>
  Effect.gen(function*() {
    const statement = Statement.make({
      action: "getAssociatedGasWallets",
      manager: by.address,
      subject: by.address,
      issuedAt: yield* secondsNow,
      nonce: "0123456789abcdef",
      params: yield* RequestDigest.of(listing.params, { manager: by.address }),
      chainId: 8453,
      salt: null,
      ...changes
    })
    return `${prefixOf(statement)}${yield* by.sign(typedData(statement))}`
  })

layer(running({ networks: ["base", "optimism"] }), { timeout: 240_000, excludeTestServices: true })(
  "managers",
  (it) => {
    it.effect("put wallets into their list by key and signature, see them by signature, and take them off", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { address, apiKey, manager } = yield* managed
        assert.deepStrictEqual(yield* listOf(manager), [{ address, label: "momentum" }])
        succeeded(yield* associate(manager, { address, apiKey }, { label: "reversal" }))
        assert.deepStrictEqual(yield* listOf(manager), [{ address, label: "reversal" }])
        assert.deepStrictEqual(yield* listOf(yield* person), [])
        const off = () =>
          Effect.flatMap(
            proof(manager, "deassociateGasWallet", address, { wallet: address }),
            (proven) => ask("/deassociateGasWallet", { json: { wallet: address, ...proven } })
          )
        succeeded(yield* off())
        assert.deepStrictEqual(yield* listOf(manager), [])
        refused(yield* off(), "1005", /^wallet: 0x[0-9a-f]{40} is not in the list of/)
      }))

    it.effect("see balances on every network and all bots of their wallets, as the wallet's key does of its own", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { faucet } = yield* Devnet
        const { address, apiKey, manager } = yield* managed
        yield* Effect.orDie(faucet({ network: "base", address, amountWei: 10n ** 18n }))
        const byManager = succeeded(
          yield* ask("/getAllGasBalance", { json: yield* proof(manager, "getAllGasBalance") })
        )
        const balances = byManager["balances"] as ReadonlyArray<Readonly<Record<string, unknown>>>
        assert.deepStrictEqual(balances.map(({ balance, label, network }) => [network, balance, label]), [[
          "base",
          "1",
          "momentum"
        ], ["optimism", "0", "momentum"]])
        assert.isAbove(Number(byManager["total_usd"]), 100)
        const byKey = succeeded(yield* ask("/getAllGasBalance", { query: { apiKey } }))
        assert.deepStrictEqual(
          (byKey["balances"] as ReadonlyArray<Readonly<Record<string, unknown>>>).map(({ balance }) => balance),
          ["1", "0"]
        )
        assert.deepStrictEqual(
          succeeded(yield* ask("/getAllBots", { json: yield* proof(manager, "getAllBots") }))["bots"],
          []
        )
        refused(yield* ask("/getAllBots"), "1010", /^Missing required parameter: apiKey, or manager and signature$/)
        refused(
          yield* ask("/getAllGasBalance", { query: { manager: manager.address } }),
          "1010",
          /^Missing required parameter: signature$/
        )
      }))

    it.effect("are refused a signature that is malformed, expired, of a time to come, another's, or for something else, in words", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const manager = yield* person
        const other = yield* person
        const now = yield* secondsNow
        const list = (signed: string) =>
          ask("/getAssociatedGasWallets", { query: { manager: manager.address, signature: signed } })
        succeeded(yield* list(yield* crafted(manager, {})))
        refused(yield* list(`0x${"12".repeat(65)}`), "1010", /^signature: must be v2\.<issuedAt/)
        refused(
          yield* list(yield* crafted(manager, { issuedAt: now - 700 })),
          "1010",
          /^signature: expired at \d{4}-.*ten minutes/
        )
        refused(
          yield* list(yield* crafted(manager, { issuedAt: now + 300 })),
          "1010",
          /^signature: is dated \d{4}-.*, in the future/
        )
        const notTheirs = /^signature: is not 0x[0-9a-f]{40}'s over action 'getAssociatedGasWallets', subject/
        refused(yield* list(yield* crafted(other, {})), "1010", notTheirs)
        refused(
          yield* list(yield* crafted(other, { manager: manager.address, subject: manager.address })),
          "1010",
          notTheirs
        )
        refused(yield* list(yield* crafted(manager, { action: "getAllBots" })), "1010", notTheirs)
        refused(yield* list(yield* crafted(manager, { subject: other.address })), "1010", notTheirs)
        refused(yield* list(yield* crafted(manager, { params: `0x${"5d".repeat(32)}` })), "1010", notTheirs)
        refused(yield* list(yield* crafted(manager, { chainId: 10 })), "1010", notTheirs)
        refused(
          yield* list((yield* crafted(manager, {})).replace(/^v2/, "v1")),
          "1010",
          /^signature: is of version 1, which covered no parameters/
        )
        refused(yield* list(yield* crafted(manager, { salt: `0x${"77".repeat(32)}` })), "1010", notTheirs)
        refused(
          yield* ask("/signingPayload", { query: { action: "vaultTrade", manager: manager.address } }),
          "1010",
          /^action: must be one of .*associateGasWallet/
        )
      }))

    it.effect(
      "change something once by a signature, of ten that arrive at the same moment; what is refused before does " +
        "not use it up",
      () =>
        Effect.gen(function*() {
          const made = yield* wallet
          const manager = yield* person
          const { ask } = yield* Running
          const proven = yield* proof(manager, "associateGasWallet", made.address, { apiKey: made.apiKey })
          const send = (apiKey: string, more: Fields = {}) =>
            ask("/associateGasWallet", { json: { apiKey, ...proven, ...more } })
          refused(yield* send(made.apiKey, { label: "x".repeat(65) }), "1010", /^label/)
          refused(yield* send("00000000-0000-4000-8000-000000000000"), "1002", /unknown or revoked/)
          const answers = yield* Effect.all(Array.from({ length: 10 }, () => send(made.apiKey)), {
            concurrency: "unbounded"
          })
          const [one, ...others] = [...answers].sort((a, b) =>
            String(b.fields["status"]).localeCompare(String(a.fields["status"]))
          )
          succeeded(one!)
          for (const each of others) refused(each, "1010", /^signature: was used before/)
          // The key of another wallet does not make it valid again.
          refused(yield* send((yield* wallet).apiKey), "1010", /^signature: is not/)
        })
    )

    it.effect("may be contract wallets, deployed or not yet, for the network they are on and for no other", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const owner = yield* person
        const stranger = yield* person
        const { beforehand, deploy, walletOf } = yield* ContractWallet.factory("optimism")
        const manager = walletOf(owner.address)
        const list = (
          by: Person,
          around?: Parameters<typeof signature>[0]["around"],
          network: string | undefined = "optimism"
        ) =>
          Effect.gen(function*() {
            const params = network === undefined ? {} : { network }
            const signed = yield* signature({
              action: "getAssociatedGasWallets",
              manager,
              by,
              params,
              ...(around === undefined ? {} : { around })
            })
            return yield* ask("/getAssociatedGasWallets", { json: { manager, signature: signed, ...params } })
          })
        const wrapped = (signed: `0x${string}`) => beforehand(owner.address, signed)
        refused(yield* list(owner), "1010", /^signature: is not/)
        succeeded(yield* list(owner, wrapped))
        refused(yield* list(stranger, wrapped), "1010", /^signature: is not/)
        refused(yield* list(owner, wrapped, "base"), "1010", /^signature: is not .* on base/)
        yield* deploy(owner.address)
        succeeded(yield* list(owner))
        refused(yield* list(stranger), "1010", /^signature: is not/)
        refused(yield* list(owner, undefined, "base"), "1010", /^signature: is not .* on base/)
      }))

    it.effect("sign as docs/managers.md shows it", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const account = privateKeyToAccount(generatePrivateKey())
        const { address, apiKey } = yield* wallet
        const document = Fs.readFileSync(Path.join(import.meta.dirname, "../../../../docs/managers.md"), "utf8")
        const [, code] = /```js\n([\s\S]*?)```/.exec(document) ?? []
        const answer = yield* Effect.promise(async () => {
          const { associate } = await import(`data:text/javascript,${encodeURIComponent(code ?? "")}`) as {
            readonly associate: (
              base: string,
              by: typeof account,
              wallet: Readonly<Record<string, string>>
            ) => Promise<unknown>
          }
          return associate(baseUrl, account, { apiKey, address, label: "documented" })
        })
        assert.deepInclude(answer as object, { status: ["success"], address: [address] })
      }))

    it.effect("leave no signature in any row, and no key in any answer", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey, manager, privateKey } = yield* managed
        const proven = yield* proof(manager, "getAssociatedGasWallets")
        const { text } = yield* ask("/getAssociatedGasWallets", { json: proven })
        assert.notInclude(text, apiKey)
        assert.notInclude(text, privateKey)
        const everything = JSON.stringify(yield* rows("select * from manager_nonces")) +
          JSON.stringify(yield* rows("select * from managers")) +
          JSON.stringify(yield* rows("select * from cluster_messages"))
        assert.notInclude(everything, proven.signature.split(".")[3]!.slice(2, 40))
      }))
  }
)

layer(running(), { timeout: 240_000, excludeTestServices: true })("links and limits", (it) => {
  it.effect("a vault is linked by its trader alone, is shown with whether it still is, and is unlinked once", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const { address, apiKey, network, pool, privateKey } = yield* trader()
      const about = { apiKey, network, pool }
      const pools = (key: string, more = {}) =>
        Effect.map(
          ask("/getGasWalletPools", { query: { apiKey: key, ...more } }),
          (answer) =>
            (succeeded(answer)["pools"] as ReadonlyArray<Readonly<Record<string, unknown>>>).map((
              { is_trader, pool, protocol }
            ) => [pool, protocol, is_trader])
        )
      refused(yield* ask("/unlinkGasWallet", { json: about }), "1004", /is not linked to 0x[0-9a-f]{40}/)
      assert.match(
        String(succeeded(yield* ask("/linkGasWallet", { json: about }))["message"]),
        /is linked to the wallet/
      )
      assert.match(String(succeeded(yield* ask("/linkGasWallet", { json: about }))["message"]), /already/)
      assert.deepStrictEqual(yield* pools(apiKey), [[pool, "dhedge", true]])
      assert.deepStrictEqual(yield* pools(apiKey, { network: "base" }), [[pool, "dhedge", true]])
      assert.deepStrictEqual(yield* pools(apiKey, { network: "ALL" }), [[pool, "dhedge", true]])
      const stranger = yield* wallet
      refused(
        yield* ask("/linkGasWallet", { json: { ...about, apiKey: stranger.apiKey } }),
        "1006",
        /is not the trader/
      )
      refused(yield* ask("/linkGasWallet", { json: { ...about, pool: address } }), "1004", /pool/)
      // A new key sees the same links; the old one sees nothing.
      const next = String(succeeded(yield* ask("/getNewApiKey", { json: { privateKey } }))["apiKey"])
      assert.deepStrictEqual(yield* pools(next), [[pool, "dhedge", true]])
      refused(yield* ask("/getGasWalletPools", { query: { apiKey } }), "1002", /revoked/)
      yield* Effect.orDie(devnet.setTrader({ network, pool, trader: stranger.address }))
      yield* until(
        "the vault's new trader to be seen",
        Effect.map(pools(next), ([first]) => first?.[2] === false ? true : undefined)
      )
      succeeded(yield* ask("/unlinkGasWallet", { json: { ...about, apiKey: next } }))
      assert.deepStrictEqual(yield* pools(next), [])
    }))

  it.effect("limits are only lowered by key, and raised by no manager but the one who set them", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, privateKey } = yield* wallet
      const [first, second] = [yield* person, yield* person]
      for (const by of [first, second]) succeeded(yield* associate(by, { address, apiKey }, { privateKey }))
      const limits = (answer: Parameters<typeof succeeded>[0]) =>
        succeeded(answer)["limits"] as Readonly<Record<string, unknown>>
      const by = (manager: Person, asked: Readonly<Record<string, unknown>>) =>
        Effect.flatMap(
          proof(manager, "setKeyLimits", address, { wallet: address, ...asked }),
          (proven) => ask("/setKeyLimits", { json: { wallet: address, ...proven, ...asked } })
        )
      const byKey = (asked: Readonly<Record<string, unknown>>) => ask("/setKeyLimits", { json: { apiKey, ...asked } })
      const pool = yield* demoVault("base")
      assert.deepStrictEqual(limits(yield* by(first, { max_usd_per_trade: "250.5", vaults: [`base/${pool}`] })), {
        vaults: [`base/${pool}`],
        max_usd_per_trade: "250.5",
        max_usd_per_day: null,
        read_only: false
      })
      assert.strictEqual(limits(yield* byKey({ max_usd_per_trade: "1000" }))["max_usd_per_trade"], "250.5")
      assert.strictEqual(
        limits(yield* byKey({ max_usd_per_trade: "off", vaults: "any" }))["max_usd_per_trade"],
        "250.5"
      )
      assert.strictEqual(limits(yield* byKey({ max_usd_per_trade: "100" }))["max_usd_per_trade"], "100")
      const tight = yield* by(second, { max_usd_per_trade: "500" })
      assert.strictEqual(limits(tight)["max_usd_per_trade"], "100")
      assert.match(String(tight.fields["message"]), /can only be lowered/)
      assert.strictEqual(
        limits(yield* by(first, { max_usd_per_trade: "500", vaults: "any" }))["max_usd_per_trade"],
        "500"
      )
      // A limit applies to requests with the key.
      succeeded(yield* by(first, { read_only: true }))
      const { body } = yield* byKey({ max_usd_per_day: "5" })
      assert.deepStrictEqual([body["status_code"], body["error_type"]], ["2013", "limit_exceeded"])
      // A manager without this wallet changes nothing of it, and a key changes nothing of another wallet's.
      refused(yield* by(yield* person, { read_only: false }), "1005", /is not in the list of/)
      refused(
        yield* ask("/setKeyLimits", { json: { apiKey: (yield* wallet).apiKey, wallet: address, read_only: true } }),
        "1005",
        /the key belongs to/
      )
      refused(yield* by(first, { max_usd_per_day: "much" }), "1010", /^max_usd_per_day: must be US dollars/)
      refused(yield* by(first, { vaults: ["base"] }), "1010", /^vaults: has invalid items at position 1/)
    }))
})
