/** A chart with title, explanation and the same data as a table. */
import { Alert, Box, Button, Card, Group, Loader, Stack, Text, Title } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { lazy, type ReactNode, Suspense } from "react"
import type { ChartData } from "./Chart.tsx"
import { t } from "../text/Text.ts"

const Chart = lazy(() => import("./Chart.tsx").then(({ Chart }) => ({ default: Chart })))

export function ChartCard({ query, children, columns, explanation, rows, data, title, missingData }: {
  readonly title: string
  readonly explanation: string
  readonly query: { readonly isPending: boolean; readonly error: Error | null }
  /** Why there is too little data to draw; undefined if there is enough. */
  readonly missingData: string | undefined
  readonly data: ChartData
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly children?: ReactNode
}) {
  const [table, { toggle }] = useDisclosure(false)
  const canDraw = !query.isPending && missingData === undefined
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">{title}</Title>
          {canDraw && (
            <Button size="xs" variant="default" onClick={toggle} aria-expanded={table}>
              {table ? t("Hide the table") : t("Show as a table")}
            </Button>
          )}
        </Group>
        <Text size="sm" c="dimmed">{explanation}</Text>
        {children}
        {query.error !== null && (
          <Alert color="red" role="alert" title={t("This cannot be loaded right now")}>
            {t("{message} No funds moved.", { message: query.error.message })}
          </Alert>
        )}
        {query.isPending && <Loader aria-label={t("Loading {title}", { title })} />}
        {!query.isPending && query.error === null && missingData !== undefined && (
          <Alert color="blue" title={t("Too little history yet")}>{missingData}</Alert>
        )}
        {canDraw && (
          <Suspense fallback={<Loader aria-label={t("Loading the chart")} />}>
            <Chart data={data} />
          </Suspense>
        )}
        {canDraw && table && (
          <Box
            mah={320}
            tabIndex={0}
            role="region"
            aria-label={t("{title}, as a table", { title })}
            style={{ overflow: "auto" }}
          >
            <table className="table" data-kind="sticky" data-dense aria-label={title}>
              <thead>
                <tr>{columns.map((name) => <th key={name}>{name}</th>)}</tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.join()}>
                    {row.map((cell, index) => <td key={columns[index]}>{cell}</td>)}
                  </tr>
                ))}
              </tbody>
            </table>
          </Box>
        )}
      </Stack>
    </Card>
  )
}
