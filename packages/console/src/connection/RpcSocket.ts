/**
 * The console's side of the service's protocol: newline-delimited JSON over one WebSocket, which reconnects by itself.
 * It is the protocol of Effect's RPC, without its schemas, which would be most of the page's weight.
 */

/** A failure of the service as it is sent. */
export interface WireFailure {
  readonly _tag: string
  readonly message?: string
  readonly code?: string
  readonly errorType?: string
  readonly intentId?: string
}

/** Why a request ended without a response. */
export type Ending =
  | { readonly _tag: "failed"; readonly failure: WireFailure }
  | { readonly _tag: "broken" }
  | { readonly _tag: "defect" }

/** The receiver of a response. For a stream, `onItem` is called for each item, and then `onEnd` with undefined. */
interface Listener {
  readonly onItem: (item: unknown) => void
  readonly onEnd: (value: unknown) => void
  readonly onFailure: (ending: Ending) => void
}

type Cause = ReadonlyArray<
  | { readonly _tag: "Fail"; readonly error: WireFailure }
  | { readonly _tag: "Die" }
  | { readonly _tag: "Interrupt" }
>

type FromService =
  | { readonly _tag: "Chunk"; readonly requestId: string; readonly values: ReadonlyArray<unknown> }
  | {
    readonly _tag: "Exit"
    readonly requestId: string
    readonly exit:
      | { readonly _tag: "Success"; readonly value?: unknown }
      | { readonly _tag: "Failure"; readonly cause: Cause }
  }
  | { readonly _tag: "Defect" }
  | { readonly _tag: "Pong" }

const pingMillis = 10_000
const firstRetryMillis = 500
const lastRetryMillis = 5_000

const endingOf = (cause: Cause): Ending => {
  const failed = cause.find((reason) => reason._tag === "Fail")
  if (failed !== undefined) return { _tag: "failed", failure: failed.error }
  return { _tag: cause.every(({ _tag }) => _tag === "Interrupt") ? "broken" : "defect" }
}

export class RpcSocket {
  readonly #connect: () => WebSocket | undefined
  readonly #listeners = new Map<string, Listener>()
  /** Requests made before the first connection. */
  #unsent: Array<string> = []
  #socket: WebSocket | undefined
  #nextId = 0
  #retries = 0
  /** The connection was open and broke: requests fail at once until it is open again. */
  #isBroken = false
  #isClosed = false
  #text = ""
  #lastFrame = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Where `connect` returns undefined, it is called again later. */
  constructor(connect: () => WebSocket | undefined) {
    this.#connect = connect
  }

  /** Sends a request and returns a function that interrupts it. The socket is opened by the first one. */
  send(
    tag: string,
    payload: unknown,
    listener: Listener,
    headers: ReadonlyArray<readonly [name: string, value: string]> = []
  ): () => void {
    if (this.#isClosed || this.#isBroken) {
      queueMicrotask(() => listener.onFailure({ _tag: "broken" }))
      return () => {}
    }
    const id = String(this.#nextId++)
    this.#listeners.set(id, listener)
    this.#write({ _tag: "Request", id, tag, payload, headers })
    if (this.#socket === undefined && this.#timer === undefined) this.#open()
    return () => {
      if (this.#listeners.delete(id)) this.#write({ _tag: "Interrupt", requestId: id })
    }
  }

  /** Closes the socket for good. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    // A browser reports a socket that is closed while it connects; that one is closed when it is open.
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.close()
    this.#failAll({ _tag: "broken" })
  }

  #write(message: object): void {
    const line = `${JSON.stringify(message)}\n`
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(line)
    else if (!this.#isBroken) this.#unsent.push(line)
  }

  #open(): void {
    const socket = this.#connect()
    if (socket === undefined) return this.#openIn(firstRetryMillis)
    this.#socket = socket
    this.#text = ""
    let wasOpen = false
    socket.onopen = () => {
      if (this.#isClosed) return socket.close()
      wasOpen = true
      this.#isBroken = false
      this.#retries = 0
      this.#lastFrame = Date.now()
      for (const line of this.#unsent.splice(0)) socket.send(line)
      this.#ping(socket, false)
    }
    socket.onmessage = ({ data }) => {
      this.#lastFrame = Date.now()
      this.#read(String(data))
    }
    socket.onclose = () => {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#socket = undefined
      if (this.#isClosed) return
      if (wasOpen) {
        this.#isBroken = true
        this.#unsent = []
        this.#failAll({ _tag: "broken" })
      }
      this.#openIn(Math.min(firstRetryMillis * 1.5 ** this.#retries++, lastRetryMillis))
    }
  }

  #openIn(millis: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#open()
    }, millis)
  }

  /** Sends a ping every ten seconds, and closes a socket that did not answer the last one. */
  #ping(socket: WebSocket, isAsked: boolean): void {
    this.#timer = setTimeout(() => {
      if (isAsked && Date.now() - this.#lastFrame > pingMillis) return void socket.close()
      this.#write({ _tag: "Ping" })
      this.#ping(socket, true)
    }, pingMillis)
  }

  #read(data: string): void {
    const lines = (this.#text + data).split("\n")
    this.#text = lines.pop() ?? ""
    for (const line of lines) if (line !== "") this.#receive(JSON.parse(line) as FromService)
  }

  #receive(message: FromService): void {
    if (message._tag === "Pong") return
    if (message._tag === "Defect") return this.#failAll({ _tag: "defect" })
    const listener = this.#listeners.get(message.requestId)
    if (listener === undefined) return
    if (message._tag === "Chunk") {
      this.#write({ _tag: "Ack", requestId: message.requestId })
      for (const value of message.values) listener.onItem(value)
      return
    }
    this.#listeners.delete(message.requestId)
    if (message.exit._tag === "Success") listener.onEnd(message.exit.value)
    else listener.onFailure(endingOf(message.exit.cause))
  }

  #failAll(ending: Ending): void {
    const all = [...this.#listeners.values()]
    this.#listeners.clear()
    for (const { onFailure } of all) onFailure(ending)
  }
}
