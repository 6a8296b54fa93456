/** How many sockets are open here: of each session, of each client network, and altogether. */
import * as Effect from "effect/Effect"

export interface SocketLimits {
  readonly perSession: number
  /** Of one IPv4 address, or one IPv6 /64. */
  readonly perClient: number
  /** Of this process. */
  readonly inAll: number
  /** How long a client may send nothing. A page that is open sends something every few seconds. */
  readonly idleSeconds: number
}

export interface Sockets {
  /** Counts a socket while `use` runs; `full` instead, with the reason, when the session, the client or this process has the maximum. */
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
      const bounds = [
        [`session ${session}`, perSession, `This session has ${perSession} pages open, the maximum; close one.`],
        [`client ${client}`, perClient, `Your network address has ${perClient} pages open, the maximum; close one.`],
        ["all", inAll, `This server has ${inAll} pages open, the maximum; try again later.`]
      ] as const
      return Effect.acquireUseRelease(
        Effect.sync(() => {
          const beyond = bounds.find(([name, most]) => (open.get(name) ?? 0) >= most)
          if (beyond === undefined) for (const [name] of bounds) shift(name, 1)
          return beyond
        }),
        (beyond) => beyond === undefined ? use : Effect.succeed(full(beyond[2])),
        (beyond) => Effect.sync(() => {
          if (beyond === undefined) for (const [name] of bounds) shift(name, -1)
        })
      )
    }
  }
}
