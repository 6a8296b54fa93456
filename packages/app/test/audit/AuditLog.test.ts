/** The audit log of a running service: its entries, their actors, and that tampering is found. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import * as Session from "@vault-trader/testing/harness/ConsoleCalls"
import { registered } from "@vault-trader/testing/harness/ExchangeSetup"
import { type Fields, Running, rows, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import { receiver } from "@vault-trader/testing/harness/Receiver"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { person, proof } from "@vault-trader/testing/harness/Signing"
import { until } from "@vault-trader/testing/harness/Until"

/** Secrets that were issued or sent; none of them may be in the log. */
const secrets: Array<string> = []
const remember = (...all: ReadonlyArray<unknown>) =>
  void secrets.push(...all.map((each) => String(each).replace(/^0x/, "")))

/** Runs an operator's command beside the service. */
const vaultTrader = (...words: ReadonlyArray<string>) =>
  Effect.flatMap(Running, ({ dataDir }) => ServiceProcess.toItsEnd({ DATA_DIR: dataDir }, "vault-trader", ...words))

/** Runs a command that must succeed; returns its output. */
const output = (...words: ReadonlyArray<string>) =>
  Effect.map(vaultTrader(...words), ({ code, stderr, stdout }) => {
    assert.deepStrictEqual([code, stderr], [0, ""])
    return stdout
  })

/** Verifies the log, which must be broken; returns what the command says. */
const broken = (...words: ReadonlyArray<string>) =>
  Effect.map(vaultTrader("audit", "verify", ...words), ({ code, stderr, stdout }) => {
    assert.deepStrictEqual([code, stdout], [1, ""], stderr)
    return stderr
  })

const headOf = (text: string) => /Head: (\d+:[0-9a-f]{64})/.exec(text)?.[1] ?? ""

/** The entries of a wallet, oldest first. */
const entriesOf = (address: string) =>
  rows(`select action, subject, actor_kind as kind, actor, origin, credential, details from audit_entries
    where wallet = '${address}' order by seq`)

/** Changes the log as a database superuser does, with its triggers disabled, and undoes that with the scope. */
const tampered = (change: string) =>
  Effect.acquireRelease(
    Effect.gen(function*() {
      yield* rows("create table audit_kept as select * from audit_entries")
      yield* rows("alter table audit_entries disable trigger all")
      yield* rows(change)
    }),
    () =>
      Effect.gen(function*() {
        yield* rows("delete from audit_entries")
        yield* rows("insert into audit_entries select * from audit_kept")
        yield* rows("drop table audit_kept")
        for (const event of ["update", "truncate", "delete"]) {
          yield* rows(`alter table audit_entries enable always trigger audit_entries_${event}`)
        }
      })
  )

layer(running({ env: { WEBHOOKS_TO_LOOPBACK: "on" } }), { timeout: 400_000, excludeTestServices: true })(
  "the audit log",
  (it) => {
    it.effect("has an entry with its actor for each change of a wallet's authority", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const manager = yield* person
        const { url } = yield* receiver
        const { address, apiKey, network, pool, privateKey } = yield* trader()
        remember(apiKey, privateKey)
        const asked = { apiKey, label: "main", privateKey: privateKey.replace(/^0x/, "") }
        const associate = yield* proof(manager, "associateGasWallet", address, asked)
        succeeded(yield* ask("/associateGasWallet", { json: { ...asked, ...associate } }))
        succeeded(yield* ask("/setKeyLimits", { json: { apiKey, max_usd_per_trade: 5_000 } }))
        succeeded(yield* ask("/pauseWallet", { json: { apiKey, reason: "a test" } }))
        succeeded(yield* ask("/resumeWallet", { json: { privateKey } }))
        succeeded(yield* ask("/linkGasWallet", { json: { apiKey, network, pool } }))
        succeeded(yield* ask("/unlinkGasWallet", { json: { apiKey, network, pool } }))
        const token = succeeded(
          yield* ask("/createWebhookToken", { json: { apiKey, network, pool, pair: "WETH-USDC" } })
        )
        remember(token["token"])
        const set = succeeded(yield* ask("/setWebhook", { json: { apiKey, url } }))
        remember(set["secret"], url)
        succeeded(yield* ask("/deleteWebhook", { json: { apiKey, webhook_id: set["webhook_id"] } }))
        succeeded(yield* ask(`/webhook/${String(token["token"])}`, { json: { side: "hold" } }))
        succeeded(
          yield* ask("/setBot", { json: { apiKey, network, pool, pair: "WETH-USDC", side: "neutral", paper: true } })
        )
        succeeded(yield* ask("/deleteBot", { json: { apiKey, network, pool } }))
        succeeded(yield* ask("/revokeWebhookToken", { json: { apiKey, token_id: token["token_id"] } }))
        const next = succeeded(yield* ask("/getNewApiKey", { json: { privateKey } }))
        remember(next["apiKey"])

        const found = yield* entriesOf(address)
        const [keyId, nextId] = (yield* rows(`select id from api_keys where wallet = '${address}' order by id`)).map(
          ({ id }) => id
        )
        const from = "127.0.0.1"
        const key = { kind: "key", actor: keyId, origin: from, credential: "apiKey" }
        const byAlert = { kind: "webhookToken", actor: token["token_id"], origin: from, credential: "webhookToken" }
        const signed = { ...key, credential: `apiKey and signature of ${manager.address}` }
        const owner = { kind: "owner", actor: null, origin: from, credential: "privateKey" }
        const stranger = { kind: "stranger", actor: null, origin: from, credential: null }
        assert.deepStrictEqual(
          found.filter(({ action }) => action !== "transactions.signed").map(
            ({ action, actor, credential, kind, origin }) => ({ action, kind, actor, origin, credential })
          ),
          [
            { action: "wallet.created", ...stranger },
            { action: "key.issued", ...stranger },
            { action: "wallet.associated", ...signed },
            { action: "limits.lowered", ...key },
            { action: "switch.on", ...key },
            { action: "switch.off", ...owner },
            { action: "vault.linked", ...key },
            { action: "vault.unlinked", ...key },
            { action: "token.created", ...key },
            { action: "webhook.set", ...key },
            { action: "webhook.deleted", ...key },
            { action: "bot.set", ...byAlert },
            { action: "bot.set", ...key },
            { action: "bot.deleted", ...key },
            { action: "token.revoked", ...key },
            { action: "key.revoked", ...owner },
            { action: "key.issued", ...owner }
          ]
        )
        const revoked = found.find(({ action }) => action === "key.revoked")
        assert.deepInclude(revoked?.["details"] as Fields, { managers: [manager.address], webhook_tokens: [] })
        assert.strictEqual(found.at(-1)?.["subject"], nextId)
      }))

    it.effect("records who set, changed and removed a bot at an exchange", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const made = yield* registered()
        remember(made.apiKey, made.secret, made.gas.apiKey)
        const bot = { ...made.about, pair: "BTC-USDT" }
        const terms = { side: "hold", max_usd: 500, share: 50 }
        for (const _ of [1, 2]) succeeded(yield* made.set(terms))
        succeeded(yield* made.set({ ...terms, share: 60 }))
        succeeded(yield* ask("/setCEXStrategy", { json: { ...bot, strategy: "trend" } }))
        for (const _ of [1, 2]) succeeded(yield* ask("/deactivateCEXBot", { json: bot }))
        succeeded(yield* ask("/deleteCEXBot", { method: "DELETE", query: bot }))
        const found = (yield* entriesOf(made.gas.address)).filter(({ action }) => String(action).startsWith("bot."))
        assert.deepStrictEqual(
          found.map(({ action, details, kind }) => {
            const { account, share, strategy, was } = details as Fields
            return { action, kind, account, share, strategy, was }
          }),
          [
            { action: "bot.set", share: 50, strategy: "custom", was: null },
            { action: "bot.set", share: 60, strategy: "custom", was: { active: true } },
            { action: "bot.set", share: 60, strategy: "trend", was: { active: true } },
            { action: "bot.paused", share: undefined, strategy: undefined, was: undefined },
            { action: "bot.deleted", share: undefined, strategy: undefined, was: undefined }
          ].map((entry) => ({ ...entry, kind: "key", account: "binance/main" }))
        )
      }))

    it.effect("names sessions, managers and operators, and records a signed transaction", () =>
      Effect.gen(function*() {
        const { ask, baseUrl } = yield* Running
        const manager = yield* person
        const session = yield* Session.sessionOf(manager)
        remember(session.cookie.split("=")[1])
        const call = yield* Session.opened(session)
        const made = Session.ended(yield* call("createWallet", { label: "mine" })) as Fields
        remember(made["apiKey"], made["privateKey"])
        const address = String(made["address"])
        Session.ended(yield* call("labelWallet", { wallet: address, label: "ours" }))
        Session.ended(yield* call("wallet.pauseWallet", { wallet: address }))
        Session.ended(yield* call("manager.deassociateGasWallet", { wallet: address }))
        yield* ask("/console/session", {
          method: "DELETE",
          headers: { origin: baseUrl, cookie: session.cookie }
        })
        yield* output("limit", address, "--max-usd-per-day", "100")
        yield* output("switch", "resume", address)
        const found = yield* entriesOf(address)
        const by = (kind: string, id: unknown) => ({ kind, actor: id })
        assert.deepStrictEqual(
          found.map(({ action, actor, kind }) => ({ action, kind, actor })),
          [
            ...["wallet.created", "key.issued", "wallet.associated", "wallet.renamed", "switch.on", "wallet.removed"]
              .map(
                (action) => ({ action, ...by("session", manager.address) })
              ),
            ...["limits.lowered", "switch.off"].map((action) => ({ action, ...by("operator", Os.userInfo().username) }))
          ]
        )
        assert.match(String(found[0]?.["credential"]), /^session [0-9a-f]{12}$/)
        assert.strictEqual(found[0]?.["origin"], "127.0.0.1")
        assert.strictEqual(found.at(-1)?.["origin"], Os.hostname())
        const signIns = yield* rows(
          `select action, actor_kind as kind from audit_entries where subject = '${manager.address}' and wallet is null order by seq`
        )
        assert.deepStrictEqual(signIns, [
          { action: "session.opened", kind: "manager" },
          { action: "session.closed", kind: "session" }
        ])

        const account = yield* registered()
        remember(account.apiKey, account.secret, account.gas.apiKey)
        succeeded(yield* account.remove)
        assert.deepStrictEqual(
          (yield* entriesOf(account.gas.address)).slice(-2).map(({ action, kind }) => [action, kind]),
          [["exchange.registered", "key"], ["exchange.deleted", "manager"]]
        )

        const { apiKey, network, pool, ...trading } = yield* trader()
        const hash = succeeded(
          yield* ask("/vaultTrade", { json: { apiKey, network, pool, from: "USDC", to: "DAI", amount: 5 } })
        )["tx_hash"]
        const entry = yield* until(
          "the entry of the transaction",
          Effect.map(
            entriesOf(trading.address),
            (all) => all.find(({ action }) => action === "transactions.signed")
          )
        )
        const listed = (entry["details"] as Fields)["transactions"] as ReadonlyArray<Fields>
        assert.deepInclude(listed[0], { network, nonce: "0", hash })
      }))

    it.effect("has no secret in any entry, and verifies", () =>
      Effect.gen(function*() {
        const text = JSON.stringify(yield* rows("select * from audit_entries"))
        assert.isAtLeast(secrets.length, 12)
        for (const secret of secrets) assert.notInclude(text.toLowerCase(), secret.toLowerCase())
        assert.notMatch(text, /private_?key"?: ?"(0x)?[0-9a-f]{64}/i)
        const verified = yield* output("audit", "verify")
        assert.match(verified, /^The audit log is unbroken: \d+ entries in the database, 0 in sealed files; \d+ signed/)
        assert.match(headOf(verified), /^\d+:/)
      }))

    it.effect("is shown to the owner's key and to managers of the list, never to others, and not with the operator's name", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const manager = yield* person
        const [mine, others] = [yield* wallet, yield* wallet]
        const asked = { apiKey: mine.apiKey }
        const associate = yield* proof(manager, "associateGasWallet", mine.address, asked)
        succeeded(yield* ask("/associateGasWallet", { json: { ...asked, ...associate } }))
        yield* output("switch", "pause", mine.address, "by", "Ada")
        const log = (query: Readonly<Record<string, string>>) =>
          Effect.map(ask("/getAuditLog", { query }), (answer) => succeeded(answer))
        const own = (yield* ask("/getAuditLog", { query: { apiKey: mine.apiKey } })).fields["entries"] as ReadonlyArray<
          Fields
        >
        assert.deepStrictEqual(own.map(({ action }) => action), [
          ...["switch.on", "wallet.associated", "key.issued", "wallet.created"]
        ])
        assert.deepInclude(own[0], { actor_kind: "operator", actor: null, from: null, credential: null })
        assert.deepInclude(own[1], { actor_kind: "key", from: "127.0.0.1" })
        const first = yield* log({ apiKey: mine.apiKey, limit: "3" })
        const rest = yield* ask("/getAuditLog", { query: { apiKey: mine.apiKey, cursor: String(first["cursor"]) } })
        assert.deepStrictEqual(
          (rest.fields["entries"] as ReadonlyArray<Fields>).map(({ action }) => action),
          ["wallet.created"]
        )
        const filtered = yield* ask("/getAuditLog", { query: { apiKey: mine.apiKey, action: "key.issued" } })
        assert.lengthOf(filtered.fields["entries"] as ReadonlyArray<Fields>, 1)
        refused(
          yield* ask("/getAuditLog", { query: { apiKey: mine.apiKey, wallet: others.address } }),
          "1005",
          /is not the wallet of the key/
        )
        const proven = yield* proof(manager, "getAuditLog")
        const all = (yield* ask("/getAuditLog", { query: proven })).fields["entries"] as ReadonlyArray<Fields>
        assert.deepStrictEqual([...new Set(all.map((entry) => entry["wallet"]))], [mine.address])
        const about = { wallet: others.address }
        refused(
          yield* ask("/getAuditLog", {
            query: { ...(yield* proof(manager, "getAuditLog", undefined, about)), ...about }
          }),
          "1005",
          /not in the manager's list/
        )
        refused(yield* ask("/getAuditLog"), "1010", /apiKey, or manager and signature/)
      }))

    it.effect("finds a row that a database superuser changed, removed, moved or added, and names the first one", () =>
      Effect.gen(function*() {
        const [{ seq, last } = { seq: 0, last: 0 }] = (yield* rows(
          "select (min(seq) + 3)::int as seq, max(seq)::int as last from audit_entries"
        )) as ReadonlyArray<{ readonly seq: number; readonly last: number }>
        const cases: ReadonlyArray<readonly [string, RegExp]> = [
          [`update audit_entries set actor = 'another' where seq = ${seq}`, new RegExp(`entry ${seq} was changed`)],
          [
            `update audit_entries set at = at + interval '1 second' where seq = ${seq}`,
            new RegExp(`entry ${seq} was changed`)
          ],
          [`delete from audit_entries where seq = ${seq}`, new RegExp(`entry ${seq} is missing`)],
          [
            `update audit_entries set digest = repeat('0', 63) || '1' where seq = ${seq}`,
            new RegExp(`entry ${seq} was changed`)
          ],
          [
            `update audit_entries set seq = case seq when ${seq} then ${last + 1000} else ${last + 1001} end
             where seq in (${seq}, ${seq + 1})`,
            new RegExp(`entry ${seq} is missing`)
          ]
        ]
        for (const [change, finding] of cases) {
          const said = yield* Effect.scoped(Effect.andThen(tampered(change), broken()))
          assert.match(said, finding, change)
          assert.match(said, /^The audit log does not verify: /)
        }
        yield* output("audit", "verify")
      }))

    it.effect("finds that a restored database lost its last entries, by a head that was kept elsewhere", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        yield* ask("/createGasWallet")
        const head = headOf(yield* output("audit", "verify"))
        assert.include(yield* output("audit", "verify", "--head", head), "unbroken")
        const seq = Number(head.split(":")[0])
        const said = yield* Effect.scoped(Effect.andThen(
          // The transactions that lose their entry are unknown to an older database as well.
          tampered(`with gone as (delete from audit_entries where seq >= ${seq} - 1 returning seq)
            delete from audited_attempts where seq in (select seq from gone)`),
          broken("--head", head)
        ))
        assert.match(said, new RegExp(`entries are missing at the end: the kept head is entry ${seq}`))
        const other = `${seq}:${"0".repeat(64)}`
        assert.match(yield* broken("--head", other), new RegExp(`entry ${seq} is not the one of the kept head`))
      }))

    it.effect("finds a signed transaction that it does not have, and bytes with another hash", () =>
      Effect.gen(function*() {
        yield* rows("update attempts set created_at = created_at - interval '10 minutes'")
        assert.match(yield* output("audit", "verify"), /; [1-9]\d* signed transactions are in it/)
        const [attempt] = yield* rows("select hash, raw from attempts order by created_at limit 1")
        yield* rows(`update attempts set raw = raw || '00' where hash = '${String(attempt?.["hash"])}'`)
        assert.match(yield* broken(), /the stored bytes of transaction 0x[0-9a-f]{64} have another hash/)
        yield* rows(
          `update attempts set raw = '${String(attempt?.["raw"])}' where hash = '${String(attempt?.["hash"])}'`
        )
        const [place] = yield* rows(`select seq from audited_attempts where hash = '${String(attempt?.["hash"])}'`)
        yield* rows(`update audited_attempts set seq = 1 where hash = '${String(attempt?.["hash"])}'`)
        assert.match(yield* broken(), /entry 1 does not list transaction 0x[0-9a-f]{64}/)
        yield* rows(
          `update audited_attempts set seq = ${String(place?.["seq"])} where hash = '${String(attempt?.["hash"])}'`
        )
        yield* output("audit", "verify")
      }))

    it.effect("is sealed to files that verify with it, and a changed file is found", () =>
      Effect.gen(function*() {
        const { ask, dataDir } = yield* Running
        const head = headOf(yield* output("audit", "verify"))
        const folder = Path.join(dataDir, "sealed")
        const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
        assert.include(yield* output("audit", "seal", "--before", "2020-01-01", "--to", folder), "There is no entry")
        // An attempt that was interrupted, and a file that is not the log's: neither removes anything.
        const [newest] = yield* rows("select max(seq)::int as seq from audit_entries")
        const foreign = Path.join(folder, `audit-1-${String(newest?.["seq"])}.jsonl`)
        Fs.mkdirSync(folder, { recursive: true })
        Fs.writeFileSync(`${foreign}.part`, "cut off")
        Fs.writeFileSync(foreign, "")
        const other = yield* vaultTrader("audit", "seal", "--before", tomorrow, "--to", folder)
        assert.deepStrictEqual([other.code, other.stdout], [1, ""])
        assert.match(other.stderr, /is not the range 1-\d+ of the log. Nothing was removed/)
        Fs.rmSync(foreign)
        const said = yield* output("audit", "seal", "--before", tomorrow, "--to", folder)
        const [, first, last, file = ""] = /Sealed entries (\d+)-(\d+) in (\S+) /.exec(said) ?? []
        assert.strictEqual(first, "1")
        assert.strictEqual(Fs.statSync(file).mode & 0o777, 0o400)
        const [left] = yield* rows("select min(seq)::int as first, count(*)::int as entries from audit_entries")
        assert.strictEqual(left?.["first"], Number(last) + 1)
        yield* ask("/createGasWallet")
        assert.match(yield* output("audit", "verify"), new RegExp(`, ${last} sealed and not read;`))
        const read = yield* output("audit", "verify", "--sealed", folder, "--head", head)
        assert.match(read, new RegExp(`, ${last} in sealed files; [1-9]`))
        const second = yield* output("audit", "seal", "--before", tomorrow, "--to", folder)
        assert.include(second, `Sealed entries ${Number(last) + 1}-`)
        assert.include(yield* output("audit", "verify", "--sealed", folder), "unbroken")

        const whole = Fs.readFileSync(file, "utf8")
        const write = (text: string) =>
          Effect.sync(() => {
            Fs.rmSync(file, { force: true })
            Fs.writeFileSync(file, text)
          })
        yield* write(whole.replace("\"stranger\"", "\"operator\""))
        assert.match(yield* broken("--sealed", folder), /entry \d+ was changed.*in the sealed file audit-1-/)
        yield* write(whole.split("\n").slice(0, -2).join("\n"))
        assert.match(yield* broken("--sealed", folder), /the sealed file audit-1-\d+\.jsonl does not end with entry/)
        yield* write(`${whole}\n`)
        assert.match(yield* broken("--sealed", folder), /is not an entry/)
        Fs.rmSync(file)
        assert.match(yield* broken("--sealed", folder), /the sealed file audit-1-\d+\.jsonl cannot be read/)
        yield* write(whole)
        assert.include(yield* output("audit", "verify", "--sealed", folder), "unbroken")

        const target = Path.join(dataDir, "log.jsonl")
        assert.match(yield* output("audit", "export", target), /^Exported \d+ entries to /)
        assert.match(Fs.readFileSync(target, "utf8"), /^\{"action":"audit.sealed"/)
        const again = yield* vaultTrader("audit", "export", target)
        assert.deepStrictEqual([again.code, again.stdout], [1, ""])
        const shown = yield* output("audit", "show", "--action", "audit.sealed", "--json")
        assert.strictEqual((JSON.parse(shown) as Fields)["action"], "audit.sealed")
        assert.match(yield* output("audit", "show", "--limit", "1"), /^\d+ 20\d\d-.* by /)
      }))
  }
)
