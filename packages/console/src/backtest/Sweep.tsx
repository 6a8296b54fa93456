/** Goes through ranges of one or two parameters, with progress and a way to stop; also with a walk-forward split. */
import { Alert, Button, Group, NativeSelect, Progress, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core"
import { useState } from "react"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { type Objective, objectives, type Ready, type SweepJob, type Values } from "./BacktestJob.ts"
import type { Terms } from "./BacktestTerms.ts"
import { faultText, labelOf, objectiveLabels, sweepable } from "./BacktestTexts.ts"
import { SweepResult, WalkResult } from "./SweepResult.tsx"
import { useBacktest } from "./useBacktest.ts"
import { locale, t } from "../text/Text.ts"

interface Choice {
  readonly first: string
  readonly firstValues: string
  readonly second: string
  readonly secondValues: string
  readonly objective: Objective
  readonly isSplit: boolean
  readonly train: string
  readonly test: string
}

const noChoice: Choice = {
  ...{ first: "", firstValues: "", second: "", secondValues: "", objective: "sharpe", isSplit: false },
  ...{ train: "120", test: "40" }
}

const sweptOf = ({ first, firstValues, second, secondValues }: Choice) =>
  [{ name: first, values: firstValues }, { name: second, values: secondValues }].filter(({ name }) => name !== "")

function Parameter({ label, name, options, range, set }: {
  readonly label: string
  readonly name: string
  readonly range: string
  readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>
  readonly set: (name: string, range: string) => void
}) {
  return (
    <>
      <NativeSelect
        label={label}
        value={name}
        data={[{ value: "", label: t("None") }, ...options]}
        onChange={(event) => set(event.currentTarget.value, range)}
      />
      <TextInput
        label={t("Values of: {label}", { label })}
        description={t("From, to and step as 1..10:1, or a list as 1|2|5")}
        value={range}
        disabled={name === ""}
        autoComplete="off"
        onChange={(event) => set(name, event.currentTarget.value)}
      />
    </>
  )
}

function Split({ choice, set }: { readonly choice: Choice; readonly set: (some: Partial<Choice>) => void }) {
  return (
    <>
      <Switch
        label={t("Walk forward")}
        description={t(
          "A train window picks the values; the test window after it, which the choice has not seen, measures them. " +
            "Then both move on by a test window."
        )}
        checked={choice.isSplit}
        onChange={(event) => set({ isSplit: event.currentTarget.checked })}
      />
      {choice.isSplit && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t("Train window, bars")}
            inputMode="numeric"
            value={choice.train}
            onChange={(event) => set({ train: event.currentTarget.value })}
          />
          <TextInput
            label={t("Test window, bars")}
            inputMode="numeric"
            value={choice.test}
            onChange={(event) => set({ test: event.currentTarget.value })}
          />
        </SimpleGrid>
      )}
    </>
  )
}

function Ranges({ choice: known, set, terms: { kind, order } }: {
  readonly terms: Terms
  readonly choice: Choice
  readonly set: (some: Partial<Choice>) => void
}) {
  const optionsOf = (other: string) =>
    sweepable(kind, order).filter((name) => name !== other).map((value) => ({ value, label: labelOf(kind, value) }))
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: "end" }}>
      <Parameter
        label={t("First parameter")}
        name={known.first}
        range={known.firstValues}
        options={optionsOf(known.second)}
        set={(first, firstValues) => set({ first, firstValues })}
      />
      <Parameter
        label={t("Second parameter")}
        name={known.second}
        range={known.secondValues}
        options={optionsOf(known.first)}
        set={(second, secondValues) => set({ second, secondValues })}
      />
      <NativeSelect
        label={t("Best by")}
        value={known.objective}
        data={objectives.map((value) => ({ value, label: objectiveLabels[value] }))}
        onChange={(event) =>
          set({ objective: objectives.find((each) => each === event.currentTarget.value) ?? "sharpe" })}
      />
    </SimpleGrid>
  )
}

function Running({ done, of }: { readonly done: number; readonly of: number }) {
  return (
    <Stack gap={4}>
      <Progress value={of === 0 ? 0 : done / of * 100} aria-label={t("Progress of the sweep")} />
      <Text size="xs" c="dimmed" role="status">
        {of === 0
          ? t("Reading the prices…")
          : t("{done} of {all} runs", { done: done.toLocaleString(locale), all: of.toLocaleString(locale) })}
      </Text>
    </Stack>
  )
}

export function Sweep({ ready, take, terms }: {
  readonly terms: Terms
  readonly ready: () => Ready
  readonly take: (values: Values) => void
}) {
  const [choice, setChoice] = useState(noChoice)
  const [ran, setRan] = useState<SweepJob>()
  const running = useBacktest()
  const { answer, done, fault, isRunning, of, rows, wasStopped } = running
  const set = (some: Partial<Choice>) => setChoice((before) => ({ ...before, ...some }))
  const { kind } = terms
  const names = sweepable(kind, terms.order)
  const known: Choice = {
    ...choice,
    first: names.includes(choice.first) ? choice.first : "",
    second: names.includes(choice.second) && choice.second !== choice.first ? choice.second : ""
  }
  const begin = () => {
    const job = ready()
    if (job === undefined) return
    if ("code" in job) return running.refuse(job)
    const { isSplit, objective, test, train } = known
    const windows = isSplit ? { train: Number(train), test: Number(test) } : null
    const sweeping = { ...job, swept: sweptOf(known), objective, windows }
    setRan(sweeping)
    running.run({ _tag: "sweep", job: sweeping })
  }
  return (
    <Stack>
      <Section title={t("Sweep")}>
        <Stack>
          <Ranges terms={terms} choice={known} set={set} />
          <Split choice={known} set={set} />
          <Group>
            <Button loading={isRunning} onClick={begin}>{t("Run the sweep")}</Button>
            {isRunning && <Button variant="default" onClick={running.stop}>{t("Stop")}</Button>}
          </Group>
          {isRunning && <Running done={done} of={of} />}
          {fault !== undefined && (
            <Problem title={t("The sweep did not run")} message={faultText(kind, fault)} color="orange" funds="" />
          )}
          {wasStopped && (
            <Alert color="blue" role="status">
              {t("Stopped after {done} of {all} runs.", {
                done: done.toLocaleString(locale),
                all: of.toLocaleString(locale)
              })}
            </Alert>
          )}
        </Stack>
      </Section>
      {ran !== undefined && ran.windows === null && rows.length > 0 && (
        <SweepResult job={ran} rows={rows} take={take} isPartial={rows.length < of} />
      )}
      {ran !== undefined && answer?._tag === "walked" && <WalkResult job={ran} walk={answer.walk} take={take} />}
    </Stack>
  )
}
