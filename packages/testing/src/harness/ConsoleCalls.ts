/**
 * The console's calls as a program makes them: a session from a signature, and one socket that answers calls in order.
 */
import { assert } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import { WebSocket } from "undici"
import { getAddress } from "viem"
import { Running } from "./Harness.ts"
import type { Person } from "./Signing.ts"

/** The result of signing in. */
interface Session {
  /** Empty when signing in failed. */
  readonly cookie: string
  /** Body of the service's response. */
  readonly said: string
}

/** Signs in as this person, with a signature for a chain. */
export const sessionOf = (by: Pick<Person, "signText"> & { readonly address: Address }, chainId = 8453) =>
  Effect.gen(function*() {
    const { ask, baseUrl } = yield* Running
    const headers = { origin: baseUrl }
    const { body } = yield* ask("/console/sign-in", { json: { address: getAddress(by.address), chainId }, headers })
    const signature = yield* by.signText(String(body["message"]))
    const opened = yield* ask("/console/session", { json: { nonce: body["nonce"], signature }, headers })
    const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";")
    return { cookie, said: opened.text }
  })

/** The result of a call. */
type Ended =
  | { readonly _tag: "Success"; readonly value?: unknown }
  | { readonly _tag: "Failure"; readonly cause: ReadonlyArray<{ readonly error?: { readonly message?: string } }> }

/** Returns the value of a successful call. */
export const ended = (exit: Ended): unknown => {
  assert.strictEqual(exit._tag, "Success", JSON.stringify(exit))
  return exit._tag === "Success" ? exit.value : undefined
}

/** Returns the error of a refused call. */
export const failureOf = (exit: Ended): string => {
  assert.strictEqual(exit._tag, "Failure", JSON.stringify(exit))
  return exit._tag === "Failure" ? exit.cause[0]?.error?.message ?? JSON.stringify(exit) : ""
}

/**
 * Opens a socket of the session, closed with the scope. Returns a function that makes a call and returns its result.
 */
export const opened = ({ cookie }: Session) =>
  Effect.gen(function*() {
    const { baseUrl } = yield* Running
    const waiting = new Map<string, (exit: Ended) => void>()
    const socket = yield* Effect.acquireRelease(
      Effect.callback<WebSocket>((resume) => {
        const made = new WebSocket(`${baseUrl.replace(/^http/, "ws")}/console/rpc`, {
          headers: { origin: baseUrl, cookie }
        })
        made.addEventListener("open", () => resume(Effect.succeed(made)))
        made.addEventListener("error", () => resume(Effect.die(new Error("no socket"))))
        made.addEventListener("message", ({ data }) => {
          for (const line of String(data).split("\n").filter((text) => text.trim() !== "")) {
            const message = JSON.parse(line) as {
              readonly _tag: string
              readonly requestId?: string
              readonly exit?: Ended
            }
            if (message._tag === "Exit" && message.exit !== undefined) {
              waiting.get(String(message.requestId))?.(message.exit)
            }
          }
        })
      }),
      (made) => Effect.sync(() => made.close())
    )
    let last = 0
    return (tag: string, payload: unknown) =>
      Effect.callback<Ended>((resume) => {
        const id = String(++last)
        waiting.set(id, (exit) => resume(Effect.succeed(exit)))
        socket.send(`${JSON.stringify({ _tag: "Request", id, tag, payload, headers: [] })}\n`)
      })
  })

/** A call that the manager's wallet signs: its name as `action`, and its parameters. */
export type SignedCall = Readonly<Record<string, unknown>> & { readonly action: string }

/** Makes calls that the manager's wallet signs: gets the typed data, signs it, and sends the call with the signature. */
export const signedCalls =
  (console: (tag: string, payload: unknown) => Effect.Effect<Ended>, by: Pick<Person, "sign">) =>
  ({ action, ...params }: SignedCall) =>
    Effect.gen(function*() {
      const prepared = yield* console("toSign", { action, ...params })
      if (prepared._tag === "Failure") return prepared
      const { prefix, typedData } = prepared.value as { readonly prefix: string; readonly typedData: unknown }
      return yield* console(action, { ...params, signature: `${prefix}${yield* by.sign(typedData)}` })
    })
