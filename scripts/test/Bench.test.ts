import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as CallCounts from "../bench/CallCounts.ts"
import type { Span } from "@vault-trader/testing/harness/Collector"
import { percentile } from "../bench/bots/PriceMoves.ts"
import { isSimulated } from "../bench/bots/SimulatedVaults.ts"
import { busyMillis } from "../bench/engine/NodeFront.ts"
import * as Timeline from "../bench/engine/Timeline.ts"
import { counted } from "../bench/engine/WarmTrades.ts"
import { chosen, groups, order } from "../bench/Groups.ts"
import type * as Contest from "../bench/http/Contest.ts"
import * as GarbageTrace from "../bench/http/GarbageTrace.ts"
import * as LoadGenerator from "../bench/http/LoadGenerator.ts"
import * as ProcessUsage from "../bench/http/ProcessUsage.ts"
import * as ReadGrowth from "../bench/http/ReadGrowth.ts"
import * as Reads from "../bench/http/Reads.ts"
import * as ResponseReader from "../bench/http/ResponseReader.ts"
import { swapOf } from "../bench/http/TradingPeer.ts"
import * as Alerts from "../bench/webhooks/Alerts.ts"
import * as Latest from "../bench/Latest.ts"
import { root } from "../bench/Machine.ts"
import * as Profile from "../bench/Profile.ts"
import { all, atLeast, atMost, below, median, rowOf, timesBaseline } from "../bench/Row.ts"
import * as Table from "../bench/Table.ts"

const about = { commit: "abc1234", measured: "2026-11-21T00:00:00.000Z", load: 0.5 }
const machine = { cpu: "A processor", cores: 2, memoryGiB: 24, node: "v20.20.2", os: "Debian" }
const fast = rowOf({
  name: "durable-tx-per-signer",
  unit: "tx/s",
  rounds: [1600, 1700, 1400],
  against: { what: "viem", rounds: [210, 190, 200] },
  goal: all(atLeast(1500, "/s"), timesBaseline(6, "viem"))
}, about)
const counts = rowOf(
  { name: "rpc-calls-per-trade", unit: "calls", rounds: [7], goal: atMost(6, ""), note: "a | b" },
  about
)
const latest = { machine, commit: "abc1234", rows: [fast, counts] }

describe("a row of the bench", () => {
  it("holds the median of its rounds against the median of the baseline's", () => {
    assert.strictEqual(fast.ours, 1600)
    assert.strictEqual(fast.baseline, 200)
    assert.strictEqual(fast.ratio, 8)
    assert.deepStrictEqual(fast.rounds, [1600, 1700, 1400])
  })

  it("takes the mean of the middle two where there is no middle, and throws for an empty list", () => {
    assert.strictEqual(median([4, 1, 3, 2]), 2.5)
    assert.throws(() => median([]))
  })

  it("meets its goal only when every part of it is met, by the numbers before they are rounded", () => {
    assert.strictEqual(fast.goal, "≥ 1,500/s and ≥ 6 × viem")
    assert.isTrue(fast.met)
    const goal = all(atLeast(1500, "/s"), timesBaseline(6, "viem"))
    const row = (ours: number, viem: number) =>
      rowOf({ name: "x", unit: "tx/s", rounds: [ours], against: { what: "viem", rounds: [viem] }, goal }, about).met
    assert.isFalse(row(1600, 300))
    assert.isFalse(row(1499.9, 100))
    assert.isTrue(row(1500, 250))
    assert.isFalse(counts.met)
    assert.isFalse(rowOf({ name: "x", unit: "ms", rounds: [15], goal: below(15, " ms") }, about).met)
  })

  it("has no ratio without a baseline, nor against one of nothing, and no verdict without a goal", () => {
    assert.deepStrictEqual([counts.baseline, counts.against, counts.ratio], [null, null, null])
    assert.isNull(rowOf({ name: "x", unit: "s", rounds: [1], against: { what: "none", rounds: [0] } }, about).ratio)
    assert.isNull(rowOf({ name: "x", unit: "s", rounds: [1] }, about).met)
  })
})

describe("bench/latest.json", () => {
  const place = (name: string) => [counts.name, fast.name].indexOf(name)
  const write = (content: Latest.Latest) => {
    const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-bench-test-"))
    const path = Path.join(folder, "bench/latest.json")
    Latest.write(content, path)
    const read = Latest.read(path)
    Fs.rmSync(folder, { recursive: true })
    return read
  }

  it("is read as it was written", () => {
    assert.deepStrictEqual(write(latest), latest)
    assert.isUndefined(Latest.read("/nowhere/latest.json"))
  })

  it("keeps the other rows when one is measured again, in the order of the groups", () => {
    const anew = { ...fast, ours: 1, commit: "def5678" }
    const merged = Latest.merged(latest, { machine, commit: "def5678", rows: [anew] }, place)
    assert.deepStrictEqual(merged, { machine, commit: "def5678", rows: [counts, anew] })
  })

  it("forgets what another machine measured", () => {
    const merged = Latest.merged(latest, { machine: { ...machine, cores: 64 }, commit: "def5678", rows: [fast] }, place)
    assert.deepStrictEqual(merged.rows, [fast])
  })
})

describe("the published table", () => {
  const marks = (between: string) =>
    `before\n<!-- bench:begin (npm run bench -- --publish writes between these lines) -->${between}<!-- bench:end -->\nafter\n`

  it("is between its markers, names machine and commit, and publishing it again changes nothing", () => {
    const once = Table.published(marks("\nold\n"), latest)
    assert.strictEqual(once, marks(`\n${Table.markdown(latest)}\n`))
    assert.strictEqual(Table.published(once ?? "", latest), once)
    assert.include(once, "A processor, 2 cores, 24 GiB, Node v20.20.2, Debian")
    assert.include(once, "Commit abc1234.")
    assert.include(
      once,
      "| durable-tx-per-signer | 1,600 tx/s | 200 (viem) | 8 × | ≥ 1,500/s and ≥ 6 × viem | yes |  |"
    )
    assert.include(once, "a \\| b")
    assert.notInclude(once, "1,700")
  })

  it("names the commit of each row when they differ", () => {
    assert.include(Table.markdown({ ...latest, rows: [fast, { ...counts, commit: "def5678" }] }), "commit def5678")
  })

  it("says of what was measured on a busy machine that other work ran beside it", () => {
    assert.notInclude(Table.markdown(latest), "other work")
    assert.include(Table.markdown({ ...latest, rows: [{ ...fast, load: 7.5 }] }), "beside other work (load 7.5)")
  })

  it("is refused by a document without the markers, and docs/performance.md has them", () => {
    assert.isUndefined(Table.published("nothing here", latest))
    assert.isDefined(Table.published(Fs.readFileSync(Path.join(root, "docs/performance.md"), "utf8"), latest))
  })

  it("is followed by its notes in a terminal", () => {
    const text = Table.text([fast, counts])
    assert.include(text, "durable-tx-per-signer: rounds 1,600, 1,700, 1,400")
    assert.include(text, "rpc-calls-per-trade: a | b")
  })
})

describe("how a bench evaluates what it sees", () => {
  it("counts the time a node was busy once, however many calls it had at a time, and only inside of the interval", () => {
    const times = [[8, 12], [11, 14], [13, 13.5], [20, 30]] as const
    const seen = times.map(([arrived, answered]) => ({ arrived, answered }))
    assert.strictEqual(busyMillis(seen, 10, 25), 4 + 5)
    assert.strictEqual(busyMillis([], 10, 25), 0)
  })

  it("finds the value that a percentage of all values do not exceed", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    assert.deepStrictEqual([
      percentile(hundred, 99),
      percentile(hundred, 50),
      percentile([7], 99),
      percentile([1, 2], 99)
    ], [99, 50, 7, 2])
  })

  it("does not mistake a real vault for a simulated one", () => {
    assert.isTrue(isSimulated(`0x${"b07".repeat(9)}0${"0".repeat(12)}`))
    assert.isFalse(isSimulated("0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"))
  })

  it("counts every call until the transaction is sent, and afterwards all but the polling for it", () => {
    const seen = [
      { methods: ["eth_call", "eth_getTransactionCount"] },
      // The first poll may be in the same request.
      { methods: ["eth_sendRawTransaction", "eth_getBlockByNumber"] },
      { methods: ["eth_getTransactionReceipt", "eth_getTransactionCount"] },
      { methods: ["eth_getBlockByNumber", "eth_call"] }
    ]
    const { calls, polls, requests } = counted(seen, 1)
    assert.deepStrictEqual([...calls], [["eth_call", 2], ["eth_getTransactionCount", 1], ["eth_sendRawTransaction", 1]])
    assert.deepStrictEqual([polls, requests], [4, 3])
  })

  it("lays the spans of traces over each other, by when they began", () => {
    const span = (
      traceId: string,
      spanId: string,
      parentSpanId: string | undefined,
      name: string,
      [start, end]: readonly [bigint, bigint],
      text?: string
    ): Span => ({
      ...{
        traceId,
        spanId,
        parentSpanId,
        name,
        start: start * 1_000_000n,
        end: end * 1_000_000n,
        service: "",
        instance: ""
      },
      attributes: text === undefined ? {} : { "db.query.text": text }
    })
    const trace = (id: string, begun: bigint, took: bigint) => [
      span(id, "b", "a", "sql.execute", [begun + 2n, begun + 2n + took], "insert  into\n intents"),
      span(id, "a", undefined, "http.server POST", [begun, begun + 10n]),
      span(id, "c", "a", "sql.execute", [begun + 6n, begun + 7n], "insert into intents")
    ]
    const drawn = Timeline.render([trace("1", 100n, 1n), trace("2", 300n, 3n), trace("3", 500n, 2n), [
      span("4", "a", undefined, "seldom", [0n, 9n])
    ]])
    assert.deepStrictEqual(drawn.split("\n"), [
      "    0.0    10.0  http.server POST",
      "    2.0     2.0    sql.execute: insert into intents",
      "    6.0     1.0    sql.execute: insert into intents (2)"
    ])
  })

  it.effect("counts the calls per unit of work", () =>
    Effect.gen(function*() {
      const text = yield* CallCounts.around(
        Effect.replicateEffect(Effect.withSpan(Effect.void, "asked"), 6, { discard: true }),
        3
      )
      assert.strictEqual(text, "    2.000  span asked")
    }))

  it("sums the profiler's samples by whose code ran", () => {
    const frame = (functionName: string, url: string) => ({
      functionName,
      url,
      scriptId: "1",
      lineNumber: 0,
      columnNumber: 0
    })
    const nodes = [
      { id: 1, callFrame: frame("run", "file:///x/node_modules/effect/dist/esm/internal/fiberRuntime.js") },
      { id: 2, callFrame: frame("parse", "file:///x/node_modules/effect/dist/esm/ParseResult.js") },
      { id: 3, callFrame: frame("sign", "file:///x/packages/workers/src/gas-wallet/Signer.ts") },
      { id: 4, callFrame: frame("dispatch", "") }
    ]
    const profile = { nodes, startTime: 0, endTime: 100, samples: [1, 2, 1, 3, 4], timeDeltas: [10, 20, 30, 5, 1000] }
    const sums = [["effect runtime", 40], ["effect schema", 20], ["packages/workers/src/gas-wallet", 5]]
    assert.deepStrictEqual<unknown>(Profile.sums([profile], Profile.groupOf), sums)
  })
})

describe("how a load is measured", () => {
  const response = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const pushed = (chunks: ReadonlyArray<string>) => {
    const reader = ResponseReader.make()
    return chunks.map((chunk) =>
      reader.push(Buffer.from(chunk)).map(({ body, status }) => [status, body.toString("utf8")])
    )
  }

  it("reads responses whole, however their bytes arrive", () => {
    const [one, two] = [response("{}"), response("[1]")]
    assert.deepStrictEqual<unknown>(pushed([one + two]), [[[200, "{}"], [200, "[1]"]]])
    assert.deepStrictEqual<unknown>(pushed([one.slice(0, 20), one.slice(20) + two.slice(0, -1), two.slice(-1)]), [
      [],
      [[200, "{}"]],
      [[200, "[1]"]]
    ])
    const parts = "HTTP/1.1 503 Busy\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n"
    assert.deepStrictEqual<unknown>(pushed([parts, "\r\n"]), [[], [[503, "abc"]]])
    assert.throws(() => pushed(["SSH-2.0-OpenSSH\r\n\r\n"]), "not a response")
    assert.throws(() => pushed(["HTTP/1.1 200 OK\r\n\r\n"]), "without a length")
  })

  it("counts what was answered in the time that it took", () => {
    const latencies = Array.from({ length: 200 }, (_, index) => index + 1)
    const { count, p50, p99, perSecond } = LoadGenerator.rateOf({ latencies, seconds: 4 })
    assert.deepStrictEqual([count, perSecond, p50, p99], [200, 50, 100, 198])
  })

  it("reads processor time and memory of a process, whatever its name", () => {
    const stat = "42 (a (b) c) S 1 42 42 0 -1 4194560 100 0 0 0 250 50 7 8 20 0 11 0 100 1000 10"
    assert.strictEqual(ProcessUsage.cpuMillisOf(stat), 3_000)
    assert.strictEqual(ProcessUsage.residentMegabytesOf("Name:\tnode\nVmRSS:\t  250000 kB\n"), 256)
  })

  it("adds the allocations that V8 reports, and nothing else that a process prints", () => {
    const line = (bytes: number) => `[1:0x2:0]  97 ms: pause=4.8 gc=s end_object_size=4 allocated=${bytes} promoted=0\n`
    assert.strictEqual(GarbageTrace.allocatedIn(`ready in 2 s\n${line(1_000)}allocated=5\n${line(24)}`), 1_024)
  })

  it("keeps the samples of a profile that were taken in the measured time", () => {
    const profile = { nodes: [], startTime: 100, endTime: 200, samples: [1, 2, 3, 4], timeDeltas: [10, 20, 30, 40] }
    const { samples, timeDeltas } = Profile.within(profile, 130, 160)
    assert.deepStrictEqual([samples, timeDeltas], [[2, 3], [20, 30]])
  })

  it("writes a swap of one vault for another one, in whatever case the address is", () => {
    const [from, to] = [`0x${"ab".repeat(20)}`, `0x${"cd".repeat(20)}`] as const
    assert.strictEqual(swapOf(`0x01${"AB".repeat(20)}02`, from, to), `0x01${"cd".repeat(20)}02`)
  })
})

describe("the rows of the HTTP benches", () => {
  const round = (perSecond: number, p50: number, p99: number, cpuMicros: number): Contest.Round => ({
    ...{ count: 100, perSecond, p50, p99, cpuMicros },
    ...{ latencies: [p50, p99], seconds: 1 }
  })
  const rounds = { ours: [round(900, 10, 60, 800)], peer: [round(1_000, 5, 20, 100)] }
  const about_ = { commit: "abc1234", measured: "2026-11-21T00:00:00.000Z", load: 0.5 }

  it("set our reads against the peer's of the same run, and the p99 against our own p50", () => {
    const rows = Reads.findings("read", { oldRows: 0 }, rounds).map((finding) => rowOf(finding, about_))
    assert.deepStrictEqual(rows.map(({ baseline, goal, met, name, ours }) => [name, ours, baseline, goal, met]), [
      ["read-rps", 900, 1_000, "≥ 1 × Fastify + pg", false],
      ["read-p50", 10, 5, null, null],
      ["read-p99", 60, 20, "≤ 50 ms", false],
      ["read-cpu", 800, 100, null, null]
    ])
    const [list] = Reads.findings("list", { oldRows: 0 }, rounds).map((finding) => rowOf(finding, about_))
    assert.deepStrictEqual([list?.name, list?.goal, list?.met], ["list-rps", "≥ 0.8 × Fastify + pg", true])
  })

  it("have another name in a ledger with old rows, and the curve in the note of what grows", () => {
    const [old] = Reads.findings("read", { oldRows: 1_000_000 }, rounds)
    assert.strictEqual(old?.name, "read-rps/old-rows")
    assert.include(old?.note, "1,000,000 finished trades")
    const [grown] = ReadGrowth.finding("read-rps/servers", "servers", [{ size: 1, rounds }, { size: 4, rounds }])
    assert.include(grown?.note, "by servers 1: 900/s, p99 60 ms, 800 µs of CPU each; 4: 900/s")
  })

  it("take the rate of 500 alerts at once, and the p99 of each number at once", () => {
    const burst = (perSecond: number, latencies: ReadonlyArray<number>): Alerts.Burst => ({
      perSecond,
      latencies,
      cpuMicros: 1_000
    })
    const bursts = new Map([[1, [burst(90, [11]), burst(80, [12])]], [50, [burst(400, [100, 140])]], [500, [
      burst(700, [600])
    ]]])
    const rows = Alerts.findings({ oldRows: 0 }, { alerts: bursts, setBot: bursts, peer: bursts }).map((finding) =>
      rowOf(finding, about_)
    )
    assert.deepStrictEqual(rows.map(({ goal, met, name, ours }) => [name, ours, goal, met]), [
      ["alert-rps", 700, "≥ 1,000/s", false],
      ["alert-rps/setBot", 700, null, null],
      ["alert-p99", 140, "≤ 150 ms", true],
      ["alert-p99/1", 12, null, null],
      ["alert-p99/500", 600, null, null]
    ])
    assert.notStrictEqual(Alerts.sideOf(1), Alerts.sideOf(2))
  })
})

describe("the groups", () => {
  it("name each row once, and rows without a bench come last", () => {
    const names = Object.values(groups).flat().flatMap(({ rows }) => rows)
    assert.strictEqual(new Set(names).size, names.length)
    assert.deepStrictEqual(names.map(order), names.map((_, index) => index))
    assert.strictEqual(order("gone"), names.length)
  })

  it("are chosen by group, by row and by what the flags require", () => {
    const none = { group: undefined, only: undefined, grow: false, oldRows: 0 }
    const names = (selection: Partial<Parameters<typeof chosen>[0]>) =>
      Result.match(chosen({ ...none, ...selection }), {
        onFailure: (message) => message,
        onSuccess: (found) => found.map(({ rows: [name] }) => name)
      })
    assert.deepStrictEqual(names({ group: "http" }), ["read-rps", "read-garbage", "list-rps", "trade-http", "dry-run"])
    assert.deepStrictEqual(names({ group: "start" }), ["start", "command", "rss"])
    assert.deepStrictEqual(names({ only: "alert-p99" }), ["alert-rps"])
    assert.deepStrictEqual(names({ grow: true }), ["read-rps", "trade-http"])
    assert.deepStrictEqual(names({ oldRows: 10 }), ["read-rps", "list-rps", "alert-rps"])
    assert.include(names({ group: "nothing" }), "There is no group nothing; there are engine, bots, http")
    assert.include(names({ only: "dry-run", grow: true }), "There is no row dry-run for --grow; there are read-rps")
    assert.include(names({ group: "start", grow: true }), "There is no bench for --grow; there are none in this group.")
  })

  it("are explained row by row in docs/performance.md", () => {
    const text = Fs.readFileSync(Path.join(root, "docs/performance.md"), "utf8").split("### Rows of http")[1] ?? ""
    const parts = ["http", "webhooks", "console", "start"].flatMap((group) => groups[group] ?? []).flatMap(({ rows }) =>
      rows
    )
    const missing = parts.filter((name) => {
      const [row = "", part = ""] = name.split("/")
      return !text.includes(`\`${name}\``) && !(text.includes(`\`${row}\``) && text.includes(`\`/${part}\``)) &&
        part !== "old-rows"
    })
    assert.deepStrictEqual(missing, [])
  })
})
