/** Writes `contracts/artifacts.json`; run it after changing a contract (`npm run compile`). */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { writeFile } from "node:fs/promises"
import { artifactsPath } from "./Artifact.ts"
import { compile, print } from "./Solidity.ts"

compile.pipe(
  Effect.flatMap((artifacts) => Effect.promise(() => writeFile(artifactsPath, print(artifacts)))),
  NodeRuntime.runMain
)
