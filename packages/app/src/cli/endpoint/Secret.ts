/** Secrets of a request: from a file, standard input, a variable or the keyboard, never from the command line. */
import * as OwnerFile from "../../OwnerFile.ts"
import { Unusable } from "./ExitCode.ts"
import type { Terminal } from "./Terminal.ts"

/** Bytes of a secret's file that are read. */
const maxLength = 4096

/** The variable that holds a secret parameter. */
export const variableOf = (optionName: string): string =>
  `VAULT_TRADER_${optionName.replaceAll("-", "_").toUpperCase()}`

/** The option that names the place of a secret. */
export const optionOf = (optionName: string): string => `${optionName}-file`

/** The end of the sentence that refuses a secret on the command line. */
export const refusal = (optionName: string): string =>
  "is refused: other programs of this machine can read the arguments of a command, and shells keep them. Give it by " +
  `--${optionOf(optionName)} FILE (mode 0600; - is standard input) or by the variable ${variableOf(optionName)}`

const keyFormat = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Returns the API key in a text. The failure names the place and repeats nothing of it. */
export const apiKeyIn = (text: string, place: string): string => {
  const key = text.trim().toLowerCase()
  if (keyFormat.test(key)) return key
  throw new Unusable(`${place} holds no API key: it must be the UUID that createGasWallet or getNewApiKey returned.`)
}

/** Reads secrets for one command. Standard input is read once, so only one secret can come from it. */
export const reader = ({ env, readInput }: Pick<Terminal, "env" | "readInput">) => {
  let isInputTaken = false
  /** Reads the secret at a place: a file, `-` for standard input, or `env` for its variable. */
  return async (optionName: string, place: string): Promise<string> => {
    const option = `--${optionOf(optionName)}`
    if (place === "env") {
      const value = env[variableOf(optionName)]?.trim() ?? ""
      if (value === "") throw new Unusable(`${option}: the variable ${variableOf(optionName)} is not set.`)
      return value
    }
    if (place === "-") {
      if (isInputTaken) throw new Unusable(`${option}: another secret is read from standard input already.`)
      isInputTaken = true
      const value = (await readInput()).trim()
      if (value === "") throw new Unusable(`${option}: standard input is empty.`)
      return value
    }
    try {
      const value = OwnerFile.read(place, "file", maxLength).trim()
      if (value === "") throw new Unusable(`${option}: the file ${place} is empty.`)
      return value
    } catch (error) {
      throw error instanceof OwnerFile.FileRefused ? new Unusable(`${option}: ${error.message}`) : error
    }
  }
}
