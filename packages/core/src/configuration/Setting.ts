/**
 * A setting of the service, read from the environment and described once. `docs/configuration.md` is generated from
 * these.
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

export interface Setting<A> {
  readonly name: string
  readonly description: string
  /** The default value, as documents show it. */
  readonly fallback: string
  readonly config: Config.Config<A>
}

/** Fails with the setting's name and the accepted values, never with its value. */
const refuse = (name: string, accepts: string): Effect.Effect<never, Config.ConfigError> =>
  Effect.fail(
    new Config.ConfigError(
      new Schema.SchemaError(new SchemaIssue.Pointer([name], new SchemaIssue.InvalidValue({ message: accepts })))
    )
  )

/** Treats an empty variable as not set: compose files and shells pass variables on without a value. */
const withFallback = <A, B>(name: string, config: Config.Config<A>, fallback: B): Config.Config<A | B> => {
  const empty = Config.mapEffect(
    Config.String(name),
    (text) => text.trim() === "" ? Effect.succeed(fallback) : refuse(name, "not empty")
  )
  return Config.orElse(empty, () => Config.withDefault(config, fallback))
}

/**
 * Declares a setting with a default value.
 *
 * @example
 * ```ts
 * import * as Setting from "@vault-trader/core/configuration/Setting"
 *
 * export const botSeconds = Setting.make({
 *   name: "BOT_CHECK_SECONDS",
 *   description: "Seconds between two checks of a bot.",
 *   config: Setting.atLeast(1),
 *   fallback: 15
 * })
 * ```
 */
export const make = <A>(options: {
  readonly name: string
  readonly description: string
  readonly config: (name: string) => Config.Config<A>
  readonly fallback: A
  readonly shown?: string
}): Setting<A> => ({
  name: options.name,
  description: options.description,
  fallback: options.shown ?? String(options.fallback),
  config: withFallback(options.name, options.config(options.name), options.fallback)
})

/** Declares an optional setting. */
export const optional = <A>(options: {
  readonly name: string
  readonly description: string
  readonly config: (name: string) => Config.Config<A>
  readonly shown?: string
}): Setting<A | undefined> => ({
  name: options.name,
  description: options.description,
  fallback: options.shown ?? "not set",
  config: withFallback(options.name, options.config(options.name), undefined)
})

/** Parses a variable with `read`. `accepts` completes the error message, for example "must be on or off". */
export const meaning =
  <A>(accepts: string, read: (text: string) => A | undefined) => (name: string): Config.Config<A> =>
    Config.mapEffect(Config.String(name), (text) => {
      const value = read(text.trim())
      return value === undefined ? refuse(name, accepts) : Effect.succeed(value)
    })

/** Reads `on` or `off` (also true/false/1/0). */
export const onOff = meaning(
  "must be on or off",
  (text): boolean | undefined => /^(on|true|1)$/i.test(text) ? true : /^(off|false|0)$/i.test(text) ? false : undefined
)

/** Reads a comma-separated list; empty parts are dropped. */
export const list = (name: string): Config.Config<ReadonlyArray<string>> =>
  Config.map(Config.String(name), (text) => text.split(",").map((part) => part.trim()).filter((part) => part !== ""))

/** Reads a whole number of at least `minimum`. */
export const atLeast = (minimum: number): (name: string) => Config.Config<number> =>
  meaning(
    `must be a whole number of at least ${minimum}`,
    (text) => /^\d{1,15}$/.test(text) && Number(text) >= minimum ? Number(text) : undefined
  )

/** Reads a share: a number from 0 to 1. */
export const share = meaning(
  "must be a number from 0 to 1",
  (text) => /^(0|1|0?\.\d{1,9}|1\.0{1,9})$/.test(text) ? Number(text) : undefined
)

/** Reads a TCP port; 0 lets the system choose. */
export const port = meaning(
  "must be a port: a whole number from 0 to 65535",
  (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined
)

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** Describes a configuration error in one sentence. Values are not repeated, because they may be secrets. */
export const sentence = ({ cause }: Config.ConfigError): string => {
  if (!Schema.isSchemaError(cause)) return `The settings cannot be read: ${cause.message.replaceAll("\n", " ")}.`
  const [issue] = issuesOf(cause.issue).issues
  return `The setting ${(issue?.path ?? []).map(String).join("_")} cannot be used: ${
    (issue?.message ?? cause.message).replaceAll("\n", " ")
  }.`
}
