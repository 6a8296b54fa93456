import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as CommandTable from "../../src/cli/CommandTable.ts"
import { completedCommands, shells } from "../../src/cli/completion/CompletionTable.ts"
import { finished } from "./FakeTerminal.ts"

const has = (shell: string) => spawnSync(shell, ["-c", ":"]).status === 0
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

  for (const shell of ["bash", "zsh", "fish"]) {
    it.skipIf(!has(shell))(`of ${shell} is a script that ${shell} can read`, async () => {
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
