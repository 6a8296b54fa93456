/** The flags of `vault-trader backtest --bot strategy`; `undefined` when not given. */
import { objectives } from "@vault-trader/core/backtest/WalkForward"
import { readInputs } from "@vault-trader/core/strategy/StrategyInputs"
import * as Flag from "effect/cli/Flag"
import { flag, optional } from "../ParsedParam.ts"

const barsFlag = (name: string) =>
  flag(name, "BARS", "a whole number from 2 on", (text) => {
    const value = /^\d{1,7}$/.test(text) ? Number(text) : 0
    return value >= 2 ? value : undefined
  })

export const strategyFlags = {
  strategy: Flag.String("strategy").pipe(
    Flag.withMetavar("NAME|FILE"),
    Flag.withDescription("Strategy: a file, or a name in STRATEGY_DIR"),
    optional
  ),
  inputs: flag("inputs", "LIST", "values by name, as fast=12,slow=26", readInputs).pipe(
    Flag.withDescription("Values of the strategy's inputs, as fast=12,slow=26"),
    optional
  ),
  sweep: flag("sweep", "LIST", "ranges by name, as fast=5..20:5,slow=20|30|40", readInputs).pipe(
    Flag.withDescription("Inputs to try, as fast=5..20:5,slow=20|30|40: a table of train and test windows"),
    optional
  ),
  train: barsFlag("train").pipe(Flag.withDescription("Bars of a window that picks the inputs (500)"), optional),
  test: barsFlag("test").pipe(Flag.withDescription("Bars of the window after it that measures them (100)"), optional),
  objective: Flag.Literals("objective", objectives).pipe(
    Flag.withDescription("What a train window is judged by (sharpe)"),
    optional
  )
}
