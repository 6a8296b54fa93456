import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { vi } from "vitest"
import { execute } from "../../src/cli/VaultTrader.ts"

const vaultTrader = (...words: ReadonlyArray<string>) => ServiceProcess.toItsEnd({}, "vault-trader", ...words)

/** Runs a command in this process; returns whether it succeeded, and what it printed. */
const executed = (line: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const printed = { stdout: "", stderr: "" }
      const spies = (["stdout", "stderr"] as const).map((name) =>
        vi.spyOn(process[name], "write").mockImplementation((text) => {
          printed[name] += String(text)
          return true
        })
      )
      return { printed, spies }
    }),
    ({ printed }) =>
      Effect.map(
        Effect.result(execute(line.split(" "))),
        ({ _tag }) => ({ ...printed, isSuccess: _tag === "Success" })
      ),
    ({ spies }) =>
      Effect.sync(() => {
        for (const spy of spies) spy.mockRestore()
      })
  )

const commands = [
  "start",
  "server",
  "workers",
  "devnet",
  "devnet fund",
  "demo",
  "market",
  "mcp",
  "switch",
  "switch pause",
  "limit",
  "wallet",
  "wallet add",
  "wallet new-key",
  "wallet list",
  "rewrap",
  "ledger",
  "ledger report",
  "record",
  "record show",
  "backtest"
]

describe("vault-trader", () => {
  it.effect("without a command lists all of them", () =>
    Effect.map(vaultTrader(), ({ code, stderr, stdout }) => {
      assert.deepStrictEqual([code, stderr], [0, ""])
      for (const name of commands.filter((command) => !command.includes(" "))) {
        assert.match(stdout, new RegExp(`^  ${name} +[A-Z][^\n]+\\.$`, "m"))
      }
    }), 60_000)

  it.effect("explains every command with --help", () =>
    Effect.forEach(commands, (command) =>
      Effect.map(executed(`${command} --help`), ({ isSuccess, stderr, stdout }) => {
        assert.deepStrictEqual([isSuccess, stderr], [true, ""])
        assert.include(stdout, `USAGE\n  vault-trader ${command}`)
      }), { discard: true }))

  it.effect(
    "explains a command to a shell",
    () =>
      Effect.map(vaultTrader("switch", "pause", "--help"), ({ code, stderr, stdout }) => {
        assert.deepStrictEqual([code, stderr.replace(/^building the console…\n/, "")], [0, ""])
        assert.include(stdout, "USAGE\n  vault-trader switch pause")
      }),
    60_000
  )

  it.effect("refuses a command line that it cannot use in one sentence", () =>
    Effect.forEach(
      [
        ["devnett", /^There is no command 'devnett'; did you mean devnet\? Try npx vault-trader --help\.\n$/],
        ["ledger", /^A command is missing\. Try npx vault-trader ledger --help\.\n$/],
        ["ledger check --loud", /^There is no option --loud\. Try npx vault-trader ledger check --help\.\n$/],
        [
          "switch pause nowhere",
          /^scope: expected service, .*, not 'nowhere'\. Try npx vault-trader switch pause --help\.\n$/
        ],
        ["workers now", /^'now' is more than this command takes\. Try npx vault-trader workers --help\.\n$/],
        ["market mars", /^'mars' is not a network\.\n$/]
      ] as const,
      ([line, sentence]) =>
        Effect.map(executed(line), ({ isSuccess, stderr, stdout }) => {
          assert.deepStrictEqual([isSuccess, stdout], [false, ""])
          assert.match(stderr, sentence)
        }),
      { discard: true }
    ))

  it.effect(
    "ends with exit code 2 after a command line that it cannot use",
    () =>
      Effect.map(vaultTrader("devnett"), ({ code, stderr, stdout }) => {
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.match(stderr, /^There is no command 'devnett'; did you mean devnet\?/)
      }),
    60_000
  )
})
