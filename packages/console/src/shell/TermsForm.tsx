/**
 * A form of an endpoint's parameters: its fields come from a table and are checked by the endpoint's own parameters.
 * With a preview, the terms are reviewed before they are sent. Secrets exist only in uncontrolled fields, not in the
 * page's state: they are read once, when they are sent, and disappear with the dialog.
 */
import { Alert, Button, Group, SimpleGrid, Stack, Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { type ReactNode, useRef, useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { ApiFormFooter } from "./ApiFormFooter.tsx"
import { Modal } from "./Modal.tsx"
import { showSuccess } from "./Notices.ts"
import { Problem } from "./Problem.tsx"
import { Submit } from "./Submit.tsx"
import { type TermField, TermsField, valueOf } from "./TermsField.tsx"
import { t } from "../text/Text.ts"

export type { TermField } from "./TermsField.tsx"

/** The fields' values as texts: "true" and "false" of a flag, commas between those of a list. */
export type TermTexts = Readonly<Record<string, string>>

export type Params = Readonly<Record<string, string | ReadonlyArray<string>>>

type FaultOf = (name: string, value: string | ReadonlyArray<string>) => string | null

const isSecret = ({ kind }: TermField) => kind === "secret"

/** Returns the complaint about a field's text, or null. */
const complaintOf = (field: TermField, text: string, faultOf: FaultOf): string | null =>
  text.trim() === "" ? field.isNeeded === true ? t("Required") : null : faultOf(field.name, valueOf(field, text))

/** Returns the parameters of the fields that are filled in; the others keep the API's default. */
const paramsOf = (fields: ReadonlyArray<TermField>, texts: TermTexts): Params =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const text = texts[field.name] ?? ""
      return text.trim() === "" ? [] : [[field.name, valueOf(field, text)]]
    })
  )

const isNarrow = ({ kind = "text" }: TermField) => kind === "text" || kind === "choice" || kind === "secret"

/** The form's state: texts, complaints after the first attempt, and the steps of sending. */
const useTerms = <Sent extends { readonly message: string }>(
  { close, encode, faultOf, fields, initial, missing, preview, send, sent }: {
    readonly fields: ReadonlyArray<TermField>
    readonly initial: TermTexts
    readonly faultOf: FaultOf
    readonly missing: string | undefined
    readonly encode: (params: Params) => Params
    readonly preview: ((params: Params) => Promise<ReactNode>) | undefined
    readonly send: (params: Params) => Promise<Sent>
    readonly sent: ((result: Sent) => boolean) | undefined
    readonly close: () => void
  }
) => {
  const form = useRef<HTMLFormElement>(null)
  const [texts, setTexts] = useState(initial)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [secretFaults, setSecretFaults] = useState<Readonly<Record<string, string | null>>>({})
  const secrets = (): TermTexts => {
    const data = new FormData(form.current ?? undefined)
    return Object.fromEntries(
      fields.filter(isSecret).map(({ name }) => {
        const value = data.get(name)
        return [name, typeof value === "string" ? value : ""]
      })
    )
  }
  const previewing = useMutation({
    mutationFn: () => preview === undefined ? Promise.resolve(null) : preview(encode(paramsOf(fields, texts)))
  })
  const sending = useMutation({
    gcTime: 0,
    mutationFn: () => send(encode(paramsOf(fields, { ...texts, ...secrets() }))),
    onSuccess: (result) => {
      if (sent?.(result) === true) return
      showSuccess(result.message)
      close()
    },
    onSettled: () => queries.invalidateQueries()
  })
  const complaint = (field: TermField) => complaintOf(field, texts[field.name] ?? "", faultOf)
  return {
    ...{ form, texts, previewing, sending },
    complaintAbove: wasSubmitted ? missing : undefined,
    set: (field: TermField) => (text: string) =>
      isSecret(field)
        // The field keeps its own text; only the complaint about it ends.
        ? setSecretFaults((before) => ({ ...before, [field.name]: null }))
        : setTexts((before) => ({ ...before, [field.name]: text })),
    shown: (field: TermField) =>
      isSecret(field)
        ? secretFaults[field.name] ?? null
        : wasSubmitted || (texts[field.name] ?? "") !== (initial[field.name] ?? "")
        ? complaint(field)
        : null,
    submit: () => {
      setWasSubmitted(true)
      const given = secrets()
      const faults = Object.fromEntries(
        fields.filter(isSecret).map((field) => [field.name, complaintOf(field, given[field.name] ?? "", faultOf)])
      )
      setSecretFaults(faults)
      const isValid = missing === undefined && [
        ...fields.filter((field) => !isSecret(field)).map(complaint),
        ...Object.values(faults)
      ].every((fault) => fault === null)
      if (!isValid) return
      if (preview === undefined) sending.mutate()
      else previewing.mutate()
    }
  }
}

/** Returns the parameters of the call's code: without secrets, lists with commas. */
const codeOf = (encode: (params: Params) => Params, fields: ReadonlyArray<TermField>, texts: TermTexts) =>
  Object.fromEntries(
    Object.entries(encode(paramsOf(fields.filter((field) => !isSecret(field)), texts))).map((
      [name, value]
    ) => [name, String(value)])
  )

/** The footer of terms that are reviewed. */
function Reviewed({ back, isSending, submit }: {
  readonly submit: string
  readonly isSending: boolean
  readonly back: () => void
}) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={back} data-autofocus>{t("Back")}</Button>
      <Button type="submit" loading={isSending}>{submit}</Button>
    </Group>
  )
}

interface TermsFormProps<Sent> {
  readonly title: string
  readonly endpoint: string
  readonly fields: ReadonlyArray<TermField>
  readonly initial: TermTexts
  readonly faultOf: FaultOf
  /** Parameters of the call besides the fields, for its code. */
  readonly about: Readonly<Record<string, string>>
  /** Makes the call's parameters of those of the fields, where fields are parts of a parameter. */
  readonly encode?: (params: Params) => Params
  /** Above the fields. */
  readonly header?: ReactNode
  /** Says what is missing above the fields. */
  readonly missing?: string | undefined
  /** Returns the service's answer for these terms without setting anything. */
  readonly preview?: ((params: Params) => Promise<ReactNode>) | undefined
  readonly send: (params: Params) => Promise<Sent>
  /** Called with the response; true if it shows what the response has, which stays open. */
  readonly sent?: ((result: Sent) => boolean) | undefined
  /** The submit button. */
  readonly submit: string
  /** The title of a failure, which may depend on whether the service refused it. */
  readonly failed: string | ((problem: Error) => string)
  readonly close: () => void
}

export function TermsForm<Sent extends { readonly message: string }>(
  {
    about,
    close,
    encode = (params) => params,
    endpoint,
    faultOf,
    failed,
    fields,
    header,
    initial,
    missing,
    preview,
    send,
    sent,
    submit,
    title
  }: TermsFormProps<Sent>
) {
  const state = useTerms({ close, encode, faultOf, fields, initial, missing, preview, send, sent })
  const { form, previewing, sending, set, shown, texts } = state
  const isReviewed = previewing.data !== undefined && previewing.data !== null
  const field = (each: TermField) => (
    <TermsField
      key={each.name}
      field={each}
      text={texts[each.name] ?? ""}
      complaint={shown(each)}
      set={set(each)}
    />
  )
  const problem = sending.error ?? previewing.error
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <form
        ref={form}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReviewed) sending.mutate()
          else state.submit()
        }}
      >
        <Stack>
          <Stack display={isReviewed ? "none" : undefined}>
            {header}
            {state.complaintAbove !== undefined && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">{state.complaintAbove}</Text>
            )}
            <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: "start" }}>
              {fields.filter(isNarrow).map(field)}
            </SimpleGrid>
            {fields.filter((each) => !isNarrow(each)).map(field)}
          </Stack>
          {isReviewed && <Alert color="blue" title={t("What it does now")} role="status">{previewing.data}</Alert>}
          {problem !== null && (
            <Problem title={typeof failed === "string" ? failed : failed(problem)} message={problem.message} funds="" />
          )}
          {isReviewed
            ? <Reviewed back={previewing.reset} isSending={sending.isPending} submit={submit} />
            : (
              <ApiFormFooter endpoint={endpoint} params={{ ...about, ...codeOf(encode, fields, texts) }} close={close}>
                <Submit loading={previewing.isPending || sending.isPending}>
                  {preview === undefined ? submit : t("Review")}
                </Submit>
              </ApiFormFooter>
            )}
        </Stack>
      </form>
    </Modal>
  )
}
