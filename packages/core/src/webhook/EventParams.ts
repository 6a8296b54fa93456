/** The parameter that selects types of events. */
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import { type EventType, eventTypes } from "./EventTable.ts"

/** The types of events that a webhook or a channel receives. */
export const Events = Param.list(
  Param.make(Schema.Literals(eventTypes), {
    accepts: `one of ${eventTypes.join(", ")}`,
    description: "Type of event.",
    example: "intent.failed",
    jsonSchema: { type: "string", enum: [...eventTypes] },
    read: (text) => eventTypes.find((type) => type === text.toLowerCase()),
    show: (value: EventType) => value
  }),
  {
    accepts: `a list of ${eventTypes.join(", ")}`,
    description: "Types of events; default all of them; docs/webhooks.md lists them.",
    example: ["intent.failed", "gas.low"],
    jsonSchema: { type: "array", items: { type: "string", enum: [...eventTypes] } },
    fault: (chosen) => chosen.length > 0 ? undefined : "must name at least one event"
  }
)
