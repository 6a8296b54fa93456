import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"
import { artifactsPath } from "../../src/contract/Artifact.ts"
import { compile, print } from "../../src/contract/Solidity.ts"

it.effect("the committed artifacts are what the sources compile to", () =>
  Effect.gen(function*() {
    const committed = yield* Effect.promise(() => readFile(artifactsPath, "utf8"))
    const compiled = print(yield* compile)
    assert.isTrue(compiled === committed, "run `npm run compile` in packages/devnet and commit artifacts.json")
  }))
