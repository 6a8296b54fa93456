import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { Address } from "../../src/chain/Address.ts"
import * as ChangeApplication from "../../src/change-approval/ChangeApplication.ts"
import { ChangeRequestStore } from "../../src/change-approval/ChangeRequestStore.ts"
import { proposalOf } from "../../src/change-approval/ChangeRequest.ts"
import type { Verdict } from "../../src/change-approval/ChangeVote.ts"
import * as LimitRaise from "../../src/change-approval/LimitRaise.ts"
import { digestOf } from "../../src/change-approval/ProposedChange.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { KeyLimits, none } from "../../src/gas-wallet/KeyLimits.ts"
import { KeyLimitStore } from "../../src/gas-wallet/KeyLimitStore.ts"
import { LaneQuarantineStore } from "../../src/gas-wallet/LaneQuarantineStore.ts"
import { Database, freshAddress, freshDigest, row, wallet } from "../storage/Database.ts"

const Stores = Layer.mergeAll(
  ChangeRequestStore.layer,
  KeyLimitStore.layer,
  LaneQuarantineStore.layer,
  ApiKeyStore.layer,
  GasWalletStore.layer
).pipe(Layer.provideMerge(Database))

const usd = (dollars: number) => BigInt(dollars) * 10n ** 18n
const limits = (trade: number | null, day: number | null): KeyLimits =>
  KeyLimits.make({
    ...none,
    maxUsd18PerTrade: trade === null ? null : usd(trade),
    maxUsd18PerDay: day === null ? null : usd(day)
  })

const propose = (address: Address, caller: Address | "operator" | null, wanted: KeyLimits) =>
  Effect.map(
    Effect.flatMap(LimitRaise.make, (raise) => raise({ delayHours: 0 }, address, caller, () => wanted)),
    Option.getOrThrow
  )

/** A wallet whose manager has set these limits. */
const managed = (trade: number, day: number) =>
  Effect.gen(function*() {
    const { address } = yield* wallet
    const manager = yield* freshAddress
    const { request } = yield* propose(address, manager, limits(trade, day))
    assert.isTrue(Option.isNone(request))
    return { address, manager }
  })

const voteOf = (request: string, approver: Address, verdict: Verdict = "approve") =>
  Effect.map(freshDigest, (hex) => ({
    ...{ request, approver, verdict, chainId: 8453, issuedAt: 1_800_000_000, nonce: hex.slice(0, 16), salt: null },
    signature: `0x${hex}` as const,
    signatureDigest: `0x${hex}` as const
  }))

const applied = (id: string) =>
  Effect.gen(function*() {
    const request = Option.getOrThrow(yield* (yield* ChangeRequestStore).find(id))
    return yield* ChangeApplication.apply(id, Option.getOrThrow(proposalOf(request)).change)
  })

const stateOf = (id: string) =>
  Effect.map(
    Effect.flatMap(ChangeRequestStore, ({ find }) => find(id)),
    (found) => Option.map(found, ({ note, status }) => [status, note])
  )

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("a change that waits for approvals", (it) => {
  it.effect("lowers at once what a call lowers, raises nothing, and takes effect once when it is applied", () =>
    Effect.gen(function*() {
      const store = yield* KeyLimitStore
      const { address, manager } = yield* managed(250, 1000)
      const { limits: now, request } = yield* propose(address, manager, limits(500, 400))
      assert.deepStrictEqual(now, limits(250, 400))
      const { id, summary } = Option.getOrThrow(request)
      assert.strictEqual(summary, `Raise the limits of wallet ${address}: max_usd_per_trade from 250 to 500`)
      assert.deepStrictEqual((yield* store.find(address)).limits, limits(250, 400))

      assert.deepStrictEqual(yield* applied(id), Option.some("applied"))
      assert.deepStrictEqual((yield* store.find(address)).limits, limits(500, 400))
      yield* store.change(address, () => limits(100, 100))
      assert.deepStrictEqual(yield* applied(id), Option.none())
      assert.deepStrictEqual((yield* store.find(address)).limits, limits(100, 100))
    }))

  it.effect("is cancelled by a lowering since, even one that was taken back, and not by a call that lowers nothing", () =>
    Effect.gen(function*() {
      const store = yield* KeyLimitStore
      const { address, manager } = yield* managed(250, 1000)
      const first = Option.getOrThrow((yield* propose(address, manager, limits(500, 1000))).request)
      yield* store.restrict(address, null, (now) => now)
      assert.deepStrictEqual(yield* stateOf(first.id), Option.some(["open", null]))
      yield* store.restrict(address, null, () => limits(200, 1000))
      yield* store.change(address, () => limits(250, 1000))
      assert.deepStrictEqual(
        yield* stateOf(first.id),
        Option.some(["cancelled", "the limits were lowered since"])
      )
      assert.deepStrictEqual(yield* applied(first.id), Option.none())
      assert.deepStrictEqual((yield* store.find(address)).limits, limits(250, 1000))
    }))

  it.effect("is not applied to limits that were raised otherwise since", () =>
    Effect.gen(function*() {
      const store = yield* KeyLimitStore
      const { address, manager } = yield* managed(250, 1000)
      const { id } = Option.getOrThrow((yield* propose(address, manager, limits(500, 1000))).request)
      yield* store.change(address, () => limits(300, 2000))
      assert.deepStrictEqual(yield* applied(id), Option.some("cancelled"))
      assert.deepStrictEqual(yield* stateOf(id), Option.some(["cancelled", "the limits changed since"]))
      assert.deepStrictEqual((yield* store.find(address)).limits, limits(300, 2000))
    }))

  it.effect("is one request however often it is asked for, and is replaced by another about the same wallet", () =>
    Effect.gen(function*() {
      const { address, manager } = yield* managed(250, 1000)
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => propose(address, manager, limits(500, 1000))),
        { concurrency: 8 }
      )
      const ids = new Set(all.map(({ request }) => Option.getOrThrow(request).id))
      assert.strictEqual(ids.size, 1)
      const [first = ""] = ids
      const next = Option.getOrThrow((yield* propose(address, manager, limits(600, null))).request)
      assert.deepStrictEqual(
        yield* stateOf(first),
        Option.some(["cancelled", `replaced by request ${next.id}`])
      )
      assert.deepStrictEqual(yield* applied(first), Option.none())
    }))

  it.effect("is requested only by those who may raise: a key and another manager only lower", () =>
    Effect.gen(function*() {
      const { address } = yield* managed(250, 1000)
      for (const caller of [null, yield* freshAddress]) {
        const { limits: now, request } = yield* propose(address, caller, limits(null, 900))
        assert.deepStrictEqual([now.maxUsd18PerTrade, Option.isNone(request)], [usd(250), true])
      }
      const byOperator = yield* propose(address, "operator", none)
      assert.strictEqual(Option.getOrThrow(byOperator.request).proposer, "operator")
      assert.deepStrictEqual(byOperator.limits, limits(250, 900))
      const raise = yield* LimitRaise.make
      assert.isTrue(Option.isNone(yield* raise({ delayHours: 0 }, yield* freshAddress, null, () => none)))
    }))

  it.effect("takes one vote of each approver, which can turn into a veto and not back, and none once it ended", () =>
    Effect.gen(function*() {
      const { vote } = yield* ChangeRequestStore
      const { address, manager } = yield* managed(250, 1000)
      const { id } = Option.getOrThrow((yield* propose(address, manager, limits(500, 1000))).request)
      const [one, other] = [yield* freshAddress, yield* freshAddress]
      const first = yield* voteOf(id, one)
      assert.strictEqual(yield* vote(first), "recorded")
      assert.strictEqual(yield* vote(yield* voteOf(id, one)), "repeated")
      // The same bytes under another approver's name are no second vote.
      const copied = yield* Effect.result(vote({ ...first, approver: other }))
      assert.strictEqual(copied._tag, "Failure")
      assert.strictEqual(yield* vote(yield* voteOf(id, one, "veto")), "recorded")
      assert.deepStrictEqual(yield* stateOf(id), Option.some(["vetoed", `vetoed by ${one}`]))
      assert.strictEqual(yield* vote(yield* voteOf(id, other)), "ended")
      assert.deepStrictEqual(yield* applied(id), Option.none())
    }))

  it.effect("is not read as a proposal when its row was changed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { find } = yield* ChangeRequestStore
      const { address, manager } = yield* managed(250, 1000)
      const request = Option.getOrThrow((yield* propose(address, manager, limits(500, 1000))).request)
      assert.isTrue(Option.isSome(proposalOf(request)))
      const victim = yield* wallet
      for (
        const column of [
          sql`wallet = ${victim.address}`,
          sql`change = ${request.change.replace(address, victim.address)}`,
          sql`change = ${request.change.replace("{", "{ ")}`
        ]
      ) {
        yield* sql`update approval_requests set wallet = ${address}, change = ${request.change} where id = ${request.id}::uuid`
        yield* sql`update approval_requests set ${column} where id = ${request.id}::uuid`
        const [changed] = Option.toArray(yield* find(request.id))
        assert.isTrue(
          Option.isNone(proposalOf(changed!)) || (yield* digestOf(changed!.change)) !== changed!.digest
        )
      }
    }))

  it.effect("releases a lane with exactly the evidence that was approved", () =>
    Effect.gen(function*() {
      const requests = yield* ChangeRequestStore
      const quarantines = yield* LaneQuarantineStore
      const { address } = yield* wallet
      const hash = `0x${"12".repeat(32)}`
      const open = (nonce: string) =>
        quarantines.open({
          ...{ network: "base" as const, wallet: address, kind: "rows_behind_chain" as const, reason: "behind" },
          evidence: { count: "7", transactions: [{ nonce, hash, note: "a call" }] }
        })
      const request = Effect.gen(function*() {
        const quarantine = Option.getOrThrow(yield* quarantines.find("base", address))
        return yield* requests.propose(
          ChangeApplication.laneChange(quarantine, { by: "Ada", runsRequests: false }),
          { proposer: "operator", delayHours: 0 }
        )
      })
      yield* open("6")
      const first = yield* request
      yield* open("5")
      assert.deepStrictEqual(yield* applied(first.id), Option.some("cancelled"))
      assert.isTrue(Option.isSome(yield* quarantines.find("base", address)))
      const second = yield* request
      assert.match(second.summary, /^Release wallet 0x[0-9a-f]{40} on base: lane from quarantined: rows_behind_chain/)
      assert.deepStrictEqual(yield* applied(second.id), Option.some("applied"))
      assert.isTrue(Option.isNone(yield* quarantines.find("base", address)))
      assert.deepStrictEqual(
        yield* row(`select released_by from lane_quarantines where wallet = '${address}'`),
        { released_by: "Ada" }
      )
    }))

  it.effect("of settings is one per kind, and the one that took effect last is known", () =>
    Effect.gen(function*() {
      const { lastApplied, propose: ask } = yield* ChangeRequestStore
      const by = { proposer: "service", delayHours: 0 }
      const [a, b] = [yield* freshAddress, yield* freshAddress]
      assert.isTrue(Option.isNone(yield* lastApplied("treasury")))
      const first = yield* ask({ _tag: "treasury", before: {}, after: { TREASURY_BASE: a } }, by)
      assert.strictEqual(first.summary, `Pay charges to other addresses: TREASURY_BASE from not set to ${a}`)
      assert.deepStrictEqual(yield* applied(first.id), Option.some("applied"))
      const second = yield* ask(
        { _tag: "treasury", before: { TREASURY_BASE: a }, after: { TREASURY_BASE: b } },
        by
      )
      assert.deepStrictEqual(Option.map(yield* lastApplied("treasury"), ({ id }) => id), Option.some(first.id))
      assert.deepStrictEqual(yield* applied(second.id), Option.some("applied"))
      assert.deepStrictEqual(Option.map(yield* lastApplied("treasury"), ({ id }) => id), Option.some(second.id))
    }))
})
