/** Reads the arguments of `npm run ledger`. */
import { type Address, parse as parseAddress } from "@vault-trader/core/chain/Address"
import { type Network, parse as parseNetwork } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import { CannotStart } from "../StartupFailure.ts"

export const usage = "Usage: npm run ledger -- check | export [--wallet 0x…] [--from DAY] [--to DAY] | " +
  "report --network NAME --pool 0x… [--wallet 0x…] [--from DAY] [--to DAY] [--json]"

export interface LedgerArguments {
  readonly command: "check" | "export" | "report"
  readonly wallet?: Address | undefined
  readonly pool?: Address | undefined
  readonly network?: Network | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly json: boolean
}

const unusable = (option: string, text: string, expected: string) =>
  new CannotStart({ message: `${option}: expected ${expected}, not '${text}'. ${usage}` })

const addressOf = (option: string, text: string) =>
  Effect.mapError(Effect.fromNullishOr(parseAddress(text)), () => unusable(option, text, "an address"))
const networkOf = (option: string, text: string) =>
  Effect.mapError(Effect.fromNullishOr(parseNetwork(text)), () => unusable(option, text, "a network"))
const dayOf = (option: string, text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
    ? Effect.succeed(new Date(text))
    : unusable(option, text, "a day as 2026-11-20")

const changeOf = (option: string, text: string): Effect.Effect<Partial<LedgerArguments>, CannotStart> => {
  switch (option) {
    case "--wallet":
      return Effect.map(addressOf(option, text), (wallet) => ({ wallet }))
    case "--pool":
      return Effect.map(addressOf(option, text), (pool) => ({ pool }))
    case "--network":
      return Effect.map(networkOf(option, text), (network) => ({ network }))
    case "--from":
      return Effect.map(dayOf(option, text), (from) => ({ from }))
    case "--to":
      return Effect.map(dayOf(option, text), (to) => ({ to }))
    default:
      return new CannotStart({ message: usage })
  }
}

/** Parses the arguments. Fails on an option that is unknown, repeated or without a value. */
export const read = ([command, ...words]: ReadonlyArray<string>): Effect.Effect<LedgerArguments, CannotStart> =>
  Effect.gen(function*() {
    if (command !== "check" && command !== "export" && command !== "report") {
      return yield* new CannotStart({ message: usage })
    }
    const options = words.filter((word) => word !== "--json")
    let found: Partial<LedgerArguments> = {}
    for (let index = 0; index < options.length; index += 2) {
      const change = yield* changeOf(options[index] ?? "", options[index + 1] ?? "")
      const [name] = Object.keys(change)
      if (name !== undefined && Object.hasOwn(found, name)) {
        return yield* new CannotStart({ message: `${options[index]} is given twice. ${usage}` })
      }
      found = { ...found, ...change }
    }
    if (command === "report" && (found.network === undefined || found.pool === undefined)) {
      return yield* new CannotStart({ message: `report needs --network and --pool. ${usage}` })
    }
    return { command, json: words.includes("--json"), ...found }
  })
