/** Changes that need two of three approvers, end to end: raised limits, the treasury, a quarantined lane. */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, rows, Running, running, trader, type Wallet, wallet } from "@vault-trader/testing/harness/Harness"
import { receiver } from "@vault-trader/testing/harness/Receiver"
import { RpcHold } from "@vault-trader/testing/harness/RpcHold"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { type Person, person, personOf, proof } from "@vault-trader/testing/harness/Signing"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { generatePrivateKey } from "viem/accounts"

const network = "base"
const treasury: Address = "0x7ea5000000000000000000000000000000000021"
const [ada, bob, cem] = [personOf(generatePrivateKey()), personOf(generatePrivateKey()), personOf(generatePrivateKey())]
const approvals = {
  APPROVERS: [ada, bob, cem].map(({ address }) => address).join(","),
  APPROVALS_NEEDED: "2"
}

// No node request times out within this test: an answer that arrives while they are held has waited for none.
const service = running({
  env: { ...approvals, TREASURY: treasury, RPC_TIMEOUT_MS: "600000", WEBHOOKS_TO_LOOPBACK: "on" },
  books: (books) => Effect.map(RpcHold, ({ inFront }) => inFront("service", books))
}).pipe(Layer.provideMerge(RpcHold.layer))

interface View extends Fields {
  readonly request: string
  readonly change: string
  readonly kind: string
  readonly state: string
  readonly wallet: string | null
}

/** Lists the requests that a manager sees, those that ended included. */
const listed = (by: Person) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const asked = { all: true }
    const proven = yield* proof(by, "getApprovals", undefined, asked)
    const { body } = yield* ask("/getApprovals", { json: { ...asked, ...proven } })
    assert.strictEqual(body["status"] instanceof Array ? body["status"][0] : body["status"], "success")
    const requests = body["requests"]
    return (Array.isArray(requests) && Array.isArray(requests[0]) ? requests[0] : requests) as ReadonlyArray<View>
  })

const ofWallet = (address: Address) =>
  Effect.map(listed(ada), (all) => {
    const found = all.find((each) => each.wallet === address)
    assert.isDefined(found)
    return found
  })

type Voting = Pick<View, "change" | "request">

const vote = (by: Person, { change, request }: Voting, action = "approveChange") =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const asked = { request, change }
    return yield* ask(`/${action}`, { json: { ...asked, ...(yield* proof(by, action, undefined, asked)) } })
  })

/** Waits until a request is no longer open, and returns its state. */
const ended = ({ request }: Voting) =>
  until(
    `the end of request ${request}`,
    Effect.map(
      rows(`select status from approval_requests where id = '${request}' and status <> 'open'`),
      ([row]) => row?.["status"]
    )
  )

/** Waits until the service has checked its open requests since now, with what was committed by now. */
const looked = Effect.gen(function*() {
  const other = yield* managed
  const raised = yield* other.raise({ max_usd_per_trade: "300" })
  const request = yield* ofWallet(other.address)
  assert.include(String(raised["message"]), request.request)
  yield* vote(ada, request)
  yield* vote(bob, request)
  assert.strictEqual(yield* ended(request), "applied")
})

/** A wallet whose manager has set a limit of 250 USD a trade and 1000 USD a day. */
const managed: Effect.Effect<
  Wallet & {
    readonly manager: Person
    readonly raise: (asked: Fields) => Effect.Effect<Fields, never, Running>
    readonly limits: Effect.Effect<unknown, never, Running>
  },
  never,
  Running
> = Effect.gen(function*() {
  const { ask } = yield* Running
  const made = yield* wallet
  const manager = yield* person
  const { address, apiKey } = made
  succeeded(
    yield* ask("/associateGasWallet", {
      json: { apiKey, ...(yield* proof(manager, "associateGasWallet", address, { apiKey })) }
    })
  )
  const raise = (asked: Fields) =>
    Effect.gen(function*() {
      const proven = yield* proof(manager, "setKeyLimits", address, { wallet: address, ...asked })
      return succeeded(yield* ask("/setKeyLimits", { json: { wallet: address, ...asked, ...proven } }))
    })
  const set = yield* raise({ max_usd_per_trade: "250", max_usd_per_day: "1000" })
  assert.strictEqual(set["message"], "The limits are set as requested.")
  const limits = Effect.map(
    ask("/setKeyLimits", { json: { apiKey } }),
    (answer) => {
      const { max_usd_per_day, max_usd_per_trade } = succeeded(answer)["limits"] as Fields
      return [max_usd_per_trade, max_usd_per_day]
    }
  )
  return { ...made, manager, raise, limits }
})

const paidToTreasury = Effect.flatMap(Devnet, (devnet) => Effect.orDie(devnet.balance({ network, address: treasury })))

layer(service, { timeout: "8 minutes", excludeTestServices: true })("a change that needs two approvals", (it) => {
  it.effect("of the treasury is requested on the first start: trading continues, and nothing is paid until it is approved", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const { apiKey, pool } = yield* trader()
      const rpc = yield* Effect.orDie(devnet.rpc(network))
      yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(rpc.mine), "200 millis")))
      const request = yield* until(
        "the request about the treasury",
        Effect.map(listed(ada), (all) => all.find(({ kind }) => kind === "treasury"))
      )
      assert.match(request.change, new RegExp(`TREASURY_BASE from not set to ${treasury} \\[0x[0-9a-f]{64}\\]$`))
      succeeded(yield* ask("/approve", { json: { apiKey, network, pool, asset: "USDC", amount: 1 } }))
      yield* until(
        "the charge to become final",
        Effect.map(
          rows(`select 1 from charges c join submissions s on s.intent_id = c.intent_id where s.status = 'final'`),
          ([row]) => row
        )
      )
      // An intruder writes what two approvals would leave behind.
      const stranger = yield* person
      yield* rows(`insert into approval_votes
        (request, approver, verdict, chain_id, issued_at, nonce, signature, signature_digest, at)
        select '${request.request}', a, 'approve', 8453, 1, 'n', '0x${"12".repeat(65)}', a, now()
        from unnest(array['${ada.address}', '${bob.address}']) a`)
      yield* rows(`update approval_requests set status = 'applied', decided_at = now() where id = '${request.request}'`)
      yield* looked
      assert.strictEqual(yield* paidToTreasury, 0n)
      assert.deepStrictEqual(yield* rows("select count(*)::int as n from settlements"), [{ n: 0 }])

      const next = yield* until(
        "the request to be made again",
        Effect.map(listed(ada), (all) => all.find(({ kind, state }) => kind === "treasury" && state === "open"))
      )
      refused(yield* vote(stranger, next), "1010", /is not one of the service's approvers; nothing was recorded/)
      assert.deepInclude(succeeded(yield* vote(ada, next)), {
        state: "open",
        approvals: 1,
        message: "Recorded: 1 of 2 approvals."
      })
      assert.match(String(succeeded(yield* vote(cem, next))["message"]), /takes effect within seconds/)
      assert.strictEqual(yield* ended(next), "applied")
      yield* until("the payment", Effect.map(paidToTreasury, (wei) => wei > 0n ? wei : undefined))
    }))

  it.effect("of a key's limits raises nothing before the second approval; what it lowers is lowered at once", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { messages, url } = yield* receiver
      const { address, apiKey, limits, manager, raise } = yield* managed
      succeeded(
        yield* ask("/setWebhook", { json: { apiKey, url, events: ["approval.requested", "approval.decided"] } })
      )
      const answer = yield* raise({ max_usd_per_trade: "500", max_usd_per_day: "600" })
      assert.match(
        String(answer["message"]),
        /^The raise waits for 2 approvals as request [0-9a-f-]{36}; nothing is raised/
      )
      assert.deepStrictEqual(yield* limits, ["250", "600"])
      const request = yield* ofWallet(address)
      assert.deepInclude(request, { kind: "limits", proposer: manager.address, state: "open" })
      assert.deepStrictEqual(request["differences"], [{ field: "max_usd_per_trade", before: "250", after: "500" }])

      assert.deepStrictEqual((yield* listed(manager)).map((each) => each.request), [request.request])
      assert.deepStrictEqual(yield* listed(yield* person), [])
      refused(yield* vote(manager, request), "1010", /is not one of the service's approvers/)
      succeeded(yield* vote(ada, request))
      assert.match(String(succeeded(yield* vote(ada, request))["message"]), /^Approved before: 1 of 2 approvals/)
      yield* looked
      assert.deepStrictEqual(yield* limits, ["250", "600"])
      succeeded(yield* vote(bob, request))
      assert.strictEqual(yield* ended(request), "applied")
      assert.deepStrictEqual(yield* limits, ["500", "600"])
      refused(yield* vote(cem, request), "1010", /^request: it has ended \(applied\); nothing was recorded/)
      yield* until("both events", Effect.sync(() => messages.length >= 2 ? messages : undefined))
      assert.deepStrictEqual(
        messages.map(({ body }) => JSON.parse(body) as { readonly type: string; readonly data: Fields }).map((
          { data, type }
        ) => [type, data["request"], data["state"]]).sort(),
        [["approval.decided", request.request, "applied"], ["approval.requested", request.request, "open"]]
      )
    }))

  it.effect("takes a signature for its own change alone, once", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const [one, other] = [yield* managed, yield* managed]
      yield* one.raise({ max_usd_per_trade: "off" })
      yield* other.raise({ max_usd_per_trade: "off" })
      const [first, second] = [yield* ofWallet(one.address), yield* ofWallet(other.address)]
      const asked = { request: first.request, change: first.change }
      const proven = yield* proof(ada, "approveChange", undefined, asked)
      const send = (path: string, more: Fields) => ask(path, { json: { ...asked, ...proven, ...more } })
      const notTheirs = /^signature: is not 0x/
      refused(yield* send("/approveChange", { request: second.request }), "1010", notTheirs)
      refused(
        yield* send("/approveChange", { request: second.request, change: second.change }),
        "1010",
        notTheirs
      )
      refused(yield* send("/vetoChange", {}), "1010", notTheirs)
      refused(yield* send("/approveChange", { manager: bob.address }), "1010", notTheirs)
      refused(
        yield* vote(ada, { request: second.request, change: first.change }),
        "1010",
        /^change: is not the change of this request/
      )
      succeeded(yield* send("/approveChange", {}))
      refused(yield* send("/approveChange", {}), "1010", /^signature: was used before/)
      assert.deepStrictEqual(
        [(yield* ofWallet(one.address))["approvals"], (yield* ofWallet(other.address))["approvals"]],
        [1, 0]
      )
    }))

  it.effect("is cancelled by the key's own lowering, also by a leaked key, which raises nothing", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, limits, raise } = yield* managed
      yield* raise({ max_usd_per_trade: "500" })
      const request = yield* ofWallet(address)
      const byKey = yield* ask("/setKeyLimits", { json: { apiKey, max_usd_per_trade: "off" } })
      assert.match(String(succeeded(byKey)["message"]), /^Limits that were tighter than requested are unchanged/)
      assert.strictEqual((yield* ofWallet(address)).state, "open")
      succeeded(yield* vote(ada, request))
      succeeded(yield* ask("/setKeyLimits", { json: { apiKey, max_usd_per_trade: "200" } }))
      assert.deepInclude(yield* ofWallet(address), { state: "cancelled", note: "the limits were lowered since" })
      refused(yield* vote(bob, request), "1010", /^request: it has ended \(cancelled\)/)
      assert.deepStrictEqual(yield* limits, ["200", "1000"])
      const own = yield* ask("/getApprovals", { query: { apiKey, all: "true" } })
      assert.include(own.text, request.request)
      const foreign = yield* ask("/getApprovals", { query: { apiKey: (yield* wallet).apiKey, all: "true" } })
      assert.notInclude(foreign.text, "max_usd_per_trade")
    }))

  it.effect("is approved and vetoed while every node hangs", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* managed, yield* managed]
      yield* one.raise({ max_usd_per_trade: "500" })
      yield* other.raise({ max_usd_per_trade: "500" })
      const [first, second] = [yield* ofWallet(one.address), yield* ofWallet(other.address)]
      const { hold } = yield* RpcHold
      const { release } = yield* hold({ network, when: (_, moment) => Effect.succeed(moment === "before the node") })
      succeeded(yield* vote(ada, first))
      assert.deepInclude(succeeded(yield* vote(bob, second, "vetoChange")), {
        state: "vetoed",
        message: "Vetoed: nothing is changed."
      })
      succeeded(yield* vote(bob, first))
      assert.strictEqual(yield* ended(first), "applied")
      assert.deepStrictEqual(yield* one.limits, ["500", "1000"])
      assert.deepStrictEqual(yield* other.limits, ["250", "1000"])
      yield* release
    }))

  it.effect("of a lane is requested by the operator's command, and signed with its payload", () =>
    Effect.gen(function*() {
      const { dataDir } = yield* Running
      const { address } = yield* wallet
      const quarantines = yield* LaneQuarantineStore
      const command = (...words: ReadonlyArray<string>) =>
        ServiceProcess.toItsEnd({ DATA_DIR: dataDir, ...approvals }, "vault-trader", ...words)
      const output = (...words: ReadonlyArray<string>) =>
        Effect.map(command(...words), ({ code, stderr, stdout }) => {
          assert.deepStrictEqual([code, stderr], [0, ""])
          return stdout
        })
      yield* Effect.orDie(quarantines.open({
        ...{ network: "optimism", wallet: address, kind: "rows_behind_chain", reason: "the ledger is behind" },
        evidence: { count: "7", transactions: [{ nonce: "6", hash: `0x${"12".repeat(32)}`, note: "a call" }] }
      }))
      const asked = yield* output("lane", "release", address, "optimism", "checked", "by", "Ada")
      assert.match(asked, /^Nothing is released yet: request [0-9a-f-]{36} waits for approvals/)
      const [, id = ""] = /request ([0-9a-f-]{36})/.exec(asked) ?? []
      assert.include(yield* output("approvals", "list"), `${id} open: Release wallet ${address} on optimism`)

      const signatureOf = (by: Person, ...more: ReadonlyArray<string>) =>
        Effect.gen(function*() {
          const printed = yield* output("approvals", "payload", id, "--approver", by.address, ...more)
          const { prefix, typed_data } = JSON.parse(printed) as {
            readonly prefix: string
            readonly typed_data: unknown
          }
          return `${prefix}${yield* by.sign(typed_data)}`
        })
      const byAda = yield* signatureOf(ada)
      const forged = yield* command("approvals", "approve", id, "--approver", bob.address, "--signature", byAda)
      assert.deepStrictEqual([forged.code, forged.stdout], [1, ""])
      assert.match(forged.stderr, /^The signature is not 0x.*Nothing was recorded\./)
      const stranger = yield* person
      const strange = yield* signatureOf(stranger)
      const refusal = yield* command("approvals", "approve", id, "--approver", stranger.address, "--signature", strange)
      assert.include(refusal.stderr, "is not one of APPROVERS. Nothing was recorded.")
      const recorded = yield* output("approvals", "approve", id, "--approver", ada.address, "--signature", byAda)
      assert.include(recorded, "1 of 2 approvals")
      yield* looked
      assert.strictEqual((yield* Effect.orDie(quarantines.find("optimism", address)))._tag, "Some")

      const { change, request } = yield* ofWallet(address)
      succeeded(yield* vote(bob, { change, request }))
      assert.strictEqual(yield* ended({ change, request }), "applied")
      assert.strictEqual((yield* Effect.orDie(quarantines.find("optimism", address)))._tag, "None")
      const shown = yield* output("approvals", "show", id)
      assert.include(shown, `${id} applied`)
      assert.include(shown, "nonce 6: unexplained -> declared explained")
      assert.include(shown, `approve by ${bob.address}`)
    }).pipe(Effect.provide(LaneQuarantineStore.layer)))
})
