/** Renders a sweep for a terminal: one line for each pair of windows. */
import type { SweepReport } from "./StrategyPlay.ts"
import { grid, numberText } from "./Table.ts"
import { timeText } from "./Text.ts"

export const text = ({ notes, result, swept, times, title }: SweepReport): string => {
  const { folds, gained, percent } = result
  const head = [
    "test from",
    "to",
    ...swept,
    "train %",
    "train Sharpe",
    "test %",
    "test fall %",
    "test Sharpe",
    "trades"
  ]
  const rows = folds.map(({ inputs, test, tested, trained }) => [
    timeText(times[test.from] ?? 0),
    timeText(times[test.to - 1] ?? 0),
    ...swept.map((name) => String(inputs[name])),
    trained.percent.toFixed(2),
    numberText(trained.sharpe),
    tested.percent.toFixed(2),
    tested.drawdown.toFixed(2),
    numberText(tested.sharpe),
    String(tested.trades)
  ])
  return [
    title,
    ...notes.map((note) => `  ${note}`),
    "",
    grid([head, ...rows], new Set([0, 1])),
    "",
    `All test windows together: ${percent.toFixed(2)} %, ${gained} of ${folds.length} gained. ` +
    "Only the test columns say what to expect; the train columns are chosen for their result."
  ].join("\n")
}
