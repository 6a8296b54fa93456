/**
 * Runs a strategy where it can do nothing but compute: QuickJS compiled to WebAssembly, in a thread of its own. The
 * engine bounds time and memory; a thread that does not answer is ended. See docs/security.md.
 */
import { defaultHistory, faultOf, StrategyDescription } from "@vault-trader/core/strategy/StrategyInputs"
import { StrategyFailure } from "@vault-trader/core/strategy/StrategyFailure"
import type { State } from "@vault-trader/core/strategy/Strategy"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Fs from "node:fs"
import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import type { SandboxAnswer, SandboxCall, SandboxData } from "./SandboxProtocol.ts"

/** A strategy's code, as JavaScript. */
export interface StrategySource {
  /** Its file's name, for people. */
  readonly file: string
  readonly text: string
}

export interface SandboxLimits {
  /** Time of one answer. */
  readonly milliseconds: number
  readonly memoryBytes: number
}

export const defaultLimits: SandboxLimits = { milliseconds: 2_000, memoryBytes: 64 * 1_048_576 }

/** Time that a thread has beyond its engine's own limit, above all to start. */
const graceMilliseconds = 10_000
const answerCharacters = 65_536

/** Threads at a time: strategies must not keep the processor from what signs. */
const threads = Semaphore.makeUnsafe(2)

/** The thread's module, as a source or in a build. */
const workerFile = ["./SandboxWorker.ts", "./SandboxWorker.js"].map((name) => new URL(name, import.meta.url))
  .find((url) => Fs.existsSync(fileURLToPath(url)))

export interface Sandbox {
  readonly description: StrategyDescription
  /**
   * Returns what the strategy decides, decoded from JSON and otherwise untrusted. With `append`, the state has only the
   * candles that the last decision's state did not have.
   */
  readonly decide: (state: State, append?: boolean) => Effect.Effect<unknown, StrategyFailure>
}

const decodeDescription = Schema.decodeUnknownResult(Schema.fromJsonString(StrategyDescription))

const failed = (code: StrategyFailure["code"], message: string) => Effect.fail(new StrategyFailure({ code, message }))

const startThread = (data: SandboxData) =>
  new Worker(workerFile ?? new URL("./SandboxWorker.js", import.meta.url), {
    workerData: data,
    env: {},
    argv: [],
    execArgv: process.execArgv.filter((word) => word.startsWith("--disable-warning") || word === "--no-warnings"),
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }
  })

/** Waits for the thread's next answer, in real time whatever clock the program has. */
const answerOf = (worker: Worker, milliseconds: number, file: string) =>
  Effect.callback<SandboxAnswer, StrategyFailure>((resume) => {
    const settle = (end: Effect.Effect<SandboxAnswer, StrategyFailure>) => {
      release()
      resume(end)
    }
    const onMessage = (answer: SandboxAnswer) => settle(Effect.succeed(answer))
    const onError = (error: Error) => settle(failed("memory", `${file}: its thread stopped: ${error.message}`))
    const onExit = () => settle(failed("memory", `${file}: its thread ended`))
    const limit = milliseconds + graceMilliseconds
    const timer = setTimeout(
      () => settle(failed("timeout", `${file}: its thread did not answer in ${limit} ms`)),
      limit
    )
    const release = () => {
      clearTimeout(timer)
      worker.off("message", onMessage).off("error", onError).off("exit", onExit)
    }
    worker.on("message", onMessage).on("error", onError).on("exit", onExit)
    return Effect.sync(release)
  })

const textOf = (answer: SandboxAnswer, file: string) =>
  answer.code === "answered" ? Effect.succeed(answer.text) : failed(answer.code, `${file}: ${answer.message}`)

const describe = (text: string, file: string) =>
  Effect.gen(function*() {
    const decoded = decodeDescription(text)
    if (Result.isFailure(decoded)) {
      return yield* failed("invalid_module", `${file}: ${String(decoded.failure.message).slice(0, 500)}`)
    }
    const fault = faultOf(decoded.success)
    return fault === undefined ? decoded.success : yield* failed("invalid_module", `${file}: ${fault}`)
  })

/** Starts a sandbox with the strategy in it; the thread ends with the scope. A failure leaves it unusable. */
export const open = (
  { file, text }: StrategySource,
  limits: SandboxLimits = defaultLimits
): Effect.Effect<Sandbox, StrategyFailure, Scope.Scope> =>
  Effect.gen(function*() {
    yield* Semaphore.takeScoped(threads, 1)
    const worker = yield* Effect.acquireRelease(
      Effect.sync(() => startThread({ source: text, file, ...limits, history: defaultHistory, answerCharacters })),
      (started) => Effect.promise(() => started.terminate())
    )
    const description = yield* describe(
      yield* Effect.flatMap(answerOf(worker, limits.milliseconds, file), (answer) => textOf(answer, file)),
      file
    )
    const decide: Sandbox["decide"] = (state, append = false) =>
      Effect.gen(function*() {
        const call: SandboxCall = { text: JSON.stringify({ state, append, history: description.history }) }
        yield* Effect.sync(() => worker.postMessage(call))
        const answer = yield* textOf(yield* answerOf(worker, limits.milliseconds, file), file)
        return JSON.parse(answer) as unknown
      })
    return { description, decide }
  })
