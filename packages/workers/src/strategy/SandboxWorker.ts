/**
 * The thread of a sandbox: QuickJS as WebAssembly, with one strategy in it. The strategy's code runs in the engine's own
 * memory and reaches only what is put there: text that comes in and goes out. Nothing of Node, of this thread or of the
 * service is given to it.
 */
import variant from "@jitl/quickjs-wasmfile-release-sync"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant
} from "quickjs-emscripten-core"
import * as Result from "effect/Result"
import type { SandboxAnswer, SandboxCall, SandboxData } from "./SandboxProtocol.ts"

const ownModule = "@vault-trader/core/strategy/Strategy"
const indicators = "trading-signals"
const indicatorFolder = Path.dirname(fileURLToPath(import.meta.resolve(indicators)))

/** Takes from the engine what would make a decision depend on more than its state. Runs before the strategy. */
const prelude = `
{
  const { parse, stringify } = JSON
  const refuse = (name, instead) => () => {
    throw new Error(name + " is not available to a strategy: " + instead)
  }
  const noRandom = refuse("Math.random", "the same state must give the same decision")
  Object.defineProperty(Math, "random", { value: noRandom, writable: false, configurable: false })
  Object.defineProperty(globalThis, "Date", {
    get: refuse("Date", "state.time is the time of the decision"), configurable: false
  })
  const freeze = (value) => {
    if (typeof value === "object" && value !== null) {
      for (const each of Object.values(value)) freeze(each)
      Object.freeze(value)
    }
    return value
  }
  const isFunction = (value) => typeof value === "function"
  let windows = {}
  globalThis.__sandbox = Object.freeze({
    describe: (strategy) => {
      if (typeof strategy !== "object" || strategy === null) throw new Error("it exports no 'strategy'")
      if (!isFunction(strategy.decide)) throw new Error("its 'strategy' has no function 'decide'")
      const { description, history, inputs } = strategy
      return stringify({ description, history: history ?? HISTORY, inputs: inputs ?? {} })
    },
    decide: (strategy, text) => {
      const { append, history, state } = parse(text)
      if (!append) windows = {}
      const candles = {}
      for (const [symbol, added] of Object.entries(state.candles)) {
        windows[symbol] = (windows[symbol] ?? []).concat(freeze(added)).slice(-history)
        candles[symbol] = Object.freeze(windows[symbol].slice())
      }
      const result = strategy.decide(freeze({ ...state, candles }))
      if (isFunction(result?.then)) throw new Error("decide returned a promise; it must answer at once")
      return stringify(result ?? null) ?? "null"
    }
  })
}
`

/** Finds the files of the library that export these names, so that the rest of it is not loaded. */
const indicatorsOf = (source: string): string => {
  const index = `export * from "${indicators}/index.js"`
  const wanted: Array<string> = []
  for (const [, names] of source.matchAll(/import\s+([^;"']+?)\s+from\s*["']trading-signals["']/g)) {
    const [, list] = /^\{([^}]*)\}$/.exec((names ?? "").trim()) ?? []
    if (list === undefined) return index
    wanted.push(...list.split(",").map((each) => each.trim().split(/\s+as\s+/)[0] ?? "").filter((each) => each !== ""))
  }
  const files = Fs.readdirSync(indicatorFolder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js") && Path.basename(file) !== "index.js")
  const lines = wanted.map((name) => {
    const declares = new RegExp(`^export (?:abstract )?(?:class|const|function|let|var) ${name}\\b`, "m")
    const file = /^\w+$/.test(name)
      ? files.find((each) => declares.test(Fs.readFileSync(Path.join(indicatorFolder, each), "utf8")))
      : undefined
    return file === undefined ? undefined : `export { ${name} } from "${indicators}/${file}"`
  })
  return lines.includes(undefined) ? index : [...new Set(lines)].join("\n")
}

/** Returns the text of a module that a strategy imports; only ours and the library's files exist. */
const loaderOf = (source: string) => {
  const entry = indicatorsOf(source)
  return (name: string): string | { readonly error: Error } => {
    if (name === ownModule) return "export const define = (strategy) => strategy"
    if (name === indicators) return entry
    const file = Path.join(indicatorFolder, name.slice(indicators.length + 1))
    const isOurs = name.startsWith(`${indicators}/`) && name.endsWith(".js") &&
      file.startsWith(`${indicatorFolder}${Path.sep}`) && Fs.existsSync(file)
    return isOurs
      ? Fs.readFileSync(file, "utf8")
      : { error: new Error(`it imports '${name}'; accepted are '${ownModule}' and '${indicators}'`) }
  }
}

const normalize = (base: string, requested: string): string =>
  requested.startsWith(".") && base.startsWith(`${indicators}/`)
    ? Path.posix.join(Path.posix.dirname(base), requested)
    : requested

class Refused extends Error {
  readonly code: Exclude<SandboxAnswer, { readonly code: "answered" }>["code"]
  constructor(code: Refused["code"], message: string) {
    super(message)
    this.code = code
  }
}

/** The engine with the strategy in it. */
class Guest {
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #data: SandboxData
  #deadline = 0
  #strategy: QuickJSHandle | undefined

  constructor(runtime: QuickJSRuntime, data: SandboxData) {
    this.#runtime = runtime
    this.#data = data
    runtime.setMemoryLimit(data.memoryBytes)
    runtime.setMaxStackSize(256 * 1_024)
    runtime.setInterruptHandler(() => Date.now() > this.#deadline)
    runtime.setModuleLoader(loaderOf(data.source), normalize)
    this.#context = runtime.newContext()
  }

  /** Words what the engine has thrown, and distinguishes a deadline and a full memory from the strategy's own errors. */
  #refuse(thrown: QuickJSHandle, otherwise: Refused["code"]): never {
    const late = Date.now() > this.#deadline
    this.#deadline = Date.now() + 1_000
    const found = thrown.consume((handle): unknown => this.#context.dump(handle))
    const { message, name }: { readonly name?: unknown; readonly message?: unknown } =
      typeof found === "object" && found !== null ? found : { message: found }
    const words = `${typeof name === "string" ? name : "Error"}: ${
      typeof message === "string" ? message : "it threw something that is no error"
    }`.slice(0, 500)
    if (late || words.includes("InternalError: interrupted")) {
      throw new Refused("timeout", `it did not answer within ${this.#data.milliseconds} ms`)
    }
    if (/out of memory|InternalError: string too long/.test(words) || found === null) {
      throw new Refused("memory", `it needs more than ${this.#data.memoryBytes / 1_048_576} MB of memory`)
    }
    throw new Refused(otherwise, words)
  }

  #begin(): void {
    this.#deadline = Date.now() + this.#data.milliseconds
  }

  /** Calls a function of the prelude with the strategy. Returns the text that it returns. */
  #call(name: "describe" | "decide", text: string, otherwise: Refused["code"]): string {
    const context = this.#context
    const sandbox = context.getProp(context.global, "__sandbox")
    const called = sandbox.consume((of) =>
      context.getProp(of, name).consume((method) =>
        context.newString(text).consume((argument) =>
          context.callFunction(method, context.undefined, this.#strategy ?? context.undefined, argument)
        )
      )
    )
    if (called.error !== undefined) return this.#refuse(called.error, otherwise)
    return called.value.consume((handle) => context.getString(handle))
  }

  open(): string {
    this.#begin()
    const context = this.#context
    const prepared = context.evalCode(prelude.replace("HISTORY", String(this.#data.history)), "sandbox.js")
    if (prepared.error !== undefined) return this.#refuse(prepared.error, "invalid_module")
    prepared.value.dispose()
    const loaded = context.evalCode(this.#data.source, this.#data.file, { type: "module" })
    if (loaded.error !== undefined) return this.#refuse(loaded.error, "invalid_module")
    this.#strategy = loaded.value.consume((module) => {
      if (context.typeof(module) === "object") {
        const state = context.getPromiseState(module)
        // A module without a top-level await is its namespace itself.
        if (state.type !== "fulfilled" || state.notAPromise !== true) {
          throw new Refused("invalid_module", "it awaits something at its top level; nothing can be awaited")
        }
      }
      return context.getProp(module, "strategy")
    })
    return this.#call("describe", "", "invalid_module")
  }

  decide(text: string): string {
    this.#begin()
    const answer = this.#call("decide", text, "threw")
    if (answer.length > this.#data.answerCharacters) {
      throw new Refused("invalid_decision", `its decision has ${answer.length} characters of JSON`)
    }
    // Jobs of promises that it began would run within a later decision.
    if (this.#runtime.hasPendingJob()) throw new Refused("invalid_decision", "it began a promise; nothing is awaited")
    return answer
  }
}

const port = parentPort
if (port === null) throw new Error("This module runs as a worker thread.")
const data = workerData as SandboxData
// The package's types describe its CommonJS form, whose default export is within its default export.
const engine = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant)
const guest = new Guest(engine.newRuntime(), data)

const answered = (answer: () => string): SandboxAnswer =>
  Result.match(Result.try({ try: answer, catch: (error) => error }), {
    onSuccess: (text): SandboxAnswer => ({ code: "answered", text }),
    onFailure: (error): SandboxAnswer =>
      error instanceof Refused
        ? { code: error.code, message: error.message }
        // The engine itself gives up, above all without memory: the sandbox is thrown away.
        : { code: "memory", message: `its engine stopped: ${error instanceof Error ? error.message : "unknown"}` }
  })

port.postMessage(answered(() => guest.open()))
port.on("message", ({ text }: SandboxCall) => port.postMessage(answered(() => guest.decide(text))))
