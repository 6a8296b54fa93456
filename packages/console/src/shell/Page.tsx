/** A page with its title, the way to it, the age of its data, and loading and error states. */
import { Anchor, Badge, Breadcrumbs, Group, Skeleton, Stack, Text, Title } from "@mantine/core"
import { useDocumentTitle, useInterval } from "@mantine/hooks"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useEffect, useState } from "react"
import { Disconnected } from "../connection/RpcConnection.ts"
import { Problem } from "./Problem.tsx"
import { t } from "../text/Text.ts"

interface QueryState {
  readonly isPending: boolean
  readonly error: Error | null
  readonly dataUpdatedAt: number
}

/** A page above this one. */
export interface Crumb {
  readonly label: string
  readonly to:
    | "/"
    | "/vaults"
    | "/bots"
    | "/orders"
    | "/guardians"
    | "/followers"
    | "/strategies"
    | "/notifications"
    | "/keys"
    | "/vaults/$network/$pool"
  readonly params?: { readonly network: string; readonly pool: string }
}

/**
 * The service confirms current data every ten seconds. Without confirmation for this many milliseconds, it may be
 * outdated.
 */
const staleAfter = 30_000

const ageOf = (millis: number) => {
  const seconds = Math.max(0, Math.round(millis / 1000))
  return seconds < 60
    ? t("{count} s", { count: seconds })
    : seconds < 3600
    ? t("{count} min", { count: Math.floor(seconds / 60) })
    : t("{count} h", { count: Math.floor(seconds / 3600) })
}

function Age({ at }: { readonly at: number }) {
  const [now, setNow] = useState(() => Date.now())
  const clock = useInterval(() => setNow(Date.now()), 1000)
  useEffect(() => {
    clock.start()
    return clock.stop
  }, [])
  const stale = now - at > staleAfter
  return (
    <Text size="xs" c={stale ? "var(--mantine-color-error)" : "dimmed"} className="figure">
      {stale ? t("Old: updated {age} ago", { age: ageOf(now - at) }) : t("updated {age} ago", { age: ageOf(now - at) })}
    </Text>
  )
}

/** Shows failures other than a lost connection, which reconnects automatically. */
function ErrorAlert({ error, hasData }: { readonly error: Error; readonly hasData: boolean }) {
  return (
    <Problem
      title={hasData ? t("The data shown is outdated") : t("This cannot be loaded right now")}
      message={error.message}
    />
  )
}

/** The outline of a page until its data arrives. */
export function PageSkeleton() {
  return (
    <Stack role="status" aria-label={t("Loading")}>
      <Group grow>
        <Skeleton h={84} />
        <Skeleton h={84} visibleFrom="xs" />
        <Skeleton h={84} visibleFrom="sm" />
      </Group>
      <Skeleton h={220} />
      <Skeleton h={140} />
    </Stack>
  )
}

function Crumbs({ crumbs, title }: { readonly crumbs: ReadonlyArray<Crumb>; readonly title: string }) {
  return (
    <Breadcrumbs component="nav" aria-label={t("Breadcrumb")} separatorMargin={6} mb={-8}>
      {crumbs.map(({ label, params, to }) => (
        <Anchor key={label} component={Link} to={to} params={(params ?? {}) as never} size="sm">{label}</Anchor>
      ))}
      <Text size="sm" c="dimmed" aria-current="page">{title}</Text>
    </Breadcrumbs>
  )
}

export function Page({ actions, children, choice, crumbs, icon, query, subtitle, title }: {
  readonly title: string
  readonly query: QueryState
  readonly actions?: ReactNode
  /** The pages above this one, outermost first. */
  readonly crumbs?: ReadonlyArray<Crumb>
  /** Before the title. */
  readonly icon?: ReactNode
  /** Below the title. */
  readonly subtitle?: ReactNode
  /** Controls that select the data; they stay visible while it loads. */
  readonly choice?: ReactNode
  readonly children: ReactNode
}) {
  const hasData = query.dataUpdatedAt > 0
  const isReconnecting = hasData && query.error instanceof Disconnected
  useDocumentTitle(`${title} · Vault Trader`)
  return (
    <Stack>
      {crumbs !== undefined && <Crumbs crumbs={crumbs} title={title} />}
      <Group justify="space-between" align="flex-start">
        <Stack gap={2}>
          <Group gap="xs" wrap="nowrap">
            {icon}
            <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>{title}</Title>
          </Group>
          {subtitle}
        </Stack>
        <Group gap="sm">
          {isReconnecting && <Badge color="orange" variant="dot" role="status">{t("reconnecting")}</Badge>}
          {hasData && <Age at={query.dataUpdatedAt} />}
          {actions}
        </Group>
      </Group>
      {choice}
      {query.error !== null && !isReconnecting && <ErrorAlert error={query.error} hasData={hasData} />}
      {query.isPending ? <PageSkeleton /> : children}
    </Stack>
  )
}
