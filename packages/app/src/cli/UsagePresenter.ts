/** Presents help on standard output, and a command line that cannot be used as one sentence on standard error. */
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Effect from "effect/Effect"

const hint = (suggestions: ReadonlyArray<string>) =>
  suggestions[0] === undefined ? "" : `; did you mean ${suggestions[0]}?`

const ended = (text: string) => /[.?]$/.test(text) ? text : `${text}.`

const invalidValue = ({ expected, kind, option, value }: CliError.InvalidValue) => {
  const name = kind === "flag" ? `--${option}` : option
  if (/^\d+ occurrences$/.test(value)) return `${name} is given more than once`
  const wanted = expected.replaceAll(`" | "`, " or ").replaceAll(`"`, "")
  return value === "" ? `${name} needs a value: ${wanted}` : `${name}: expected ${wanted}, not '${value}'`
}

/** Returns the sentence that says what is wrong with the command line. */
export const sentenceOf = (error: CliError.CliError): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `There is no option ${error.option}${hint(error.suggestions)}`
    case "UnknownSubcommand":
      return `There is no command '${error.subcommand}'${hint(error.suggestions)}`
    case "MissingOption":
      return `--${error.option} is missing`
    case "MissingArgument":
      return `<${error.argument}> is missing`
    case "UnexpectedArgument":
      return `'${error.arguments.join(" ")}' is more than this command takes`
    case "InvalidValue":
      return invalidValue(error)
    default:
      return error.message
  }
}

const formatter = CliOutput.defaultFormatter({ colors: false, globalFlags: "summary" })

export const presenter: CliOutput.Presenter = {
  present: (event) =>
    Effect.sync(() => {
      if (event._tag === "Version") return void process.stdout.write(`${event.version}\n`)
      const isBare = event._tag === "Help" && event.reason === "Implicit" && event.commandPath.length > 1
      if (event._tag === "Help" && !isBare) {
        return void process.stdout.write(`${formatter.formatHelpDoc(event.helpDoc)}\n`)
      }
      const [error] = event._tag === "InvalidInvocation" ? event.errors : []
      const what = error === undefined ? "A command is missing" : sentenceOf(error)
      process.stderr.write(`${ended(what)} Try npx ${event.commandPath.join(" ")} --help.\n`)
    })
}
