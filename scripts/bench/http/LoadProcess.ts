/**
 * The process that sends requests: closed loop, one request at a time on each keep-alive connection. Its parent gives
 * one run after the other.
 */
import * as Net from "node:net"
import type { Load, LoadRequest, Measured } from "./LoadGenerator.ts"
import * as ResponseReader from "./ResponseReader.ts"

/** Encodes a request once; it is then only written. */
const encoded = ({ body, method, path }: LoadRequest, host: string): Buffer =>
  Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n` +
      (body === undefined
        ? "\r\n"
        : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  )

const connected = (origin: URL) =>
  new Promise<Net.Socket>((resolve, reject) => {
    const socket = Net.connect({ host: origin.hostname, port: Number(origin.port), noDelay: true })
    socket.once("error", reject)
    socket.once("connect", () => {
      socket.off("error", reject)
      resolve(socket)
    })
  })

const carriedOut = async ({ connections, expects, origins, requests, seconds, total }: Load): Promise<Measured> => {
  const bytesAt = origins.map((origin) => requests.map((request) => encoded(request, new URL(origin).host)))
  const expected = Buffer.from(expects)
  const latencies: Array<number> = []
  const wrong: Array<string> = []
  const sockets: Array<{ readonly socket: Net.Socket; readonly bytes: ReadonlyArray<Buffer> }> = []
  for (let index = 0; index < connections; index++) {
    const place = index % origins.length
    sockets.push({ socket: await connected(new URL(origins[place] ?? "")), bytes: bytesAt[place] ?? [] })
  }
  let sent = 0
  const began = performance.now()
  const until = seconds === undefined ? Infinity : began + seconds * 1000
  const isOver = () => sent >= (total ?? Infinity) || performance.now() >= until
  const loop = (socket: Net.Socket, bytes: ReadonlyArray<Buffer>) =>
    new Promise<void>((resolve, reject) => {
      const reader = ResponseReader.make()
      let since = 0
      const next = () => {
        if (isOver()) return resolve()
        since = performance.now()
        socket.write(bytes[sent++ % bytes.length] ?? "")
      }
      socket.on("data", (chunk: Buffer) => {
        try {
          for (const { body, status } of reader.push(chunk)) {
            latencies.push(performance.now() - since)
            if (status !== 200 || !body.includes(expected)) {
              wrong.push(`${status} ${body.toString("utf8").slice(0, 500)}`)
            }
            next()
          }
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      })
      socket.once("error", reject)
      socket.once("close", () => reject(new Error("the connection was closed before its response")))
      next()
    })
  try {
    await Promise.all(sockets.map(({ bytes, socket }) => loop(socket, bytes)))
    return {
      seconds: (performance.now() - began) / 1000,
      latencies: latencies.sort((a, b) => a - b),
      wrong: wrong.length,
      firstWrong: wrong[0] ?? null
    }
  } finally {
    for (const { socket } of sockets) socket.destroy()
  }
}

process.on("message", (load: Load) => {
  carriedOut(load).then(
    (measured) => process.send?.({ measured }),
    (error: unknown) => process.send?.({ failed: String(error) })
  )
})
// The parent process has ended.
process.once("disconnect", () => process.exit())
process.send?.("ready")
