/** How a page asks for changes of what it has, in place of the whole answer again. */

/**
 * The header of a stream's request by which a page says that it applies patches (RFC 6902). A page of an earlier build
 * sends none, and receives whole answers.
 */
export const patchHeader = "x-vault-trader-patches"
