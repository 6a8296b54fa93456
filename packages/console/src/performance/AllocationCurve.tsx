/** A vault's allocation over a period: the weights of its assets on top of each other. */
import { Box, Group, Text } from "@mantine/core"
import { useMemo, useState } from "react"
import { moment, percent } from "../shell/Format.ts"
import { type Band, bandsOf, nearest, placesOf, size, type Weights } from "./Bands.ts"
import { CurveFrame, type FrameProps, height } from "./CurveFrame.tsx"
import { t } from "../text/Text.ts"

const colours = ["iris.5", "teal.5", "orange.4", "grape.4", "cyan.4", "lime.6", "gray.5"]

const colourOf = (place: number) => {
  const [name, shade] = (colours[place % colours.length] ?? "gray.5").split(".")
  return `var(--mantine-color-${name}-${shade})`
}

const nameOf = ({ symbol }: Band) => symbol ?? t("Other assets")

function Rows({ allocation, bands, label }: {
  readonly label: string
  readonly allocation: ReadonlyArray<Weights>
  readonly bands: ReadonlyArray<Band>
}) {
  return (
    <table data-kind="sticky" aria-label={label} className="table figures">
      <thead>
        <tr>
          <th>{t("Time")}</th>
          {bands.map((band) => <th className="end" key={band.key}>{nameOf(band)}</th>)}
        </tr>
      </thead>
      <tbody>
        {allocation.map(({ time }, index) => (
          <tr key={time}>
            <td>{moment(time)}</td>
            {bands.map(({ key, percents }) => <td className="end" key={key}>{percent(percents[index] ?? 0)}</td>)}
          </tr>
        )).reverse()}
      </tbody>
    </table>
  )
}

/** Draws the bands. The table has the same data, so the drawing is hidden from screen readers. */
function Drawing({ allocation, bands, pointAt, pointed }: {
  readonly allocation: ReadonlyArray<Weights>
  readonly bands: ReadonlyArray<Band>
  readonly pointed: number | undefined
  readonly pointAt: (index: number | undefined) => void
}) {
  const places = useMemo(() => placesOf(allocation), [allocation])
  const line = pointed === undefined ? undefined : (places[pointed] ?? 0) * size.width
  return (
    <Box
      component="svg"
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      h={height}
      w="100%"
      display="block"
      onPointerMove={({ clientX, currentTarget }) => {
        const { left, width } = currentTarget.getBoundingClientRect()
        pointAt(nearest(places, (clientX - left) / width))
      }}
      onPointerLeave={() => pointAt(undefined)}
    >
      {bands.flatMap(({ key, polygons }, place) =>
        polygons.map((points) => (
          <polygon
            key={`${key}/${points}`}
            points={points}
            fill={colourOf(place)}
            stroke="var(--mantine-color-body)"
            strokeWidth={1}
            vectorEffect="non-scaling-stroke"
          />
        ))
      )}
      {line !== undefined && (
        <line
          x1={line}
          x2={line}
          y1={0}
          y2={size.height}
          stroke="var(--mantine-color-text)"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </Box>
  )
}

export function AllocationCurve({ allocation, label, ...frame }: FrameProps & {
  readonly label: string
  readonly allocation: ReadonlyArray<Weights>
}) {
  const bands = useMemo(() => bandsOf(allocation), [allocation])
  const [pointedAt, setPointed] = useState<number>()
  const pointed = pointedAt !== undefined && pointedAt < allocation.length ? pointedAt : undefined
  const shown = pointed ?? allocation.length - 1
  return (
    <CurveFrame
      {...frame}
      label={label}
      canDraw={allocation.length >= 2 && bands.length > 0}
      table={<Rows label={label} allocation={allocation} bands={bands} />}
    >
      <Drawing allocation={allocation} bands={bands} pointed={pointed} pointAt={setPointed} />
      <Group gap="md">
        <Text size="xs" c="dimmed" miw={110}>{moment(allocation[shown]?.time ?? "")}</Text>
        {bands.map((band, place) => (
          <Group key={band.key} gap={6} wrap="nowrap">
            <Box w={12} h={12} bg={colourOf(place)} style={{ borderRadius: 3 }} aria-hidden="true" />
            <Text size="xs">{nameOf(band)}</Text>
            <Text size="xs" c="dimmed" className="figures">{percent(band.percents[shown] ?? 0)}</Text>
          </Group>
        ))}
      </Group>
      {allocation.some(({ gap }, index) => index > 0 && gap !== null) && (
        <Text size="xs" c="dimmed">{t("The line is broken where nothing was sampled.")}</Text>
      )}
    </CurveFrame>
  )
}
