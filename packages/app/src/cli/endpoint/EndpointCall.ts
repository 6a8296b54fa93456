/** Calls an endpoint, waits for the outcome of a write, and reports both. */
import * as Crypto from "node:crypto"
import { ConnectionError } from "../../../../client/src/ConnectionError.ts"
import type { Fields } from "../../../../client/src/Endpoint.ts"
import { OutcomePending } from "../../../../client/src/OutcomePending.ts"
import * as Transport from "../../../../client/src/Transport.ts"
import { VaultTraderError } from "../../../../client/src/VaultTraderError.ts"
import { Write } from "../../../../client/src/Write.ts"
import type { EndpointCommand } from "../CommandTable.ts"
import * as AnswerText from "./AnswerText.ts"
import { exitCodes } from "./ExitCode.ts"
import type { Invocation } from "./Invocation.ts"
import * as NextStep from "./NextStep.ts"
import type { Terminal } from "./Terminal.ts"

type Printed = Pick<Terminal, "out" | "err" | "columns" | "colors">

/** A call that ended without the success of the endpoint. */
interface Report {
  readonly code: string | null
  readonly errorType: string | null
  readonly message: string
  readonly intentId: string | null
  readonly txHash: string | null
  readonly idempotencyKey: string | null
  readonly next: string
}

/** Prints an answer: JSON, or text for people. */
const print = (fields: Fields, { json }: Invocation, { colors, columns, out }: Printed): void =>
  out(json ? `${AnswerText.json(fields)}\n` : AnswerText.render(fields, { colors, columns }))

/** Prints a report to standard error: one JSON object, or text for people. */
const printReport = (what: string, report: Report, { json }: Invocation, { err }: Printed): void => {
  const { code, errorType, idempotencyKey, intentId, message, next, txHash } = report
  if (json) {
    const fields = {
      ...{ status: what, status_code: code, error_type: errorType, message },
      ...{ intent_id: intentId, tx_hash: txHash, idempotency_key: idempotencyKey, next_step: next }
    }
    return err(`${AnswerText.json(fields)}\n`)
  }
  const kind = [code, errorType].filter((each) => each !== null).join(" ")
  const facts = Object.entries({ intent_id: intentId, tx_hash: txHash, idempotency_key: idempotencyKey })
    .flatMap(([name, value]) => value === null ? [] : [`  ${name.padEnd(15)}  ${value}\n`])
  err(
    AnswerText.harmless(`${what}${kind === "" ? "" : ` (${kind})`}: ${message}`) + `\n${facts.join("")}Next: ${next}\n`
  )
}

const quote = (word: string): string => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** Returns the command that repeats a write under its key. No word of it is a secret: secrets are never arguments. */
const repeated = (words: ReadonlyArray<string>, key: string): string => {
  const isKeyed = words.some((word) => /^--idempotency[-_]key(=|$)/.test(word))
  const all = isKeyed ? words : [...words, "--idempotency-key", key]
  return ["vault-trader", ...all].map(quote).join(" ")
}

/** Describes how to learn the outcome of a write. */
const askAgain = (words: ReadonlyArray<string>, intentId: string | null, key: string | null): string => {
  const ask = intentId === null ? "" : `vault-trader get-intent --intent-id ${intentId} shows its state. `
  return key === null
    ? `${ask}Check before you repeat the command.`
    : `${ask}The same command with the same key waits for the outcome and executes nothing twice: ${
      repeated(words, key)
    }`
}

const failureOf = (
  error: VaultTraderError | ConnectionError | OutcomePending,
  words: ReadonlyArray<string>,
  intentId: string | null
): { readonly exit: number; readonly what: string; readonly report: Report } => {
  const base = {
    code: null,
    errorType: null,
    txHash: null,
    intentId: error.intentId ?? intentId,
    message: error.message
  }
  if (error instanceof VaultTraderError) {
    const { code, errorType, txHash } = error
    const next = NextStep.after(errorType, code)
    const report = { ...base, code, errorType, txHash, idempotencyKey: error.idempotencyKey, next }
    return { exit: errorType === "outcome_unknown" ? exitCodes.pending : exitCodes.failed, what: "fail", report }
  }
  const key = error.idempotencyKey
  if (error instanceof OutcomePending) {
    const report = { ...base, idempotencyKey: key, next: askAgain(words, base.intentId, key) }
    return { exit: exitCodes.pending, what: "pending", report }
  }
  if (error.outcome === "unknown") {
    const report = { ...base, idempotencyKey: key, next: askAgain(words, base.intentId, key) }
    return { exit: exitCodes.pending, what: "unknown", report }
  }
  const wait = error.retryAfterSeconds === null ? "" : ` The service asks to wait ${error.retryAfterSeconds} seconds.`
  const next = `Check that the service runs and that its URL is right (vault-trader profile show).${wait}`
  return { exit: exitCodes.unreachable, what: "unreachable", report: { ...base, idempotencyKey: null, next } }
}

type Ending = VaultTraderError | ConnectionError | OutcomePending

const isEnding = (error: unknown): error is Ending =>
  error instanceof VaultTraderError || error instanceof ConnectionError || error instanceof OutcomePending

/** A call and what is known of it. */
interface Call {
  readonly command: EndpointCommand
  readonly words: ReadonlyArray<string>
  readonly invocation: Invocation
  readonly terminal: Printed
  readonly request: Fields
  /** Set once the service has accepted a write. */
  write: Write<Fields> | undefined
}

const succeeded = (answer: Fields, { invocation, terminal }: Call): number => {
  print(answer, invocation, terminal)
  return exitCodes.success
}

/** Reports a write that continues: the last answer on standard output, and how to ask again on standard error. */
const continues = (write: Write<Fields>, { invocation, terminal, words }: Call): number => {
  const { endpoint, idempotencyKey, intentId, message, txHash } = write
  const pending = new OutcomePending({ endpoint, idempotencyKey, intentId, message })
  const { exit, report, what } = failureOf(pending, words, null)
  print({ status: "pending", intent_id: intentId, tx_hash: txHash, message }, invocation, terminal)
  if (invocation.json) printReport(what, { ...report, txHash }, invocation, terminal)
  else terminal.err(`${endpoint} is pending.\nNext: ${report.next}\n`)
  return exit
}

/** Reports Ctrl-C: the intent's id where it is known, and the key. */
const interrupted = (error: Ending, { command, invocation, request, terminal, words, write }: Call): number => {
  if (command.kind === "read") return exitCodes.interrupted
  const { exit, report } = failureOf(error, words, write?.intentId ?? null)
  const isOpen = write !== undefined || exit === exitCodes.pending
  const key = isOpen && command.kind === "write" ? String(request["idempotency_key"]) : null
  const next = isOpen ? askAgain(words, report.intentId, key) : "Run the command again."
  const message = write === undefined ? report.message : `${write.endpoint} continues: ${write.message}`
  printReport("interrupted", { ...report, message, idempotencyKey: key, next }, invocation, terminal)
  return exitCodes.interrupted
}

/**
 * Returns true for a refusal that is not the outcome of an accepted write: its state could not be read, for example
 * because the key was replaced meanwhile.
 */
const isNoOutcome = (error: Ending, { command, write }: Call): boolean =>
  write !== undefined && error instanceof VaultTraderError &&
  (error.errorType === null || error.endpoint !== command.endpoint)

const ended = (error: Ending, call: Call): number => {
  const { request, write } = call
  const { exit, report, what } = failureOf(error, call.words, write?.intentId ?? null)
  if (!isNoOutcome(error, call)) {
    printReport(what, report, call.invocation, call.terminal)
    return exit
  }
  const idempotencyKey = String(request["idempotency_key"])
  const message = `${error.message} The write was accepted before; its outcome is not known.`
  const next = askAgain(call.words, report.intentId, idempotencyKey)
  printReport("unknown", { ...report, message, idempotencyKey, next }, call.invocation, call.terminal)
  return exitCodes.pending
}

/** Sends a request; resolves with the exit code. `words` are those of the command line. */
export const run = async (
  command: EndpointCommand,
  words: ReadonlyArray<string>,
  invocation: Invocation,
  terminal: Terminal
): Promise<number> => {
  const { apiKey, request: given, url, wait, waitSeconds } = invocation
  const { endpoint: name, key, kind, path } = command
  const endpoint = { name, path, kind, key }
  const request = kind === "write"
    ? { ...given, idempotency_key: given["idempotency_key"] ?? Crypto.randomUUID() }
    : given
  const call: Call = { command, words, invocation, terminal, request, write: undefined }
  const { send } = Transport.make({ url, apiKey, fetch: terminal.fetch })
  const controller = new AbortController()
  const { signal } = controller
  const stop = terminal.onInterrupt(() => controller.abort())
  const sentAt = Date.now()
  try {
    const answer = await send(endpoint, request, { signal })
    if (answer["status"] !== "pending") return succeeded(answer, call)
    call.write = new Write<Fields>({ endpoint, request, send, sentAt }, answer)
    if (!wait) return continues(call.write, call)
    const result = await call.write.outcome({ timeoutMillis: waitSeconds * 1000, signal })
    return succeeded({ status: "success", ...result }, call)
  } catch (error) {
    if (!isEnding(error)) throw error
    if (signal.aborted) return interrupted(error, call)
    return error instanceof OutcomePending && call.write !== undefined
      ? continues(call.write, call)
      : ended(error, call)
  } finally {
    stop()
  }
}
