/** The service, the key and the defaults of a command: from its options, the environment, or a profile, in this order. */
import * as Keyring from "../profile/Keyring.ts"
import * as ProfileStore from "../profile/ProfileStore.ts"
import * as ServiceUrl from "../ServiceUrl.ts"
import { Unusable } from "./ExitCode.ts"
import * as Secret from "./Secret.ts"
import type { Terminal } from "./Terminal.ts"

/** The options about the connection, by their names on the command line. */
export interface Wanted {
  readonly profile: string | undefined
  readonly serviceUrl: string | undefined
  readonly apiKeyFile: string | undefined
}

export interface Connection {
  readonly url: string
  readonly network: string | undefined
  readonly pool: string | undefined
  /** The profile of the network and the vault. */
  readonly profile: string | undefined
  /** True when a key is given or stored, whether or not it can be used. */
  readonly hasKey: boolean
  /** Returns the key; undefined when there is none. The keyring is opened only then. */
  readonly apiKey: () => Promise<string | undefined>
}

export const variables = {
  url: "VAULT_TRADER_URL",
  apiKey: "VAULT_TRADER_API_KEY",
  profile: "VAULT_TRADER_PROFILE"
} as const

const present = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === "" ? undefined : text.trim()

const usableUrl = (text: string, place: string): string => {
  const url = ServiceUrl.parse(text)
  if (url === undefined) throw new Unusable(`${place} must be ${ServiceUrl.accepted}.`)
  return url
}

/** Returns the name of the profile: the one that is named, the environment's, or the current one. */
const profileName = (named: string | undefined, env: Terminal["env"], { current, profiles }: ProfileStore.Profiles) =>
  named ?? present(env[variables.profile]) ??
    (current !== undefined && Object.hasOwn(profiles, current) ? current : undefined)

/** Decides where a command is sent and with which key. A profile that is named wins over the environment. */
export const resolve = (wanted: Wanted, terminal: Terminal, read: ReturnType<typeof Secret.reader>): Connection => {
  const { env } = terminal
  const stored = ProfileStore.read(env)
  const name = profileName(wanted.profile, env, stored)
  const profile = name === undefined ? undefined : ProfileStore.find(stored, name)
  const fromEnv = (variable: string) => wanted.profile === undefined ? present(env[variable]) : undefined
  const [envUrl, envKey] = [fromEnv(variables.url), fromEnv(variables.apiKey)]
  const profileUrl = profile === undefined ? undefined : usableUrl(profile.url, `The URL of the profile '${name}'`)
  const url = wanted.serviceUrl !== undefined
    ? usableUrl(wanted.serviceUrl, "--service-url")
    : envUrl !== undefined
    ? usableUrl(envUrl, variables.url)
    : profileUrl ?? `http://127.0.0.1:${present(env["PORT"]) ?? "8080"}`

  const storedKey = (): string | undefined => {
    if (name === undefined || profile === undefined) return undefined
    if (profile.apiKey === undefined && profile.keyring === undefined) return undefined
    // Another service must not receive it because a variable names its URL.
    if (url !== profileUrl) {
      throw new Unusable(
        `The key of the profile '${name}' belongs to ${profileUrl} and is not sent to ${url}. Give the key for that ` +
          `service by --api-key-file or ${variables.apiKey}, or name its profile.`
      )
    }
    return Secret.apiKeyIn(
      profile.apiKey ?? Keyring.find(terminal, name),
      profile.apiKey === undefined ? "The keyring" : `The profile '${name}'`
    )
  }

  return {
    url,
    network: profile?.network,
    pool: profile?.pool,
    profile: name,
    hasKey: [wanted.apiKeyFile, envKey, profile?.apiKey, profile?.keyring].some((each) => each !== undefined),
    apiKey: async () => {
      if (wanted.apiKeyFile !== undefined) {
        return Secret.apiKeyIn(await read("api-key", wanted.apiKeyFile), "--api-key-file")
      }
      return envKey === undefined ? storedKey() : Secret.apiKeyIn(envKey, variables.apiKey)
    }
  }
}
