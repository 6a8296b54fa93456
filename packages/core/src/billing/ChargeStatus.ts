/** The status of a charge: `outstanding`, claimed by a settlement in progress (`settling`), or paid (`settled`). */
import * as Schema from "effect/Schema"

export const ChargeStatus = Schema.Literals(["outstanding", "settling", "settled"])
