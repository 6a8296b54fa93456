/**
 * The commands of vault-trader as data, read at every start. `npm run docs` writes the file from the catalogue and from
 * the operator's commands, so that a start needs neither the schemas nor Effect.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"

/** `number` and `integer` are sent as the text that was given: no digit of an amount is lost. */
export type OptionType = "text" | "number" | "integer" | "flag" | "list" | "json"

/** An option with a value, or a flag. */
export interface CommandOption {
  /** The name after `--`, in kebab case. */
  readonly name: string
  /** The name that the API uses, which is accepted as well. */
  readonly param: string
  readonly type: OptionType
  readonly description: string
  /** The only accepted values, in any case. */
  readonly values?: ReadonlyArray<string>
  /** Completes the sentence "it must be …". */
  readonly accepts?: string
}

/** A parameter of an endpoint as an option. */
export interface EndpointOption extends CommandOption {
  readonly required: boolean
  readonly accepts: string
  /** The value that the service uses when none is given. */
  readonly fallback?: string
  /** True for a value that is never an argument: it comes from a file, standard input or a variable. */
  readonly secret?: true
  /** True for the network and the vault, when a profile's may be used. */
  readonly fromProfile?: true
}

/** An endpoint as a command. */
export interface EndpointCommand {
  readonly name: string
  /** Shorter names. */
  readonly aliases: ReadonlyArray<string>
  readonly endpoint: string
  readonly group: string
  readonly summary: string
  /** The path below the service's URL; a segment `:name` is the parameter of that name. */
  readonly path: string
  readonly kind: "read" | "change" | "write"
  readonly key: "none" | "optional" | "required"
  /** The network that the service uses when none is named, where it is not the service's own default. */
  readonly network?: string
  readonly options: ReadonlyArray<EndpointOption>
  /** Parameters of a typical request, without the API key. */
  readonly example: Readonly<Record<string, unknown>>
}

/** A command of the operator, which Effect parses. */
export interface OperatorCommand {
  readonly name: string
  readonly description: string
  readonly flags: ReadonlyArray<string>
  readonly subcommands: ReadonlyArray<OperatorCommand>
}

export interface OperatorGroup {
  readonly group: string
  readonly commands: ReadonlyArray<OperatorCommand>
}

export interface CommandTable {
  readonly operator: ReadonlyArray<OperatorGroup>
  readonly endpoints: ReadonlyArray<EndpointCommand>
}

const file = Path.join(import.meta.dirname, "generated", "commands.json")

export const read = (): CommandTable => JSON.parse(Fs.readFileSync(file, "utf8")) as CommandTable

/** Returns the command of this name: its own, a shorter one, or the endpoint's. */
export const endpointCommand = ({ endpoints }: CommandTable, name: string): EndpointCommand | undefined =>
  endpoints.find((each) => each.name === name || each.endpoint === name || each.aliases.includes(name))

export const operatorCommands = ({ operator }: CommandTable): ReadonlyArray<OperatorCommand> =>
  operator.flatMap(({ commands }) => commands)
