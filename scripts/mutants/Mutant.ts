/** A mutant: a deliberate fault of the sources, and its application. */

/** A text of a source file, which occurs there exactly once, and its replacement. */
export interface Edit {
  /** Path from the root of the project. */
  readonly file: string
  readonly from: string
  readonly to: string
}

export interface Mutant {
  readonly name: string
  /** The row of the list of threats whose defect it puts back. */
  readonly threat?: number
  /** The test file that must detect it, where the simulation does not contain what it changes or does not reach it. */
  readonly test?: string
  readonly edits: ReadonlyArray<Edit>
}

/** Replaces the one occurrence of `from` in the text of a file; throws where there are more, or none. */
export const edited = (text: string, { file, from, to }: Edit): string => {
  const parts = text.split(from)
  if (parts.length !== 2) {
    throw new Error(`${file} contains this text ${parts.length - 1} times instead of once:\n${from}`)
  }
  return parts.join(to)
}
