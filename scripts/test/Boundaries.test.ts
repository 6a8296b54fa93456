import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("../boundaries.mjs", import.meta.url))

/** Returns the violations of a repository with these files. */
const judge = (files: Readonly<Record<string, string>>) =>
  Effect.acquireUseRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "boundaries-"))),
    (root) =>
      Effect.promise(async () => {
        for (const [path, text] of Object.entries({ "packages/core/src/Empty.ts": "", ...files })) {
          await mkdir(dirname(join(root, path)), { recursive: true })
          await writeFile(join(root, path), text)
        }
        const { status, stderr, stdout } = spawnSync(process.execPath, [script, root], { encoding: "utf8" })
        return { status, lines: stderr.trimEnd().split("\n").filter((line) => line !== ""), summary: stdout.trimEnd() }
      }),
    (root) => Effect.promise(() => rm(root, { recursive: true }))
  )

const laws: ReadonlyArray<readonly [law: string, files: Readonly<Record<string, string>>, violation: string]> = [
  [
    "core knows no platform",
    { "packages/core/src/chain/Node.ts": `import "node:fs"` },
    "packages/core/src/chain/Node.ts:1: core must not import node:fs"
  ],
  [
    "the client imports nothing of ours",
    { "packages/client/src/X.ts": `import type { Y } from "@vault-trader/core/Y"`, "packages/core/src/Y.ts": "" },
    "packages/client/src/X.ts:1: client must not import core (@vault-trader/core/Y)"
  ],
  [
    "server and workers never meet",
    {
      "packages/server/src/Gate.ts": `import type { X } from "@vault-trader/workers/X"`,
      "packages/workers/src/X.ts": ""
    },
    "packages/server/src/Gate.ts:1: server must not import workers (@vault-trader/workers/X)"
  ],
  [
    "the devnet stays out of what is shipped",
    { "packages/workers/src/X.ts": `import "@vault-trader/devnet/Y"`, "packages/devnet/src/Y.ts": "" },
    "packages/workers/src/X.ts:1: workers must not import devnet (@vault-trader/devnet/Y)"
  ],
  [
    "nothing imports scripts",
    { "packages/devnet/src/X.ts": `import "../../../scripts/start.ts"`, "scripts/start.ts": "" },
    "packages/devnet/src/X.ts:1: devnet must not import scripts (../../../scripts/start.ts)"
  ],
  [
    "the server never signs",
    { "packages/server/src/X.ts": `import "viem/accounts"` },
    "packages/server/src/X.ts:1: server never signs and never speaks to a node (viem/accounts)"
  ],
  [
    "the server has no node to speak to",
    { "packages/server/src/X.ts": `import { getAddress, createPublicClient } from "viem"` },
    "packages/server/src/X.ts:1: server never speaks to a node (createPublicClient of viem)"
  ],
  [
    "the console reaches no store, not even through another module",
    {
      "packages/console/src/App.tsx": `import "@vault-trader/core/billing/Charge"`,
      "packages/core/src/billing/Charge.ts": `import "./ChargeStore.ts"`,
      "packages/core/src/billing/ChargeStore.ts": ""
    },
    "packages/console/src/App.tsx:1: console reaches ChargeStore.ts through @vault-trader/core/billing/Charge"
  ],
  [
    "domains build on each other in one direction",
    { "packages/core/src/chain/X.ts": `import "../trading/Y.ts"`, "packages/core/src/trading/Y.ts": "" },
    "packages/core/src/chain/X.ts:1: chain must not import trading (../trading/Y.ts)"
  ],
  [
    "files do not import each other in a circle",
    { "packages/core/src/A.ts": `import "./B.ts"`, "packages/core/src/B.ts": `export * from "./A.ts"` },
    "packages/core/src/A.ts: a circle of imports: A.ts, B.ts"
  ],
  [
    "types count in a circle, too",
    { "packages/core/src/A.ts": `import type { B } from "./B.ts"`, "packages/core/src/B.ts": `import "./A.ts"` },
    "packages/core/src/A.ts: a circle of imports: A.ts, B.ts"
  ],
  [
    "files are named after nouns",
    { "packages/core/src/index.ts": "" },
    `packages/core/src/index.ts: a file is named after the noun it holds, not "index"`
  ],
  [
    "names carry no version of ours",
    { "packages/core/src/PlannerV2.ts": "", "packages/core/src/UniswapV3.ts": "" },
    `packages/core/src/PlannerV2.ts: "PlannerV2" carries a version; the name without it is free`
  ],
  [
    "imports lead somewhere",
    { "packages/core/src/A.ts": `import "./Gone.ts"` },
    "packages/core/src/A.ts:1: imports ./Gone.ts, which does not exist"
  ]
]

describe("boundaries", () => {
  for (const [law, files, violation] of laws) {
    it.effect(law, () =>
      Effect.gen(function*() {
        const { lines, status } = yield* judge(files)
        assert.deepStrictEqual(lines, [violation])
        assert.strictEqual(status, 1)
      }))
  }

  it.effect("reports nothing for allowed imports", () =>
    Effect.gen(function*() {
      const { lines, status, summary } = yield* judge({
        "packages/core/src/A.ts": `import type { B } from "./B.ts"`,
        "packages/core/src/B.ts": "",
        "packages/core/src/vault/V.ts": `import "../chain/C.ts"`,
        "packages/core/src/chain/C.ts": "",
        "packages/server/test/S.test.ts": `import "@vault-trader/devnet/D"`,
        "packages/devnet/src/D.ts": `import "@vault-trader/core/A"\nimport "viem/accounts"`,
        "scripts/start.ts": `import "@vault-trader/devnet/D"`
      })
      assert.deepStrictEqual(lines, [])
      assert.strictEqual(status, 0)
      assert.strictEqual(summary, "boundaries: 8 files, 0 violations")
    }))
})
