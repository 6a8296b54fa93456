import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { forgetSession, openSocket, setSession, signOut } from "../../src/connection/Session.ts"
import { signWith } from "../../src/session/Signing.ts"

const signedOut = { manager: null, expiresAt: null }
const url = "wss://trade.example/console/rpc"

describe("a session of the page", () => {
  /** The requests to the service, and the function that answers the last one. */
  let requests: Array<string>
  let answer: (status: number, body: object) => void

  beforeEach(() => {
    vi.useFakeTimers()
    requests = []
    vi.stubGlobal("WebSocket", EventTarget)
    vi.stubGlobal("fetch", (path: string, { method }: { readonly method: string }) => {
      requests.push(`${method} ${path}`)
      return new Promise<Response>((resolve) => {
        answer = (status, body) => resolve(Response.json(body, { status }))
      })
    })
    setSession({ manager: "0xa1", expiresAt: null })
  })
  afterEach(() => {
    // No attempt to connect outlives its test.
    vi.advanceTimersByTime(5_000)
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it("opens no socket while its manager signs out, and after", async () => {
    openSocket(url)?.dispatchEvent(new Event("open"))
    const leaving = signOut()
    assert.isUndefined(openSocket(url))
    await vi.advanceTimersByTimeAsync(0)
    assert.deepStrictEqual(requests, ["DELETE /console/session"])
    assert.isUndefined(openSocket(url))
    answer(200, signedOut)
    await leaving
    assert.isUndefined(openSocket(url))
    setSession({ manager: "0xa2", expiresAt: null })
    assert.isDefined(openSocket(url))
    forgetSession()
    assert.isUndefined(openSocket(url))
  })

  it("opens no socket between its end and the next session, when the account of the wallet changes", async () => {
    const provider = { request: () => Promise.resolve("0xsigned") }
    const changing = signWith(provider, "0x00000000000000000000000000000000000000a2", 1, true)
    const answered = async (request: string, body: object) => {
      await vi.waitFor(() => assert.strictEqual(requests.at(-1), request))
      answer(200, body)
    }
    await answered("POST /console/sign-in", { message: "Sign in", nonce: "n" })
    await answered("DELETE /console/session", signedOut)
    await vi.waitFor(() => assert.strictEqual(requests.at(-1), "POST /console/session"))
    assert.isUndefined(openSocket(url))
    answer(200, { manager: "0xa2", expiresAt: null })
    await changing
    assert.isDefined(openSocket(url))
  })

  it("opens sockets again when the service did not sign its manager out", async () => {
    const leaving = signOut().catch(({ message }: Error) => message)
    await vi.advanceTimersByTimeAsync(0)
    answer(503, { message: "Try again in a moment." })
    assert.strictEqual(await leaving, "Try again in a moment.")
    assert.isDefined(openSocket(url))
  })

  it("ends once a socket that is connecting is open or has failed, and after five seconds", async () => {
    for (const event of ["open", "close", "nothing"]) {
      setSession({ manager: "0xa1", expiresAt: null })
      requests = []
      const socket = openSocket(url)
      const leaving = signOut()
      await vi.advanceTimersByTimeAsync(4_999)
      assert.deepStrictEqual(requests, [])
      if (event === "nothing") vi.advanceTimersByTime(1)
      else socket?.dispatchEvent(new Event(event))
      await vi.advanceTimersByTimeAsync(0)
      assert.deepStrictEqual(requests, ["DELETE /console/session"], event)
      answer(200, signedOut)
      await leaving
    }
  })
})
