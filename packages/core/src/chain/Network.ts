/** The networks the service supports. Constants only; configuration is in `NetworkBook`. */
import * as Schema from "effect/Schema"
import { names } from "./NetworkFacts.ts"

export { facts, names, parse } from "./NetworkFacts.ts"

export type Network = typeof names[number]

/** A canonical network name, as used in rows, entity ids and messages. */
export const Network = Schema.Literals(names).annotate({ identifier: "Network" })
