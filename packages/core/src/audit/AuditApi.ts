/** The endpoint that shows owners and managers the audit log of their wallets. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { auditActions } from "./AuditAction.ts"
import { ActorKind } from "./AuditEntry.ts"

/** Default and maximum number of entries of a page. */
export const defaultEntries = 50
export const maxEntries = 100

/** An entry in responses. An operator's name and host are not shown. */
export const AuditEntryView = Schema.Struct({
  seq: Schema.Int,
  at: Schema.String,
  action: Schema.String,
  description: Schema.String,
  wallet: Schema.NullOr(Address),
  subject: Schema.String,
  actor_kind: ActorKind,
  actor: Schema.NullOr(Schema.String),
  from: Schema.NullOr(Schema.String),
  credential: Schema.NullOr(Schema.String),
  details: Schema.Record(Schema.String, Schema.Json),
  digest: Schema.String
})
export type AuditEntryView = typeof AuditEntryView.Type

const Action = Param.make(Schema.Literals(Object.keys(auditActions) as [keyof typeof auditActions]), {
  accepts: "an action of the audit log",
  description: "Only entries of this action.",
  example: "key.issued",
  jsonSchema: { type: "string", enum: Object.keys(auditActions) },
  read: (text) => Object.keys(auditActions).find((name): name is keyof typeof auditActions => name === text),
  show: (value) => value
})

const Cursor = Param.make(Schema.Int, {
  accepts: "the cursor of an earlier page",
  description: "Start of the next page: the `cursor` of the previous page.",
  example: 1200,
  jsonSchema: { type: "integer", minimum: 1 },
  read: (text) => /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined,
  show: String
})

const address = "0x1234567890abcdef1234567890abcdef12345678"

export class AuditApi extends RpcGroup.make(
  Endpoint.make("getAuditLog", {
    class: "readOnly",
    access: "apiKeyOrManager",
    summary:
      "The audit log, newest first, of the key's wallet or of every wallet in the manager's list: changes of keys, " +
      "limits, switches, bots and managers, and signed transactions.",
    params: {
      ...Params.keyOrManagerOn,
      wallet: Schema.optional(Params.AddressOf("gas wallet; default: all")),
      action: Schema.optional(Action),
      limit: Schema.optional(Params.Limit(maxEntries, defaultEntries)),
      cursor: Schema.optional(Cursor)
    },
    success: { entries: Schema.Array(AuditEntryView), cursor: Schema.NullOr(Schema.Int) },
    example: {
      entries: [{
        seq: 1200,
        at: "2026-11-20T10:00:00.000Z",
        action: "switch.on",
        description: auditActions["switch.on"],
        wallet: address,
        subject: `wallet/${address}`,
        actor_kind: "key",
        actor: "01936f5a-0000-7000-8000-000000000000",
        from: "203.0.113.7",
        credential: "apiKey",
        details: { reason: "by its owner", set_by: "owner" },
        digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
      }],
      cursor: null
    }
  })
) {}
