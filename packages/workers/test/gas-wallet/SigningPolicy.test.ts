/**
 * Attacks by rows that no planner wrote, in the lane of a wallet without limits. They carry its MAC: the policy refuses
 * what a deceived planner, or a thief of its key, has marked.
 */
import { assert, layer } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { randomBytes, randomUUID } from "node:crypto"
import { encodeFunctionData, keccak256, parseAbi } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { managerLogicAbi } from "../../src/platform/PlatformAbi.ts"
import { SigningPolicy } from "../../src/gas-wallet/SigningPolicy.ts"
import { throughVault, type VaultCall } from "../../src/platform/VaultCall.ts"
import { actions } from "../../src/ActionTable.ts"
import * as LimitedLane from "./LimitedLane.ts"
import * as TestLane from "./TestLane.ts"

const network = TestLane.network
const concurrent = { concurrent: true }
const thief: Address = "0x00000000000000000000000000000000000000cc"
const treasury: Address = "0x7ea5000000000000000000000000000000000004"
const stolen = 29n * 10n ** 17n
const token = parseAbi([
  "function transfer(address to, uint256 amount) returns (bool)",
  "function approve(address spender, uint256 amount) returns (bool)"
])
const transfer: Hex = encodeFunctionData({ abi: token, functionName: "transfer", args: [thief, 1_000_000n] })

const Stores = TestLane.storesUnder(SigningPolicy.layer(actions, new Map([[network, treasury]])))

/** A row inserted by an attacker. */
interface Row {
  readonly key?: string
  readonly intent?: string | null
  readonly to: Address
  readonly data?: Hex
  readonly value?: string
  readonly reserve?: string
  readonly status?: "queued" | "signed"
  readonly nonce?: number | null
  readonly estimate?: string | null
}

/**
 * A wallet without limits that trades a vault, a webhook that receives its alerts, and functions that insert rows into
 * its lane.
 */
const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const bench = yield* LimitedLane.make
  const { chain, wallet } = bench
  yield* chain.setBalance(wallet, 3n * TestLane.ether)
  yield* sql`insert into webhooks ${
    sql.insert({
      id: randomUUID(),
      wallet,
      url: "https://example.org/",
      events: JSON.stringify(["wallet.alert"]),
      ciphertext: "x"
    })
  }`

  const insert = (row: Row) =>
    Effect.gen(function*() {
      const key = row.key ?? `${row.intent ?? randomUUID()}/0`
      const [value, reserve] = [row.value ?? "0", row.reserve ?? "0"]
      const isNumber = [value, reserve].every((each) => /^\d+$/.test(each))
      const call = { key, network, wallet, to: row.to, data: row.data ?? "0x" } as const
      yield* sql`insert into submissions ${
        sql.insert({
          ...{
            key,
            network,
            wallet,
            intent_id: row.intent ?? null,
            to_address: call.to,
            data: call.data,
            value,
            reserve,
            mac: isNumber
              ? TestLane.macs.of({
                ...call,
                intentId: row.intent ?? null,
                value: BigInt(value),
                reserve: BigInt(reserve)
              })
              : null
          },
          ...{ status: row.status ?? "queued", nonce: row.nonce ?? null, estimate: row.estimate ?? null }
        })
      }`
      return key
    })
  /** An open intent of the wallet that nothing was planned for. */
  const intent = (request = "Trade", about: Address = bench.pool, asset?: Address) =>
    Effect.gen(function*() {
      const id = (yield* bench.queued(null, { calls: [] }, request as "Trade", about, asset)).split("/")[0]!
      yield* sql`delete from submissions where intent_id = ${id}::uuid`
      return id
    })
  const forged = (call: Omit<Row, "intent">, request = "Trade", about: Address = bench.pool) =>
    Effect.flatMap(intent(request, about), (id) => insert({ ...call, intent: id }))
  /** A change of a vault's assets at a manager contract, under an intent that enables or disables `asset`. */
  const changed = (
    change: { readonly to: Address; readonly add?: ReadonlyArray<Address>; readonly remove?: ReadonlyArray<Address> },
    request: "EnableAsset" | "DisableAsset",
    asset: Address,
    about: Address = bench.pool
  ) =>
    Effect.flatMap(intent(request, about, asset), (id) =>
      insert({
        intent: id,
        to: change.to,
        data: encodeFunctionData({
          abi: managerLogicAbi,
          functionName: "changeAssets",
          args: [(change.add ?? []).map((each) => ({ asset: each, isDeposit: false })), change.remove ?? []]
        })
      }))
  const forgedCalls = (calls: ReadonlyArray<VaultCall>, request = "Trade") =>
    forged({ to: bench.pool, data: throughVault(calls) }, request)
  const settlement = (to: Address, value: bigint) =>
    Effect.gen(function*() {
      const id = randomUUID()
      yield* sql`insert into settlements ${
        sql.insert({ id, network, wallet, treasury: to, native_wei: "1", usd: "0.1", charges: 1 })
      }`
      yield* sql`insert into charges (reference, wallet, network, action, usd, native_wei, settlement_id)
        values (${randomUUID()}, ${wallet}, ${network}, 'exchangeTrade', 0.1, 1, ${id}::uuid)`
      return yield* insert({ key: `settlement/${id}`, to, value: value.toString() })
    })
  const alerts = Effect.map(
    sql<
      { readonly submission: string }
    >`select data ->> 'submission' as submission from webhook_events where type = 'wallet.alert' and wallet = ${wallet}`,
    (rows) => rows.map(({ submission }) => submission)
  )
  /** Signed bytes of another key, as an attacker can make them. */
  const foreignBytes = (nonce: number) =>
    Effect.promise(() =>
      privateKeyToAccount(generatePrivateKey()).signTransaction({
        ...{
          type: "eip1559",
          chainId: 10,
          to: thief,
          value: stolen,
          nonce,
          gas: 21_000n,
          maxFeePerGas: 10n ** 10n,
          maxPriorityFeePerGas: 10n ** 9n
        }
      })
    )
  const forgedAttempt = (key: string, nonce: number, raw: Hex) =>
    sql`insert into attempts ${
      sql.insert({
        network,
        wallet,
        nonce,
        attempt: 0,
        submission_key: key,
        hash: keccak256(raw),
        raw,
        gas_limit: "21000",
        max_fee_per_gas: "1",
        max_priority_fee_per_gas: "1"
      })
    }`
  return {
    ...bench,
    sql,
    insert,
    intent,
    forged,
    changed,
    forgedCalls,
    settlement,
    alerts,
    foreignBytes,
    forgedAttempt
  }
})

type Bench = Effect.Success<typeof make>

/** Each inserts a row that must not be signed, and returns its key. */
const attacks: Readonly<Record<string, (bench: Bench) => Effect.Effect<string, unknown>>> = {
  "a transfer of ETH": ({ insert }) => insert({ to: thief, value: stolen.toString() }),
  "a transfer of ETH under an intent": ({ forged }) => forged({ to: thief, value: stolen.toString() }),
  "a transfer of ETH with a trade's bytes": ({ forged, pool, selling }) =>
    forged({ to: pool, data: throughVault(selling(1)), value: "1" }),
  "a transfer of a token": ({ chain, forged }) => forged({ to: chain.token("USDC"), data: transfer }),
  "a vault's transfer of its token": ({ chain, forgedCalls }) =>
    forgedCalls([{ to: chain.token("USDC"), data: transfer }]),
  "a trade followed by a transfer": ({ chain, forgedCalls, selling }) =>
    forgedCalls([...selling(1), { to: chain.token("USDC"), data: transfer }]),
  "an allowance for the thief": ({ approve, forgedCalls }) => forgedCalls([approve(1n, thief)], "Approve"),
  "a swap for the thief": ({ approve, forgedCalls, swap, under, usdc }) =>
    forgedCalls([approve(usdc(1)), under([swap(usdc(1), thief)])]),
  "a trade under an intent that asks for an approval": ({ forgedCalls, selling }) => forgedCalls(selling(1), "Approve"),
  "a trade of a vault that is not the intent's": (bench) =>
    Effect.flatMap(bench.newVault, (other) => bench.forged({ to: other, data: throughVault(bench.selling(1, other)) })),
  "a trade of a vault that the wallet does not trade": (bench) =>
    Effect.gen(function*() {
      const { pool } = yield* bench.chain.createVault({ manager: thief, trader: thief, holdings: { USDC: 1_000_000n } })
      return yield* bench.forged({ to: pool, data: throughVault(bench.selling(1, pool)) }, "Trade", pool)
    }),
  "a trade of a contract that is no vault": (bench) =>
    bench.forged({ to: thief, data: throughVault(bench.selling(1, thief)) }, "Trade", thief),
  "fees minted at a contract that is no vault": ({ forged }) =>
    forged({ to: thief, data: "0x16dc165b" }, "MintManagerFee", thief),
  "another asset enabled than its request names": ({ chain, changed, managerLogic: to }) =>
    changed({ to, add: [chain.token("WETH")] }, "EnableAsset", chain.token("USDC")),
  "two assets enabled": ({ chain, changed, managerLogic: to }) =>
    changed({ to, add: [chain.token("USDC"), chain.token("WETH")] }, "EnableAsset", chain.token("USDC")),
  "an asset disabled under a request that enables it": ({ chain, changed, managerLogic: to }) =>
    changed({ to, remove: [chain.token("USDC")] }, "EnableAsset", chain.token("USDC")),
  "an asset enabled at the manager contract of another vault": ({ chain, changed, wallet }) =>
    Effect.flatMap(
      chain.createVault({ manager: LimitedLane.manager, trader: wallet }),
      ({ managerLogic: to }) => changed({ to, add: [chain.token("USDC")] }, "EnableAsset", chain.token("USDC"))
    ),
  "an asset enabled at a contract that is no vault's": ({ chain, changed }) =>
    changed({ to: thief, add: [chain.token("USDC")] }, "EnableAsset", chain.token("USDC")),
  "an asset enabled in a vault that the wallet does not trade": ({ chain, changed }) =>
    Effect.flatMap(
      chain.createVault({ manager: thief, trader: thief }),
      ({ managerLogic: to, pool }) =>
        changed({ to, add: [chain.token("USDC")] }, "EnableAsset", chain.token("USDC"), pool)
    ),
  "a trade without an intent": ({ insert, pool, selling }) => insert({ to: pool, data: throughVault(selling(1)) }),
  "a second step of an intent": ({ insert, intent, pool, selling }) =>
    Effect.flatMap(intent(), (id) => insert({ intent: id, key: `${id}/7`, to: pool, data: throughVault(selling(1)) })),
  "a trade of an intent that is over": (bench) =>
    Effect.tap(
      bench.forgedCalls(bench.selling(1)),
      (key) =>
        bench.sql`update intents set status = 'failed', outcome = '{}'::jsonb where id = ${key.split("/")[0]!}::uuid`
    ),
  "a settlement to another treasury": ({ settlement }) => settlement(thief, 1n),
  "a huge settlement": ({ settlement }) => settlement(treasury, stolen),
  "a settlement that was not claimed": ({ insert }) =>
    insert({ key: `settlement/${randomUUID()}`, to: treasury, value: "1" }),
  "a top-up that is not configured": ({ insert }) =>
    insert({ key: `${randomUUID()}/topup`, to: thief, value: stolen.toString() }),
  "a filler that pays": ({ insert, wallet }) =>
    insert({ key: `filler/${network}/${wallet}/0`, to: thief, value: stolen.toString() }),
  "an invalid key": ({ insert }) => insert({ key: `not a key ${randomUUID()}`, to: thief, value: "1" }),
  "an invalid key, under an intent": ({ forged, pool, selling }) =>
    forged({ key: `${randomBytes(8).toString("hex")}/x`, to: pool, data: throughVault(selling(1)) }),
  "an empty key": ({ insert, wallet }) => insert({ key: `/${wallet}`, to: thief }),
  "bytes that are no call": ({ forged, pool }) => forged({ to: pool, data: "0x12345678" }),
  "an invalid estimate": ({ forged, pool, selling }) =>
    forged({ to: pool, data: throughVault(selling(1)), estimate: "\"soon\"" }),
  "a value that is no number": ({ forged, pool }) => forged({ to: pool, value: "NaN" }),
  "a reserve that is no number": ({ forged, pool }) => forged({ to: pool, reserve: "NaN" })
}

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })(
  "the signer, of a row inserted into the database,",
  (it) => {
    for (const [what, attack] of Object.entries(attacks)) {
      it.effect(`signs nothing of ${what}, alerts, and continues with the next trade`, () =>
        Effect.gen(function*() {
          const bench = yield* make
          yield* bench.mining
          // The row exists before the lane opens: the lane reads it without a caller.
          const forged = yield* attack(bench)
          const lane = yield* bench.open
          yield* TestLane.until(bench.row(forged), ({ status }) => status !== "queued")
          const trade = yield* lane.submit(yield* bench.queued(null, { calls: bench.selling(1) }))
          const { failure, nonce, status } = yield* bench.row(forged)
          assert.deepStrictEqual([status, nonce, bench.fate(trade), bench.signed.length, yield* bench.sent], [
            "refused",
            null,
            "sent",
            1,
            1
          ])
          assert.match(failure?.message ?? "", /\. Nothing was sent/)
          assert.include(yield* bench.alerts, forged)
          assert.deepStrictEqual(yield* bench.attempts(forged), [])
        }), concurrent)
    }

    it.effect("signs a trade whose row is in one batch with all of them", () =>
      Effect.gen(function*() {
        const bench = yield* make
        yield* bench.mining
        // A wallet has one open settlement at a time.
        const { "a huge settlement": _, ...others } = attacks
        const forged = yield* Effect.forEach(Object.values(others), (attack) => attack(bench))
        const key = yield* bench.queued(null, { calls: bench.selling(1) })
        const lane = yield* bench.open
        assert.strictEqual(bench.fate(yield* lane.submit(key)), "sent")
        assert.sameMembers([...(yield* bench.alerts)], forged)
        assert.strictEqual(yield* bench.sent, 1)
      }), concurrent)

    it.effect(
      "does not broadcast bytes of another key that claim its next nonce, nor sign them again, and uses the nonce itself",
      () =>
        Effect.gen(function*() {
          const bench = yield* make
          yield* bench.mining
          const key = yield* bench.insert({ to: thief, value: stolen.toString(), status: "signed", nonce: 0 })
          yield* bench.forgedAttempt(key, 0, yield* bench.foreignBytes(0))
          const lane = yield* bench.open
          const trade = yield* bench.queued(null, { calls: bench.selling(1) })
          assert.strictEqual(bench.fate(yield* lane.submit(trade)), "sent")
          assert.strictEqual((yield* bench.row(trade)).nonce, 0n)
          assert.deepStrictEqual([(yield* bench.row(key)).status, bench.sends.length, yield* bench.sent], [
            "refused",
            1,
            1
          ])
          assert.include(yield* bench.alerts, key)
        }),
      concurrent
    )

    for (const nonce of [0, 1_000_000]) {
      it.effect(
        `keeps an open lane working despite rows that claim nonce ${nonce} without a signature of the wallet`,
        () =>
          Effect.gen(function*() {
            const bench = yield* make
            yield* bench.mining
            const lane = yield* bench.open
            const [bare, forged] = yield* Effect.forEach([nonce, nonce + 1], (each) =>
              bench.insert({ to: thief, value: stolen.toString(), status: "signed", nonce: each }))
            yield* bench.forgedAttempt(forged!, nonce + 1, yield* bench.foreignBytes(nonce + 1))
            const trade = yield* bench.queued(null, { calls: bench.selling(1) })
            assert.strictEqual(bench.fate(yield* lane.submit(trade)), "sent")
            assert.strictEqual((yield* bench.row(trade)).nonce, 0n)
            assert.sameMembers([...(yield* bench.alerts)], [bare!, forged!])
            assert.strictEqual(yield* bench.sent, 1)
          }),
        concurrent
      )
    }

    it.effect(
      "replaces its own transaction as it signed it, whatever its row has become",
      () =>
        Effect.gen(function*() {
          const bench = yield* make
          const lane = yield* bench.openWith({ patienceMillis: 20 })
          const key = yield* bench.queued(null, { calls: bench.selling(1) })
          yield* Effect.forkChild(lane.submit(key))
          yield* TestLane.until(bench.attempts(key), (attempts) => attempts.length === 1)
          yield* bench
            .sql`update submissions set to_address = ${thief}, data = '0x', value = ${stolen.toString()}::numeric where key = ${key}`
          yield* bench.chain.setBaseFee(100n * TestLane.gwei)
          yield* TestLane.until(
            Effect.andThen(bench.chain.mine(), bench.attempts(key)),
            (attempts) => attempts.length > 1
          )
          const transactions = yield* TestLane.until(
            Effect.andThen(bench.chain.mine(), bench.chain.transactionsOf(bench.wallet)),
            ({ length }) => length > 0
          )
          assert.deepStrictEqual(
            transactions.map(({ to }) => to),
            [bench.pool]
          )
        }),
      concurrent
    )

    it.effect(
      "keeps the rows that were set aside, and lists no lane of a network that does not exist",
      () =>
        Effect.gen(function*() {
          const { insert, sql, wallet } = yield* make
          const store = yield* SubmissionStore
          const key = yield* insert({ to: thief, value: "NaN" })
          yield* sql`update submissions set network = 'nowhere' where key = ${key}`
          const lanes = yield* store.openLanes
          assert.deepStrictEqual(
            lanes.filter((lane) => lane.wallet === wallet),
            []
          )
          const [row] = yield* sql<{ readonly status: string }>`select status from submissions where key = ${key}`
          assert.strictEqual(row?.status, "refused")
          const other = yield* insert({ to: thief, value: "NaN" })
          assert.deepStrictEqual(
            (yield* store.findAll([other])).map(({ status }) => status),
            ["refused"]
          )
          const [kept] = yield* sql<
            { readonly value: string }
          >`select contents ->> 'value' as value from set_aside_rows where contents ->> 'key' = ${other}`
          assert.strictEqual(kept?.value, "NaN")
        }),
      concurrent
    )
  }
)
