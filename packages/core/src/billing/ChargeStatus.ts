/** Where a charge stands: `outstanding`, claimed by a settlement that is on its way (`settling`), or paid. */
import * as Schema from "effect/Schema"

export const ChargeStatus = Schema.Literals(["outstanding", "settling", "settled"])
