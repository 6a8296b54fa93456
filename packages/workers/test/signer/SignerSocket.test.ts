/** A runner's lane over a signer behind a real Unix socket: what it signs, and what happens while it is away. */
import { assert, layer } from "@effect/vitest"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as RpcClient from "effect/rpc/RpcClient"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as Scope from "effect/Scope"
import { Socket } from "effect/socket/Socket"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Os from "node:os"
import * as Path from "node:path"
import { actions } from "../../src/ActionTable.ts"
import * as ChainClient from "../../src/chain/ChainClient.ts"
import { Chains } from "../../src/chain/Chains.ts"
import * as JsonRpc from "../../src/chain/JsonRpc.ts"
import { Signer } from "../../src/gas-wallet/Signer.ts"
import { SigningPolicy } from "../../src/gas-wallet/SigningPolicy.ts"
import { SigningRecord } from "../../src/gas-wallet/SigningRecord.ts"
import * as SubmissionMac from "../../src/gas-wallet/SubmissionMac.ts"
import { RemoteRecord, RemoteSigner } from "../../src/signer/RemoteSigner.ts"
import { SignerConnection } from "../../src/signer/SignerConnection.ts"
import { SignerRpc } from "../../src/signer/SignerRpc.ts"
import * as SignerServer from "../../src/signer/SignerServer.ts"
import * as LimitedLane from "../gas-wallet/LimitedLane.ts"
import * as TestLane from "../gas-wallet/TestLane.ts"

const concurrent = { concurrent: true }
const { network } = TestLane
const kek = { version: 1, key: Redacted.make("a1".repeat(32)) }

const temporary = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-signer-"))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
)

/** The services of a runner whose signer listens at the path. */
const remote = (path: string) =>
  Layer.merge(RemoteSigner, RemoteRecord).pipe(
    Layer.provideMerge(SignerConnection.layer(path)),
    Layer.provide(TestLane.Macs)
  )

/** A wallet that trades a vault, and a signer of its chain that can be started and stopped. */
const make = Effect.gen(function*() {
  const folder = yield* temporary
  const path = Path.join(folder, "socket")
  const bench = yield* LimitedLane.make
  const client = yield* ChainClient.make(
    bench.chain.book({ blockPollMillis: 5, patienceMillis: 60_000, finalityDepth: 3 }),
    JsonRpc.overEndpoints(network, [bench.endpoint], [])
  )
  const server = (options: { readonly macs?: Layer.Layer<never>; readonly record?: string } = {}) =>
    SignerServer.layer(path).pipe(
      Layer.provide(
        Signer.layer(kek).pipe(
          Layer.provide(GasWalletStore.layer),
          Layer.provideMerge(SigningPolicy.layer(actions))
        )
      ),
      Layer.provide(SigningRecord.layer(options.record ?? Path.join(folder, "record"))),
      Layer.provide([Chains.layerOf(new Map([[network, client]])), options.macs ?? TestLane.Macs])
    )
  const start = (options: Parameters<typeof server>[0] = {}) =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      yield* Layer.buildWithMemoMap(server(options), Layer.makeMemoMapUnsafe(), scope)
      yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
      return { stop: Scope.close(scope, Exit.void) }
    })
  /** Calls the signer as another process can that may open the socket. */
  const stranger = Effect.gen(function*() {
    const protocol = RpcClient.layerProtocolSocket().pipe(
      Layer.provide([Layer.effect(Socket, NodeSocket.makeNet({ path })), RpcSerialization.layerSchemaBinary()])
    )
    return yield* Effect.provideContext(RpcClient.make(SignerRpc), yield* Layer.build(Layer.fresh(protocol)))
  })
  const trade = bench.queued(null, { calls: bench.selling(1) })
  /** A lane of a runner with this signer. */
  const lane = Effect.gen(function*() {
    const services = yield* Layer.build(Layer.fresh(remote(path)))
    return yield* bench.openAmong({
      signer: Context.get(services, Signer),
      policy: Context.get(services, SigningPolicy),
      record: Context.get(services, SigningRecord)
    })
  })
  return { ...bench, folder, path, start, stranger, trade, lane, remote: remote(path) }
})

type Bench = Effect.Success<typeof make>

const connected = Effect.gen(function*() {
  const { status } = yield* SignerConnection
  yield* TestLane.until(status, ({ _tag }) => _tag === "ok")
})

/** The request to sign the call of this row as it is. */
const requestOf = ({ data, key, to, value, wallet }: Submission, nonce = 0n) => ({
  ...{ key, chainId: 10, from: wallet, to, data, value, nonce, gasLimit: 500_000n },
  ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
})

/** Writes bytes to the socket, and waits until the signer closes the connection or has read them. */
const write = (path: string, bytes: Uint8Array) =>
  Effect.callback<void>((resume) => {
    const socket = Net.connect(path, () => socket.end(bytes))
    socket.on("error", () => {})
    socket.resume()
    socket.on("close", () => resume(Effect.void))
    return Effect.sync(() => void socket.destroy())
  })

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("a signer behind a socket", (it) => {
  it.effect(
    "signs a lane's trades, and records them in its folder; the socket is for its owner only",
    () =>
      Effect.gen(function*() {
        const bench = yield* make
        yield* bench.mining
        yield* bench.start()
        assert.deepStrictEqual(
          [Fs.statSync(bench.path).mode & 0o777, Fs.statSync(bench.folder).mode & 0o777],
          [0o600, 0o700]
        )
        const lane = yield* bench.lane
        const keys = yield* Effect.forEach([1, 2, 3], () => bench.trade)
        const ends = yield* Effect.forEach(keys, lane.submit, { concurrency: "unbounded" })
        assert.deepStrictEqual(ends.map(bench.fate), ["sent", "sent", "sent"])
        const recorded = yield* Effect.provide(
          Effect.andThen(connected, Effect.flatMap(SigningRecord, ({ findKeys }) => findKeys(keys))),
          bench.remote
        )
        assert.deepStrictEqual(recorded.map(({ nonce }) => nonce).sort(), [0n, 1n, 2n])
      }),
    concurrent
  )

  it.effect(
    "creates and imports wallets without a private key in any text that a failure or a log shows",
    () =>
      Effect.gen(function*() {
        const bench = yield* make
        yield* bench.start()
        yield* Effect.gen(function*() {
          yield* connected
          const signer = yield* Signer
          const { address, privateKey } = yield* signer.create
          assert.notInclude(JSON.stringify({ address, privateKey }), Redacted.value(privateKey))
          assert.deepStrictEqual(yield* signer.importKey(privateKey), Option.some(address))
          assert.deepStrictEqual(yield* signer.importKey(Redacted.make("not a key")), Option.none())
        }).pipe(Effect.provide(bench.remote))
      }),
    concurrent
  )

  it.effect(
    "signs for another process only what it has reviewed, as it was reviewed, and once",
    () =>
      Effect.gen(function*() {
        const bench = yield* make
        yield* bench.start()
        const other = yield* bench.stranger
        const { wallet } = bench
        const row = yield* bench.row(yield* bench.trade)
        const sign = (...transactions: ReadonlyArray<ReturnType<typeof requestOf>>) =>
          Effect.map(
            Effect.result(other.sign({ from: wallet, transactions })),
            (result) => result._tag === "Success" ? "signed" : result.failure._tag
          )
        assert.strictEqual(yield* sign(requestOf(row)), "NotReviewed")

        const thief = `0x${"c".repeat(40)}` as const
        const forged = { ...row, to: thief, data: "0x" as const, value: 10n ** 17n }
        const review = (submission: Submission) => other.review({ network, wallet, submissions: [submission] })
        assert.deepStrictEqual(yield* review(forged), { forged: [row.key], permitted: [], refusals: [] })
        assert.strictEqual(yield* sign(requestOf(forged)), "NotReviewed")

        assert.deepStrictEqual((yield* review(row)).permitted, [row.key])
        assert.strictEqual(yield* sign(requestOf(forged)), "CannotSign")
        yield* review(row)
        assert.strictEqual(yield* sign(requestOf(row), requestOf(row, 1n)), "NotReviewed")
        assert.strictEqual(yield* sign(requestOf(row)), "signed")
        assert.strictEqual(yield* sign(requestOf(row, 1n)), "NotReviewed")

        // The record is the signer's: what it holds is not signed again, whatever the runner's rows say.
        yield* review(row)
        const [signed] = yield* other.sign({ from: wallet, transactions: [requestOf(row)] })
        const { data, key, to, value } = row
        yield* other.commit({
          entries: [{
            ...{ chainId: 10, wallet, nonce: 0n, hash: signed!.hash, key, kind: "call", to, data, value, plan: null },
            ...{ raw: signed!.raw, validUntil: null }
          }]
        })
        yield* review(row)
        assert.strictEqual(yield* sign(requestOf(row, 1n)), "NotReviewed")
        const next = yield* bench.row(yield* bench.trade)
        yield* review(next)
        assert.strictEqual(yield* sign(requestOf(next, 0n)), "NotReviewed")
        yield* review(next)
        assert.strictEqual(yield* sign(requestOf(next, 1n)), "signed")
      }),
    concurrent
  )

  it.effect("survives malformed and oversized frames, and connections that send nothing", () =>
    Effect.gen(function*() {
      const bench = yield* make
      yield* bench.mining
      yield* bench.start()
      const idle = Net.connect(bench.path)
      idle.on("error", () => {})
      yield* Effect.addFinalizer(() => Effect.sync(() => void idle.destroy()))
      yield* write(bench.path, Buffer.from("GET / HTTP/1.1\r\n\r\n"))
      yield* write(bench.path, Buffer.alloc(4096, 0xff))
      yield* write(bench.path, Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(1 << 20)]))
      const large = yield* bench.stranger
      const failure = yield* Effect.exit(
        Effect.timeout(large.findKeys({ keys: ["x".repeat(9 * 2 ** 20)] }), "5 seconds")
      )
      assert.isTrue(Exit.isFailure(failure))
      const within = yield* bench.stranger
      assert.deepStrictEqual(yield* within.findKeys({ keys: ["x".repeat(2 ** 20)] }), [])
      const lane = yield* bench.lane
      assert.strictEqual(bench.fate(yield* lane.submit(yield* bench.trade)), "sent")
    }), concurrent)

  const away = (bench: Bench) =>
    Effect.provide(
      Effect.flatMap(SigningRecord, ({ status }) => TestLane.until(status, ({ _tag }) => _tag === "unwritable")),
      bench.remote
    )

  it.effect(
    "is waited for while it is away, without a refusal, and signs when it is back",
    () =>
      Effect.gen(function*() {
        const bench = yield* make
        yield* bench.mining
        yield* away(bench)
        const lane = yield* bench.lane
        const first = yield* bench.trade
        const waiter = yield* Effect.forkChild(lane.submit(first))
        const { stop } = yield* bench.start()
        assert.strictEqual(bench.fate(yield* Fiber.join(waiter)), "sent")
        yield* stop
        yield* away(bench)
        const keys = yield* Effect.forEach([1, 2], () => bench.trade)
        const waiters = yield* Effect.forEach(keys, (key) => Effect.forkChild(lane.submit(key)))
        assert.deepStrictEqual((yield* Effect.forEach(keys, bench.row)).map(({ status }) => status), [
          "queued",
          "queued"
        ])
        yield* bench.start()
        const ends = yield* Effect.forEach(waiters, Fiber.join)
        assert.deepStrictEqual([ends.map(bench.fate), yield* bench.sent], [["sent", "sent"], 3])
      }),
    concurrent
  )

  it.effect(
    "does not sign for a runner of another database, whose rows it would take for forged",
    () =>
      Effect.gen(function*() {
        const bench = yield* make
        yield* bench.mining
        yield* bench.start({ macs: SubmissionMac.layer(Redacted.make("5d".repeat(32))) })
        const lane = yield* bench.lane
        const key = yield* bench.trade
        yield* Effect.forkChild(lane.submit(key))
        const { status } = Context.get(yield* Layer.build(bench.remote), SignerConnection)
        yield* TestLane.until(status, (found) => found._tag === "away" && found.message.includes("another planner key"))
        assert.strictEqual((yield* bench.row(key)).status, "queued")
      }),
    concurrent
  )

  it.effect(
    "does not start where another one listens, nor in a folder that others may enter; a socket left behind is replaced",
    () =>
      Effect.gen(function*() {
        const bench = yield* make
        const refusal = (record = Path.join(bench.folder, "other")) =>
          Effect.map(Effect.flip(bench.start({ record })), ({ message }) => message)
        const { stop } = yield* bench.start()
        assert.match(yield* refusal(), /^A signer already listens on /)
        assert.match(yield* refusal(Path.join(bench.folder, "record")), /is in use by process/)
        yield* stop
        // As kill -9 leaves it.
        const left = Net.createServer().listen(bench.path)
        yield* Effect.callback<void>((resume) => void left.once("listening", () => resume(Effect.void)))
        Fs.linkSync(bench.path, `${bench.path}.kept`)
        yield* Effect.callback<void>((resume) => void left.close(() => resume(Effect.void)))
        Fs.renameSync(`${bench.path}.kept`, bench.path)
        yield* (yield* bench.start()).stop
        Fs.chmodSync(bench.folder, 0o755)
        assert.match(yield* refusal(), /is open to other accounts of this machine \(mode 755\): run chmod 700 /)
        Fs.chmodSync(bench.folder, 0o700)
        Fs.writeFileSync(bench.path, "")
        assert.match(yield* refusal(), /is a file, not a socket/)
      }),
    concurrent
  )
})
