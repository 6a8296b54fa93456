/** Flags and arguments with values of the domain. Each says what it expected when a value cannot be read. */
import { type Address, parse as parseAddress } from "@vault-trader/core/chain/Address"
import { names, parse as parseNetwork } from "@vault-trader/core/chain/Network"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"

type Parse<A> = (text: string) => A | undefined

/** Returns a flag whose text `parse` reads; `expected` completes "expected …". */
export const flag = <A>(name: string, metavar: string, expected: string, parse: Parse<A>): Flag.Flag<A> =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.filterMap((text) => Option.fromUndefinedOr(parse(text)), () => expected)
  )

/** Returns an argument whose text `parse` reads; `expected` completes "expected …". */
export const argument = <A>(name: string, expected: string, parse: Parse<A>): Argument.Argument<A> =>
  Argument.String(name).pipe(Argument.filterMap((text) => Option.fromUndefinedOr(parse(text)), () => expected))

/** Makes a flag optional: `undefined` when it is not given. */
export const optional = <A>(required: Flag.Flag<A>): Flag.Flag<A | undefined> =>
  Flag.map(Flag.optional(required), Option.getOrUndefined)

/** Returns a flag that is on or off without a value. */
export const toggle = (name: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false))

export const addressFlag = (name: string): Flag.Flag<Address> => flag(name, "0x…", "an address", parseAddress)
export const addressArgument = (name: string): Argument.Argument<Address> => argument(name, "an address", parseAddress)

const expectedNetwork = `a network (${names.join(", ")})`
export const networkFlag = flag("network", "name", expectedNetwork, parseNetwork)
export const networkArgument = argument("network", expectedNetwork, parseNetwork)

export const parseDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? new Date(text) : undefined
/** Returns an optional flag whose value is a day (UTC). */
export const dayFlag = (name: string): Flag.Flag<Date | undefined> =>
  optional(flag(name, "YYYY-MM-DD", "a day as 2026-11-20", parseDay))
