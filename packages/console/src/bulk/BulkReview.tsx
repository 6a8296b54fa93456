/**
 * The review of a bulk action: what happens to which, by name; then the outcome of each, with another try of only those
 * that failed.
 */
import { Button, Group, Progress, Stack, Text, TextInput } from "@mantine/core"
import { memo, useRef, useState } from "react"
import type { BulkAction, BulkLine } from "./BulkLine.ts"
import { type Outcome, useBulkRun } from "./useBulkRun.ts"
import { listOf } from "../shell/Format.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const labels: Readonly<Record<Outcome["state"], string>> = {
  waiting: t("Waiting"),
  sending: t("In progress"),
  done: t("Done"),
  failed: t("Failed")
}

const Line = memo(({ line: { effect, name, send }, outcome }: {
  readonly line: BulkLine
  readonly outcome: Outcome | undefined
}) => (
  <li data-state={send === undefined ? "left" : outcome?.state}>
    <div>
      <b>{name}</b>
      <p>{effect}</p>
      {outcome !== undefined && outcome.message !== "" && <p className="bulk-message">{outcome.message}</p>}
      {outcome?.isLost === true && (
        <p className="bulk-message">
          {t("It may have been done. Another try sends the same request, so that it is done once.")}
        </p>
      )}
    </div>
    <span>{send === undefined ? t("Left as it is") : outcome === undefined ? "" : labels[outcome.state]}</span>
  </li>
))

const summaryOf = (all: number, left: number, done: number, failed: number): string =>
  listOf([
    t("{done} of {all} done", { done, all }),
    ...(failed > 0 ? [t("{failed} failed", { failed })] : []),
    ...(left > 0 ? [t("{left} left as they are", { left })] : [])
  ], "none")

/** Asks for a text before what cannot be undone, as the review of one thing does. */
function TypedConfirmation({ onChange, text, value }: {
  readonly text: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return text === undefined ? null : (
    <TextInput
      label={t("Type {text} to confirm", { text })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
    />
  )
}

export function BulkReview({ bulk: { action, atOnce, confirm, lines, note, title }, close }: {
  readonly bulk: BulkAction
  readonly close: () => void
}) {
  const { isRunning, outcomes, run, stop } = useBulkRun(atOnce)
  const [typed, setTyped] = useState("")
  const leave = useRef<HTMLButtonElement>(null)
  const sent = lines.filter(({ send }) => send !== undefined)
  const withState = (state: Outcome["state"]) => sent.filter(({ key }) => outcomes.get(key)?.state === state)
  const done = withState("done").length
  const failed = withState("failed")
  const isNew = outcomes.size === 0
  const rest = isNew ? sent : failed.length > 0 ? failed : sent.filter(({ key }) => !outcomes.has(key))
  const hasRest = rest.length > 0 && !isRunning
  const start = () => {
    // The button that was pressed is disabled now; the focus stays in the dialog.
    leave.current?.focus()
    run(rest)
  }
  return (
    <Modal
      opened
      onClose={isRunning ? () => {} : close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={!isRunning}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <Stack>
        <Text size="sm">{note}</Text>
        <ol className="bulk" aria-label={t("What happens")} tabIndex={0}>
          {lines.map((line) => <Line key={line.key} line={line} outcome={outcomes.get(line.key)} />)}
        </ol>
        {!isNew && <Progress value={(done + failed.length) / sent.length * 100} aria-label={t("Progress")} />}
        <Text size="sm" role="status">
          {isNew ? "" : summaryOf(sent.length, lines.length - sent.length, done, failed.length)}
        </Text>
        {isNew && <TypedConfirmation text={confirm} value={typed} onChange={setTyped} />}
        <Group justify="flex-end">
          <Button ref={leave} variant="default" onClick={isRunning ? stop : close} data-autofocus>
            {isRunning ? t("Stop after those in progress") : isNew ? t("Cancel") : t("Close")}
          </Button>
          {(hasRest || isRunning || isNew) && (
            <Button
              {...(confirm === undefined ? {} : { color: "red" })}
              disabled={!hasRest || isNew && confirm !== undefined && typed.trim() !== confirm}
              loading={isRunning}
              onClick={start}
            >
              {isNew || isRunning
                ? action
                : failed.length > 0
                ? t("Retry {count} failed", { count: failed.length })
                : t("Continue with {count} more", { count: rest.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
