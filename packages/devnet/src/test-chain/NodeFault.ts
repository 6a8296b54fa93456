/** What goes wrong between a client and a node, each fault as data. Waits are Effect's clock's. */
import * as Data from "effect/Data"

export type Fault = Data.TaggedEnum<{
  /** 429, 503 …: the node never saw the call. */
  Http: { readonly status: number }
  /** The node never saw it, or (`forwarded`) it did and only the answer is lost: the ambiguous send. */
  Timeout: { readonly millis: number; readonly forwarded: boolean }
  Reset: { readonly forwarded: boolean }
  /** Held back before the node sees it, so that later calls overtake it. */
  Delay: { readonly millis: number }
  /** The node sees it twice; the client sees the second answer. */
  Duplicate: {}
  /** A node so many blocks behind answers: old nonces, no young receipts, nothing waiting. */
  Stale: { readonly blocks: number }
  /** The node's words, true (`forwarded`: the call took effect all the same) or not. */
  Refuse: { readonly code: number; readonly reason: string; readonly forwarded: boolean }
  /** Whatever the node refuses, it refuses under another code. */
  Recode: { readonly code: number }
  /** Accepted, the hash answered, and never told to the network. */
  Swallow: {}
  /** A receipt younger than so many blocks on top of its own is not there yet. */
  NoReceipt: { readonly blocks: number }
  Malformed: { readonly result: unknown }
}>
export const Fault = Data.taggedEnum<Fault>()

/** A fault whose details chance decides. */
export type Kind =
  | "http"
  | "timeoutBefore"
  | "timeoutAfter"
  | "resetBefore"
  | "resetAfter"
  | "delay"
  | "duplicate"
  | "stale"
  | "alreadyKnown"
  | "nonceTooLow"
  | "underpriced"
  | "recode"
  | "swallow"
  | "noReceipt"
  | "malformed"

/** Draws from 0 up to, but without, the limit. */
export type Draw = (limit: number) => number

const one = <A>(draw: Draw, from: ReadonlyArray<A>, otherwise: A): A => from[draw(from.length)] ?? otherwise

/** Codes under which nodes in the wild say what geth says under -32000. */
const codes = [-32000, -32003, -32603, -32010]
const code = (draw: Draw) => one(draw, codes, -32000)
const nonsense: ReadonlyArray<unknown> = [null, "", "0x", "0xzz", 42, {}, [], { error: "overloaded" }, "<html>502</html>"]

/** A fault of a kind. Waits are up to five seconds, lags up to four blocks. */
export const ofKind = (kind: Kind, draw: Draw): Fault => {
  switch (kind) {
    case "http":
      return Fault.Http({ status: one(draw, [429, 500, 502, 503], 503) })
    case "timeoutBefore":
      return Fault.Timeout({ millis: 1000 + draw(4000), forwarded: false })
    case "timeoutAfter":
      return Fault.Timeout({ millis: 1000 + draw(4000), forwarded: true })
    case "resetBefore":
      return Fault.Reset({ forwarded: false })
    case "resetAfter":
      return Fault.Reset({ forwarded: true })
    case "delay":
      return Fault.Delay({ millis: 1 + draw(5000) })
    case "duplicate":
      return Fault.Duplicate()
    case "stale":
      return Fault.Stale({ blocks: 1 + draw(4) })
    case "alreadyKnown":
      return Fault.Refuse({ code: code(draw), reason: "already known", forwarded: true })
    case "nonceTooLow":
      return Fault.Refuse({ code: code(draw), reason: "nonce too low", forwarded: draw(2) === 0 })
    case "underpriced":
      return Fault.Refuse({ code: code(draw), reason: "replacement transaction underpriced", forwarded: false })
    case "recode":
      return Fault.Recode({ code: one(draw, [-32603, -32010, -32003], -32603) })
    case "swallow":
      return Fault.Swallow()
    case "noReceipt":
      return Fault.NoReceipt({ blocks: 1 + draw(3) })
    case "malformed":
      return Fault.Malformed({ result: one(draw, nonsense, null) })
  }
}

/** What can happen to a call: sends are never stale, and what only makes sense for sends or receipts happens to no other. */
export const suits = (kind: Kind, method: string): boolean => {
  switch (kind) {
    case "alreadyKnown":
    case "nonceTooLow":
    case "underpriced":
    case "swallow":
      return method === "eth_sendRawTransaction"
    case "noReceipt":
      return method === "eth_getTransactionReceipt"
    case "stale":
      return method !== "eth_sendRawTransaction"
    default:
      return true
  }
}
