/**
 * The scripts that a page of the console needs, by its path, as the console's build writes them. The page of a manager
 * who is signed in names them, so that the browser loads them together; a sign-in page needs none of them. Whether the
 * session is valid is not read: the files are the same for every visitor.
 */
import * as Schema from "effect/Schema"

/** The file of the build with the scripts of each path, whose parameters begin with `$`. */
export const fileName = "preloads.json"

const decode = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Array(Schema.String)))
)

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.slice(1).split("/").map((part) => part.startsWith("$") ? "[^/]+" : part).join("/")}/?$`)

/**
 * Makes a page of each path once, with the tags that load its scripts. Returns a function from a path below the console
 * to its page; undefined for other paths, and for a build that names no scripts.
 */
export const make = <Page>(
  file: Uint8Array | undefined,
  pageWith: (tags: ReadonlyArray<string>) => Page
): (path: string) => Page | undefined => {
  const scripts = file === undefined ? {} : decode(Buffer.from(file).toString("utf8"))
  const pages = Object.entries(scripts).map(([path, files]) =>
    [
      patternOf(path),
      pageWith(files.map((each) => `<link rel="modulepreload" crossorigin href="/console/${each}">`))
    ] as const
  )
  return (path) => pages.find(([pattern]) => pattern.test(path))?.[1]
}
