/** Endpoints of managers: what they sign, and the wallets in their lists. */
import * as RpcGroup from "@effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import * as ManagerSignature from "./ManagerSignature.ts"

const manager = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"

const Action = Param.make(Schema.String, {
  accepts: "the name of an endpoint that takes a signature",
  description: "What the signature is to be for: the name of an endpoint that takes `signature`.",
  example: "associateGasWallet",
  jsonSchema: { type: "string" },
  read: (text) => /^[A-Za-z]{1,64}$/.test(text) ? text : undefined,
  show: (value) => value
})

const Subject = Param.make(Schema.String, {
  accepts: "1 to 128 characters without line breaks",
  description: "What the action is about: the gas wallet's address, a sub-account's name; the manager's own address where it is left out.",
  example: manager,
  jsonSchema: { type: "string", minLength: 1, maxLength: 128 },
  read: (text) => /^[^\p{Cc}]{1,128}$/u.test(text) ? text : undefined,
  show: (value) => value
})

const statement = ManagerSignature.Statement.make({
  action: "associateGasWallet",
  manager,
  subject: manager,
  issuedAt: 1_795_168_800,
  nonce: "3f9a2c1b7d5e4f60",
  salt: null
})

export class ManagerApi extends RpcGroup.make(
  Endpoint.make("signingPayload", {
    class: "readOnly",
    access: "open",
    summary: "What a manager signs: EIP-712 typed data, and the prefix that makes the signature a `signature` parameter.",
    params: { action: Action, manager: Params.AddressOf("manager"), subject: Schema.optional(Subject) },
    success: { typed_data: Schema.Unknown, prefix: Schema.String, expires_at: Schema.String },
    example: { typed_data: ManagerSignature.typedData(statement), prefix: ManagerSignature.prefixOf(statement), expires_at: "2026-11-20T10:10:00.000Z" }
  })
) {}
