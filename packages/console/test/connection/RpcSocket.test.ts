import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { RpcSocket } from "../../src/connection/RpcSocket.ts"

/** A socket of a browser, which opens and ends when the test says so. */
class BrowserSocket {
  readyState: number = WebSocket.CONNECTING
  readonly sent: Array<string> = []
  closes = 0
  onopen = () => {}
  onclose = () => {}

  opens() {
    this.readyState = WebSocket.OPEN
    this.onopen()
  }

  ends() {
    this.readyState = WebSocket.CLOSED
    this.onclose()
  }

  send(line: string) {
    this.sent.push(line)
  }

  close() {
    this.closes += 1
  }
}

const ignored = { onItem: () => {}, onEnd: () => {}, onFailure: () => {} }

/** The page's socket with one request, and the browser's sockets so far; there are none while `may` is false. */
const page = (may = true) => {
  const state = { asked: 0, may }
  const opened: Array<BrowserSocket> = []
  const socket = new RpcSocket(() => {
    state.asked += 1
    if (!state.may) return undefined
    const next = new BrowserSocket()
    opened.push(next)
    return next as unknown as WebSocket
  })
  socket.send("whoAmI", null, ignored)
  return { opened, socket, state }
}

describe("the page's socket", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("connects and sends what was requested once it may", () => {
    const { opened, socket, state } = page(false)
    socket.send("switches", null, ignored)
    vi.advanceTimersByTime(10_000)
    assert.lengthOf(opened, 0)
    state.may = true
    vi.advanceTimersByTime(500)
    assert.lengthOf(opened, 1)
    opened[0]?.opens()
    assert.lengthOf(opened[0]?.sent ?? [], 2)
  })

  it("connects again once it may", () => {
    const { opened, state } = page()
    opened[0]?.opens()
    state.may = false
    opened[0]?.ends()
    vi.advanceTimersByTime(10_000)
    assert.lengthOf(opened, 1)
    state.may = true
    vi.advanceTimersByTime(500)
    assert.lengthOf(opened, 2)
  })

  it("does not ask again once it is closed", () => {
    const { socket, state } = page(false)
    socket.close()
    vi.advanceTimersByTime(10_000)
    assert.strictEqual(state.asked, 1)
  })

  it("is closed when it is open, as a browser reports one that is closed before", () => {
    const { opened, socket } = page()
    socket.close()
    assert.strictEqual(opened[0]?.closes, 0)
    opened[0]?.opens()
    assert.strictEqual(opened[0]?.closes, 1)
    assert.lengthOf(opened[0]?.sent ?? [], 0)
    opened[0]?.ends()
    vi.advanceTimersByTime(10_000)
    assert.lengthOf(opened, 1)
  })

  it("is closed at once where it is open", () => {
    const { opened, socket } = page()
    opened[0]?.opens()
    socket.close()
    assert.strictEqual(opened[0]?.closes, 1)
  })
})
