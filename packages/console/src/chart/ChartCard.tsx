/** A chart with title, explanation and the same data as a table. */
import { Alert, Box, Button, Card, Group, Loader, Stack, Table, Text, Title } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { lazy, type ReactNode, Suspense } from "react"
import type { Shown } from "./Chart.tsx"

const Chart = lazy(() => import("./Chart.tsx").then(({ Chart }) => ({ default: Chart })))

export function ChartCard({ asked, children, columns, explains, rows, shown, title, tooLittle }: {
  readonly title: string
  readonly explains: string
  readonly asked: { readonly isPending: boolean; readonly error: Error | null }
  /** Why there is too little data to draw; undefined if there is enough. */
  readonly tooLittle: string | undefined
  readonly shown: Shown
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly children?: ReactNode
}) {
  const [table, { toggle }] = useDisclosure(false)
  const drawn = !asked.isPending && tooLittle === undefined
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">{title}</Title>
          {drawn && (
            <Button size="xs" variant="default" onClick={toggle} aria-expanded={table}>
              {table ? "Hide the table" : "Show as a table"}
            </Button>
          )}
        </Group>
        <Text size="sm" c="dimmed">{explains}</Text>
        {children}
        {asked.error !== null && (
          <Alert color="red" role="alert" title="This cannot be loaded right now">
            {asked.error.message} No funds moved.
          </Alert>
        )}
        {asked.isPending && <Loader aria-label={`Loading ${title}`} />}
        {!asked.isPending && asked.error === null && tooLittle !== undefined && (
          <Alert color="blue" title="Too little history yet">{tooLittle}</Alert>
        )}
        {drawn && (
          <Suspense fallback={<Loader aria-label="Loading the chart" />}>
            <Chart shown={shown} />
          </Suspense>
        )}
        {drawn && table && (
          <Box mah={320} tabIndex={0} role="region" aria-label={`${title}, as a table`} style={{ overflow: "auto" }}>
            <Table stickyHeader verticalSpacing={4} aria-label={title}>
              <Table.Thead>
                <Table.Tr>{columns.map((name) => <Table.Th key={name}>{name}</Table.Th>)}</Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((row) => (
                  <Table.Tr key={row.join()}>
                    {row.map((cell, index) => <Table.Td key={columns[index]}>{cell}</Table.Td>)}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Box>
        )}
      </Stack>
    </Card>
  )
}
