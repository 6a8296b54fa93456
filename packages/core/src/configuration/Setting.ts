/** A setting of the service: read from the environment, described once; `docs/configuration.md` is made of these. */
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"

export interface Setting<A> {
  readonly name: string
  readonly description: string
  /** What holds when it is not set, as documents show it. */
  readonly fallback: string
  readonly config: Config.Config<A>
}

/** A setting with a value when it is not given. */
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
  config: Config.withDefault(options.config(options.name), options.fallback)
})

/** A setting that may be absent. */
export const optional = <A>(options: {
  readonly name: string
  readonly description: string
  readonly config: (name: string) => Config.Config<A>
  readonly shown?: string
}): Setting<A | undefined> => ({
  name: options.name,
  description: options.description,
  fallback: options.shown ?? "not set",
  config: Config.withDefault(options.config(options.name), undefined)
})

/** `on` or `off` (also true/false/1/0). */
export const onOff = (name: string): Config.Config<boolean> =>
  Config.validate(Config.map(Config.string(name), (text) => text.trim().toLowerCase()), {
    message: "must be on or off",
    validation: (text): text is "on" | "off" | "true" | "false" | "1" | "0" => ["on", "off", "true", "false", "1", "0"].includes(text)
  }).pipe(Config.map((text) => text === "on" || text === "true" || text === "1"))

/** A comma-separated list; empty parts are dropped. */
export const list = (name: string): Config.Config<ReadonlyArray<string>> =>
  Config.map(Config.string(name), (text) => text.split(",").map((part) => part.trim()).filter((part) => part !== ""))

/** A whole number of at least `minimum`. */
export const atLeast = (minimum: number) => (name: string): Config.Config<number> =>
  Config.validate(Config.integer(name), {
    message: `must be a whole number of at least ${minimum}`,
    validation: (value) => value >= minimum
  })

/** What is wrong with a configuration, in one sentence; values are not repeated, they may be secrets. */
export const sentence = (error: ConfigError.ConfigError): string => {
  switch (error._op) {
    case "And":
    case "Or":
      return sentence(error.left)
    default:
      return `The setting ${error.path.join("_")} cannot be used: ${error.message.replaceAll("\n", " ")}.`
  }
}
