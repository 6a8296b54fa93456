/** The head of a request, as the gate and the endpoints read it, from whichever listener it came. */
import type * as Option from "effect/Option"

export interface RequestHead {
  readonly method: string
  /** Path and query as they were sent. */
  readonly url: string
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The address of the connection's other end; none once it is closed. */
  readonly remoteAddress: Option.Option<string>
}

/** Returns the path of a request, as it was sent. */
export const pathOf = ({ url }: Pick<RequestHead, "url">): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

/** Reads the query of a request. */
export const queryOf = ({ url }: Pick<RequestHead, "url">): URLSearchParams => {
  const query = url.indexOf("?")
  const fragment = url.indexOf("#")
  return new URLSearchParams(query === -1 ? "" : url.slice(query + 1, fragment > query ? fragment : undefined))
}
