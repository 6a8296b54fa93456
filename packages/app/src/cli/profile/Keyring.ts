/** The keyring of the operating system, through its own program. A key goes through a pipe, never through arguments. */
import { spawnSync } from "node:child_process"
import { Unusable } from "../endpoint/ExitCode.ts"
import type { Terminal } from "../endpoint/Terminal.ts"

interface Program {
  readonly name: string
  /** Arguments, and the text for its standard input. */
  readonly store: (profile: string, key: string) => readonly [ReadonlyArray<string>, string]
  readonly find: (profile: string) => ReadonlyArray<string>
  readonly remove: (profile: string) => ReadonlyArray<string>
}

const service = "vault-trader"

/** Profile names and keys need no quotes: they have letters, digits, '.', '_' and '-'. */
const programs: Partial<Record<NodeJS.Platform, Program>> = {
  linux: {
    name: "secret-tool",
    store: (profile, key) => [
      ["store", `--label=${service} ${profile}`, "service", service, "profile", profile],
      key
    ],
    find: (profile) => ["lookup", "service", service, "profile", profile],
    remove: (profile) => ["clear", "service", service, "profile", profile]
  },
  darwin: {
    name: "security",
    // Interactive mode reads its commands from standard input.
    store: (profile, key) => [["-i"], `add-generic-password -U -a ${profile} -s ${service} -w ${key}\n`],
    find: (profile) => ["find-generic-password", "-a", profile, "-s", service, "-w"],
    remove: (profile) => ["delete-generic-password", "-a", profile, "-s", service]
  }
}

/** How long the program may take: it may ask the user to unlock the keyring. */
const timeout = 120_000

type Surroundings = Pick<Terminal, "env" | "platform">

const run = (
  { env, platform }: Surroundings,
  what: string,
  args: (program: Program) => ReadonlyArray<string>,
  input = ""
) => {
  const program = programs[platform]
  if (program === undefined) {
    throw new Unusable("This operating system has no keyring that vault-trader can use: leave --keyring out.")
  }
  const { error, status, stdout } = spawnSync(program.name, args(program), {
    input,
    encoding: "utf8",
    timeout,
    env: { ...env },
    stdio: ["pipe", "pipe", "ignore"]
  })
  if (error !== undefined && "code" in error && error.code === "ENOENT") {
    throw new Unusable(
      `The keyring needs the program ${program.name}, which is not on the PATH` +
        `${
          platform === "linux" ? " (package libsecret-tools)" : ""
        }. Install it, or keep the key in the profile's file.`
    )
  }
  if (error !== undefined || status !== 0) {
    throw new Unusable(`${program.name} could not ${what} the key: the keyring may be locked or absent here.`)
  }
  return stdout
}

export const store = (surroundings: Surroundings, profile: string, key: string): void => {
  const program = programs[surroundings.platform]
  run(surroundings, "store", ({ store }) => store(profile, key)[0], program?.store(profile, key)[1])
}

/** Returns the key of a profile. */
export const find = (surroundings: Surroundings, profile: string): string =>
  run(surroundings, "return", ({ find }) => find(profile)).trim()

export const remove = (surroundings: Surroundings, profile: string): void =>
  void run(surroundings, "remove", ({ remove }) => remove(profile))
