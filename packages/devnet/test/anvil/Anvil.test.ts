import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { copyFile, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Address, Hash } from "@vault-trader/core/chain/Address"
import * as Anvil from "../../src/anvil/Anvil.ts"

const recipient: Address = "0x00000000000000000000000000000000000000aa"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "anvil-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const saved = (folder: string, port?: number) =>
  Anvil.start({ name: "doomed", chainId: 10, folder, persistent: true, port })

const send = ({ rpc }: Anvil.Anvil) =>
  Effect.flatMap(rpc.developer, (from) => rpc.send({ from, to: recipient, value: 7n }))

it.effect("a chain continues where it was stopped, old receipts and balances included", () =>
  Effect.gen(function*() {
    const path = yield* folder
    const { hash, port } = yield* Effect.scoped(Effect.gen(function*() {
      const anvil = yield* saved(path)
      const { transactionHash } = yield* send(anvil)
      // Far more blocks than states are kept in memory.
      for (let block = 0; block < 100; block++) yield* anvil.rpc.mine
      return { hash: transactionHash, port: anvil.port }
    }))
    for (let restart = 0; restart < 2; restart++) {
      yield* Effect.scoped(Effect.gen(function*() {
        const anvil = yield* saved(path, port)
        const receipt = yield* anvil.rpc.receipt(hash)
        assert.deepStrictEqual(Option.map(receipt, ({ blockNumber }) => blockNumber), Option.some(1n))
        assert.strictEqual(yield* anvil.rpc.blockNumber, 101n)
        assert.strictEqual(yield* anvil.rpc.balance(recipient), 7n)
        assert.strictEqual(anvil.port, port)
      }))
    }
  }))

it.effect("a chain survives the kill of its parent and of the parent's whole process group", () =>
  Effect.gen(function*() {
    const path = yield* folder
    const script = fileURLToPath(new URL("DoomedParent.ts", import.meta.url))
    const line = yield* Effect.promise(async () => {
      const arguments_ = [script, path]
      const parent = spawn(process.execPath, arguments_, { detached: true, stdio: ["ignore", "pipe", "inherit"] })
      const [line] = await once(parent.stdout, "data")
      if (parent.pid !== undefined) process.kill(-parent.pid, "SIGKILL")
      return String(line).trim()
    })
    const hash = yield* Schema.decodeUnknownEffect(Hash)(line)
    const anvil = yield* saved(path)
    assert.isTrue(Option.isSome(yield* anvil.rpc.receipt(hash)))
    assert.strictEqual(yield* anvil.rpc.balance(recipient), 7n)
  }))

it.effect("two chains never share a folder's files", () =>
  Effect.gen(function*() {
    const path = yield* folder
    yield* saved(path)
    const failure = yield* Effect.flip(saved(path))
    assert.strictEqual(failure._tag, "AlreadyRunning")
  }))

it.effect("no process is left when the scope closes", () =>
  Effect.gen(function*() {
    const path = yield* folder
    const { rpc } = yield* Effect.scoped(saved(path))
    assert.strictEqual((yield* Effect.flip(rpc.blockNumber))._tag, "RpcUnreachable")
    assert.isFalse(existsSync(join(path, "doomed.pid")))
  }))

it.effect("another port is taken when the wanted one is not free", () =>
  Effect.gen(function*() {
    const first = yield* saved(yield* folder)
    const second = yield* saved(yield* folder, first.port)
    assert.notStrictEqual(second.port, first.port)
  }))

it.effect("a damaged chain is named, with the next step", () =>
  Effect.gen(function*() {
    const path = yield* folder
    const file = Anvil.stateFile(path, "doomed")
    // Text that is not JSON, and JSON that is not a chain.
    for (const content of ["{ \"block\": ", "", "{}"]) {
      yield* Effect.promise(() => writeFile(file, content))
      const failure = yield* Effect.flip(Effect.scoped(saved(path)))
      assert.strictEqual(
        failure.message,
        `The saved chain ${file} is damaged; delete that file and start again with a new, empty chain.`
      )
    }
  }))

it.effect("a damaged chain is restored from its last good copy", () =>
  Effect.gen(function*() {
    const path = yield* folder
    const file = Anvil.stateFile(path, "doomed")
    yield* Effect.scoped(Effect.flatMap(saved(path), send))
    yield* Effect.promise(() => copyFile(file, `${file}.good`))
    yield* Effect.promise(() => writeFile(file, "{"))
    const { rpc } = yield* saved(path)
    assert.strictEqual(yield* rpc.balance(recipient), 7n)
  }))

it.effect("a chain that is not saved leaves nothing behind", () =>
  Effect.gen(function*() {
    const path = yield* folder
    const options = { name: "brief", chainId: 1, folder: path, persistent: false }
    yield* Effect.scoped(Effect.flatMap(Anvil.start(options), send))
    assert.isFalse(existsSync(Anvil.stateFile(path, "brief")))
  }))

it.effect("the log stays small however many calls are made", () =>
  Effect.gen(function*() {
    const path = yield* folder
    const { rpc } = yield* saved(path)
    for (let call = 0; call < 300; call++) yield* rpc.blockNumber
    assert.isBelow((yield* Effect.promise(() => stat(join(path, "doomed.log")))).size, 4000)
  }))

it.effect("blocks are mined as the test configures them", () =>
  Effect.gen(function*() {
    const { rpc } = yield* saved(yield* folder)
    yield* rpc.setMining("manual")
    const from = yield* rpc.developer
    const hash = yield* rpc.request("eth_sendTransaction", [{ from, to: recipient, value: "0x7" }], Hash)
    assert.strictEqual(yield* rpc.blockNumber, 0n)
    yield* rpc.mine
    assert.isTrue(Option.isSome(yield* rpc.receipt(hash)))
    yield* rpc.setMining("automatic")
    yield* send({ rpc, port: 0, rpcUrl: "" })
    assert.strictEqual(yield* rpc.blockNumber, 2n)
  }))
