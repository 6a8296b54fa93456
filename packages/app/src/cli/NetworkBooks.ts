/** `vault-trader networks print [network]`: the built-in configuration of the real networks, as JSON. */
import { names } from "@vault-trader/core/chain/Network"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { builtIn } from "../Networks.ts"
import * as ParsedParam from "./ParsedParam.ts"

const print = Command.make(
  "print",
  { network: Argument.optional(ParsedParam.networkArgument) },
  ({ network }) =>
    Effect.sync(() => {
      const shown = Option.match(network, { onNone: () => names, onSome: (one) => [one] })
      process.stdout.write(`${JSON.stringify(shown.map(builtIn), null, 2)}\n`)
    })
).pipe(
  Command.withDescription(
    "Prints contracts, assets and settings as entries of a NETWORKS_FILE. An entry there with `network` and `rpcUrls` " +
      "but no `chainId` overrides only the fields it has."
  )
)

export const networks = Command.make("networks").pipe(
  Command.withDescription("Shows what this release knows about the real networks."),
  Command.withSubcommands([print])
)
