import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as CommandTable from "../../src/cli/CommandTable.ts"
import { completedCommands, shells } from "../../src/cli/completion/CompletionTable.ts"
import { finished } from "./FakeTerminal.ts"

const has = (shell: string) => spawnSync(shell, ["-c", ":"]).status === 0
/** The end of a test's title: why it is skipped. */
const unless = (shell: string) => has(shell) ? "" : ` (skipped: ${shell} is not installed)`
const scriptOf = async (shell: string) => (await finished(["completion", shell])).stdout

/** Returns what bash offers for a line; the last word is completed. A function stands for the program. */
const offered = (script: string, line: string): ReadonlyArray<string> => {
  const words = line.split(" ")
  const program = [
    script,
    `vault-trader() { [ "$*" = "profile list --names" ] && printf 'main\\nsecond\\n'; }`,
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`,
    "_vault_trader",
    `printf '%s\\n' "\${COMPREPLY[@]}"`
  ].join("\n")
  const { status, stderr, stdout } = spawnSync("bash", ["-c", program], { encoding: "utf8" })
  assert.deepStrictEqual([status, stderr], [0, ""])
  return stdout.split("\n").filter((word) => word !== "")
}

const profiles = `[ "$*" = "profile list --names" ] && printf 'main\\nsecond\\n'`

/**
 * Returns what zsh offers for a line; the last word is completed. A function stands for the program, and another for
 * `compadd`, which works only where keys are pressed: it prints the words that begin like the last one.
 */
const offeredByZsh = (script: string, line: string): ReadonlyArray<string> => {
  const words = line.split(" ")
  const program = [
    `compdef() { : }; compadd() { shift; print -rl -- \${(M)@:#\${words[CURRENT]}*} }`,
    `vault-trader() { ${profiles} }`,
    script,
    `words=(${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length}`,
    "_vault_trader"
  ].join("\n")
  const { status, stderr, stdout } = spawnSync("zsh", ["-f", "-c", program], { encoding: "utf8" })
  assert.deepStrictEqual([status, stderr], [0, ""])
  return stdout.split("\n").filter((word) => word !== "")
}

/** Returns what fish offers for a line, without the descriptions. A function stands for the program. */
const offeredByFish = (script: string, line: string): ReadonlyArray<string> => {
  const program = [
    `function vault-trader; test "$argv" = "profile list --names"; and printf 'main\\nsecond\\n'; end`,
    script,
    `complete -C ${JSON.stringify(line)}`
  ].join("\n")
  const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-fish-"))
  const file = Path.join(folder, "script")
  // The script is longer than an argument may be.
  Fs.writeFileSync(file, program)
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  const { status, stderr, stdout } = spawnSync("fish", [file], { encoding: "utf8", env })
  Fs.rmSync(folder, { recursive: true })
  assert.deepStrictEqual([status, stderr], [0, ""])
  return stdout.split("\n").flatMap((each) => each === "" ? [] : [each.split("\t")[0] ?? each])
}

describe("the completion", () => {
  it.skipIf(!has("bash"))("of bash offers commands, options, values, networks and profiles", async () => {
    const script = await scriptOf("bash")
    assert.include(offered(script, "vault-trader "), "start")
    assert.sameMembers([...offered(script, "vault-trader pool-c")], ["pool-composition"])
    assert.includeMembers([...offered(script, "vault-trader trade --d")], ["--dry-run", "--duplicate"])
    assert.includeMembers([...offered(script, "vault-trader trade --network ")], ["base", "optimism", "mainnet"])
    assert.sameMembers([...offered(script, "vault-trader getGasBalance --network a")], ["arbitrum", "all"])
    assert.sameMembers([...offered(script, "vault-trader set-bot --side l")], ["long"])
    assert.sameMembers([...offered(script, "vault-trader trade --profile ")], ["main", "second"])
    assert.sameMembers([...offered(script, "vault-trader profile use s")], ["second"])
    assert.sameMembers([...offered(script, "vault-trader profile r")], ["remove"])
    assert.include(offered(script, "vault-trader profile add x --"), "--keyring")
    assert.sameMembers([...offered(script, "vault-trader completion f")], ["fish"])
    assert.sameMembers([...offered(script, "vault-trader audit v")], ["verify"])
    assert.include(offered(script, "vault-trader audit show --"), "--since")
    assert.notInclude(offered(script, "vault-trader get-new-api-key --"), "--private-key")
    assert.include(offered(script, "vault-trader get-new-api-key --"), "--private-key-file")
  })

  for (const [shell, by] of [["zsh", offeredByZsh], ["fish", offeredByFish]] as const) {
    it.skipIf(!has(shell))(`of ${shell} offers commands, options, values and profiles${unless(shell)}`, async () => {
      const script = await scriptOf(shell)
      const words = (line: string) => [...by(script, line)]
      assert.include(words("vault-trader "), "start")
      assert.sameMembers(words("vault-trader pool-c"), ["pool-composition"])
      assert.includeMembers(words("vault-trader trade --d"), ["--dry-run", "--duplicate"])
      assert.includeMembers(words("vault-trader trade --network "), ["base", "optimism", "mainnet"])
      assert.sameMembers(words("vault-trader set-bot --side l"), ["long"])
      assert.sameMembers(words("vault-trader trade --profile "), ["main", "second"])
      assert.sameMembers(words("vault-trader profile use s"), ["second"])
      assert.include(words("vault-trader profile r"), "remove")
      assert.include(words("vault-trader audit show --"), "--since")
      assert.notInclude(words("vault-trader get-new-api-key --"), "--private-key")
      assert.include(words("vault-trader get-new-api-key --"), "--private-key-file")
    }, 30_000)
  }

  for (const shell of ["bash", "zsh", "fish"]) {
    it.skipIf(!has(shell))(`of ${shell} is a script that ${shell} can read${unless(shell)}`, async () => {
      const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-completion-"))
      const file = Path.join(folder, "script")
      Fs.writeFileSync(file, await scriptOf(shell))
      const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" })
      Fs.rmSync(folder, { recursive: true })
      assert.deepStrictEqual([status, stderr], [0, ""])
    })
  }

  it("of every shell has every command and option, and nothing that the shell would interpret", async () => {
    const commands = completedCommands(CommandTable.read())
    for (const shell of shells) {
      const script = await scriptOf(shell)
      for (const { names, options } of commands) {
        for (const name of names) assert.include(script, name)
        for (const { name } of options) assert.include(script, shell === "fish" ? `-l ${name}` : `--${name}`)
      }
    }
    for (const { names, options } of commands) {
      for (const word of [...names, ...options.flatMap(({ name, values }) => [name, ...values])]) {
        assert.match(word, /^[\w./-]+$/)
      }
    }
    for (const line of (await scriptOf("fish")).split("\n").filter((each) => each.startsWith("complete"))) {
      assert.match(line, /^complete -c vault-trader( -f| -r| -F| -x| -[nad] ('([^'\\]|\\.)*'|[\w-]+)| -l [\w-]+)+$/)
    }
  })

  it("names the shells when it is asked for another one", async () => {
    const { code, stderr } = await finished(["completion", "powershell"])
    assert.strictEqual(code, 2)
    assert.match(stderr, /^completion takes one shell: bash, zsh, fish\./)
  })
})
