/** Reads candles and signals from exported files: CSV, or JSON in the shape of getCandles' rows. */
import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import { readDecimal } from "../endpoint/Params.ts"
import { type Side, sides } from "../threshold-bot/ThresholdBot.ts"
import type { Candle, Signal } from "./Candle.ts"
import { type DataRow, type Fault, rising, rowsOf, timeOf } from "./DataFile.ts"

const candles = {
  columns: ["time", "open", "high", "low", "close", "volume", "side"],
  needed: ["time", "open", "high", "low", "close"],
  field: "candles"
}
const signals = { columns: ["time", "side"], needed: ["time", "side"], field: "signals" }

const maxPrice = BigDecimal.make(1n, -30)

const priceOf = ({ fields, place }: DataRow, name: string): Result.Result<bigint, Fault> => {
  const decimal = readDecimal(fields[name] ?? "")
  const price = decimal === undefined || BigDecimal.isGreaterThan(decimal, maxPrice)
    ? 0n
    : BigDecimal.scale(decimal, 18).value
  return price > 0n
    ? Result.succeed(price)
    : Result.fail(`${place}: ${name} '${fields[name] ?? ""}' is not a price; expected a number above 0 such as 3012.55`)
}

const isSide = (text: string): text is Side => sides.some((side) => side === text)

const sideOf = ({ fields, place }: DataRow): Result.Result<Side | null, Fault> => {
  const text = (fields["side"] ?? "").toLowerCase()
  return text === ""
    ? Result.succeed(null)
    : isSide(text)
    ? Result.succeed(text)
    : Result.fail(`${place}: side '${text}' is unknown; expected one of ${sides.join(", ")}`)
}

const candleOf = (row: DataRow): Result.Result<Candle, Fault> =>
  Result.gen(function*() {
    const time = yield* timeOf(row)
    const [open, high, low, close] = [
      yield* priceOf(row, "open"),
      yield* priceOf(row, "high"),
      yield* priceOf(row, "low"),
      yield* priceOf(row, "close")
    ]
    const volume = row.fields["volume"] ?? ""
    if (volume !== "" && readDecimal(volume) === undefined) {
      return yield* Result.fail(`${row.place}: volume '${volume}' is not a number; it may be left out`)
    }
    if (high < low) {
      return yield* Result.fail(
        `${row.place}: high ${row.fields["high"]} is below low ${
          row.fields["low"]
        }; expected a high that is at least the low`
      )
    }
    return { time, open, high, low, close, side: yield* sideOf(row) }
  })

/** Reads at least two candles, oldest first. `file` is the name used in errors. */
export const read = (file: string, text: string): Result.Result<ReadonlyArray<Candle>, Fault> =>
  Result.gen(function*() {
    const rows = yield* rowsOf(file, text, candles)
    if (rows.length < 2) {
      return yield* Result.fail(
        `${file} has ${
          rows.length === 0 ? "no candles" : "one candle"
        }; expected at least two: a bot decides on one and trades in the next`
      )
    }
    return yield* rising(yield* Result.all(rows.map(candleOf)), rows, { twice: false })
  })

/** Reads signals, oldest first. */
export const readSignals = (file: string, text: string): Result.Result<ReadonlyArray<Signal>, Fault> =>
  Result.gen(function*() {
    const rows = yield* rowsOf(file, text, signals)
    if (rows.length === 0) return yield* Result.fail(`${file} has no signals; expected rows time,side`)
    const read = yield* Result.all(rows.map((row) =>
      Result.gen(function*() {
        const [time, side] = [yield* timeOf(row), yield* sideOf(row)]
        return side === null
          ? yield* Result.fail(`${row.place}: has no side; expected one of ${sides.join(", ")}`)
          : { time, side }
      })
    ))
    return yield* rising(read, rows, { twice: true })
  })
