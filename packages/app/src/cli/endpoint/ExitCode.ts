/** The exit codes of the caller's commands. docs/cli.md has the list. */
export const exitCodes = {
  success: 0,
  /** The service refused the request, or it failed for good. */
  failed: 1,
  /** The command line, a profile or a secret cannot be used; nothing was sent. */
  usage: 2,
  /** A write is pending, or it is not known if it was executed. */
  pending: 3,
  /** The service cannot be reached or cannot work; nothing was changed. */
  unreachable: 4,
  /** Ctrl-C. */
  interrupted: 130
} as const

/** A command that cannot run as it was given: nothing was sent. `message` contains no secret. */
export class Unusable extends Error {
  override readonly name = "Unusable"
}
