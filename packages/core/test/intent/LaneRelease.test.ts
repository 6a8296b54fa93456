import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { Address, Hash } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { LaneQuarantineStore } from "../../src/gas-wallet/LaneQuarantineStore.ts"
import { keyOf } from "../../src/gas-wallet/Submission.ts"
import { SubmissionStore } from "../../src/gas-wallet/SubmissionStore.ts"
import { IntentStore } from "../../src/intent/IntentStore.ts"
import * as LaneRelease from "../../src/intent/LaneRelease.ts"
import { TradeRequest } from "../../src/trading/Trading.ts"
import { Database, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(
  LaneQuarantineStore.layer,
  SubmissionStore.layer,
  IntentStore.layer,
  ApiKeyStore.layer,
  GasWalletStore.layer
).pipe(Layer.provideMerge(Database))

const network = "base"
const pool: Address = `0x${"12".repeat(20)}`
const hash: Hash = `0x${"ab".repeat(32)}`

interface Owner {
  readonly address: Address
  readonly keyId: string
}

const accepted = ({ address, keyId }: Owner, on: "base" | "polygon" = network) =>
  Effect.map(
    Effect.flatMap(IntentStore, (store) =>
      store.accept({
        ...{ wallet: address, keyId, endpoint: "vaultTrade", network: on, pool, idempotencyKey: null },
        request: TradeRequest.make({ from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })
      })),
    ({ id }) => id
  )

const queued = (owner: Owner, intentId: string) =>
  Effect.gen(function*() {
    const key = keyOf(intentId, 1)
    const call = { to: pool, data: "0x1234", value: 0n } as const
    yield* (yield* SubmissionStore).put({
      ...{ key, intentId, network, wallet: owner.address, ...call, reserve: 0n, validUntil: null }
    })
    return key
  })

const quarantine = (owner: Owner) =>
  Effect.flatMap(LaneQuarantineStore, (store) =>
    store.open({
      ...{ network, wallet: owner.address, kind: "rows_behind_chain", reason: "the ledger is behind" },
      evidence: { count: "2", transactions: [{ nonce: "1", hash, note: "a call" }] }
    }))

const outcomeOf = (id: string) =>
  Effect.map(
    Effect.flatMap(Effect.flatMap(IntentStore, (store) => store.find(id)), Effect.fromOption),
    ({ outcome }) => outcome
  )

const release = (owner: Owner, runsRequests: boolean) =>
  LaneRelease.release({ network, wallet: owner.address, by: "Ada", runsRequests })

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the release of a lane", (it) => {
  it.effect("ends the open requests of which nothing is signed, without saying that nothing was sent", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* wallet
      const [accepting, planned, signed, elsewhere] = [
        yield* accepted(owner),
        yield* accepted(owner),
        yield* accepted(owner),
        yield* accepted(owner, "polygon")
      ]
      const stranger = yield* accepted(yield* wallet)
      const key = yield* queued(owner, planned)
      const own = yield* queued(owner, signed)
      yield* sql`update submissions set status = 'signed', nonce = 7 where key = ${own}`
      yield* quarantine(owner)
      const released = Option.getOrThrow(yield* release(owner, false))
      assert.strictEqual(released.ended, 2)
      assert.strictEqual(released.quarantine.evidence.count, "2")
      for (const id of [accepting, planned]) {
        const outcome = yield* outcomeOf(id)
        const failure = outcome?._tag === "Failed" ? outcome.failure : undefined
        assert.strictEqual(failure?._tag === "ExecutionFailure" ? failure.errorType : undefined, "outcome_unknown")
        assert.include(failure?.message, "whether this request was executed before is not known")
        assert.include(failure?.message, hash)
        assert.notMatch(failure?.message ?? "", /nothing was/i)
      }
      const row = yield* Effect.flatMap((yield* SubmissionStore).find(key), Effect.fromOption)
      assert.deepInclude({ ...row, type: row.failure?.errorType }, { status: "refused", type: "outcome_unknown" })
      for (const id of [signed, elsewhere, stranger]) assert.isNull(yield* outcomeOf(id))
      assert.isTrue(Option.isNone(yield* (yield* LaneQuarantineStore).find(network, owner.address)))
    }))

  it.effect("lets them run where the operator wants that, and changes nothing without a quarantine", () =>
    Effect.gen(function*() {
      const owner = yield* wallet
      const id = yield* accepted(owner)
      assert.isTrue(Option.isNone(yield* release(owner, false)))
      assert.isNull(yield* outcomeOf(id))
      yield* quarantine(owner)
      assert.strictEqual(Option.getOrThrow(yield* release(owner, true)).ended, 0)
      assert.isNull(yield* outcomeOf(id))
    }))
})
