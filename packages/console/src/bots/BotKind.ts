/** The tabs of the bots page, as its URL names them: all bots in a table, and each kind. */
const kinds = ["all", "threshold", "index", "exchange"] as const
export type Kind = typeof kinds[number]

/** Parses a kind; undefined for any other text. */
export const kindOf = (text: unknown): Kind | undefined => kinds.find((kind) => kind === text)
