/** Faults between a client and a node, each as data. Delays use Effect's clock. */
import * as Data from "effect/Data"

export type Fault = Data.TaggedEnum<{
  /** 429, 503 …: the node never receives the call. */
  Http: { readonly status: number }
  /** The node never receives the call, or (`forwarded`) it does and only the response is lost: the ambiguous send. */
  Timeout: { readonly millis: number; readonly forwarded: boolean }
  Reset: { readonly forwarded: boolean }
  /** The call is held back before the node receives it, so that later calls overtake it. */
  Delay: { readonly millis: number }
  /** The node receives the call twice; the client receives the second response. */
  Duplicate: {}
  /** A node that is `blocks` behind answers: old nonces, no recent receipts, nothing waiting. */
  Stale: { readonly blocks: number }
  /** The node refuses with these words; with `forwarded`, the call took effect all the same. */
  Refuse: { readonly code: number; readonly reason: string; readonly forwarded: boolean }
  /** A refusal by the node has another code. */
  Recode: { readonly code: number }
  /** The node accepts the call and returns the hash, but never passes it to the network. */
  Swallow: {}
  /** A receipt with fewer than `blocks` blocks on top of its own is missing. */
  NoReceipt: { readonly blocks: number }
  Malformed: { readonly result: unknown }
}>
export const Fault = Data.taggedEnum<Fault>()

/** A kind of fault whose details are random. */
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

/** Draws an integer from 0 up to, but excluding, the limit. */
export type Draw = (limit: number) => number

const pick = <A>(draw: Draw, from: ReadonlyArray<A>, otherwise: A): A => from[draw(from.length)] ?? otherwise

/** Codes that nodes in the wild use where geth uses -32000. */
const codes = [-32000, -32003, -32603, -32010]
const code = (draw: Draw) => pick(draw, codes, -32000)
const nonsense: ReadonlyArray<unknown> = [
  null,
  "",
  "0x",
  "0xzz",
  42,
  {},
  [],
  { error: "overloaded" },
  "<html>502</html>"
]

/** Makes a fault of a kind. Delays are up to five seconds, lags up to four blocks. */
export const ofKind = (kind: Kind, draw: Draw): Fault => {
  switch (kind) {
    case "http":
      return Fault.Http({ status: pick(draw, [429, 500, 502, 503], 503) })
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
      return Fault.Recode({ code: pick(draw, [-32603, -32010, -32003], -32603) })
    case "swallow":
      return Fault.Swallow()
    case "noReceipt":
      return Fault.NoReceipt({ blocks: 1 + draw(3) })
    case "malformed":
      return Fault.Malformed({ result: pick(draw, nonsense, null) })
  }
}

/**
 * Returns whether a kind can apply to a call: sends are never stale, and kinds that only make sense for sends or
 * receipts apply to no other call.
 */
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
