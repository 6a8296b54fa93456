/** The result of a sweep: combinations from the best on, a heat map of two parameters, and the windows of a split. */
import { Alert, Box, Button, Stack, Text } from "@mantine/core"
import { type CSSProperties, useState } from "react"
import { moment, percent, signedPercent, unknown } from "../shell/Format.ts"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import type { SweepJob, SweepRow, Values, WalkReport } from "./BacktestJob.ts"
import { labelOf, objectiveLabels } from "./BacktestTexts.ts"
import { SegmentedControl } from "../shell/SegmentedControl.tsx"
import { locale, t } from "../text/Text.ts"

/** Combinations that are listed. */
const maxRows = 50

const ratio = (value: number | null) => value === null ? unknown : value.toFixed(2).replace("-", "−")
const timeText = (seconds: number) => moment(new Date(seconds * 1000).toISOString())

/** Says what a choice among many results is worth. */
function Warning() {
  return (
    <Alert color="orange" title={t("The best of many is partly luck")}>
      {t(
        "These values are chosen for their result on these prices. Expect less from them: only a test on prices that " +
          "the choice has not seen, as Walk forward makes it, says what to expect."
      )}
    </Alert>
  )
}

/** Returns the strength of a cell's colour in percent, by the greatest score; the figure in the cell says the same. */
const strengthOf = (value: number, greatest: number): number =>
  greatest === 0 ? 0 : Math.round(Math.abs(value) / greatest * 30)

function HeatMap({ job, rows }: { readonly job: SweepJob; readonly rows: ReadonlyArray<SweepRow> }) {
  const [down, across] = job.swept
  if (down === undefined || across === undefined) return null
  const valuesOf = (name: string) => [...new Set(rows.map(({ values }) => values[name] ?? ""))]
  const [lines, columns] = [valuesOf(down.name), valuesOf(across.name)]
  const byKey = new Map(rows.map((row) => [`${row.values[down.name]}/${row.values[across.name]}`, row]))
  const greatest = Math.max(...rows.map(({ score }) => Math.abs(score)))
  const [downLabel, acrossLabel] = [labelOf(job.kind, down.name), labelOf(job.kind, across.name)]
  const title = t("{objective} by {down} and {across}", {
    objective: objectiveLabels[job.objective],
    down: downLabel,
    across: acrossLabel
  })
  return (
    <Section title={t("Heat map")}>
      <Text size="sm" c="dimmed" mb="xs">{title}</Text>
      <Box style={{ overflow: "auto" }} tabIndex={0} role="region" aria-label={title} mah={480}>
        <table aria-label={t("Heat map")} className="table figures heat" data-kind="columns" data-dense>
          <thead>
            <tr>
              <th scope="col">{`${downLabel} ↓ · ${acrossLabel} →`}</th>
              {columns.map((value) => <th className="end" key={value} scope="col">{value}</th>)}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line}>
                <th scope="row">{line}</th>
                {columns.map((column) => {
                  const row = byKey.get(`${line}/${column}`)
                  return (
                    <td
                      className="end"
                      key={column}
                      data-score={row === undefined || row.score === 0 ? undefined : row.score > 0 ? "gain" : "loss"}
                      style={{
                        "--strength": `${row === undefined ? 0 : strengthOf(row.score, greatest)}%`
                      } as CSSProperties}
                    >
                      {ratio(row?.score ?? null)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
    </Section>
  )
}

interface TakeProps {
  readonly values: Values
  readonly take: (values: Values) => void
}

function Take({ take, values }: TakeProps) {
  const name = Object.values(values).join(", ")
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t("Put {values} into the form", { values: name })}
      onClick={() => take(values)}
    >
      {t("Into the form")}
    </Button>
  )
}

export function SweepResult({ isPartial, job, rows, take }: {
  readonly job: SweepJob
  readonly rows: ReadonlyArray<SweepRow>
  /** True while some of the runs are missing. */
  readonly isPartial: boolean
  readonly take: (values: Values) => void
}) {
  const sorted = rows.toSorted((one, other) => other.score - one.score)
  return (
    <Stack>
      <Warning />
      <HeatMap job={job} rows={rows} />
      <Section title={t("Combinations")}>
        <Text size="sm" c="dimmed" mb="xs">
          {isPartial
            ? t("{count, plural, one {# run} other {# runs}} so far, the best first", { count: rows.length })
            : rows.length > maxRows
            ? t("The best {shown} of {count} combinations, by: {objective}", {
              shown: maxRows,
              count: rows.length.toLocaleString(locale),
              objective: objectiveLabels[job.objective]
            })
            : t("{count, plural, one {# combination} other {# combinations}}, the best first by: {objective}", {
              count: rows.length,
              objective: objectiveLabels[job.objective]
            })}
        </Text>
        <ResponsiveTable
          label={t("Combinations")}
          columns={[
            ...job.swept.map(({ name }) => labelOf(job.kind, name)),
            t("Return"),
            t("Greatest fall"),
            t("Sharpe ratio"),
            t("Trades"),
            t("Use")
          ]}
          rows={sorted.slice(0, maxRows).map(({ figures, values }) => ({
            key: Object.values(values).join("/"),
            cells: [
              ...job.swept.map(({ name }) => values[name] ?? ""),
              signedPercent(figures.percent),
              percent(figures.drawdown),
              ratio(figures.sharpe),
              figures.trades.toLocaleString(locale),
              <Take key="take" values={values} take={take} />
            ]
          }))}
        />
      </Section>
    </Stack>
  )
}

export function WalkResult({ job, take, walk }: {
  readonly job: SweepJob
  readonly walk: WalkReport
  readonly take: (values: Values) => void
}) {
  const [part, setPart] = useState("test")
  const isTest = part === "test"
  return (
    <Section title={t("Walk forward")}>
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {t("All test windows together: {percent}; {gained} of {count} gained.", {
            percent: signedPercent(walk.percent),
            gained: walk.gained,
            count: walk.folds.length
          })}
        </Text>
        <Text size="sm" c="dimmed">
          {t("Only the test figures say what to expect; those of the train windows are chosen for their result.")}
        </Text>
        <SegmentedControl
          size="xs"
          style={{ alignSelf: "flex-start" }}
          aria-label={t("Figures of")}
          value={part}
          data={[{ value: "test", label: t("Test windows") }, { value: "train", label: t("Train windows") }]}
          onChange={setPart}
        />
        <ResponsiveTable
          label={t("Walk forward")}
          columns={[
            t("Test from"),
            t("Test to"),
            ...job.swept.map(({ name }) => labelOf(job.kind, name)),
            t("Return"),
            t("Greatest fall"),
            t("Sharpe ratio"),
            t("Trades"),
            t("Use")
          ]}
          rows={walk.folds.map(({ from, tested, to, trained, values }) => {
            const { drawdown, percent: gained, sharpe, trades } = isTest ? tested : trained
            const swept = Object.fromEntries(job.swept.map(({ name }) => [name, values[name] ?? ""]))
            return {
              key: String(from),
              cells: [
                timeText(from),
                timeText(to),
                ...Object.values(swept),
                signedPercent(gained),
                percent(drawdown),
                ratio(sharpe),
                trades.toLocaleString(locale),
                <Take key="take" values={swept} take={take} />
              ]
            }
          })}
        />
      </Stack>
    </Section>
  )
}
