/**
 * The laws of the house that need no types. Rules that need them are oxlint's (.oxlintrc.json); import boundaries and
 * file names are in scripts/boundaries.mjs, floating effects and missing requirements in the diagnostics of
 * @effect/tsgo (scripts/check.mjs).
 */
import tseslint from "typescript-eslint"

/** Sources of the libraries. `app`, `testing` and `scripts` run effects, print and read the environment. */
const source = ["packages/{core,workers,server,mcp,console,devnet}/src/**/*.{ts,tsx}"]

/** Packages whose root export is a barrel; `@effect/vitest` has nothing else. */
const barrels = [
  "effect",
  ...[
    "ai",
    "cli",
    "cluster",
    "experimental",
    "opentelemetry",
    "platform",
    "platform-node",
    "rpc",
    "sql",
    "sql-pg",
    "workflow"
  ]
    .map((name) => `@effect/${name}`)
].map((name) => ({ name, message: `Import the submodule, for instance "${name}/…", not the package's barrel.` }))

const everywhere = [
  {
    selector: "ExportDefaultDeclaration",
    message: "Export by name; default exports are for tools' configuration files."
  }
]

const inSource = [
  ...everywhere,
  { selector: "ExportAllDeclaration", message: "No barrels: import each thing from the file that holds it." },
  {
    selector: "TryStatement",
    message: "Wrap the foreign call with Effect.try or Effect.tryPromise and a typed error."
  },
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: "Read configuration through effect/Config, in the one Config file of the package."
  },
  {
    selector: "ImportDeclaration[source.value=/^(node:)?process$/] ImportSpecifier[imported.name='env']",
    message: "Read configuration through effect/Config, in the one Config file of the package."
  }
]

const runsEffects = {
  selector:
    "CallExpression[callee.object.name='Effect'][callee.property.name=/^run(Sync|SyncExit|Promise|PromiseExit|Fork|Callback)$/]",
  message: "Return the effect; only scripts and tests run effects."
}

export default tseslint.config(
  {
    ignores: ["**/node_modules/**", "**/dist/**", "**/.cache/**", "**/generated/**", "**/*.mjs", "**/*.js", "**/*.cjs"]
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-empty-object-type": ["error", {
        allowInterfaces: "with-single-extends",
        allowObjectTypes: "always"
      }],
      // tsc says it already.
      "@typescript-eslint/no-unused-vars": "off",
      eqeqeq: "error",
      "max-len": ["error", {
        code: 140,
        ignoreRegExpLiterals: true,
        // Signatures of contracts, bytecode and responses in snapshots cannot be broken over lines.
        ignorePattern: "^\\s*([\"'`](function|event|struct|error) |\"0x|[{]\"status\")"
      }],
      "max-lines": ["warn", { max: 300 }],
      "no-restricted-imports": ["error", { paths: barrels }],
      "no-restricted-syntax": ["error", ...everywhere]
    }
  },
  {
    files: source,
    rules: {
      "no-console": "error",
      "no-restricted-syntax": ["error", ...inSource, runsEffects]
    }
  },
  {
    // The client is a library without Effect: it throws its errors, and prints nothing.
    files: ["packages/client/src/**/*.ts"],
    rules: { "no-console": "error" }
  },
  {
    files: ["packages/*/src/**/*.{ts,tsx}"],
    rules: { "max-lines-per-function": ["error", { max: 80 }] }
  },
  {
    // Bills of materials: one capability a line.
    files: ["packages/workers/src/Workers.ts", "packages/server/src/Server.ts"],
    rules: { "max-lines": ["error", { max: 59 }] }
  },
  {
    // React calls us: its event handlers are where the console's effects are run.
    files: ["packages/console/src/**/*.{ts,tsx}"],
    rules: { "no-restricted-syntax": ["error", ...inSource] }
  },
  {
    files: ["packages/core/src/**/*.ts"],
    rules: {
      "no-restricted-imports": ["error", {
        paths: barrels,
        patterns: [{
          regex: "^(node:|viem($|/)|pg($|/)|@effect/(platform-node|sql-pg)($|/))",
          message: "core knows no platform, no chain client and no database driver."
        }]
      }]
    }
  },
  {
    files: ["packages/*/test/**/*.{ts,tsx}", "packages/testing/src/harness/*.ts", "scripts/test/**/*.ts"],
    rules: { "max-lines": "off" }
  },
  {
    files: ["**/*.config.ts"],
    rules: { "no-restricted-syntax": "off" }
  }
)
