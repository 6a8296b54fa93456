/** The API key of a client of the service: from an environment variable or a file of its owner, never from argv. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as OwnerFile from "./OwnerFile.ts"
import { CannotStart } from "./StartupFailure.ts"

/** The variable that holds the key. */
export const variable = "VAULT_TRADER_API_KEY"

const format = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const parsed = (text: string, where: string): Effect.Effect<Redacted.Redacted<string>, CannotStart> => {
  const key = text.trim().toLowerCase()
  return format.test(key)
    ? Effect.succeed(Redacted.make(key, { label: "API key" }))
    : Effect.fail(
      new CannotStart({ message: `${where} holds no API key: it must be the UUID that createGasWallet returned.` })
    )
}

/** Bytes of a key file that are read. */
const maxLength = 256

/** Reads a file that only its owner may read. */
const readFile = (file: string): Effect.Effect<string, CannotStart> =>
  Effect.try({
    try: () => OwnerFile.read(file, "key file", maxLength),
    catch: (error) =>
      new CannotStart({
        message: error instanceof OwnerFile.FileRefused ? error.message : `The key file ${file} cannot be read.`
      })
  })

/** Reads the key from the file if one is given, otherwise from the environment. Refuses both at once. */
export const read = (file: string | undefined): Effect.Effect<Redacted.Redacted<string>, CannotStart> =>
  Effect.gen(function*() {
    const given = yield* Effect.orElseSucceed(Config.withDefault(Config.Redacted(variable), undefined), () => undefined)
    const fromVariable = given === undefined || Redacted.value(given).trim() === "" ? undefined : given
    if (file !== undefined && fromVariable !== undefined) {
      return yield* new CannotStart({ message: `Both ${variable} and --key-file are given; keep one of them.` })
    }
    if (file !== undefined) return yield* parsed(yield* readFile(file), `The key file ${file}`)
    if (fromVariable !== undefined) return yield* parsed(Redacted.value(fromVariable), variable)
    return yield* new CannotStart({
      message: `There is no API key: set ${variable}, or give --key-file with a file of mode 0600 that holds it.`
    })
  })
