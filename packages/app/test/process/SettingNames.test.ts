import { assert, describe, it } from "@effect/vitest"
import { distance, misspelt } from "../../src/SettingNames.ts"

describe("the environment's variables", () => {
  it("that look like settings and are none are named with the nearest setting", () => {
    for (
      const [name, nearest] of [
        ["RPC_URL_BAES", "RPC_URL_BASE"],
        ["RPC_URL_BNB", "RPC_URL_BASE"],
        ["DATABSE_URL", "DATABASE_URL"],
        ["TRESURY", "TREASURY"],
        ["RATE_LIMIT_PER_MINTUE", "RATE_LIMIT_PER_MINUTE"],
        ["WAIT_SECOND", "WAIT_SECONDS"],
        ["KEKFILE", "KEK_FILE"]
      ] as const
    ) assert.deepStrictEqual(misspelt({ PATH: "/bin", [name]: "x" }), { name, nearest })
  })

  it("that are settings, are empty or belong to others are left alone", () => {
    const names = [
      "PATH",
      "HOME",
      "HOSTNAME",
      "LOGNAME",
      "POST",
      "PGDATA",
      "PGHOST",
      "POSTGRES_URL",
      "XDG_DATA_DIRS",
      "RUNNER_OS",
      "RUNNER_TEMP",
      "RUNNER_ARCH",
      "GITHUB_BASE_REF",
      "KUBERNETES_PORT",
      "VAULT_TRADER_PORT",
      "VAULT_TRADER_SERVICE_HOST",
      "OTEL_EXPORTER_OTLP_HEADERS",
      "HTTPS_PROXY",
      "NODE_OPTIONS",
      "INIT_CWD",
      "npm_config_yes",
      "COMMIT",
      "TERM",
      "EDITOR"
    ]
    assert.isUndefined(
      misspelt(Object.fromEntries([...names, "PORT", "TREASURY_BASE", "RPC_URL_BASE"].map((name) => [name, "x"])))
    )
    assert.isUndefined(misspelt({ RPC_URL_BAES: "", TRESURY: " " }))
  })

  it("are compared by insertions, deletions, substitutions and transpositions", () => {
    assert.deepStrictEqual(
      [["", "AB"], ["AB", "BA"], ["ABC", "AC"], ["ABC", "ABD"], ["ABC", "ABC"], ["KITTEN", "SITTING"]].map(([a, b]) =>
        distance(a ?? "", b ?? "")
      ),
      [2, 1, 1, 1, 0, 3]
    )
  })
})
