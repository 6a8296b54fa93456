/** The local chains alone, and `DATA_DIR/networks.json`: the NETWORKS_FILE for separate servers and runners. */
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { LiveDevnet } from "./LiveDevnet.ts"
import { NetworksFile } from "./Networks.ts"
import { ready } from "./ReadyLine.ts"
import type { Settings } from "./Settings.ts"

export const DevnetProcess = (settings: Settings) => {
  const { dataDir } = settings.service
  const file = Path.join(dataDir, "networks.json")
  const written = Layer.effectDiscard(Effect.gen(function*() {
    const { books } = yield* Devnet
    const text = yield* Schema.encodeUnknownEffect(NetworksFile)(books)
    yield* Effect.sync(() => Fs.writeFileSync(file, text))
  }))
  return ready(Effect.succeed(`devnet · NETWORKS_FILE=${file}`)).pipe(
    Layer.provide(written),
    Layer.provide(LiveDevnet(settings))
  )
}
