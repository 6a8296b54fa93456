/** Sends requests: the key in a header, parameters in the body, one idempotency key for all attempts of a write. */
import { type Answered, type HttpResponse, interpret, type NoAnswer, noAnswer, textOr } from "./Answer.ts"
import { ConnectionError } from "./ConnectionError.ts"
import type { CallOptions, Endpoint, Fields } from "./Endpoint.ts"
import { VaultTraderError } from "./VaultTraderError.ts"

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly redirect: "error"
  readonly signal: AbortSignal
}) => Promise<HttpResponse>

/** Settings of the client. */
export interface Settings {
  /** The service's URL, `https://host[:port]`. */
  readonly url: string
  /** The gas wallet's API key. Endpoints that take no key work without one. */
  readonly apiKey?: string | undefined
  readonly fetch?: Fetch | undefined
  /** Time limit of each attempt in milliseconds; 30,000 by default. The service itself answers within 25 seconds. */
  readonly timeoutMillis?: number | undefined
  /** Maximum number of attempts after the first one; 3 by default. */
  readonly retries?: number | undefined
}

/** Sends a request and returns the fields of its success, or of a pending write. */
export type Send = (endpoint: Endpoint, request: Fields, options: CallOptions) => Promise<Fields>

export interface Transport {
  /** The service's URL without a trailing slash. */
  readonly url: string
  readonly send: Send
}

/** Longest time that the client waits between two attempts, in milliseconds. */
const maxWait = 60_000

/** Returns the URL to which paths are appended. */
const baseOf = (url: string): string => {
  let parsed
  try {
    parsed = new URL(url)
  } catch {
    throw new TypeError("url must be the service's URL, such as https://host")
  }
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") throw new TypeError("url must be http or https")
  if (parsed.username !== "" || parsed.password !== "") throw new TypeError("url must not contain credentials")
  return parsed.origin + parsed.pathname.replace(/\/+$/, "")
}

/** Refuses a key that cannot be a header's value; the message does not repeat it. */
const checkKey = (apiKey: string | undefined): string | undefined => {
  if (apiKey !== undefined && !/^[\x21-\x7e]{1,256}$/.test(apiKey)) {
    throw new TypeError("apiKey must be the UUID that createGasWallet or getNewApiKey returned")
  }
  return apiKey
}

const wholeNumber = (name: string, value: number, minimum: number): number => {
  if (Number.isInteger(value) && value >= minimum) return value
  throw new TypeError(`${name} must be a whole number, at least ${minimum}`)
}

/** Fills the parameters into the path's segments, and returns the others as the body. */
const fill = (path: string, request: Fields): { readonly path: string; readonly body: Fields } => {
  const body: Record<string, unknown> = { ...request }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = body[name]
    delete body[name]
    const isText = typeof value === "string" && !/^\.{0,2}$/.test(value)
    if (!isText) throw new TypeError(`${name} is missing or cannot be used`)
    return encodeURIComponent(value)
  })
  return { path: filled, body }
}

/** Writes parameters as JSON; integers of any size are sent as text, as the service accepts them. */
const toJson = (fields: Fields): string =>
  JSON.stringify(fields, (_, value: unknown) => typeof value === "bigint" ? value.toString() : value)

/** Returns the system's code of a failed fetch. Its message is left out: it may repeat a header. */
const systemCodeOf = (error: unknown): string | null => {
  for (let each = error, depth = 0; typeof each === "object" && each !== null && depth < 4; depth++) {
    const { cause, code } = each as { readonly cause?: unknown; readonly code?: unknown }
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,39}$/.test(code)) return code
    each = cause
  }
  return null
}

/** Waits, or until the signal. */
export const wait = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", done)
      resolve()
    }
    const timer = setTimeout(done, millis)
    signal?.addEventListener("abort", done)
  })

/** Returns milliseconds until the next attempt: the service's, or twice as long each time, in part at random. */
const waitBefore = (attempt: number, { retryAfterSeconds }: NoAnswer): number =>
  retryAfterSeconds === null
    ? Math.min(8_000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2)
    : retryAfterSeconds * 1000

/**
 * Returns true when another attempt is safe and may help. Reads change nothing, and a write has its idempotency key. A
 * change is repeated only when it was throttled, that is, not read.
 */
const mayRepeat = ({ kind }: Endpoint, { httpStatus, reason }: NoAnswer): boolean =>
  reason === "throttled" ||
  (kind !== "change" &&
    (reason === "network" || reason === "timeout" ||
      (reason === "unavailable" && (httpStatus === 502 || httpStatus === 503 || httpStatus === 504))))

/** Makes one attempt. */
const attemptOnce = async (
  fetch: Fetch,
  url: string,
  init: Omit<Parameters<Fetch>[1], "signal">,
  timeoutMillis: number,
  signal: AbortSignal | undefined
): Promise<Answered | NoAnswer> => {
  if (signal?.aborted === true) return noAnswer("aborted", { sent: false })
  const controller = new AbortController()
  let reason: "network" | "timeout" | "aborted" = "network"
  const end = (why: "timeout" | "aborted") => {
    reason = why
    controller.abort()
  }
  const abort = () => end("aborted")
  const timer = setTimeout(() => end("timeout"), timeoutMillis)
  signal?.addEventListener("abort", abort)
  const ended = new Promise<never>((_, reject) =>
    controller.signal.addEventListener("abort", () => reject(new Error("ended")))
  )
  try {
    const answer = async () => interpret(await fetch(url, { ...init, signal: controller.signal }))
    return await Promise.race([answer(), ended])
  } catch (error) {
    return noAnswer(reason, { systemCode: reason === "network" ? systemCodeOf(error) : null })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", abort)
  }
}

/** Creates the transport. The API key stays in its closure. */
export const make = (settings: Settings): Transport => {
  const url = baseOf(settings.url)
  const apiKey = checkKey(settings.apiKey)
  const fetch: Fetch = settings.fetch ?? ((target, init) => globalThis.fetch(target, init))
  const defaults = {
    timeoutMillis: wholeNumber("timeoutMillis", settings.timeoutMillis ?? 30_000, 1),
    retries: wholeNumber("retries", settings.retries ?? 3, 0)
  }
  const withoutKey = (text: string) => apiKey === undefined ? text : text.replaceAll(apiKey, "[API key]")

  const headersFor = ({ key, name }: Endpoint, request: Fields): Record<string, string> => {
    const headers = { "content-type": "application/json", accept: "application/json" }
    if (key === "required" && apiKey === undefined) {
      throw new TypeError(`${name} needs an API key: new VaultTrader({ url, apiKey })`)
    }
    // Where several proofs are accepted, a signature or a private key is meant to be the one that counts.
    const hasOther = key === "optional" && (request["signature"] ?? request["privateKey"]) !== undefined
    return key === "none" || hasOther || apiKey === undefined
      ? headers
      : { ...headers, authorization: `Bearer ${apiKey}` }
  }

  const failureOf = (endpoint: Endpoint, request: Fields, { fields, httpStatus }: Answered): VaultTraderError =>
    new VaultTraderError(withoutKey(textOr(fields["message"], "The service refused the request.")), {
      endpoint: endpoint.name,
      code: textOr(fields["status_code"], null),
      errorType: textOr(fields["error_type"], null),
      intentId: textOr(fields["intent_id"], null),
      txHash: textOr(fields["tx_hash"], null),
      idempotencyKey: textOr(request["idempotency_key"], null),
      httpStatus
    })

  const send: Send = async (endpoint, request, options) => {
    const timeoutMillis = wholeNumber("timeoutMillis", options.timeoutMillis ?? defaults.timeoutMillis, 1)
    const retries = wholeNumber("retries", options.retries ?? defaults.retries, 0)
    const { body, path } = fill(endpoint.path, request)
    const init = {
      method: "POST",
      headers: headersFor(endpoint, request),
      redirect: "error" as const,
      body: toJson(body)
    }
    let wasSent = false
    for (let attempt = 0;; attempt++) {
      const result = await attemptOnce(fetch, url + path, init, timeoutMillis, options.signal)
      if (result._tag === "Answered") {
        if (result.fields["status"] === "fail") throw failureOf(endpoint, request, result)
        return result.fields
      }
      wasSent ||= result.sent
      const pause = waitBefore(attempt, result)
      if (attempt < retries && pause <= maxWait && mayRepeat(endpoint, result)) {
        await wait(pause, options.signal)
        continue
      }
      throw new ConnectionError({
        endpoint: endpoint.name,
        ...result,
        detail: result.detail === null ? null : withoutKey(result.detail),
        outcome: endpoint.kind === "read" || request["dryRun"] === true || !wasSent ? "nothing" : "unknown",
        idempotencyKey: textOr(request["idempotency_key"], null)
      })
    }
  }
  return { url, send }
}
