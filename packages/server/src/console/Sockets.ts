/** Counts the open sockets of this process: per session, per client network, and in total. */
import * as Effect from "effect/Effect"

export interface SocketLimits {
  readonly perSession: number
  /** Per IPv4 address or IPv6 /64. */
  readonly perClient: number
  /** For this process. */
  readonly inAll: number
  /** How long a client may be silent. An open page sends something every few seconds. */
  readonly idleSeconds: number
}

export interface Sockets {
  /**
   * Counts a socket while `use` runs. At the maximum of the session, the client or the process, returns `full` with the
   * reason.
   */
  readonly within: <A, E, R>(
    by: { readonly session: string; readonly client: string },
    use: Effect.Effect<A, E, R>,
    full: (message: string) => A
  ) => Effect.Effect<A, E, R>
}

export const make = ({ inAll, perClient, perSession }: SocketLimits): Sockets => {
  const open = new Map<string, number>()
  const shift = (name: string, by: 1 | -1) => {
    const count = (open.get(name) ?? 0) + by
    if (count === 0) open.delete(name)
    else open.set(name, count)
  }
  return {
    within: ({ client, session }, use, full) => {
      const limits = [
        [`session ${session}`, perSession, `This session has ${perSession} pages open, the maximum; close one.`],
        [`client ${client}`, perClient, `Your network address has ${perClient} pages open, the maximum; close one.`],
        ["all", inAll, `This server has ${inAll} pages open, the maximum; try again later.`]
      ] as const
      return Effect.acquireUseRelease(
        Effect.sync(() => {
          const exceeded = limits.find(([name, max]) => (open.get(name) ?? 0) >= max)
          if (exceeded === undefined) { for (const [name] of limits) shift(name, 1) }
          return exceeded
        }),
        (exceeded) => exceeded === undefined ? use : Effect.succeed(full(exceeded[2])),
        (exceeded) =>
          Effect.sync(() => {
            if (exceeded === undefined) { for (const [name] of limits) shift(name, -1) }
          })
      )
    }
  }
}
