/** The kinds of bots, as the address of their page names them. */
export const kinds = ["threshold", "index", "exchange"] as const
export type Kind = typeof kinds[number]

/** The kind a text names; none where it names none. */
export const kindOf = (text: unknown): Kind | undefined => kinds.find((kind) => kind === text)
