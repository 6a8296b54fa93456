/** Endpoints of sub-keys: API keys with bounds of their own, which the wallet's own key makes. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { addressOrBlock } from "../endpoint/ClientSource.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { Usd, Vaults } from "./LimitParams.ts"
import { defaultDays, maxDays, SubKeyScope, subKeyScopes, SubKeyView } from "./SubKey.ts"

const wallet = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const id = "01936f5a-0000-7000-8000-000000000000"
const vault = `base/${wallet}` as const

/** Declares a list of distinct texts. */
const texts = <A extends string>(
  item: Schema.Codec<A, string | number | boolean>,
  options: { readonly accepts: string; readonly description: string; readonly example: ReadonlyArray<A> }
) =>
  Param.list(item, {
    ...options,
    jsonSchema: { type: "array", items: { type: "string" }, maxItems: 100 },
    fault: (items) =>
      items.length > 100
        ? `must be at most 100 items, not ${items.length}`
        : new Set(items).size < items.length
        ? "must not name anything twice"
        : undefined
  })

const Scopes = texts(
  Param.make(SubKeyScope, {
    accepts: subKeyScopes.join(", "),
    description: "A scope of changes.",
    example: "trade",
    jsonSchema: { type: "string", enum: [...subKeyScopes] },
    read: (text) => subKeyScopes.find((scope) => scope === text.toLowerCase()),
    show: (value) => value
  }),
  {
    accepts: `a list of ${subKeyScopes.join(", ")}`,
    description: `The changes that the sub-key may make: ${subKeyScopes.join(", ")}; without any it only reads.`,
    example: ["trade"]
  }
)

const Endpoints = texts(
  Param.make(Schema.String, {
    accepts: "the name of an endpoint",
    description: "An endpoint.",
    example: "vaultTrade",
    jsonSchema: { type: "string" },
    read: (text) => /^[A-Za-z0-9/-]{1,64}$/.test(text) ? text : undefined,
    show: (value) => value
  }),
  {
    accepts: "a list of names of endpoints",
    description: "The only endpoints that the sub-key may call; without it, all reads and all changes of its scopes.",
    example: ["vaultTrade", "getIntent"]
  }
)

const Sources = texts(
  Param.make(Schema.String, {
    accepts: "an address, or a block of addresses (CIDR)",
    description: "An address or a block.",
    example: "192.0.2.0/24",
    jsonSchema: { type: "string" },
    read: (text) => addressOrBlock.test(text) ? text.toLowerCase() : undefined,
    show: (value) => value
  }),
  {
    accepts: "a list of addresses and blocks of addresses (CIDR)",
    description: "The only addresses of clients from which the sub-key counts; without it, any.",
    example: ["192.0.2.0/24"]
  }
)

const Days = Param.make(Schema.Int, {
  accepts: `whole days from 1 to ${maxDays}`,
  description: `Days until the sub-key ends; ${defaultDays} by default, at most ${maxDays}.`,
  example: defaultDays,
  jsonSchema: { type: "integer", minimum: 1, maximum: maxDays, default: defaultDays },
  read: (text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= maxDays ? Number(text) : undefined,
  show: String
})

const SubKeyId = Param.make(Schema.String, {
  accepts: "the sub_key_id that createSubKey returned, or all",
  description: "The sub-key's `sub_key_id`, or `all` for all sub-keys of the wallet.",
  example: id,
  jsonSchema: { type: "string" },
  read: (text) =>
    text.toLowerCase() === "all" || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
      ? text.toLowerCase()
      : undefined,
  show: (value) => value
})

export const subKeyExample = {
  sub_key_id: id,
  last_four: "a1f2",
  label: "agent",
  scopes: ["trade"],
  endpoints: null,
  vaults: [vault],
  max_usd_per_trade: "250",
  max_usd_per_day: "1000",
  sources: null,
  created_at: "2026-11-20T10:00:00.000Z",
  expires_at: "2026-11-27T10:00:00.000Z",
  last_used_at: null
}

export class SubKeyApi extends RpcGroup.make(
  Endpoint.make("createSubKey", {
    class: "changesConfig",
    method: "POST",
    summary: "Make a sub-key: an API key for an agent or a script that acts for the same wallet within bounds of its " +
      "own, and ends with the key that made it. It reads only, unless `scopes` allows changes. It is shown only once.",
    params: {
      apiKey: Params.ApiKey,
      label: Schema.optional(Params.Label),
      scopes: Schema.optional(Scopes),
      endpoints: Schema.optional(Endpoints),
      vaults: Schema.optional(Vaults("The only vaults that the sub-key's requests may be about; `any` for all.")),
      max_usd_per_trade: Schema.optional(
        Usd("Maximum US dollars that one request may sell; by default max_usd_per_day.")
      ),
      max_usd_per_day: Schema.optional(
        Usd("Maximum US dollars that the requests of one day (UTC) may sell together; required where it may sell.")
      ),
      sources: Schema.optional(Sources),
      days: Schema.optional(Days)
    },
    success: {
      address: Address,
      apiKey: Schema.RedactedFromValue(Schema.String),
      sub_key: SubKeyView,
      message: Schema.String
    },
    exampleRequest: {
      label: "agent",
      scopes: ["trade"],
      vaults: [vault],
      max_usd_per_trade: "250",
      max_usd_per_day: "1000"
    },
    example: {
      address: wallet,
      apiKey: "00000000-0000-4000-8000-000000000000",
      sub_key: subKeyExample,
      message: "The sub-key is shown only in this response. It ends on 2026-11-27T10:00:00.000Z."
    }
  }),
  Endpoint.make("getSubKeys", {
    class: "readOnly",
    summary: "The sub-keys of the key's wallet that have not ended, without the keys themselves.",
    params: { apiKey: Params.ApiKey },
    success: { sub_keys: Schema.Array(SubKeyView) },
    example: { sub_keys: [subKeyExample] }
  }),
  Endpoint.make("revokeSubKey", {
    class: "changesConfig",
    method: "POST",
    summary: "End a sub-key of the key's wallet, or all of them, at once.",
    params: { apiKey: Params.ApiKey, sub_key_id: SubKeyId },
    success: { revoked: Schema.Int, message: Schema.String },
    example: { revoked: 1, message: "Ended 1 sub-key." }
  })
) {}
