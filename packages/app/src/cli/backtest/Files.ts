/** Reads a backtest's input files and writes its results; each failure is a sentence that names the file. */
import * as BotCandles from "@vault-trader/core/backtest/BotCandles"
import type { Candle, Signal } from "@vault-trader/core/backtest/Candle"
import * as CandleFile from "@vault-trader/core/backtest/CandleFile"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { CannotStart } from "../../StartupFailure.ts"

const reasonOf = (error: unknown) => error instanceof Error ? error.message : String(error)

const readBy =
  <A>(read: (file: string, text: string) => Result.Result<A, string>) =>
  (file: string): Effect.Effect<A, CannotStart> =>
    Effect.try({
      try: () => Fs.readFileSync(file, "utf8"),
      catch: (error) => new CannotStart({ message: `${file} cannot be read: ${reasonOf(error)}.` })
    }).pipe(
      Effect.flatMap((text) =>
        Effect.mapError(Effect.fromResult(read(file, text)), (fault) => new CannotStart({ message: `${fault}.` }))
      )
    )

export const candles: (file: string) => Effect.Effect<ReadonlyArray<Candle>, CannotStart> = readBy(CandleFile.read)

/** Reads candles, also those that a bot of the strategy has recorded: a response of getStrategyBots. */
export const candlesFor = (
  sought: BotCandles.Sought
): (file: string) => Effect.Effect<ReadonlyArray<Candle>, CannotStart> =>
  readBy((file, text) => Result.flatMap(BotCandles.rowsOf(file, text, sought), (rows) => CandleFile.read(file, rows)))

export const signals: (file: string) => Effect.Effect<ReadonlyArray<Signal>, CannotStart> = readBy(
  CandleFile.readSignals
)

/** Writes files into a folder, which is created if missing. Returns their paths. */
export const write = (
  folder: string,
  contents: Readonly<Record<string, string>>
): Effect.Effect<ReadonlyArray<string>, CannotStart> =>
  Effect.try({
    try: () => {
      Fs.mkdirSync(folder, { recursive: true })
      return Object.entries(contents).map(([name, content]) => {
        const file = Path.join(folder, name)
        Fs.writeFileSync(file, content)
        return file
      })
    },
    catch: (error) => new CannotStart({ message: `${folder} cannot be written: ${reasonOf(error)}.` })
  })
