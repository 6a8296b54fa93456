/**
 * Orders test files for vitest: those that take longest (scripts/longest.json) begin first, so that none of them runs on
 * alone at the end of its stage.
 */
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { BaseSequencer } from "vitest/node"

const root = join(import.meta.dirname, "..")
const places = new Map(
  JSON.parse(readFileSync(join(root, "scripts/longest.json"), "utf8")).map((path, place) => [path, place])
)

export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const placeOf = ({ moduleId }) => places.get(relative(root, moduleId)) ?? places.size
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}
