/** The purge of wallets that were never used. */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { LastUseStore } from "@vault-trader/core/gas-wallet/LastUseStore"
import { WalletPurgeStore } from "@vault-trader/core/gas-wallet/WalletPurgeStore"
import { altered } from "@vault-trader/testing/test-chain/AlteredCalls"
import { type Request, unavailable } from "@vault-trader/testing/test-chain/Rpc"
import * as TestChain from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { randomBytes } from "node:crypto"
import { toFunctionSelector } from "viem"
import { privateKeyToAddress } from "viem/accounts"
import { Chains } from "../../src/chain/Chains.ts"
import { Signer } from "../../src/gas-wallet/Signer.ts"
import * as WalletPurge from "../../src/gas-wallet/WalletPurge.ts"
import { clientOver, endpointOf } from "../chain/TestClient.ts"
import * as TestLane from "./TestLane.ts"

const Stores = Layer.mergeAll(
  ApiKeyStore.layer,
  GasWalletStore.layer,
  LastUseStore.layer,
  WalletPurgeStore.layer
).pipe(Layer.provideMerge(TestLane.Stores))

const days = 30
const networks = ["base", "optimism"] as const

/** Two chains, of which a test changes single answers. */
const chains = Effect.gen(function*() {
  const answers: { over: (network: string, method: string, params: ReadonlyArray<unknown>) => unknown } = {
    over: () => undefined
  }
  const clients = yield* Effect.forEach(networks, (network) =>
    Effect.gen(function*() {
      const chain = yield* TestChain.make({ network })
      const client = yield* clientOver(chain, [
        endpointOf(network, (method, params) => {
          const answer = answers.over(network, method, params) ?? (method === "eth_getCode" ? "0x" : undefined)
          return answer === undefined
            ? chain.request(method, params)
            : answer instanceof Error
            ? Effect.fail(unavailable(network, answer.message))
            : Effect.succeed(answer)
        })
      ])
      return { chain, entry: [network, client] as const }
    }))
  const setBalance = (wallet: Address, wei: bigint) =>
    Effect.forEach(clients, ({ chain }) => chain.network === "optimism" ? chain.setBalance(wallet, wei) : Effect.void)
  return { answers, live: Chains.layerOf(new Map(clients.map(({ entry }) => entry))), setBalance }
})

const issue = (wallet: Address) =>
  Effect.gen(function*() {
    const digest = randomBytes(32).toString("hex")
    const { keyId } = yield* (yield* ApiKeyStore).issue({ wallet, digest, lastFour: "abcd" })
    return { digest, keyId }
  })

const aged = (wallet: Address, by = days + 1) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`update gas_wallets set created_at = created_at - make_interval(days => ${by}) where address = ${wallet}`
    yield* sql`update api_keys set created_at = created_at - make_interval(days => ${by}) where wallet = ${wallet}`
  })

/** A wallet as createGasWallet made it, this many days ago. */
const created = (by = days + 1) =>
  Effect.gen(function*() {
    const { address, privateKey } = yield* (yield* Signer).create
    const key = yield* issue(address)
    yield* aged(address, by)
    return { address, privateKey, ...key }
  })

const purgedAmong = (wallets: ReadonlyArray<{ readonly address: Address }>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly address: Address }>`select address from gas_wallets where purged_at is not null`
    const purged = new Set(rows.map(({ address }) => address))
    return wallets.map(({ address }) => purged.has(address))
  })

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the purge of unused wallets", (it) => {
  it.effect("ends the key of a wallet that nothing names and no chain knows, keeps its private key, and writes it down", () =>
    Effect.gen(function*() {
      const { live } = yield* chains
      const sql = yield* SqlClient.SqlClient
      const keys = yield* ApiKeyStore
      const [old, young] = [yield* created(), yield* created(days - 1)]
      const sealed = yield* (yield* GasWalletStore).key(old.address)
      assert.strictEqual(yield* Effect.provide(WalletPurge.round(days), live), 1)
      assert.deepStrictEqual(yield* purgedAmong([old, young]), [true, false])
      assert.deepStrictEqual(yield* keys.find(old.digest), Option.none())
      assert.deepStrictEqual(
        [yield* keys.isOfPurged(old.digest), yield* keys.isOfPurged(young.digest)],
        [true, false]
      )
      assert.deepStrictEqual(yield* (yield* GasWalletStore).key(old.address), sealed)
      assert.deepStrictEqual(
        yield* sql`select details from audit_entries where action = 'wallet.purged' and subject = ${old.address}`,
        [{ details: { keys: [old.keyId], unused_days: days } }]
      )
      assert.strictEqual(yield* Effect.provide(WalletPurge.round(days), live), 0)

      // The owner imports the key from createGasWallet's response: the wallet works again, and stays.
      const signer = yield* Signer
      assert.deepStrictEqual(yield* signer.importKey(old.privateKey), Option.some(old.address))
      const again = yield* issue(old.address)
      assert.isTrue(Option.isSome(yield* keys.find(again.digest)))
      yield* aged(old.address)
      assert.strictEqual(yield* Effect.provide(WalletPurge.round(days), live), 0)
      assert.deepStrictEqual(yield* purgedAmong([old]), [false])
    }))

  it.effect("keeps a wallet that one of two endpoints alone shows as empty", () =>
    Effect.gen(function*() {
      const chain = yield* TestChain.make({ network: "base" })
      const coded: Request = (method, params) =>
        method === "eth_getCode" ? Effect.succeed("0x") : chain.request(method, params)
      const emptied = altered(coded, ({ data }, { success }) =>
        data.startsWith(toFunctionSelector("getEthBalance(address)"))
          ? { success, returnData: `0x${"0".repeat(64)}` }
          : undefined)
      const client = yield* clientOver(chain, [endpointOf("liar", emptied, 1), endpointOf("honest", coded)])
      const [empty, funded] = [yield* created(), yield* created()]
      yield* chain.setBalance(funded.address, 10n ** 18n)
      const round = Effect.provide(WalletPurge.round(days), Chains.layerOf(new Map([["base", client]])))
      // The endpoints contradict each other about the page.
      yield* Effect.flip(round)
      assert.deepStrictEqual(yield* purgedAmong([empty, funded]), [false, false])
      yield* chain.setBalance(funded.address, 0n)
      yield* round
      assert.deepStrictEqual(yield* purgedAmong([empty, funded]), [true, true])
    }))

  it.effect("keeps a wallet that any row names, whose key was used, or whose key was imported", () =>
    Effect.gen(function*() {
      const { live } = yield* chains
      const sql = yield* SqlClient.SqlClient
      const manager = privateKeyToAddress(`0x${randomBytes(32).toString("hex")}`).toLowerCase()
      const make = created()
      const [linked, listed, limited, paused] = yield* Effect.all([make, make, make, make])
      const [read, rotated, unknown, traded] = yield* Effect.all([make, make, make, make])
      const imported = yield* Effect.flatMap(
        Signer,
        ({ importKey }) => importKey(Redacted.make(randomBytes(32).toString("hex")))
      )
      const importedWallet = { address: Option.getOrThrow(imported) }
      yield* issue(importedWallet.address)
      yield* aged(importedWallet.address)
      const pool = `0x${"5c".repeat(20)}`
      yield* sql`insert into vault_links ${
        sql.insert({ wallet: linked.address, network: "base", pool, protocol: "enzyme" })
      }`
      yield* sql`insert into managers ${sql.insert({ address: manager })}`
      yield* sql`insert into manager_wallets ${sql.insert({ manager, wallet: listed.address })}`
      yield* sql`insert into key_limits ${sql.insert({ wallet: limited.address })}`
      yield* sql`insert into kill_switches ${sql.insert({ scope: `wallet/${paused.address}`, reason: "by its owner" })}`
      yield* (yield* LastUseStore).put([{ _tag: "key", id: read.keyId, at: Date.now() }])
      yield* issue(rotated.address)
      // From a version that did not record whether a key was imported.
      yield* sql`update gas_wallets set imported = null where address = ${unknown.address}`
      yield* sql`insert into intents (id, wallet, key_id, endpoint, network, pool, request)
        values (gen_random_uuid(), ${traded.address}, ${traded.keyId}::uuid, 'vaultTrade', 'base', ${pool}, '{}')`
      const kept = [linked, listed, limited, paused, read, rotated, unknown, traded, importedWallet]
      const unused = yield* make
      yield* Effect.provide(WalletPurge.round(days), live)
      assert.deepStrictEqual(yield* purgedAmong([...kept, unused]), [...kept.map(() => false), true])
    }))

  it.effect("keeps a wallet with a balance, a transaction or code on any network, and looks it up again after a week", () =>
    Effect.gen(function*() {
      const { answers, live, setBalance } = yield* chains
      const sql = yield* SqlClient.SqlClient
      const [funded, sent, delegated, empty] = [yield* created(), yield* created(), yield* created(), yield* created()]
      let reads = 0
      answers.over = (network, method, params) => {
        const of = String(params[0])
        if (of === funded.address) reads += 1
        return network !== "optimism"
          ? undefined
          : method === "eth_getTransactionCount" && of === sent.address
          ? "0x1"
          : method === "eth_getCode" && of === delegated.address
          ? `0xef0100${"de".repeat(20)}`
          : undefined
      }
      yield* setBalance(funded.address, 1n)
      assert.strictEqual(yield* Effect.provide(WalletPurge.round(days), live), 1)
      assert.deepStrictEqual(yield* purgedAmong([funded, sent, delegated, empty]), [false, false, false, true])
      const before = reads
      assert.strictEqual(yield* Effect.provide(WalletPurge.round(days), live), 0)
      assert.strictEqual(reads, before)
      answers.over = () => undefined
      yield* setBalance(funded.address, 0n)
      yield* sql`update gas_wallets set purge_checked_at = purge_checked_at - interval '8 days'`
      assert.strictEqual(yield* Effect.provide(WalletPurge.round(days), live), 3)
    }))

  it.effect("purges nothing while a network cannot be read or refuses a read", () =>
    Effect.gen(function*() {
      const { answers, live } = yield* chains
      const wallet = yield* created()
      answers.over = (network) => network === "optimism" ? new Error("down") : undefined
      assert.strictEqual((yield* Effect.exit(Effect.provide(WalletPurge.round(days), live)))._tag, "Failure")
      assert.deepStrictEqual(yield* purgedAmong([wallet]), [false])
      const none = Chains.layerOf(new Map())
      assert.strictEqual(yield* Effect.provide(WalletPurge.round(days), none), 0)
      assert.deepStrictEqual(yield* purgedAmong([wallet]), [false])
    }))

  it.effect("leaves a wallet that is used between the look and the purge", () =>
    Effect.gen(function*() {
      const store = yield* WalletPurgeStore
      const [wallet, other] = [yield* created(), yield* created()]
      assert.includeMembers([...(yield* store.page(days, null)).unused], [wallet.address, other.address])
      yield* (yield* LastUseStore).put([{ _tag: "key", id: wallet.keyId, at: Date.now() }])
      assert.isFalse(yield* store.purge(wallet.address, days))
      assert.isTrue(yield* store.purge(other.address, days))
      assert.isFalse(yield* store.purge(other.address, days))
    }))

  it.effect("reads all pages", () =>
    Effect.gen(function*() {
      const store = yield* WalletPurgeStore
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into gas_wallets (address, ciphertext, imported, created_at)
        select '0xeeee' || lpad(to_hex(n), 36, '0'), 'c', false, now() - interval '40 days' from generate_series(1, 450) n`
      const first = yield* store.page(days, null)
      const second = yield* store.page(days, first.next)
      const third = yield* store.page(days, second.next)
      assert.deepStrictEqual([first.next === null, second.next === null, third.next], [false, false, null])
      const all = [...first.unused, ...second.unused, ...third.unused]
      assert.strictEqual(new Set(all).size, all.length)
      assert.lengthOf(all.filter((address) => address.startsWith("0xeeee")), 450)
      yield* sql`delete from gas_wallets where ciphertext = 'c'`
    }))
})
