/** The transport over standard input and output. Standard output carries the protocol and nothing else. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import type { Readable, Writable } from "node:stream"

/** Creates a transport that closes when the client closes its end. */
export const transport = (input: Readable, output: Writable): StdioServerTransport => {
  const made = new StdioServerTransport(input, output)
  const close = () => void made.close()
  input.once("end", close)
  input.once("close", close)
  output.once("error", close)
  return made
}
