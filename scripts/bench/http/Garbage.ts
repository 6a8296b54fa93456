/** Bytes that a read allocates, as V8 reports them at its garbage collections. */
import * as Effect from "effect/Effect"
import { type Bench, type Options, say } from "../Bench.ts"
import { atMost, type Finding, shown } from "../Row.ts"
import { ServiceUnderTest } from "../engine/ServiceUnderTest.ts"
import * as AllocationProfile from "./AllocationProfile.ts"
import * as Callers from "./Callers.ts"
import * as GarbageTrace from "./GarbageTrace.ts"
import * as LoadGenerator from "./LoadGenerator.ts"
import * as Peer from "./Peer.ts"
import { connections, symbolPath, token } from "./ReadRequests.ts"

/** Reads of a round: many young generations (16 MiB), because what follows the last collection is not reported. */
const [ourReads, peerReads, warmReads] = [20_000, 60_000, 5_000]

const loadOf = (baseUrl: string, apiKey: string, address: string) => ({
  origins: [baseUrl],
  requests: [{ method: "GET" as const, path: symbolPath(apiKey, address) }],
  connections,
  expects: `"status":["success"]`
})

const measure = ({ rounds = 3 }: Options) =>
  Effect.gen(function*() {
    const { env, start } = yield* ServiceUnderTest
    const usdc = yield* token
    const { apiKey } = yield* Callers.withFinishedTrades(0)
    const service = yield* start("start", {}, GarbageTrace.flags)
    const peer = yield* Peer.start(yield* Peer.dataOf(env.DATA_DIR, [usdc]), GarbageTrace.flags)
    const generator = yield* LoadGenerator.start
    const read = ({ baseUrl }: Pick<Peer.Peer, "baseUrl">, total: number) =>
      generator.run({ ...loadOf(baseUrl, apiKey, usdc.address), total })
    const allocated = (server: Pick<Peer.Peer, "baseUrl" | "output">, total: number) =>
      Effect.gen(function*() {
        const before = GarbageTrace.allocatedIn(server.output())
        yield* read(server, total)
        return (GarbageTrace.allocatedIn(server.output()) - before) / total / 1000
      })
    yield* read(service, warmReads)
    yield* read(peer, warmReads)
    const found: { readonly ours: Array<number>; readonly peer: Array<number> } = { ours: [], peer: [] }
    for (let turn = 1; turn <= rounds; turn++) {
      found.ours.push(yield* allocated(service, ourReads))
      found.peer.push(yield* allocated(peer, peerReads))
      yield* say(`  round ${turn}: ours ${shown(found.ours.at(-1) ?? 0)} KB, peer ${shown(found.peer.at(-1) ?? 0)} KB`)
    }
    const findings: ReadonlyArray<Finding> = [{
      name: "read-garbage",
      unit: "KB",
      rounds: found.ours,
      against: { what: Peer.name, rounds: found.peer },
      goal: atMost(30, " KB"),
      note: `allocated on the heap for each getSymbol, mean of ${
        shown(ourReads)
      }; buffers outside of it are not counted`
    }]
    return findings
  })

const profiled = Effect.gen(function*() {
  const usdc = yield* token
  const { apiKey } = yield* Callers.withFinishedTrades(0)
  const generator = yield* LoadGenerator.start
  const read = (total: number) => ({ baseUrl }: Pick<Peer.Peer, "baseUrl">) =>
    Effect.map(generator.run({ ...loadOf(baseUrl, apiKey, usdc.address), total }), ({ count }) => count)
  return yield* AllocationProfile.ofRequests("read-garbage", { prepared: read(warmReads), measured: read(ourReads) })
})

export const garbage: Bench = {
  rows: ["read-garbage"],
  run: (options) =>
    Effect.scoped(options.profile ? profiled : measure(options)).pipe(Effect.provide(ServiceUnderTest.layer))
}
