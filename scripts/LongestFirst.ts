/**
 * Orders test files for vitest: those that take longest (scripts/longest.json) begin first, so that none of them runs on
 * alone at the end of its stage.
 */
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const longest = JSON.parse(readFileSync(join(import.meta.dirname, "longest.json"), "utf8")) as ReadonlyArray<string>
const places = new Map(longest.map((path, place) => [path, place]))

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const placeOf = ({ moduleId }: TestSpecification) =>
      places.get(relative(join(import.meta.dirname, ".."), moduleId)) ?? places.size
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
  }
}
