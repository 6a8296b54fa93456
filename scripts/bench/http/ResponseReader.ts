/** Splits the bytes of one keep-alive connection into HTTP/1.1 responses: little work for each, so that it is not measured. */
export interface Response {
  readonly status: number
  readonly body: Buffer
}

export interface ResponseReader {
  /** Adds received bytes and returns the responses that are complete now. Throws when they are not HTTP/1.1. */
  readonly push: (chunk: Buffer) => ReadonlyArray<Response>
}

const headEnd = "\r\n\r\n"
const none = Buffer.alloc(0)

/** A complete piece of the received bytes, and the position behind it. */
interface Piece {
  readonly body: Buffer
  readonly end: number
}

/** Returns the body in chunks from `start` on; undefined while it is incomplete. */
const chunked = (bytes: Buffer, start: number): Piece | undefined => {
  const parts: Array<Buffer> = []
  for (let at = start;;) {
    const line = bytes.indexOf("\r\n", at)
    if (line === -1) return undefined
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16)
    if (Number.isNaN(size)) throw new Error("a chunk without a size")
    const end = line + 2 + size
    if (bytes.length < end + 2) return undefined
    if (size === 0) return { body: Buffer.concat(parts), end: end + 2 }
    parts.push(bytes.subarray(line + 2, end))
    at = end + 2
  }
}

/** Returns the first response in the bytes; undefined while it is incomplete. */
const first = (bytes: Buffer): (Response & { readonly end: number }) | undefined => {
  const at = bytes.indexOf(headEnd)
  if (at === -1) return undefined
  const head = bytes.toString("latin1", 0, at)
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
  if (status === undefined) throw new Error(`not a response: ${head.slice(0, 100)}`)
  const start = at + headEnd.length
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) {
    if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`a response without a length: ${head}`)
    const piece = chunked(bytes, start)
    return piece === undefined ? undefined : { status: Number(status), ...piece }
  }
  const end = start + Number(length)
  return bytes.length < end ? undefined : { status: Number(status), body: bytes.subarray(start, end), end }
}

export const make = (): ResponseReader => {
  let rest: Buffer = none
  return {
    push: (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const found: Array<Response> = []
      for (;;) {
        const response = first(rest)
        if (response === undefined) return found
        found.push({ status: response.status, body: response.body })
        rest = response.end === rest.length ? none : rest.subarray(response.end)
      }
    }
  }
}
