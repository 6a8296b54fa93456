/** The profiles of the user: services, keys and defaults, in one file that only its owner may read. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as OwnerFile from "../../OwnerFile.ts"
import { Unusable } from "../endpoint/ExitCode.ts"

export interface Profile {
  readonly url: string
  readonly network?: string
  readonly pool?: string
  readonly apiKey?: string
  /** True when the key is in the keyring of the operating system. */
  readonly keyring?: true
}

export interface Profiles {
  /** The profile that is used when none is named. */
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

type Env = Readonly<Record<string, string | undefined>>

/** Bytes of the file that are read. */
const maxLength = 1_000_000

/** Completes the sentence "a name is …". */
export const acceptedName = "1 to 64 letters, digits, '.', '_' and '-', beginning with a letter or a digit"

export const isName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)

/** Returns the folder of the file: `vault-trader` in XDG_CONFIG_HOME, or in ~/.config. Undefined without a home. */
const folderOf = ({ HOME = "", USERPROFILE = "", XDG_CONFIG_HOME = "" }: Env): string | undefined => {
  const base = Path.isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : Path.join(HOME || USERPROFILE, ".config")
  return Path.isAbsolute(base) ? Path.join(base, "vault-trader") : undefined
}

const fileName = "profiles.json"

const isText = (value: unknown): value is string => typeof value === "string"
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isProfile = (value: unknown): value is Profile =>
  isObject(value) && isText(value["url"]) &&
  ["network", "pool", "apiKey"].every((name) => value[name] === undefined || isText(value[name])) &&
  (value["keyring"] === undefined || value["keyring"] === true)

/** Parses the file. The failure repeats nothing of it: it contains keys. */
const decode = (text: string, file: string): Profiles => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const profiles = isObject(value) ? value["profiles"] : undefined
  if (
    !isObject(value) || !isObject(profiles) || !Object.entries(profiles).every(([k, v]) => isName(k) && isProfile(v))
  ) {
    throw new Unusable(
      `The file ${file} is not a file of profiles: repair it, or remove it and add the profiles again.`
    )
  }
  const current = value["current"]
  return { ...(isText(current) ? { current } : {}), profiles: profiles as Profiles["profiles"] }
}

/** Reads the profiles; none when there is no file. Refuses a file or a folder that other accounts may use. */
export const read = (env: Env): Profiles => {
  const folder = folderOf(env)
  if (folder === undefined || !Fs.existsSync(Path.join(folder, fileName))) return { profiles: {} }
  try {
    const file = Path.join(folder, fileName)
    OwnerFile.refuseShared(folder, "folder", Fs.statSync(folder))
    return decode(OwnerFile.read(file, "file", maxLength), file)
  } catch (error) {
    throw error instanceof OwnerFile.FileRefused ? new Unusable(error.message) : error
  }
}

/** Replaces the file as a whole: a crash leaves the old one or the new one. */
export const write = (env: Env, profiles: Profiles): void => {
  const folder = folderOf(env)
  if (folder === undefined) throw new Unusable("Profiles need a home folder: set HOME or XDG_CONFIG_HOME.")
  const file = Path.join(folder, fileName)
  const draft = `${file}.${process.pid}`
  try {
    Fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    OwnerFile.refuseShared(folder, "folder", Fs.statSync(folder))
    Fs.rmSync(draft, { force: true })
    const handle = Fs.openSync(draft, "wx", 0o600)
    try {
      Fs.writeSync(handle, `${JSON.stringify(profiles, null, 2)}\n`)
      Fs.fsyncSync(handle)
    } finally {
      Fs.closeSync(handle)
    }
    Fs.renameSync(draft, file)
  } catch (error) {
    Fs.rmSync(draft, { force: true })
    const detail = error instanceof OwnerFile.FileRefused ? error.message : `The file ${file} cannot be written.`
    throw new Unusable(`${detail} No profile was changed.`)
  }
}

/** Returns the profile of this name. */
export const find = ({ profiles }: Profiles, name: string): Profile => {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(profiles)
  throw new Unusable(
    `There is no profile ${isName(name) ? `'${name}'` : "of this name"}. ` +
      (names.length === 0
        ? "vault-trader profile add NAME --url URL makes one."
        : `The profiles are ${names.join(", ")}.`)
  )
}
