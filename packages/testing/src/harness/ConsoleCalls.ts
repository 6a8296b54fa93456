/** The console's calls as a program makes them: a session by a signature, and one socket on which calls are answered in turn. */
import { assert } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import { WebSocket } from "undici"
import { getAddress } from "viem"
import { Running } from "./Harness.ts"
import type { Person } from "./Signing.ts"

/** What came of signing in. */
export interface Session {
  /** Empty where there is no session. */
  readonly cookie: string
  /** What the service said. */
  readonly said: string
}

/** Signs in as this person, on a chain. */
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

/** How a call ended. */
export type Ended =
  | { readonly _tag: "Success"; readonly value?: unknown }
  | { readonly _tag: "Failure"; readonly cause: ReadonlyArray<{ readonly error?: { readonly message?: string } }> }

/** What a call answered. */
export const ended = (exit: Ended): unknown => {
  assert.strictEqual(exit._tag, "Success", JSON.stringify(exit))
  return exit._tag === "Success" ? exit.value : undefined
}

/** What a call was refused with. */
export const failureOf = (exit: Ended): string => {
  assert.strictEqual(exit._tag, "Failure", JSON.stringify(exit))
  return exit._tag === "Failure" ? exit.cause[0]?.error?.message ?? JSON.stringify(exit) : ""
}

/** A socket of the session's, closed with the scope: makes a call and answers how it ended. */
export const opened = ({ cookie }: Session) =>
  Effect.gen(function*() {
    const { baseUrl } = yield* Running
    const waiting = new Map<string, (exit: Ended) => void>()
    const socket = yield* Effect.acquireRelease(
      Effect.callback<WebSocket>((resume) => {
        const made = new WebSocket(`${baseUrl.replace(/^http/, "ws")}/console/rpc`, { headers: { origin: baseUrl, cookie } })
        made.addEventListener("open", () => resume(Effect.succeed(made)))
        made.addEventListener("error", () => resume(Effect.die(new Error("no socket"))))
        made.addEventListener("message", ({ data }) => {
          for (const line of String(data).split("\n").filter((text) => text.trim() !== "")) {
            const told = JSON.parse(line) as { readonly _tag: string; readonly requestId?: string; readonly exit?: Ended }
            if (told._tag === "Exit" && told.exit !== undefined) waiting.get(String(told.requestId))?.(told.exit)
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
