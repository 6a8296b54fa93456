/** Prints the model's results as tables of Markdown, for the command and for docs/scale.md. */
import type { Costs } from "./Costs.ts"
import type { FleetSize } from "./FleetSize.ts"
import { daySeconds, type Needs, needsOf, type Processes, sumOf } from "./Model.ts"
import { type Surroundings, type Wall, wallsOf } from "./Walls.ts"

/** Formats a number with three figures. */
export const shown = (value: number): string => {
  const [unit, name] = value >= 1e9 ? [1e9, " billion"] : value >= 1e6 ? [1e6, " million"] : [1, ""]
  const scaled = value / unit
  const text = scaled >= 100
    ? Math.round(scaled).toLocaleString("en-US")
    : String(Number(scaled.toPrecision(scaled >= 1 ? 3 : 2)))
  return `${text}${name}`
}

/** Formats bytes. */
export const shownBytes = (bytes: number): string => {
  const [unit, name] = bytes >= 1e12 ? [1e12, "TB"] : bytes >= 1e9 ? [1e9, "GB"] : [1e6, "MB"]
  return `${shown(bytes / unit)} ${name}`
}

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

/** Lists the lines of a fleet and its needs: a name and its text. */
const linesOf = (fleet: FleetSize, needs: Needs): ReadonlyArray<readonly [string, string]> => {
  const { calls } = needs
  const all = sumOf(calls)
  return [
    ["networks", shown(fleet.networks)],
    ["wallets; of them on a network, summed", `${shown(fleet.wallets)}; ${shown(fleet.lanes)}`],
    ["vaults", shown(fleet.vaults)],
    ["a check of each bot, of each wallet, every", `${fleet.checkSeconds} s, ${fleet.gasSeconds} s`],
    ["a sample of each vault every", `${shown(fleet.sampleSeconds)} s`],
    ["trades; alerts a day", `${shown(fleet.tradesPerDay)}; ${shown(fleet.alertsPerDay)}`],
    ["reads a second", shown(fleet.readsPerSecond)],
    ["**runners**, and the cores they use", `**${needs.runners}**, ${shown(needs.runnerCores)}`],
    ["**servers**, and the cores they use", `**${needs.servers}**, ${shown(needs.serverCores)}`],
    ["memory of the processes", `${shown(needs.megabytes / 1000)} GB`],
    ["**PostgreSQL**: cores in use", `**${shown(needs.postgresCores)}**`],
    ["connections", String(needs.connections)],
    ["database without history", shownBytes(needs.standingBytes)],
    ["rows a day", shown(needs.rowsPerDay)],
    ["growth a day in the first 30 days", shownBytes(needs.bytesPerDay)],
    ["database after a year", shownBytes(needs.yearBytes)],
    ["write-ahead log a day", shownBytes(needs.walBytesPerDay)],
    ["**calls to nodes** a second", `**${shown(all)}**`],
    ["of them for bots, wallets, samples", `${shown(calls.bots)}, ${shown(calls.wallets)}, ${shown(calls.samples)}`],
    ["for trades and alerts, for networks", `${shown(calls.actions)}, ${shown(calls.networks)}`],
    ["calls in a month of 30 days", shown(all * daySeconds * 30)]
  ]
}

/** Prints what fleets need, a column each. */
export const needsTable = (fleets: ReadonlyArray<FleetSize>, costs: Costs, given?: Processes): string => {
  const columns = fleets.map((fleet) => linesOf(fleet, needsOf(fleet, costs, given)))
  return table(
    ["", ...fleets.map(({ bots }) => `${shown(bots)} bots`)],
    (columns[0] ?? []).map(([name], line) => [name, ...columns.map((column) => column[line]?.[1] ?? "")])
  )
}

/** Returns the bots of the fleet that reaches a limit. */
const botsAt = ({ bots }: FleetSize, { times }: Wall): string =>
  times === Infinity ? "never" : `${shown(Number((bots * times).toPrecision(2)))} bots`

/** Names the limit that is reached first. */
export const firstWall = (fleet: FleetSize, [nearest]: ReadonlyArray<Wall>): string =>
  nearest === undefined
    ? "none"
    : nearest.times <= 1
    ? `${nearest.name}, reached at ${botsAt(fleet, nearest)}`
    : `none; the next is "${nearest.name}", at ${botsAt(fleet, nearest)}`

/**
 * Prints the first limit of each fleet, and all limits in the order in which the last fleet reaches them as it grows; the
 * others are smaller ones of the same proportions.
 */
export const wallsTable = (
  fleets: ReadonlyArray<FleetSize>,
  costs: Costs,
  surroundings: Surroundings,
  given?: Processes
): string => {
  const columns = fleets.map((fleet) => ({ fleet, walls: wallsOf(fleet, costs, surroundings, given) }))
  const last = columns.at(-1)
  if (last === undefined) return ""
  return [
    ...columns.map(({ fleet, walls }) => `- ${shown(fleet.bots)} bots: ${firstWall(fleet, walls)}.`),
    "",
    table(
      ["limit", ...fleets.map(({ bots }) => `${shown(bots)} bots`), "reached at", "removed by"],
      last.walls.map((wall) => [
        wall.name,
        ...columns.map(({ walls }) => {
          const same = walls.find(({ name }) => name === wall.name) ?? wall
          return `${same.need}: ${shown(same.used * 100)} %`
        }),
        botsAt(last.fleet, wall),
        wall.removedBy
      ])
    )
  ].join("\n")
}

/** Prints the measured unit costs. */
export const costsTable = ({ bytes, calls, postgres, rows, runner, server, wal }: Costs): string => {
  const micros = (millis: number | undefined) => millis === undefined ? "" : `${shown(millis * 1000)} µs`
  const kilobytes = (each: number | undefined) => each === undefined ? "" : `${shown(each / 1000)} kB`
  const line = (
    name: string,
    [ours, theirs]: readonly [number | undefined, number | undefined],
    more: { readonly rows?: number; readonly bytes?: number; readonly wal?: number; readonly calls?: string } = {}
  ) => [
    name,
    micros(ours),
    micros(theirs),
    more.rows === undefined ? "" : shown(more.rows),
    kilobytes(more.bytes),
    kilobytes(more.wal),
    more.calls ?? ""
  ]
  const second = "each second"
  return table(["", "our process", "PostgreSQL", "rows", "database grows", "write-ahead log", "calls"], [
    line(`the service, ${second}`, [runner.service, postgres.service], { wal: wal.serviceSecond }),
    line(`a runner, ${second}`, [runner.process, postgres.runner]),
    line(`a server, ${second}`, [server.process, postgres.server]),
    line(`a network, ${second}`, [runner.network, postgres.network], { calls: shown(calls.networkSecond) }),
    line("a round over a part of a network's bots", [runner.round, postgres.round]),
    line("a check of a bot", [runner.check, postgres.check], { calls: "1 for 200" }),
    line("a row that a list of wallets reads", [undefined, postgres.listedRow]),
    line(`an idle bot and its vault, ${second}, besides`, [runner.botSecond, postgres.botSecond], {
      wal: wal.botSecond
    }),
    line("a check of an idle wallet", [runner.walletCheck, postgres.walletCheck], {
      wal: wal.walletCheck,
      calls: `${calls.walletCheck}, and ${calls.walletHour} an hour`
    }),
    line("a sample of a vault", [runner.sample, postgres.sample], {
      ...{ rows: rows.sample, bytes: bytes.sample, wal: wal.sample, calls: shown(calls.sample) }
    }),
    line("the first sample of a vault by a process, besides", [runner.firstSample, undefined], {
      calls: shown(calls.firstSample)
    }),
    line("a read", [server.read, postgres.read]),
    line("a note that a key was used", [undefined, postgres.keyUse], { wal: wal.keyUse }),
    line("a trade", [runner.trade, postgres.trade], {
      ...{ rows: rows.trade, bytes: bytes.trade, wal: wal.trade, calls: shown(calls.trade) }
    }),
    line("an alert, its bot's turn included", [runner.alert, postgres.alert], {
      ...{ rows: rows.alert, bytes: bytes.alert, wal: wal.alert, calls: shown(calls.alert) }
    })
  ])
}
