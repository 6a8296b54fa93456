/** Reads and writes devnet.json in a devnet's folder. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DevnetFile, EarlierFile } from "./DevnetFile.ts"

/** devnet.json cannot be read or is not a valid devnet file. */
export class DevnetFileUnreadable extends Data.TaggedError("DevnetFileUnreadable")<{
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `Cannot use ${this.file}: ${this.reason}. Start the devnet to write it; delete it if it is damaged.`
  }
}

const Json = Schema.fromJsonString(DevnetFile, { space: 2 })

export const devnetFilePath = (folder: string): string => join(folder, "devnet.json")

const load = <A>(
  file: string,
  schema: Schema.Codec<A, string>
): Effect.Effect<Option.Option<A>, DevnetFileUnreadable> =>
  Effect.promise(() => readFile(file, "utf8").then(Option.some, () => Option.none<string>())).pipe(
    Effect.flatMap((found) => Effect.transposeOption(Option.map(found, Schema.decodeEffect(schema)))),
    Effect.mapError((error) => new DevnetFileUnreadable({ file, reason: error.message.split("\n")[0] ?? "" }))
  )

/** Reads the devnet.json that an earlier start left at `file`; `None` when there is none. */
export const find = (file: string): Effect.Effect<Option.Option<EarlierFile>, DevnetFileUnreadable> =>
  load(file, Schema.fromJsonString(EarlierFile))

/** Reads the devnet.json at `file`, which must exist. */
export const read = (file: string): Effect.Effect<DevnetFile, DevnetFileUnreadable> =>
  Effect.flatMap(
    load(file, Json),
    Option.match({
      onNone: () => new DevnetFileUnreadable({ file, reason: "it does not exist" }),
      onSome: Effect.succeed
    })
  )

/** Replaces the file atomically. Only its owner can read it, because it holds the manager's key. */
export const write = (file: string, content: DevnetFile): Effect.Effect<void> =>
  Effect.gen(function*() {
    const text = yield* Effect.orDie(Schema.encodeEffect(Json)(content))
    yield* Effect.promise(() => writeFile(`${file}.new`, `${text}\n`, { mode: 0o600 }))
    yield* Effect.promise(() => rename(`${file}.new`, file))
  })
