/** Requests whose votes are verified by the signing process, with rows that an intruder wrote, on a real PostgreSQL. */
import { assert, layer } from "@effect/vitest"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { ApprovalPolicy, noApprovals } from "@vault-trader/core/change-approval/ApprovalSettings"
import { type ChangeRequest, sentenceOf } from "@vault-trader/core/change-approval/ChangeRequest"
import { ChangeRequestStore } from "@vault-trader/core/change-approval/ChangeRequestStore"
import { statementOf, type Verdict } from "@vault-trader/core/change-approval/ChangeVote"
import * as LimitRaise from "@vault-trader/core/change-approval/LimitRaise"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KeyLimits, none } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { pepperCheckText } from "@vault-trader/core/gas-wallet/PepperCheckText"
import { typedData } from "@vault-trader/core/signature/ManagerSignature"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as SqlClient from "effect/sql/SqlClient"
import { randomBytes, randomUUID } from "node:crypto"
import type { TypedDataDefinition } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { isApproved, MoneySettings } from "../../src/change-approval/ApprovedSettings.ts"
import { round } from "../../src/change-approval/ChangeApprovals.ts"
import { Database } from "../gas-wallet/TestLane.ts"

const accountOf = () => {
  const account = privateKeyToAccount(generatePrivateKey())
  return { account, address: account.address.toLowerCase() as Address }
}
type Account = ReturnType<typeof accountOf>

const [ada, bob, eve] = [accountOf(), accountOf(), accountOf()]
const policy: ApprovalPolicy = { ...noApprovals, approvers: [ada.address, bob.address], needed: 2 }

/** The database of a service that was started once, so its pepper's check value is stored. */
const Stores = Layer.mergeAll(
  ChangeRequestStore.layer,
  KeyLimitStore.layer,
  LaneQuarantineStore.layer,
  GasWalletStore.layer,
  Layer.effectDiscard(Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const value = yield* (yield* ApiKeyDigest).digest(pepperCheckText)
    yield* sql`insert into secret_checks (name, value) values ('pepper', ${value})`
  }))
).pipe(
  Layer.provideMerge(Layer.mergeAll(Database, ApiKeyDigest.layer(Redacted.make("5a".repeat(32))))),
  Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
)

const usd = (dollars: number) => BigInt(dollars) * 10n ** 18n
const limits = (trade: number) => KeyLimits.make({ ...none, maxUsd18PerTrade: usd(trade) })

const freshWallet = Effect.gen(function*() {
  const address: Address = `0x${randomBytes(20).toString("hex")}`
  yield* (yield* GasWalletStore).put({ address, ciphertext: "c" })
  yield* (yield* KeyLimitStore).change(address, () => limits(100))
  return address
})

/** A wallet with a request to raise its limit from 100 to this. */
const raise = (to: number) =>
  Effect.gen(function*() {
    const address = yield* freshWallet
    const propose = yield* LimitRaise.make
    const { request } = Option.getOrThrow(yield* propose({ delayHours: 0 }, address, "operator", () => limits(to)))
    return { address, request: Option.getOrThrow(request) }
  })

/** Signs a vote, by default with the account that it names. */
const signed = (
  request: Pick<ChangeRequest, "digest" | "id" | "summary">,
  by: Account,
  verdict: Verdict = "approve",
  issuedAt = Math.floor(Date.now() / 1000),
  key = by
) =>
  Effect.gen(function*() {
    const fields = {
      ...{ approver: by.address, verdict, chainId: 8453, issuedAt, salt: null },
      nonce: randomUUID().replaceAll("-", "")
    }
    const statement = yield* statementOf({ id: request.id, sentence: sentenceOf(request) }, fields)
    const signature = yield* Effect.promise(() =>
      key.account.signTypedData(typedData(statement) as unknown as TypedDataDefinition)
    )
    const signatureDigest: Hash = `0x${randomBytes(32).toString("hex")}`
    return { ...fields, request: request.id, signature, signatureDigest }
  })

const cast = (vote: Effect.Success<ReturnType<typeof signed>>) =>
  Effect.flatMap(ChangeRequestStore, (store) => store.vote(vote))

const rounds = (changes: Partial<ApprovalPolicy> = {}) =>
  Effect.provideService(round, ApprovalPolicy, { ...policy, ...changes })

const outcome = (id: string) =>
  Effect.map(
    Effect.flatMap(ChangeRequestStore, ({ find }) => find(id)),
    (found) => {
      const { note, status, votes } = Option.getOrThrow(found)
      return { status, note, refused: votes.map(({ refused }) => refused) }
    }
  )
const limitOf = (address: Address) =>
  Effect.map(
    Effect.flatMap(KeyLimitStore, ({ find }) => find(address)),
    ({ limits }) => Number((limits.maxUsd18PerTrade ?? 0n) / 10n ** 18n)
  )

/** Runs with these treasuries in the configuration of this process. */
const paying =
  (values: Readonly<Record<string, string>>, changes: Partial<ApprovalPolicy> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(MoneySettings, { treasury: values, policy: {} }),
      Effect.provideService(ApprovalPolicy, { ...policy, ...changes })
    )

const openTreasury = Effect.map(
  Effect.flatMap(ChangeRequestStore, ({ list }) => list({ onlyOpen: true, limit: 100 })),
  (all) => all.find(({ kind }) => kind === "treasury")
)

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the signing process", (it) => {
  it.effect("raises a limit when two approvers have signed exactly this change, and once", () =>
    Effect.gen(function*() {
      const { address, request } = yield* raise(500)
      yield* cast(yield* signed(request, ada))
      yield* rounds()
      assert.deepStrictEqual([(yield* outcome(request.id)).status, yield* limitOf(address)], ["open", 100])
      yield* cast(yield* signed(request, bob))
      yield* Effect.all([rounds(), rounds(), rounds()], { concurrency: 3 })
      assert.deepStrictEqual([(yield* outcome(request.id)).status, yield* limitOf(address)], ["applied", 500])
      yield* (yield* KeyLimitStore).change(address, () => limits(50))
      yield* rounds()
      assert.strictEqual(yield* limitOf(address), 50)
    }))

  it.effect(
    "counts no row without its approver's signature over this change: forged, copied, of another verdict or a stranger",
    () =>
      Effect.gen(function*() {
        const { address, request } = yield* raise(500)
        const other = yield* raise(600)
        yield* cast(yield* signed(request, ada))
        const cases = [
          yield* signed(request, bob, "approve", undefined, eve),
          { ...(yield* signed(other.request, bob)), request: request.id },
          { ...(yield* signed(request, bob, "veto")), verdict: "approve" as const },
          { ...(yield* signed(request, bob)), issuedAt: 1_700_000_000 },
          { ...(yield* signed(request, ada)), approver: bob.address },
          { ...(yield* signed(request, bob)), signature: "0x12" as const },
          yield* signed(request, eve)
        ]
        for (const forged of cases) {
          yield* cast(forged)
          yield* rounds()
          const { refused, status } = yield* outcome(request.id)
          assert.deepStrictEqual([status, yield* limitOf(address)], ["open", 100])
          assert.strictEqual(
            refused.filter((reason) => reason !== null).length,
            forged.approver === eve.address ? 2 : 1
          )
        }
        // A refused vote does not stand in the way of the approver's own.
        assert.strictEqual(yield* cast(yield* signed(request, bob)), "recorded")
        yield* rounds()
        assert.deepStrictEqual([(yield* outcome(request.id)).status, yield* limitOf(address)], ["applied", 500])
      })
  )

  it.effect("ends a request whose row an intruder changed, and one of another service", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      for (const [from, to] of [["\"500000", "\"900000"], ["\"service\":\"0x", "\"service\":\"0xff"]] as const) {
        const { address, request } = yield* raise(500)
        const change = request.change.replace(from, to)
        assert.notStrictEqual(change, request.change)
        yield* cast(yield* signed(request, ada))
        yield* cast(yield* signed(request, bob))
        yield* sql`update approval_requests set change = ${change} where id = ${request.id}::uuid`
        yield* rounds()
        assert.deepInclude(yield* outcome(request.id), {
          status: "cancelled",
          note: "its row is not a proposal of this service, or was changed"
        })
        assert.strictEqual(yield* limitOf(address), 100)
      }
    }))

  it.effect("applies nothing twice although its row is set back to open", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { address, request } = yield* raise(500)
      yield* cast(yield* signed(request, ada))
      yield* cast(yield* signed(request, bob))
      yield* rounds()
      yield* (yield* KeyLimitStore).change(address, () => limits(50))
      yield* sql`update approval_requests set status = 'open' where id = ${request.id}::uuid`
      yield* rounds()
      assert.deepInclude(yield* outcome(request.id), { status: "cancelled", note: "the limits changed since" })
      assert.strictEqual(yield* limitOf(address), 50)
    }))

  it.effect("follows the configuration about who approves, and one veto ends a change", () =>
    Effect.gen(function*() {
      const { address, request } = yield* raise(500)
      yield* cast(yield* signed(request, ada))
      yield* cast(yield* signed(request, bob))
      yield* rounds({ approvers: [ada.address, eve.address] })
      const { refused, status } = yield* outcome(request.id)
      assert.deepStrictEqual([status, refused.filter((reason) => reason !== null).length], ["open", 1])
      yield* cast(yield* signed(request, eve, "veto"))
      yield* rounds({ approvers: [ada.address, eve.address] })
      assert.deepStrictEqual([(yield* outcome(request.id)).status, yield* limitOf(address)], ["vetoed", 100])
    }))

  it.effect("counts the time lock from signed time, so rows that are set back do not shorten it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Math.floor(Date.now() / 1000)
      const fresh = yield* raise(500)
      const old = yield* raise(500)
      yield* cast(yield* signed(fresh.request, ada, "approve", now - 60))
      yield* cast(yield* signed(old.request, ada, "approve", now - 3_700))
      yield* sql`update approval_requests set created_at = now() - interval '9 hours'`
      yield* sql`update approval_votes set at = now() - interval '9 hours'`
      yield* rounds({ delayHours: 1 })
      assert.deepStrictEqual([yield* limitOf(fresh.address), yield* limitOf(old.address)], [100, 500])
    }))

  it.effect("ends a request that expired, but not one that was complete before", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [late, complete] = [yield* raise(500), yield* raise(500)]
      yield* cast(yield* signed(late.request, ada))
      yield* cast(yield* signed(complete.request, ada))
      yield* cast(yield* signed(complete.request, bob))
      yield* sql`update approval_requests set expires_at = now() - interval '1 second'
        where id in (${late.request.id}::uuid, ${complete.request.id}::uuid)`
      yield* rounds()
      assert.deepInclude(yield* outcome(late.request.id), { status: "expired", note: "not enough approvals in time" })
      assert.deepStrictEqual([yield* limitOf(late.address), yield* limitOf(complete.address)], [100, 500])
    }))

  it.effect("pays a treasury only while its approval is valid: changed, restored, forged and set back it waits", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [a, b] = [accountOf().address, accountOf().address]
      const waits = (values: Readonly<Record<string, string>>, changes: Partial<ApprovalPolicy> = {}) =>
        Effect.map(paying(values, changes)(isApproved("treasury")), (approved) => !approved)
      const approve = (values: Readonly<Record<string, string>>) =>
        Effect.gen(function*() {
          yield* paying(values)(round)
          const request = (yield* openTreasury)!
          yield* cast(yield* signed(request, ada))
          yield* cast(yield* signed(request, bob))
          yield* paying(values)(round)
          return request
        })

      assert.isTrue(yield* waits({ TREASURY_BASE: a }))
      assert.isFalse(yield* waits({}))
      assert.isFalse(yield* waits({ TREASURY_BASE: a }, { needed: 0 }))
      assert.isFalse(yield* waits({ TREASURY_BASE: a }, { kinds: new Set(["limits"]) }))
      yield* paying({ TREASURY_BASE: a })(round)
      yield* paying({ TREASURY_BASE: a })(round)
      const first = (yield* openTreasury)!
      assert.include(first.summary, `TREASURY_BASE from not set to ${a}`)
      // An intruder declares it applied, with rows of votes.
      yield* cast(yield* signed(first, ada, "approve", undefined, eve))
      yield* sql`update approval_requests set status = 'applied', decided_at = now() where id = ${first.id}::uuid`
      assert.isTrue(yield* waits({ TREASURY_BASE: a }))
      yield* sql`delete from approval_requests where kind = 'treasury'`

      const approved = yield* approve({ TREASURY_BASE: a })
      assert.isFalse(yield* waits({ TREASURY_BASE: a }))
      assert.isTrue(yield* waits({ TREASURY_BASE: b }))
      assert.isTrue(yield* waits({ TREASURY_BASE: a, TREASURY_POLYGON: b }))
      assert.isTrue(yield* waits({ TREASURY_BASE: a }, { approvers: [ada.address, eve.address] }))
      assert.isTrue(
        yield* waits({ TREASURY_BASE: a }, { approvers: [ada.address, bob.address, eve.address], needed: 3 })
      )

      const second = yield* approve({ TREASURY_BASE: b })
      assert.include(second.summary, `TREASURY_BASE from ${a} to ${b}`)
      assert.isFalse(yield* waits({ TREASURY_BASE: b }))
      // The approval of the earlier address is over.
      assert.isTrue(yield* waits({ TREASURY_BASE: a }))

      // The database of before the second approval is restored.
      yield* sql`delete from approval_votes where request = ${second.id}::uuid`
      yield* sql`update approval_requests set status = 'open', decided_at = null where id = ${second.id}::uuid`
      assert.isTrue(yield* waits({ TREASURY_BASE: b }))
      yield* paying({ TREASURY_BASE: b })(round)
      assert.strictEqual((yield* openTreasury)?.id, second.id)
      assert.isTrue(yield* waits({ TREASURY_BASE: b }))
      assert.isFalse(yield* waits({ TREASURY_BASE: a }))
      assert.strictEqual((yield* outcome(approved.id)).status, "applied")
    }))
})
