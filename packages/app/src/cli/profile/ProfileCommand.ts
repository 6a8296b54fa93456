/** `vault-trader profile add|list|use|remove|show`: services, keys and defaults under a name. */
import type { CommandOption } from "../CommandTable.ts"
import * as AnswerText from "../endpoint/AnswerText.ts"
import { exitCodes, Unusable } from "../endpoint/ExitCode.ts"
import * as OptionWords from "../endpoint/OptionWords.ts"
import * as Secret from "../endpoint/Secret.ts"
import { hint } from "../endpoint/Suggestion.ts"
import type { Terminal } from "../endpoint/Terminal.ts"
import * as ServiceUrl from "../ServiceUrl.ts"
import * as Keyring from "./Keyring.ts"
import * as ProfileStore from "./ProfileStore.ts"

const text = (name: string, description: string, accepts?: string): CommandOption => ({
  name,
  param: name,
  type: "text",
  description,
  ...(accepts === undefined ? {} : { accepts })
})
const flag = (name: string, description: string): CommandOption => ({ name, param: name, type: "flag", description })

const help = flag("help", "Show this help.")
const json = flag("json", "Print JSON.")

interface Subcommand {
  readonly summary: string
  readonly operand: "" | "NAME" | "[NAME]"
  readonly options: ReadonlyArray<CommandOption>
  readonly run: (name: string | undefined, given: OptionWords.Given, terminal: Terminal) => void | Promise<void>
}

const textOf = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

/** Returns the key for a new profile: from the option, the keyboard, or none. */
const keyFor = async (given: OptionWords.Given, terminal: Terminal): Promise<string | undefined> => {
  const place = textOf(given["api-key-file"])
  if (place !== undefined) return Secret.apiKeyIn(await Secret.reader(terminal)("api-key", place), "--api-key-file")
  const typed = await terminal.askHidden?.("API key (is not shown; empty for none): ") ?? ""
  return typed.trim() === "" ? undefined : Secret.apiKeyIn(typed, "The line")
}

/** Returns the profile that the options describe, without its key. */
const describedBy = (given: OptionWords.Given): ProfileStore.Profile => {
  const [url, network, pool] = ["url", "network", "pool"].map((name) => textOf(given[name]))
  const problems: Array<string> = []
  const origin = url === undefined ? undefined : ServiceUrl.parse(url)
  if (origin === undefined) problems.push(`--url must be ${ServiceUrl.accepted}.`)
  if (pool !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(pool)) problems.push("--pool must be 0x and 40 hex characters.")
  if (problems.length > 0) throw new Unusable(problems.join("\n"))
  return {
    url: origin ?? "",
    ...(network === undefined ? {} : { network: network.toLowerCase() }),
    ...(pool === undefined ? {} : { pool })
  }
}

const keyText = ({ apiKey, keyring }: ProfileStore.Profile): string =>
  keyring === true ? "in the keyring" : apiKey === undefined ? "none" : `…${apiKey.slice(-4)}`

const add: Subcommand["run"] = async (name = "", given, terminal) => {
  const { env } = terminal
  if (!ProfileStore.isName(name)) throw new Unusable(`A profile's name is ${ProfileStore.acceptedName}.`)
  const profile = describedBy(given)
  const stored = ProfileStore.read(env)
  if (Object.hasOwn(stored.profiles, name) && given["replace"] !== true) {
    throw new Unusable(`The profile '${name}' exists: choose another name, or give --replace.`)
  }
  const key = await keyFor(given, terminal)
  if (given["keyring"] === true && key === undefined) throw new Unusable("--keyring needs a key: give --api-key-file.")
  if (given["keyring"] === true && key !== undefined) Keyring.store(terminal, name, key)
  const kept: ProfileStore.Profile = key === undefined
    ? profile
    : { ...profile, ...(given["keyring"] === true ? { keyring: true } : { apiKey: key }) }
  const current = stored.current !== undefined && Object.hasOwn(stored.profiles, stored.current) ? stored.current : name
  ProfileStore.write(env, { current, profiles: { ...stored.profiles, [name]: kept } })
  terminal.out(`Stored the profile '${name}' for ${profile.url}, API key: ${keyText(kept)}.\n`)
  if (current !== name) {
    terminal.out(`The current profile is '${current}': vault-trader profile use ${name} changes it.\n`)
  }
}

const list: Subcommand["run"] = (_, given, { colors, columns, env, out }) => {
  const { current, profiles } = ProfileStore.read(env)
  const rows = Object.entries(profiles).map(([name, profile]) => ({
    name,
    current: name === current ? "yes" : "",
    url: profile.url,
    network: profile.network ?? null,
    pool: profile.pool ?? null,
    api_key: keyText(profile)
  }))
  if (given["names"] === true) return out(rows.map(({ name }) => `${name}\n`).join(""))
  if (given["json"] === true) {
    return out(`${AnswerText.json(rows.map((row) => ({ ...row, current: row.current === "yes" })))}\n`)
  }
  out(
    rows.length === 0
      ? "There are no profiles: vault-trader profile add NAME --url URL makes one.\n"
      : AnswerText.render({ profiles: rows }, { colors, columns })
  )
}

const show: Subcommand["run"] = (wanted, given, { colors, columns, env, out }) => {
  const stored = ProfileStore.read(env)
  const name = wanted ?? env["VAULT_TRADER_PROFILE"] ?? stored.current
  if (name === undefined) {
    throw new Unusable("There are no profiles: vault-trader profile add NAME --url URL makes one.")
  }
  const { network = null, pool = null, url, ...key } = ProfileStore.find(stored, name)
  const shown = { name, current: name === stored.current, url, network, pool, api_key: keyText({ url, ...key }) }
  out(given["json"] === true ? `${AnswerText.json(shown)}\n` : AnswerText.render(shown, { colors, columns }))
}

const use: Subcommand["run"] = (name = "", _, { env, out }) => {
  const stored = ProfileStore.read(env)
  ProfileStore.find(stored, name)
  ProfileStore.write(env, { ...stored, current: name })
  out(`The current profile is '${name}'.\n`)
}

const remove: Subcommand["run"] = (name = "", _, terminal) => {
  const { env, out } = terminal
  const { current, profiles } = ProfileStore.read(env)
  const { keyring } = ProfileStore.find({ profiles }, name)
  if (keyring === true) Keyring.remove(terminal, name)
  const { [name]: __, ...others } = profiles
  ProfileStore.write(env, { ...(current === undefined || current === name ? {} : { current }), profiles: others })
  out(`Removed the profile '${name}'${current === name ? "; no profile is current" : ""}.\n`)
}

/** The subcommands by name. */
export const profileCommands: Readonly<Record<string, Subcommand>> = {
  add: {
    summary: "Stores a service, its key and defaults under a name; the first one is the current one.",
    operand: "NAME",
    options: [
      text("url", `URL of the service: ${ServiceUrl.accepted}.`, ServiceUrl.accepted),
      text("network", "Default network of commands that need one."),
      text("pool", "Default vault of commands that need one."),
      text(
        "api-key-file",
        "File of mode 0600 with the API key; - is standard input. At a terminal the key is asked for."
      ),
      flag("keyring", "Keep the key in the keyring of the operating system (secret-tool on Linux, security on macOS)."),
      flag("replace", "Replace a profile of this name."),
      help
    ],
    run: add
  },
  list: {
    summary: "Lists the profiles.",
    operand: "",
    options: [json, flag("names", "Print the names only, one a line."), help],
    run: list
  },
  use: { summary: "Makes a profile the current one.", operand: "NAME", options: [help], run: use },
  remove: {
    summary: "Removes a profile, and its key from the keyring.",
    operand: "NAME",
    options: [help],
    run: remove
  },
  show: {
    summary: "Shows a profile, of its key the last four characters.",
    operand: "[NAME]",
    options: [json, help],
    run: show
  }
}

export const summary = "Stores services, API keys and defaults under names."

const keyRefusal = "is refused: other programs of this machine can read the arguments of a command, and shells keep " +
  "them. Give --api-key-file FILE (mode 0600; - is standard input)"

const column = 26

const helpOf = (name: string, { operand, options, summary: text }: Subcommand): string =>
  `${text}\n\nUSAGE\n  vault-trader profile ${
    [name, operand, "[options]"].filter((each) => each !== "").join(" ")
  }\n\nOPTIONS\n${
    options.map((option) =>
      `  ${`--${option.name}${option.type === "flag" ? "" : " <text>"}`.padEnd(column)}${option.description}\n`
    ).join("")
  }`

const overview = `${summary}\n\nUSAGE\n  vault-trader profile <command> [options]\n\nCOMMANDS\n${
  Object.entries(profileCommands).map(([name, each]) => `  ${name.padEnd(8)}  ${each.summary}\n`).join("")
}`

const usage = (terminal: Terminal, message: string, name = ""): number => {
  terminal.err(`${message}\nTry vault-trader profile ${name === "" ? "" : `${name} `}--help.\n`)
  return exitCodes.usage
}

/** Returns what is wrong with the number of operands. */
const operandProblem = (subcommand: Subcommand, operands: ReadonlyArray<string>): ReadonlyArray<string> => {
  const most = subcommand.operand === "" ? 0 : 1
  if (operands.length > most) return [`${OptionWords.quoted(operands[most] ?? "")} is more than this command takes.`]
  return subcommand.operand === "NAME" && operands.length === 0 ? ["The profile's name is missing."] : []
}

/** Runs a subcommand; resolves with the exit code. */
export const run = async (words: ReadonlyArray<string>, terminal: Terminal): Promise<number> => {
  const [name = "", ...rest] = words
  if (name === "" || name === "--help" || name === "-h") {
    terminal.out(overview)
    return exitCodes.success
  }
  const subcommand = Object.hasOwn(profileCommands, name) ? profileCommands[name] : undefined
  if (subcommand === undefined) {
    return usage(
      terminal,
      `There is no command 'profile ${name}'${hint(name, Object.keys(profileCommands))}`
    )
  }
  const refused = Object.fromEntries(["key", "api-key", "apiKey"].map((each) => [each, keyRefusal]))
  const { given, operands, problems } = OptionWords.parse({ options: subcommand.options, refused }, rest)
  if (given["help"] === true) {
    terminal.out(helpOf(name, subcommand))
    return exitCodes.success
  }
  const found = [...problems, ...operandProblem(subcommand, operands)]
  if (found.length > 0) return usage(terminal, found.join("\n"), name)
  try {
    await subcommand.run(operands[0], given, terminal)
    return exitCodes.success
  } catch (error) {
    if (error instanceof Unusable) return usage(terminal, error.message, name)
    throw error
  }
}
