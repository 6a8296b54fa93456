/** The endpoint that describes all endpoints in machine-readable form. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"

export class IntrospectionApi extends RpcGroup.make(
  Endpoint.make("llmIntrospect", {
    origin: "spec",
    class: "readOnly",
    access: "open",
    summary: "Machine-readable metadata of every endpoint: parameters, classes, charges, codes, recipes.",
    params: {},
    success: {
      service: Schema.Unknown,
      conventions: Schema.Unknown,
      codes: Schema.Unknown,
      endpoints: Schema.Array(Schema.Unknown),
      recipes: Schema.Unknown
    },
    example: { service: {}, conventions: {}, codes: {}, endpoints: [], recipes: [] }
  })
) {}
