/** A curve over a period, with breaks where nothing was sampled, and lines to compare it with. */
import { Skeleton, Text } from "@mantine/core"
import { lazy, Suspense } from "react"
import type { Mark } from "../chart/Chart.tsx"
import { moment, unknown } from "../shell/Format.ts"
import { WhenNear } from "../shell/WhenNear.tsx"
import { type KnownPoint, knownPoints, type Point } from "./Curve.ts"
import { CurveFrame, type FrameProps, height } from "./CurveFrame.tsx"
import { t } from "../text/Text.ts"

const Chart = lazy(() => import("../chart/Chart.tsx").then(({ Chart }) => ({ default: Chart })))

/** A line to compare a curve with. */
export interface Compared {
  readonly name: string
  readonly points: ReadonlyArray<KnownPoint>
}

function Rows({ compared, format, label, points }: {
  readonly label: string
  readonly points: ReadonlyArray<Point>
  readonly compared: ReadonlyArray<Compared>
  readonly format: (value: number) => string
}) {
  // A benchmark has fewer points than the curve: a row without one has a dash.
  const others = compared.map(({ name, points: known }) => ({
    name,
    at: new Map(known.map(({ time, value }) => [time, value]))
  }))
  return (
    <table data-kind="sticky" aria-label={label} className="table figures">
      <thead>
        <tr>
          <th>{t("Time")}</th>
          <th className="end">{label}</th>
          {others.map(({ name }) => <th className="end" key={name}>{name}</th>)}
        </tr>
      </thead>
      <tbody>
        {[...points].reverse().map(({ time, value }) => (
          <tr key={time}>
            <td>{moment(new Date(time * 1000).toISOString())}</td>
            <td className="end">{value === null ? t("{unknown} (not sampled)", { unknown }) : format(value)}</td>
            {others.map(({ at, name }) => {
              const other = at.get(time)
              return <td className="end" key={name}>{other === undefined ? unknown : format(other)}</td>
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function ValueCurve({ compared = [], format, label, marks = [], points, step, ...frame }: FrameProps & {
  readonly label: string
  readonly points: ReadonlyArray<Point>
  readonly format: (value: number) => string
  /** The smallest difference that the format shows. */
  readonly step: number
  readonly marks?: ReadonlyArray<Mark>
  readonly compared?: ReadonlyArray<Compared>
}) {
  return (
    <CurveFrame
      {...frame}
      label={label}
      canDraw={knownPoints(points) >= 2}
      table={<Rows label={label} points={points} compared={compared} format={format} />}
    >
      <WhenNear height={height}>
        <Suspense fallback={<Skeleton h={height} />}>
          <Chart
            data={{
              ...{ kind: "value", points, format, step, marks },
              ...(compared.length === 0 ? {} : { name: label, compared })
            }}
            height={height}
          />
        </Suspense>
      </WhenNear>
      {points.some(({ value }) => value === null) && (
        <Text size="xs" c="dimmed">{t("The line is broken where nothing was sampled.")}</Text>
      )}
    </CurveFrame>
  )
}
