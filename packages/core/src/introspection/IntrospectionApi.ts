/** The endpoint that describes all endpoints in machine-readable form. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"

/** Declares a name in the catalogue. The handler knows the accepted ones. */
const named = (description: string, example: string) =>
  Param.make(Schema.String, {
    accepts: "1 to 100 characters",
    description,
    example,
    jsonSchema: { type: "string", minLength: 1, maxLength: 100 },
    read: (text) => text.length <= 100 ? text : undefined,
    show: (text) => text
  })

export class IntrospectionApi extends RpcGroup.make(
  Endpoint.make("llmIntrospect", {
    origin: "spec",
    class: "readOnly",
    access: "open",
    isDocument: true,
    summary: "Machine-readable metadata of every endpoint: parameters, classes, charges, codes, recipes.",
    params: {
      endpoint: Schema.optional(named("Only this endpoint, by its name or one of its paths.", "vaultTrade")),
      category: Schema.optional(named("Only the endpoints of this category.", "trading")),
      compact: Schema.optional(Params.Flag("One line for each endpoint, with its required parameters only."))
    },
    success: {
      service: Schema.Unknown,
      api_info: Schema.Unknown,
      networks: Schema.Array(Schema.Unknown),
      protocols: Schema.Array(Schema.String),
      platforms: Schema.Unknown,
      conventions: Schema.Unknown,
      usage_notes: Schema.Array(Schema.String),
      codes: Schema.Unknown,
      error_codes: Schema.Record(Schema.String, Schema.String),
      endpoints: Schema.Array(Schema.Unknown),
      recipes: Schema.Unknown
    },
    example: {
      service: {},
      api_info: {},
      networks: [],
      protocols: ["dhedge"],
      platforms: {},
      conventions: {},
      usage_notes: [],
      codes: {},
      error_codes: { "1000": "Unrecognized network" },
      endpoints: [],
      recipes: {}
    }
  })
) {}
