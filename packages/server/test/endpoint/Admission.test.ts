import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Token } from "@vault-trader/core/chain/Token"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { explain } from "@vault-trader/core/failure/Explanation"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import type { LaneQuarantine } from "@vault-trader/core/gas-wallet/LaneQuarantine"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { SubKeyBounds } from "@vault-trader/core/gas-wallet/SubKey"
import { SubKeyStore } from "@vault-trader/core/gas-wallet/SubKeyStore"
import { VaultDescription, parseId, Vault, VaultFacts } from "@vault-trader/core/vault/Vault"
import { endpoints } from "@vault-trader/core/Catalogue"
import { ChargeStore } from "@vault-trader/core/billing/ChargeStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Entity from "effect/cluster/Entity"
import * as TestRunner from "effect/cluster/TestRunner"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as FastCheck from "fast-check"
import { Gatekeeper } from "../../src/endpoint/Gatekeeper.ts"
import { decode } from "../../src/params/RequestParams.ts"
import { Directory, type DirectoryShape } from "../../src/gate/ServedNetworks.ts"
import { IdempotentWrites } from "../../src/gate/IdempotentWrites.ts"
import { KeyCache } from "../../src/gate/KeyCache.ts"
import { LastUse } from "../../src/gate/LastUse.ts"
import { ManagerProof } from "../../src/manager/ManagerProof.ts"
import { requiredScope } from "../../src/gas-wallet/SubKeyCheck.ts"
import { CallerAddress } from "../../src/wire/CallerAddress.ts"
import { holds } from "../Properties.ts"
import { facts } from "./TestEndpoints.ts"

const addressOf = (byte: string): Address => `0x${byte.repeat(20)}`
const wallet = addressOf("aa")
const manager = addressOf("ee")
const vaults = {
  ours: addressOf("01"),
  managed: addressOf("02"),
  others: addressOf("03"),
  unreachable: addressOf("04"),
  traderless: addressOf("05")
}
const notVault = addressOf("ff")

const good = "6f9619ff-8b86-4011-b42d-00c04fc964ff"
const revoked = "7f9619ff-8b86-4011-b42d-00c04fc964ff"
/** A key that ended with the purge of its wallet. */
const ofPurged = "5b1f6a2e-91c4-4e0e-9d53-7f1a2b3c4d5e"
const duringOutage = "8f9619ff-8b86-4011-b42d-00c04fc964ff"

/** Records the calls of vaults: entity id and assets. */
class Asked extends Context.Service<Asked, Ref.Ref<ReadonlyArray<string>>>()("vault-trader/server/test/Asked") {
  static readonly layer = Layer.effect(Asked, Ref.make<ReadonlyArray<string>>([]))
}

const factsOf = (pool: Address, traders: { readonly trader: Address | null; readonly manager: Address }) =>
  VaultFacts.make({ pool, managerLogic: addressOf("99"), paused: false, ...traders })

const describeVault = (pool: Address) => {
  switch (pool) {
    case vaults.ours:
    case limitedVault:
      return Effect.succeed(factsOf(pool, { trader: wallet, manager }))
    case vaults.managed:
      return Effect.succeed(factsOf(pool, { trader: addressOf("bb"), manager: wallet }))
    case vaults.others:
      return Effect.succeed(factsOf(pool, { trader: addressOf("bb"), manager }))
    case vaults.traderless:
      return Effect.succeed(factsOf(pool, { trader: null, manager }))
    case vaults.unreachable:
      return new ExecutionFailure({ errorType: "rpc_unavailable", message: "No node answers." })
    default:
      return new ValidationFailure({ code: "1004", message: `pool: ${pool} is no vault` })
  }
}

const FakeVault = Vault.toLayer(Effect.gen(function*() {
  const asked = yield* Asked
  const { entityId } = yield* Entity.CurrentAddress
  const { pool } = parseId(entityId)
  return {
    describe: ({ payload: { assets } }) =>
      Effect.gen(function*() {
        yield* Ref.update(asked, (all) => [...all, `${entityId}:${assets.join(",")}`])
        const facts = yield* describeVault(pool)
        const unknown = assets.find((asset) => asset === "NOPE")
        if (unknown !== undefined) {
          return yield* new ValidationFailure({
            code: "1010",
            message: `'${unknown}' names no token of the vault`,
            asset: unknown
          })
        }
        return VaultDescription.make({
          facts,
          tokens: assets.map((symbol) => Token.make({ symbol, address: addressOf("77"), decimals: 18 }))
        })
      }),
    composition: () => Effect.die(new Error("not asked here")),
    preview: () => Effect.die(new Error("not asked here")),
    execute: () => Effect.die(new Error("not asked here"))
  }
}))

/** The vault whose writes are refused. */
const limitedVault = addressOf("06")
const refusedByLimits = explain({ _tag: "KeyReadOnly", vault: null })
const FakeLimits = Layer.mock(KeyLimitStore, {
  refusalOfWrite: ({ idempotencyKey, vault, wallet: of }) =>
    Effect.succeed(
      of === wallet && vault === `optimism/${limitedVault}` && idempotencyKey !== "accepted-before"
        ? Option.some(refusedByLimits)
        : Option.none()
    )
})

/** Sub-keys of the wallet, by the key. */
const reader = "11111111-8b86-4011-b42d-00c04fc964ff"
const agent = "22222222-8b86-4011-b42d-00c04fc964ff"
const unbounded: SubKeyBounds = {
  id: "sub",
  scopes: [],
  endpoints: null,
  vaults: null,
  maxUsd18PerTrade: null,
  maxUsd18PerDay: null,
  sources: null
}
const subKeys: Readonly<Record<string, Partial<SubKeyBounds>>> = {
  [reader]: { sources: ["192.0.2.0/24"] },
  [agent]: {
    scopes: ["trade", "switches", "perpetuals"],
    vaults: [`base/${vaults.ours}`, `optimism/${limitedVault}`],
    endpoints: ["vaultTrade", "pauseWallet", "poolComposition", "getIntents"]
  }
}

/** The network on which the wallet signs nothing. */
const quarantined: LaneQuarantine = {
  network: "arbitrum",
  wallet,
  kind: "rows_behind_chain",
  reason: "its ledger is behind the chain",
  evidence: { count: "1", transactions: [] },
  createdAt: DateTime.makeUnsafe("2026-11-20T10:00:00Z")
}
const FakeQuarantines = Layer.mock(LaneQuarantineStore, { list: Effect.succeed([quarantined]) })

const FakeKeys = Layer.mergeAll(
  Layer.succeed(ApiKeyDigest, { digest: (apiKey) => Effect.succeed(`digest of ${Redacted.value(apiKey)}`) }),
  Layer.succeed(ApiKeyStore, {
    activeOf: () => Effect.succeed(Option.none()),
    find: (digest) =>
      digest === `digest of ${duringOutage}`
        ? new SqlError({ reason: new ConnectionError({ cause: new Error("gone"), message: "gone" }) })
        : Effect.succeed(digest === `digest of ${good}` ? Option.some({ keyId: "key", wallet }) : Option.none()),
    isOfPurged: (digest) => Effect.succeed(digest === `digest of ${ofPurged}`),
    issue: () => Effect.die(new Error("not asked here")),
    rotate: () => Effect.die(new Error("not asked here"))
  }),
  FakeLimits,
  FakeQuarantines,
  Layer.mock(SubKeyStore, {
    find: (digest) =>
      Effect.succeed(
        Option.map(
          Option.fromNullishOr(subKeys[digest.replace("digest of ", "")]),
          (bounds) => ({ keyId: "key", wallet, bounds: SubKeyBounds.make({ ...unbounded, ...bounds }) })
        )
      )
  }),
  Layer.mock(ManagerStore, { has: (authority, of) => Effect.succeed(authority.manager === manager && of === wallet) })
)

/** A ledger with one accepted request; it is unavailable for one key. */
const FakeWrites = IdempotentWrites.layer.pipe(Layer.provide([
  Layer.mock(ChargeStore, {}),
  Layer.mock(IntentStore, {
    findByIdempotencyKey: (of, key) =>
      key === "ledger-is-away"
        ? new SqlError({ reason: new ConnectionError({ cause: new Error("gone"), message: "gone" }) })
        : Effect.succeed(of === wallet && key === "accepted-before" ? Option.some("0190-1") : Option.none())
  })
]))

/** Accepts signatures with "goodgood" and records what was verified. */
const FakeProofs = Layer.effect(
  ManagerProof,
  Effect.map(Asked, (asked) => ({
    verify: ({ action, manager: by, signature, subject, use }) =>
      Redacted.value(signature).includes("goodgood")
        ? Effect.as(Ref.update(asked, (all) => [...all, `${by} ${action} ${subject} ${use}`]), "account" as const)
        : new ValidationFailure({ code: "1010", message: "signature: is not theirs" })
  }))
)

/** Keeps the good key in memory only; every other caller is read from the store. */
const FakeKeyCache = Layer.succeed(KeyCache, {
  caller: (_, lookup) => lookup,
  known: (apiKey) => Redacted.value(apiKey) === good ? { keyId: "key", wallet } : undefined,
  forget: () => Effect.void
})

const live = (directory: Partial<DirectoryShape> = {}) =>
  Gatekeeper.layer.pipe(
    Layer.provide([
      FakeVault,
      FakeProofs,
      Layer.succeed(LastUse, { note: () => Effect.void, isNoted: () => true }),
      FakeKeyCache
    ]),
    Layer.provideMerge(Asked.layer),
    Layer.provide([
      TestRunner.layer,
      FakeKeys,
      FakeWrites,
      Layer.succeed(Directory, {
        networks: ["optimism", "base", "arbitrum"],
        defaultNetwork: "optimism",
        protocols: ["dhedge", "chamber"],
        ...directory
      })
    ]),
    Layer.orDie
  )

type Query = Readonly<Record<string, string>>
const request: Query = { apiKey: good, network: "base", pool: vaults.ours }

/** Returns admission's result: the caller's wallet, or the code and message of the refusal. */
const admitted = (endpoint: EndpointFacts, query: Query) =>
  Effect.gen(function*() {
    const { admit } = yield* Gatekeeper
    const { params, refusals } = decode(endpoint, {
      query: new URLSearchParams({ ...query }),
      body: new Map(),
      headers: {}
    })
    return yield* admit(endpoint, params, refusals).pipe(
      Effect.match({
        onFailure: (failure) => ({
          code: failure._tag === "ValidationFailure" ? failure.code : failure.errorType,
          message: failure.message
        }),
        onSuccess: (caller) => ({
          code: "admitted",
          message: Option.match(caller, { onNone: () => "nobody", onSome: ({ wallet }) => wallet })
        })
      })
    )
  })
const codeOf = (endpoint: EndpointFacts, query: Query) => Effect.map(admitted(endpoint, query), ({ code }) => code)
const takeCalls = Effect.gen(function*() {
  return yield* Ref.getAndSet(yield* Asked, [])
})

layer(live(), { timeout: "4 minutes", excludeTestServices: true })("admission", (it) => {
  it.effect("admits a valid request and returns its caller", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* admitted(facts.moves, request), { code: "admitted", message: wallet })
      assert.deepStrictEqual(yield* admitted(facts.reads, request), { code: "admitted", message: wallet })
    }))

  it.effect("takes the protocol's default and alias in any case, and no other", () =>
    Effect.gen(function*() {
      for (const protocol of ["dhedge", "chamber", "dHEDGE", "Chamber"]) {
        assert.strictEqual(yield* codeOf(facts.moves, { ...request, protocol }), "admitted")
      }
      assert.deepStrictEqual(yield* admitted(facts.moves, { ...request, protocol: "enzyme" }), {
        code: "1001",
        message: "protocol: must be one of dhedge, chamber"
      })
    }))

  it.effect("refuses a network that is known but not configured here, and says which are", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* admitted(facts.moves, { ...request, network: "mainnet" }), {
        code: "1000",
        message: "network: 'ethereum' is not configured on this service; configured: optimism, base, arbitrum"
      })
    }))

  it.effect("admits by what is in memory only what it admits anyway, as the same caller, and nothing but plain reads", () =>
    Effect.gen(function*() {
      const { admit, admitKnown } = yield* Gatekeeper
      const clock = yield* Clock.Clock
      const values = {
        apiKey: FastCheck.constantFrom(good, good, revoked, ofPurged, reader),
        network: FastCheck.constantFrom("base", "optimism", "arbitrum", "polygon", "all"),
        protocol: FastCheck.constantFrom("dhedge", "enzyme"),
        pool: FastCheck.constantFrom(...Object.values(vaults), notVault),
        idempotency_key: FastCheck.constantFrom("accepted-before", "new")
      }
      const known = new Set<string>()
      yield* holds(
        FastCheck.record({
          endpoint: FastCheck.constantFrom(...endpoints, ...Object.values(facts)),
          given: FastCheck.record(values, { requiredKeys: ["apiKey"] })
        }),
        ({ endpoint, given }) =>
          Effect.gen(function*() {
            const examples = Object.entries(endpoint.exampleRequest).flatMap(([name, value]) =>
              typeof value === "object" || name.toLowerCase().includes("apikey") || name === "gas_wallet_api_key"
                ? []
                : [[name, String(value as string | number)] as const]
            )
            const query = new URLSearchParams({ ...Object.fromEntries(examples), ...given })
            const { params, refusals } = decode(endpoint, { query, body: new Map(), headers: {} })
            const caller = refusals.length === 0 ? admitKnown(endpoint, params, clock) : undefined
            if (caller === undefined) return
            known.add(endpoint.name)
            assert.strictEqual(endpoint.class, "readOnly", endpoint.name)
            assert.deepStrictEqual(yield* admit(endpoint, params, refusals), Option.some(caller), query.toString())
          }),
        { numRuns: 3_000 }
      )
      assert.includeMembers([...known], ["getSymbol", "getIntents", "getGasBalance"])
      assert.isFalse(known.has("poolComposition"))
    }))

  it.effect("lets trader and manager move funds, and any key read", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* codeOf(facts.moves, { ...request, pool: vaults.managed }), "admitted")
      for (const pool of [vaults.others, vaults.traderless]) {
        assert.strictEqual(yield* codeOf(facts.moves, { ...request, pool }), "1006")
        assert.strictEqual(yield* codeOf(facts.reads, { ...request, pool }), "admitted")
      }
    }))

  it.effect("calls the vault on the requested network", () =>
    Effect.gen(function*() {
      yield* takeCalls
      yield* codeOf(facts.moves, { ...request, asset: "USDC" })
      assert.deepStrictEqual(yield* takeCalls, [`base/${vaults.ours}:USDC`])
    }))

  for (
    const [sentence, wrong, code] of [
      [
        "a missing parameter before everything",
        { apiKey: revoked, network: "mars", protocol: "enzyme", pool: "" },
        "1010"
      ],
      ["the network before the protocol", { network: "mars", protocol: "enzyme", apiKey: revoked }, "1000"],
      ["a network that is not configured before the protocol", {
        network: "polygon",
        protocol: "enzyme",
        apiKey: revoked
      }, "1000"],
      ["the protocol before the key", { protocol: "enzyme", apiKey: "nonsense" }, "1001"],
      ["a malformed key before a malformed pool", { apiKey: "nonsense", pool: "0x12" }, "1002"],
      ["an unknown key before a malformed pool", { apiKey: revoked, pool: "0x12" }, "1002"],
      ["an unknown key before a pool that is no vault", { apiKey: revoked, pool: notVault }, "1002"],
      ["an unknown key before a bad share", { apiKey: revoked, share: "101" }, "1002"],
      ["a malformed pool before a bad address", { pool: "0x12", trader: "0x12" }, "1004"],
      ["a pool that is no vault before a bad address", { pool: notVault, trader: "0x12" }, "1004"],
      ["a pool that is no vault before a bad share", { pool: notVault, share: "101" }, "1004"],
      ["a pool that is no vault before an unknown asset", { pool: notVault, asset: "NOPE" }, "1004"],
      ["a bad address before a bad share", { trader: "0x12", share: "101" }, "1005"],
      ["a bad share before a bad amount", { share: "101", amount: "-1" }, "1007"],
      ["a bad amount before an unusable asset", { amount: "-1", asset: "a b" }, "1009"],
      ["a bad amount before an unknown asset", { amount: "-1", asset: "NOPE" }, "1009"],
      ["a bad share before the trader", { pool: vaults.others, share: "101" }, "1007"],
      ["an unusable parameter before the trader", { pool: vaults.others, slippage: "6" }, "1010"],
      ["an unknown asset before the trader", { pool: vaults.others, asset: "NOPE" }, "1010"],
      ["the trader last", { pool: vaults.others, asset: "USDC" }, "1006"]
    ] as const
  ) {
    it.effect(`reports ${sentence}`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* codeOf(facts.moves, { ...request, ...wrong }), code)
      }))
  }

  const choices: Readonly<Record<string, ReadonlyArray<readonly [value: string, code: string | undefined]>>> = {
    apiKey: [[good, undefined], [revoked, "1002"], ["nonsense", "1002"]],
    network: [["base", undefined], ["mars", "1000"], ["polygon", "1000"]],
    protocol: [["", undefined], ["chamber", undefined], ["enzyme", "1001"], ["a b", "1001"]],
    pool: [[vaults.ours, undefined], ["0x12", "1004"], [notVault, "1004"], [vaults.others, "1006"]],
    trader: [["", undefined], ["0x12", "1005"]],
    share: [["", undefined], ["50", undefined], ["101", "1007"]],
    amount: [["", undefined], ["1", undefined], ["-1", "1009"]],
    asset: [["", undefined], ["USDC", undefined], ["a b", "1010"], ["NOPE", "1010"]]
  }
  const order = ["1000", "1001", "1002", "1003", "1004", "1005", "1007", "1008", "1009", "1010", "1006"]
  const requests = FastCheck.record(
    Object.fromEntries(Object.entries(choices).map(([name, values]) => [name, FastCheck.constantFrom(...values)]))
  )

  it.effect("reports the error that comes first in the wire's order", () =>
    holds(requests, (chosen) =>
      Effect.gen(function*() {
        const query = Object.fromEntries(Object.entries(chosen).map(([name, [value]]) => [name, value]))
        const codes = Object.values(chosen).map(([, code]) => code)
        assert.strictEqual(
          yield* codeOf(facts.moves, query),
          order.find((code) => codes.includes(code)) ?? "admitted",
          JSON.stringify(query)
        )
      })))

  it.effect("calls no vault before the key is known, and requests no assets when there is another error", () =>
    Effect.gen(function*() {
      yield* takeCalls
      for (
        const wrong of [{ apiKey: revoked }, { apiKey: "nonsense" }, { network: "mars" }, { protocol: "enzyme" }, {
          pool: "0x12"
        }]
      ) {
        yield* codeOf(facts.moves, { ...request, asset: "USDC", ...wrong })
      }
      assert.deepStrictEqual(yield* takeCalls, [])
      yield* codeOf(facts.moves, { ...request, asset: "USDC", share: "101" })
      assert.deepStrictEqual(yield* takeCalls, [`base/${vaults.ours}:`])
    }))

  it.effect("names the parameter of an unknown asset", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* admitted(facts.moves, { ...request, asset: "NOPE" }), {
        code: "1010",
        message: "asset: 'NOPE' names no token of the vault"
      })
    }))

  it.effect(
    "admits a repeat by its idempotency key, whatever is wrong with its vault, its trader or its limits, without " +
      "calling a vault",
    () =>
      Effect.gen(function*() {
        yield* takeCalls
        const repeats = (query: Query) =>
          codeOf(facts.moves, { ...request, idempotency_key: "accepted-before", ...query })
        for (const pool of [vaults.others, vaults.traderless, vaults.unreachable, notVault]) {
          assert.strictEqual(yield* repeats({ pool }), "admitted")
        }
        assert.strictEqual(yield* repeats({ network: "optimism", pool: limitedVault }), "admitted")
        assert.strictEqual(yield* repeats({ network: "polygon" }), "admitted")
        assert.strictEqual(yield* repeats({ network: "arbitrum" }), "admitted")
        assert.strictEqual(yield* repeats({ protocol: "enzyme" }), "admitted")
        assert.strictEqual(yield* repeats({ asset: "NOPE" }), "admitted")
        assert.deepStrictEqual(yield* takeCalls, [])
        // Another wallet's key, another key, a dry run and a read are no repeats.
        assert.strictEqual(yield* repeats({ apiKey: revoked }), "1002")
        assert.strictEqual(yield* repeats({ idempotency_key: "new", pool: vaults.others }), "1006")
        assert.strictEqual(yield* repeats({ dryRun: "true", pool: vaults.others }), "1006")
        assert.strictEqual(
          yield* codeOf(facts.reads, { ...request, idempotency_key: "accepted-before", pool: notVault }),
          "1004"
        )
      })
  )

  it.effect("returns the intent of a repeat with its caller, so that the handler accepts nothing", () =>
    Effect.gen(function*() {
      const { admit, admitAs } = yield* Gatekeeper
      const { params } = decode(facts.moves, {
        query: new URLSearchParams({ ...request, idempotency_key: "accepted-before" }),
        body: new Map(),
        headers: {}
      })
      assert.deepStrictEqual(
        yield* admit(facts.moves, params, []),
        Option.some({ wallet, keyId: "key", repeats: "0190-1" })
      )
      assert.deepStrictEqual(yield* admitAs(facts.moves, params, { wallet, keyId: "k" }), {
        wallet,
        keyId: "k",
        repeats: "0190-1"
      })
    }))

  it.effect("refuses a used key on a request that does not decode, whatever its vault says", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* admitted(facts.moves, {
          ...request,
          pool: vaults.unreachable,
          amount: "-1",
          idempotency_key: "accepted-before"
        }),
        {
          code: "1010",
          message: "idempotency_key: was used for another request (intent 0190-1); use a new key for a new request"
        }
      )
    }))

  it.effect("dies when the ledger cannot look a key up, before it calls anything else", () =>
    Effect.gen(function*() {
      yield* takeCalls
      const exit = yield* Effect.exit(admitted(facts.moves, { ...request, idempotency_key: "ledger-is-away" }))
      assert.isTrue(Exit.isFailure(exit) && Result.isSuccess(Cause.findDefect(exit.cause)))
      assert.deepStrictEqual(yield* takeCalls, [])
    }))

  it.effect("refuses a write beyond its key's limits last, but no read and no repeat of an accepted write", () =>
    Effect.gen(function*() {
      const beyond: Query = { ...request, network: "optimism", pool: limitedVault }
      assert.deepStrictEqual(yield* admitted(facts.moves, beyond), {
        code: "limit_exceeded",
        message: refusedByLimits.message
      })
      assert.strictEqual(yield* codeOf(facts.moves, { ...beyond, dryRun: "true" }), "limit_exceeded")
      assert.strictEqual(yield* codeOf(facts.moves, { ...beyond, asset: "NOPE" }), "1010")
      assert.strictEqual(yield* codeOf(facts.reads, beyond), "admitted")
      assert.strictEqual(yield* codeOf(facts.moves, { ...beyond, network: "base" }), "admitted")
      assert.strictEqual(yield* codeOf(facts.moves, { ...beyond, idempotency_key: "accepted-before" }), "admitted")
      assert.strictEqual(yield* codeOf(facts.moves, { ...beyond, idempotency_key: "new" }), "limit_exceeded")
    }))

  it.effect("refuses a write of a wallet that is quarantined on its network, but no dry run, no read and no repeat", () =>
    Effect.gen(function*() {
      const there: Query = { ...request, network: "arbitrum" }
      const { code, message } = yield* admitted(facts.moves, there)
      assert.strictEqual(code, "quarantined")
      assert.include(message, `${wallet} signs nothing on arbitrum: ${quarantined.reason}`)
      assert.include(message, "vault-trader lane release")
      assert.match(message, /nothing was accepted/i)
      assert.strictEqual(yield* codeOf(facts.moves, { ...there, idempotency_key: "new" }), "quarantined")
      assert.strictEqual(yield* codeOf(facts.moves, { ...there, asset: "NOPE" }), "1010")
      assert.strictEqual(yield* codeOf(facts.moves, { ...there, dryRun: "true" }), "admitted")
      assert.strictEqual(yield* codeOf(facts.reads, there), "admitted")
      assert.strictEqual(yield* codeOf(facts.moves, { ...there, idempotency_key: "accepted-before" }), "admitted")
      assert.strictEqual(yield* codeOf(facts.moves, request), "admitted")
    }))

  it.effect("returns the failure of an unreachable chain", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* admitted(facts.moves, { ...request, pool: vaults.unreachable }), {
        code: "rpc_unavailable",
        message: "No node answers."
      })
    }))

  it.effect("needs no key for an open endpoint, but its required parameters", () =>
    Effect.gen(function*() {
      const { admit } = yield* Gatekeeper
      assert.deepStrictEqual(yield* admit(facts.configures, { privateKey: Redacted.make("k") }, []), Option.none())
      assert.strictEqual(yield* codeOf(facts.configures, {}), "1010")
    }))

  const signature = (hex: string) => `v2.1800000000.0123456789abcdef.0x${hex.repeat(8)}`
  /** A signature that `FakeProofs` accepts. */
  const theirs = `v2.1800000000.goodgood.0x${"12".repeat(8)}`

  it.effect("verifies a manager's signature last, over the action and its subject, and uses it up only where something changes", () =>
    Effect.gen(function*() {
      const by = { manager, signature: theirs }
      yield* takeCalls
      assert.deepStrictEqual(
        yield* admitted(facts.managed, { ...by, wallet: wallet.toUpperCase().replace("0X", "0x") }),
        { code: "admitted", message: "nobody" }
      )
      assert.deepStrictEqual(yield* admitted(facts.both, { ...by, apiKey: good }), {
        code: "admitted",
        message: wallet
      })
      assert.deepStrictEqual(yield* admitted(facts.either, by), { code: "admitted", message: "nobody" })
      assert.deepStrictEqual(yield* admitted(facts.either, { ...by, apiKey: good }), {
        code: "admitted",
        message: wallet
      })
      assert.deepStrictEqual(yield* takeCalls, [
        `${manager} managed ${wallet} once`,
        `${manager} both ${wallet} once`,
        `${manager} either ${manager} read`
      ])
      for (
        const [endpoint, query, code] of [
          [facts.managed, { ...by }, "1010"],
          [facts.managed, { ...by, wallet: "me" }, "1005"],
          [facts.both, { ...by }, "1010"],
          [facts.both, { ...by, apiKey: revoked }, "1002"],
          [facts.both, { ...by, apiKey: good, label: "x".repeat(65) }, "1010"],
          [facts.either, { ...by, network: "mars" }, "1000"],
          [facts.either, { ...by, apiKey: "x" }, "1002"]
        ] as const
      ) assert.strictEqual(yield* codeOf(endpoint, query), code)
      assert.deepStrictEqual(yield* takeCalls, [])
      for (const endpoint of [facts.managed, facts.both, facts.either]) {
        assert.deepStrictEqual(
          yield* admitted(endpoint, {
            manager,
            signature: signature("12"),
            wallet,
            ...(endpoint === facts.both ? { apiKey: good } : {})
          }),
          {
            code: "1010",
            message: "signature: is not theirs"
          }
        )
      }
    }))

  it.effect("names the missing key, or the missing parts of the other proof", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* admitted(facts.either, {}), {
        code: "1010",
        message: "Missing required parameter: apiKey, or manager and signature"
      })
      assert.deepStrictEqual(yield* admitted(facts.either, { manager }), {
        code: "1010",
        message: "Missing required parameter: signature"
      })
      assert.deepStrictEqual(yield* admitted(facts.either, { signature: theirs }), {
        code: "1010",
        message: "Missing required parameter: manager"
      })
    }))

  it.effect("says of a purged wallet's key how its owner gets another one", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* admitted(facts.moves, { ...request, apiKey: ofPurged }), {
        code: "1002",
        message: "apiKey: revoked, because its wallet was never used; import the wallet's private key (getNewApiKey) " +
          "for a new one"
      })
    }))

  it.effect("admits a sub-key to reads, and to nothing that proves, grants or removes authority", () =>
    Effect.gen(function*() {
      const inside = Effect.provideService(CallerAddress, "192.0.2.7")
      for (const facts of endpoints) {
        if (!facts.params.some(({ name }) => name === "apiKey" || name === "gas_wallet_api_key")) continue
        const { apiKey: _, gas_wallet_api_key: __, ...rest } = facts.exampleRequest
        const texts = Object.fromEntries(
          Object.entries(rest).flatMap(([name, value]) =>
            typeof value === "object" ? [] : [[name, String(value as string | number)]]
          )
        )
        const keys = { apiKey: reader, gas_wallet_api_key: reader }
        const { code, message } = yield* inside(admitted(facts, { ...texts, ...keys }))
        const isRead = requiredScope(facts) === "read"
        if (isRead) assert.notInclude(message, "sub-key", facts.name)
        else if (code === "1002") assert.match(message, /sub-key may not call|unknown/, facts.name)
        else assert.notStrictEqual(code, "admitted", facts.name)
        assert.isTrue(!isRead || facts.class === "readOnly", facts.name)
      }
      const never = [
        ...["createSubKey", "getSubKeys", "revokeSubKey", "setKeyLimits", "getWalletAuthority", "resumeWallet"],
        ...["setWebhook", "deleteWebhook", "createWebhookToken", "setWebhookToken", "linkGasWallet", "setBot"],
        ...["placeOrder", "setCEXSide", "withdrawFromPerpetuals", "associateGasWallet", "rebalancePool"]
      ]
      const named = endpoints.filter(({ name }) => never.includes(name))
      assert.strictEqual(named.length, never.length)
      for (const facts of named) assert.isNull(requiredScope(facts), facts.name)
    }))

  it.effect("bounds a sub-key by its scopes, endpoints, vaults and client addresses", () =>
    Effect.gen(function*() {
      const of = (name: string) => endpoints.find((each) => each.name === name)!
      const said = (name: string, query: Query, from?: string) =>
        Effect.map(
          Effect.provideService(admitted(of(name), query), CallerAddress, from),
          ({ code, message }) => `${code} ${message}`
        )
      const trade = { apiKey: agent, network: "base", pool: vaults.ours, from: "USDC", to: "WETH", amount: "1" }
      assert.strictEqual(yield* said("vaultTrade", trade), `admitted ${wallet}`)
      assert.match(yield* said("vaultTrade", { ...trade, network: "optimism" }), /1002 .*request is about optimism/)
      assert.match(yield* said("vaultTrade", { ...trade, pool: vaults.managed }), /1002 .*request is about base/)
      // Its wallet's limits apply, too, and a repeat is admitted within the key's bounds only.
      const limited = { ...trade, network: "optimism", pool: limitedVault }
      assert.strictEqual(yield* said("vaultTrade", limited), `limit_exceeded ${refusedByLimits.message}`)
      const repeat = { ...trade, idempotency_key: "accepted-before" }
      assert.strictEqual(yield* said("vaultTrade", repeat), `admitted ${wallet}`)
      assert.match(yield* said("vaultTrade", { ...repeat, pool: vaults.managed }), /1002 .*request is about base/)
      assert.match(yield* said("approve", { ...trade, asset: "USDC" }), /1002 .*may not call approve; it may call/)
      assert.match(yield* said("lend", { ...trade, asset: "USDC" }), /1002 .*needs the scope lend; it has trade/)
      assert.match(yield* said("pauseWallet", { apiKey: agent }), /1002 .*pauseWallet names no vault/)
      assert.match(yield* said("poolComposition", { ...trade, pool: vaults.managed }), /1002 .*request is about/)
      assert.strictEqual(yield* said("getIntents", { apiKey: agent }), `admitted ${wallet}`)
      assert.match(
        yield* said("getGasBalance", { apiKey: agent, network: "base" }),
        /1002 .*may not call getGasBalance/
      )
      const reads = { apiKey: reader, network: "base", pool: vaults.ours }
      assert.strictEqual(yield* said("poolComposition", reads, "192.0.2.7"), `admitted ${wallet}`)
      for (const from of ["192.0.3.7", "::1", undefined]) {
        assert.match(yield* said("poolComposition", reads, from), /1002 .*does not count from the address/)
      }
    }))

  it.effect("does not report a failing database as a bad key", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(admitted(facts.moves, { ...request, apiKey: duringOutage }))
      assert.isTrue(Exit.isFailure(exit) && Result.isSuccess(Cause.findDefect(exit.cause)))
    }))
})

layer(live({ namesRequired: true }), { timeout: "4 minutes", excludeTestServices: true })(
  "admission without a default network",
  (it) => {
    it.effect("demands the network of a write that could omit it, and of nothing else", () =>
      Effect.gen(function*() {
        const factsOf = (name: string) => endpoints.find((each) => each.name === name)!
        const trade = { apiKey: good, pool: vaults.ours, from: "USDC", to: "WETH" }
        assert.deepStrictEqual(yield* admitted(factsOf("vaultTrade"), trade), {
          code: "1010",
          message: "Missing required parameter: network"
        })
        assert.deepStrictEqual(yield* admitted(factsOf("vaultTrade"), { ...trade, network: "nowhere" }), {
          code: "1000",
          message:
            "network: must be one of base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma"
        })
        assert.strictEqual(yield* codeOf(factsOf("vaultTrade"), { ...trade, network: "base" }), "admitted")
        assert.strictEqual(yield* codeOf(factsOf("getGasWalletPools"), { apiKey: good }), "admitted")
        assert.strictEqual(yield* codeOf(factsOf("eth-price"), {}), "admitted")
      }))
  }
)

layer(live(), { timeout: "4 minutes", excludeTestServices: true })("admission with a default network", (it) => {
  it.effect("reads the vault there when a write names none", () =>
    Effect.gen(function*() {
      const trade = { apiKey: good, pool: vaults.ours, from: "USDC", to: "WETH" }
      yield* takeCalls
      assert.strictEqual(yield* codeOf(endpoints.find(({ name }) => name === "vaultTrade")!, trade), "admitted")
      assert.match((yield* takeCalls).join(), /^optimism\//)
    }))
})
