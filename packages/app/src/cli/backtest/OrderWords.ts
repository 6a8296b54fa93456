/** Reads the order of a backtest: parameters of placeOrder, as `type=bracket side=sell amount=10 stop_price=2700 …`. */
import { factsOfGroup } from "@vault-trader/core/endpoint/Endpoint"
import { OrderApi } from "@vault-trader/core/vault-order/OrderApi"
import { checkShape, type PlacedParams } from "@vault-trader/core/vault-order/OrderTermsCheck"
import * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const refuse = (message: string) => new CliError.ValidationError({ message })

/** Parameters of the request, and of what only a vault has. */
const foreign = new Set(["apiKey", "network", "pool", "pair", "protocol", "platform", "dryRun", "paper"])
foreign.add("idempotency_key")

const params = (factsOfGroup(OrderApi).find(({ name }) => name === "placeOrder")?.params ?? []).filter(({ name }) =>
  !foreign.has(name)
)

/** Parses and checks an order; each refusal names the parameter and the values that it accepts. */
export const orderOf = (text: string): Effect.Effect<PlacedParams, CliError.ValidationError> =>
  Effect.gen(function*() {
    const values: Record<string, unknown> = {}
    for (const word of text.trim().split(/\s+/)) {
      const [, name = "", value = ""] = /^([^=]+)=(.+)$/.exec(word) ?? []
      const param = params.find((each) => each.name === name)
      if (param === undefined) {
        return yield* refuse(
          `--order '${word}' cannot be used: accepted are words such as type=limit, of ${
            params.map((each) => each.name).join(", ")
          }.`
        )
      }
      const read = param.decode(value)
      if (Option.isNone(read)) {
        return yield* refuse(`--order '${word}' cannot be used: ${name} must be ${param.info.accepts}.`)
      }
      values[name] = read.value
    }
    for (const name of ["type", "side"]) {
      if (values[name] === undefined) return yield* refuse(`--order lacks ${name}, as in type=stop_loss side=sell.`)
    }
    // Decoded by the endpoint's own parameters, whose names are those of the type.
    const order = values as unknown as PlacedParams
    yield* Effect.mapError(checkShape(order), ({ message }) => refuse(`--order: ${message}.`))
    return order
  })
