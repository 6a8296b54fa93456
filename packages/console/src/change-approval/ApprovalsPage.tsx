/** Approvals: changes that need more than one person, with what they change, and an approver's votes on them. */
import { Alert, Badge, Button, Card, Group, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import type { Verdict } from "@vault-trader/core/change-approval/ChangeVote"
import { queries } from "../connection/QueryCache.ts"
import { useSession } from "../connection/Session.ts"
import { moment } from "../shell/Format.ts"
import { showError, showSuccess } from "../shell/Notices.ts"
import { Page } from "../shell/Page.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { type ChangeRequest, useApprovals, vote } from "./Approvals.ts"
import { t } from "../text/Text.ts"

const kindLabels = {
  limits: t("Raise the limits of a key"),
  treasury: t("Pay charges to other addresses"),
  policy: t("Change the policy of transfers"),
  lanes: t("Release a stopped wallet")
} as const
const stateLabels = {
  open: t("waiting"),
  applied: t("in effect"),
  vetoed: t("vetoed"),
  cancelled: t("cancelled"),
  expired: t("expired")
} as const
const colours = { open: "orange", applied: "green", vetoed: "red", cancelled: "gray", expired: "gray" } as const

function Differences({ request }: { readonly request: ChangeRequest }) {
  const rows = request.differences.map(({ after, before, field }) => ({
    key: field,
    cells: [field, before, after].map((text, index) => (
      <Text key={index} size="sm" style={{ overflowWrap: "anywhere" }}>{text}</Text>
    ))
  }))
  return <ResponsiveTable label={t("Differences")} columns={[t("Setting"), t("Before"), t("After")]} rows={rows} />
}

function Votes({ needed, request }: { readonly request: ChangeRequest; readonly needed: number }) {
  const { approvals, takes_effect_at: at } = request
  return (
    <Stack gap={4}>
      <Text size="sm">
        {at === null
          ? t("{approvals} of {needed} approvals", { approvals, needed })
          : t("{approvals} of {needed} approvals; without a veto it takes effect on {takesEffectAt}", {
            approvals,
            needed,
            takesEffectAt: moment(at)
          })}
      </Text>
      {request.votes.map(({ approver, at, refused, verdict }) => (
        <Text key={approver} size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {verdict === "veto"
            ? (refused === null
              ? t("Vetoed by {approver}, {at}", { approver, at: moment(at) })
              : t("Vetoed by {approver}, {at} (does not count: {refused})", { approver, at: moment(at), refused }))
            : (refused === null
              ? t("Approved by {approver}, {at}", { approver, at: moment(at) })
              : t("Approved by {approver}, {at} (does not count: {refused})", { approver, at: moment(at), refused }))}
        </Text>
      ))}
    </Stack>
  )
}

function VoteButtons({ hasApproved, request }: { readonly request: ChangeRequest; readonly hasApproved: boolean }) {
  const voting = useMutation({
    mutationFn: (verdict: Verdict) => vote(request, verdict),
    onSuccess: showSuccess,
    onError: showError(t("Your vote was not recorded")),
    onSettled: () => queries.invalidateQueries()
  })
  const isPending = (verdict: Verdict) => voting.isPending && voting.variables === verdict
  return (
    <Group gap="xs">
      {!hasApproved && (
        <Button
          size="xs"
          loading={isPending("approve")}
          disabled={voting.isPending}
          onClick={() => voting.mutate("approve")}
        >
          {t("Approve")}
        </Button>
      )}
      <Button
        size="xs"
        color="red"
        variant="default"
        loading={isPending("veto")}
        disabled={voting.isPending}
        onClick={() => voting.mutate("veto")}
      >
        {t("Veto")}
      </Button>
      <Text size="sm" c="dimmed">{t("Your wallet signs this; it sends no transaction.")}</Text>
    </Group>
  )
}

/** The proposers that are not people. */
const proposers: Readonly<Record<string, string>> = { operator: t("the operator"), service: t("the service") }

/** Returns who requested a change and when, and until when it can be approved, or its outcome. */
const requestedText = ({ created_at, expires_at, note, proposer, state }: ChangeRequest): string => {
  const values = { proposer: proposers[proposer] ?? proposer, createdAt: moment(created_at) }
  return state === "open"
    ? t("Requested by {proposer}, {createdAt}; expires {expiresAt}", { ...values, expiresAt: moment(expires_at) })
    : note === null
    ? t("Requested by {proposer}, {createdAt}", values)
    : t("Requested by {proposer}, {createdAt}; {note}", { ...values, note })
}

function RequestCard(
  { isApprover, manager, needed, request }: {
    readonly request: ChangeRequest
    readonly needed: number
    readonly isApprover: boolean
    readonly manager: string
  }
) {
  const { kind, network, state, wallet } = request
  const about = wallet === null || network === null
    ? wallet ?? network ?? ""
    : t("{wallet} on {network}", { wallet, network })
  const hasApproved = request.votes.some(({ approver, refused }) => approver === manager && refused === null)
  return (
    <Card withBorder component="section" aria-label={`${kindLabels[kind]}, ${stateLabels[state]}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">{kindLabels[kind]}</Title>
          <Badge color={colours[state]} variant="dot">{stateLabels[state]}</Badge>
        </Group>
        {about !== "" && <Text size="sm" ff="monospace" style={{ overflowWrap: "anywhere" }}>{about}</Text>}
        <Differences request={request} />
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {requestedText(request)}
        </Text>
        <Votes request={request} needed={needed} />
        {state === "open" && isApprover && <VoteButtons request={request} hasApproved={hasApproved} />}
      </Stack>
    </Card>
  )
}

export function ApprovalsPage() {
  const approvals = useApprovals()
  const manager = useSession().data?.manager ?? ""
  return (
    <Page title={t("Approvals")} query={approvals}>
      {approvals.data?.requests.length === 0 && (
        <Alert color="blue" title={t("Nothing waits for approval")}>
          {t(
            "Changes that need more than one person appear here: raised limits, the addresses that charges " +
              "are paid to, the policy of transfers, and the release of stopped wallets."
          )}
        </Alert>
      )}
      {approvals.data?.requests.map((request) => (
        <RequestCard
          key={request.request}
          request={request}
          needed={approvals.data.needed}
          isApprover={approvals.data.is_approver}
          manager={manager}
        />
      ))}
    </Page>
  )
}
