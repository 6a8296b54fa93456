/** The page of backtests with an exchange whose candles are invented, and which some pairs are not listed at. */
import * as Effect from "effect/Effect"
import * as Path from "node:path"
import { browser } from "@vault-trader/testing/harness/Browser"
import { serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, manager } from "./Fixture.ts"

/** Returns the path of a file of the command's samples. */
export const sample = (name: string) => Path.join(import.meta.dirname, "../../app/src/cli/backtest/sample", name)

const now = 1_795_197_600
const step = 21_600

interface Asked {
  readonly pair: string
  readonly bars_back: number
  readonly before?: number
}

/** A wave of prices, so that a bot has something to trade. */
const candleAt = (time: number) => {
  const price = (at: number) =>
    Math.round((3_000 + 400 * Math.sin(at / step / 40) + 60 * Math.sin(at / step)) * 100) / 100
  const [open, close] = [price(time), price(time + step)]
  return { time, open, close, high: Math.max(open, close) + 5, low: Math.min(open, close) - 5, volume: 10 }
}

/** Answers with closed candles before a time, as the service does. */
const candles = (asked: Array<Asked>) => (request: Asked) => {
  asked.push(request)
  if (!/^(ETH|BTC)-/.test(request.pair)) {
    return `coinbase has no market ${request.pair}. Nothing was stored.`
  }
  const end = Math.floor((Math.min(request.before ?? now, now) - 1) / step) * step
  return {
    status: "success",
    candles: Array.from(
      { length: request.bars_back },
      (_, index) => candleAt(end - (request.bars_back - 1 - index) * step)
    )
  }
}

/**
 * Opens a page of the console. Returns the calls besides streams and the read of who the manager is, which the whole
 * console makes once, and what was asked of the exchange.
 */
export const openedBacktest = (path: string) =>
  Effect.gen(function*() {
    const asked: Array<Asked> = []
    const { called, url } = yield* serve(manager, { ...answersOf(), "wallet.getCandles": candles(asked) })
    const chromium = yield* browser
    const complaints: Array<string> = []
    const page = yield* Effect.promise(() =>
      chromium.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" })
    )
    page.on("console", (line) => {
      if (line.type() === "error" || line.type() === "warning") complaints.push(line.text())
    })
    page.on("pageerror", (error) => complaints.push(error.message))
    yield* act(() => page.goto(`${url}/console/${path}`))
    return { asked, called: () => called.filter((tag) => tag !== "whoAmI"), complaints, page, url }
  })
