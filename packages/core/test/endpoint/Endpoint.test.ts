import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Endpoint from "../../src/endpoint/Endpoint.ts"
import * as Params from "../../src/endpoint/Params.ts"

const hash = `0x${"ab".repeat(32)}`
const erased = (rpc: unknown) => rpc as Rpc.AnyWithProps

const reads = Endpoint.make("reads", {
  class: "readOnly",
  summary: "Reads.",
  params: { apiKey: Params.ApiKey, network: Schema.optional(Params.Network) },
  success: { answer: Schema.String },
  example: { answer: "42" }
})
const moves = Endpoint.make("moves", {
  class: "movesFunds",
  charge: "trade",
  method: "DELETE",
  aliases: ["/also/moves"],
  summary: "Moves.",
  params: { apiKey: Params.ApiKey },
  success: { sold: Schema.String },
  example: { intent_id: "i", tx_hash: hash, message: "Moved.", sold: "1" }
})
const open = Endpoint.make("open", {
  class: "readOnly",
  access: "open",
  summary: "Open.",
  params: {},
  success: {},
  example: {}
})

describe("Endpoint.make", () => {
  it("fills in the defaults", () => {
    const { access, charge, class: kind, listed, method, methods, name, params, paths, trader } = Endpoint.factsOf(
      erased(reads)
    )
    assert.deepStrictEqual(
      { access, charge, kind, listed, method, methods, name, paths, trader },
      {
        access: "apiKey",
        charge: "free",
        kind: "readOnly",
        listed: true,
        method: "GET",
        methods: ["GET", "POST"],
        name: "reads",
        paths: ["/reads"],
        trader: false
      }
    )
    assert.deepStrictEqual(params.map(({ name, required }) => [name, required]), [["apiKey", true], ["network", false]])
  })

  it("adds the listed method to GET and POST, the aliases to the path, and the idempotency key to endpoints that move funds", () => {
    const { methods, params, paths } = Endpoint.factsOf(erased(moves))
    assert.deepStrictEqual(methods, ["GET", "POST", "DELETE"])
    assert.deepStrictEqual(paths, ["/moves", "/also/moves"])
    assert.deepStrictEqual(params.map(({ name, required }) => [name, required]), [["apiKey", true], [
      "idempotency_key",
      false
    ]])
  })

  it("puts admission before endpoints that need a key, and not before open ones", () => {
    assert.strictEqual(erased(reads).middlewares.size, 1)
    assert.strictEqual(erased(open).middlewares.size, 0)
  })

  it("lets a write return success, pending or a dry run, and a read only success", () => {
    const accepts = (rpc: unknown) => {
      const decode = Schema.decodeUnknownOption(Endpoint.factsOf(erased(rpc)).success)
      return (answer: unknown) => Option.isSome(decode(answer))
    }
    const pending = { status: "pending", intent_id: "i", tx_hash: null, message: "Accepted." }
    const dry = { status: "success", dryRun: true, plan: {}, intent_id: null, tx_hash: null, message: "Dry run." }
    const moved = { status: "success", intent_id: "i", tx_hash: hash, message: "Moved.", sold: "1" }
    assert.deepStrictEqual([moved, pending, dry].map(accepts(moves)), [true, true, true])
    assert.isFalse(accepts(moves)({ ...moved, sold: undefined }))
    assert.isFalse(accepts(moves)({ ...moved, tx_hash: "0x12" }))
    assert.deepStrictEqual([{ status: "success", answer: "42" }, pending].map(accepts(reads)), [true, false])
  })

  it("refuses a parameter that was not declared with Param", () => {
    const declare = () =>
      Endpoint.make("odd", {
        class: "readOnly",
        summary: "Odd.",
        params: { odd: Schema.String },
        success: {},
        example: {}
      })
    assert.throws(declare, /'odd' was not made by Param/)
  })
})

describe("Endpoint.factsOfGroup", () => {
  it("returns the facts in order of declaration", () => {
    assert.deepStrictEqual(Endpoint.factsOfGroup(RpcGroup.make(reads, moves, open)).map(({ name }) => name), [
      "reads",
      "moves",
      "open"
    ])
  })

  it("refuses a group with an Rpc that was not declared as an endpoint", () => {
    assert.throws(() => Endpoint.factsOfGroup(RpcGroup.make(reads, Rpc.make("stray"))), /stray/)
  })
})
