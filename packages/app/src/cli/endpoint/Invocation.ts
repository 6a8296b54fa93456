/** The command line of an endpoint: what is sent, where, and what is missing. */
import type { CommandOption, EndpointCommand, EndpointOption } from "../CommandTable.ts"
import * as Connection from "./Connection.ts"
import { Unusable } from "./ExitCode.ts"
import * as OptionWords from "./OptionWords.ts"
import { connectionOptions, defaultWaitSeconds, writeOptions } from "./OwnOptions.ts"
import * as Secret from "./Secret.ts"
import type { Terminal } from "./Terminal.ts"

export interface Invocation {
  readonly url: string
  readonly apiKey: string | undefined
  /** The parameters, without the key. */
  readonly request: OptionWords.Given
  readonly json: boolean
  readonly wait: boolean
  readonly waitSeconds: number
  /** A sentence about values that a profile gave; undefined when it gave none. */
  readonly filled: string | undefined
}

/** The names of the API key as a parameter, which the command line never has. */
const keyNames = ["api-key", "apiKey", "gas-wallet-api-key", "gas_wallet_api_key"]

const keyRefusal = "is refused: other programs of this machine can read the arguments of a command, and shells keep " +
  "them. Add a profile with the key (vault-trader profile add), set VAULT_TRADER_API_KEY, or give --api-key-file FILE"

const secretsOf = ({ options }: EndpointCommand): ReadonlyArray<EndpointOption> =>
  options.filter(({ secret }) => secret === true)

/** Returns the option that names a secret's place. */
const fileOption = ({ name }: EndpointOption): CommandOption => ({
  name: Secret.optionOf(name),
  param: Secret.optionOf(name),
  type: "text",
  description: ""
})

/** Returns every option of a command, and the names that are refused with their reasons. */
export const optionsOf = (command: EndpointCommand): OptionWords.Options => {
  const secrets = secretsOf(command)
  return {
    options: [
      ...command.options.filter(({ secret }) => secret !== true),
      ...secrets.map(fileOption),
      ...connectionOptions,
      ...(command.kind === "write" ? writeOptions : [])
    ],
    refused: Object.fromEntries([
      ...keyNames.map((name) => [name, keyRefusal]),
      ...secrets.flatMap(({ name, param }) => [[name, Secret.refusal(name)], [param, Secret.refusal(name)]])
    ]) as Record<string, string>
  }
}

const textOf = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

const operandProblem = (operands: ReadonlyArray<string>): ReadonlyArray<string> =>
  operands.length === 0
    ? []
    : [
      `${OptionWords.quoted(operands[0] ?? "")} is more than this command takes: parameters are options, --name value.`
    ]

/** Returns the place of a secret: the one that is named, or the variable of a required one. */
const placeOf = ({ name, required }: EndpointOption, given: OptionWords.Given, { env }: Terminal): string | undefined =>
  textOf(given[Secret.optionOf(name)]) ??
    (required && (env[Secret.variableOf(name)]?.trim() ?? "") !== "" ? "env" : undefined)

/** Reads the secrets that have a place, and required ones without a place from the keyboard. */
const readSecrets = async (
  command: EndpointCommand,
  given: OptionWords.Given,
  terminal: Terminal,
  read: ReturnType<typeof Secret.reader>
): Promise<Record<string, string>> => {
  const found: Record<string, string> = {}
  for (const option of secretsOf(command)) {
    const place = placeOf(option, given, terminal)
    const value = place !== undefined
      ? await read(option.name, place)
      : option.required
      ? (await terminal.askHidden?.(`${option.name}: `))?.trim() ?? ""
      : ""
    if (value !== "") found[option.param] = value
    else if (option.required) throw new Unusable(`No ${option.name} was given.`)
  }
  return found
}

const missingText = ({ fromProfile, name, secret }: EndpointOption): string =>
  secret === true
    ? `--${Secret.optionOf(name)} (or the variable ${Secret.variableOf(name)})`
    : `--${name}${fromProfile === true ? " (or a profile with it)" : ""}`

const noKey =
  "There is no API key: add a profile with it (vault-trader profile add), set VAULT_TRADER_API_KEY, or give " +
  "--api-key-file."

/**
 * Returns the network and the vault of the profile where the command may use them and does not name them. A profile's
 * vault is on the profile's network: it is not used on another one.
 */
const defaultsOf = (
  command: EndpointCommand,
  given: OptionWords.Given,
  { network, pool }: Connection.Connection
): Readonly<Record<string, string>> => {
  const fills = (name: string) =>
    given[name] === undefined &&
    command.options.some(({ fromProfile, param }) => param === name && fromProfile === true)
  const used = textOf(given["network"]) ?? (fills("network") ? network : command.network)
  const isThere = network === undefined || used === undefined || used === network
  return {
    ...(fills("network") && network !== undefined ? { network } : {}),
    ...(fills("pool") && pool !== undefined && isThere ? { pool } : {})
  }
}

/** Returns the sentences about what is missing. */
const missingOf = (
  command: EndpointCommand,
  given: OptionWords.Given,
  request: OptionWords.Given,
  { needsKey, terminal }: { readonly needsKey: boolean; readonly terminal: Terminal }
): ReadonlyArray<string> => {
  const missing = command.options.filter((option) =>
    option.required && (option.secret === true
      ? placeOf(option, given, terminal) === undefined && terminal.askHidden === undefined
      : request[option.param] === undefined)
  )
  return [
    ...(missing.length === 0 ? [] : [`Missing: ${missing.map((option) => missingText(option)).join(", ")}.`]),
    ...(needsKey ? [noKey] : [])
  ]
}

const invalidWait = (seconds: number): ReadonlyArray<string> =>
  seconds >= 1 && seconds <= 86_400 ? [] : ["--wait-seconds must be a whole number from 1 to 86400."]

/** Interprets the words. Throws `Unusable` with every problem, one a line. */
export const interpret = async (
  command: EndpointCommand,
  { given, operands, problems }: OptionWords.Parsed,
  terminal: Terminal
): Promise<Invocation> => {
  const waitSeconds = Number(textOf(given["wait-seconds"]) ?? defaultWaitSeconds)
  const read = Secret.reader(terminal)
  const [profile, serviceUrl, apiKeyFile] = ["profile", "service-url", "api-key-file"].map((name) =>
    textOf(given[name])
  )
  const connection = Connection.resolve({ profile, serviceUrl, apiKeyFile }, terminal, read)
  const defaults = defaultsOf(command, given, connection)
  const own = command.options.filter(({ param, secret }) => secret !== true && given[param] !== undefined)
  const request = { ...defaults, ...Object.fromEntries(own.map(({ param }) => [param, given[param]])) }
  const found = [
    ...problems,
    ...operandProblem(operands),
    ...invalidWait(waitSeconds),
    ...missingOf(command, given, request, { needsKey: command.key === "required" && !connection.hasKey, terminal })
  ]
  // Nothing is read from files or the keyboard for a command line that cannot be used.
  if (found.length > 0) throw new Unusable(found.join("\n"))
  const secrets = await readSecrets(command, given, terminal, read)
  // Where several proofs are accepted, a signature or a private key is meant to be the one that counts.
  const usesKey = command.key === "required" ||
    (command.key === "optional" && request["signature"] === undefined && secrets["privateKey"] === undefined)
  const filled = Object.entries(defaults).map(([name, value]) => `${name} ${value}`)
  return {
    url: connection.url,
    apiKey: usesKey ? await connection.apiKey() : undefined,
    request: { ...request, ...secrets },
    json: given["json"] === true,
    wait: given["wait"] !== false,
    waitSeconds,
    filled: filled.length === 0 ? undefined : `Using ${filled.join(" and ")} of the profile '${connection.profile}'.`
  }
}
