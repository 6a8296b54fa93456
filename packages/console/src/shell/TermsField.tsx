/** A field of a form of terms, by the kind of its parameter. A secret's field keeps its text to itself. */
import { Checkbox, NativeSelect, PasswordInput, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core"
import { groupedBy } from "./Grouped.ts"
import { t } from "../text/Text.ts"

interface Option {
  readonly value: string
  readonly label: string
  readonly description?: string
  /** The heading under which the option is listed, of a list of choices. */
  readonly group?: string
}

export interface TermField {
  /** The parameter's name. */
  readonly name: string
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  /** `choices` is a list of the options that are ticked. */
  readonly kind?: "text" | "flag" | "choice" | "choices" | "secret"
  readonly options?: ReadonlyArray<Option>
  /** True for a parameter that is a list, typed with commas. */
  readonly isList?: boolean
  readonly isNeeded?: boolean
}

/** Returns the parameter's value of a field's text. */
export const valueOf = ({ isList = false, kind }: TermField, text: string): string | ReadonlyArray<string> =>
  isList || kind === "choices" ? text.split(/[\s,]+/).filter((each) => each !== "") : text.trim()

/** The options of one group, under its heading. */
function Choices({ group, options }: { readonly group: string; readonly options: ReadonlyArray<Option> }) {
  return (
    <div role={group === "" ? undefined : "group"} aria-label={group === "" ? undefined : group}>
      {group !== "" && <Text size="xs" c="dimmed" fw={600} mb={4} aria-hidden="true">{group}</Text>}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6}>
        {options.map(({ group: _, ...option }) => <Checkbox key={option.value} {...option} />)}
      </SimpleGrid>
    </div>
  )
}

export function TermsField({ complaint, field, set, text }: {
  readonly field: TermField
  readonly text: string
  readonly complaint: string | null
  readonly set: (text: string) => void
}) {
  const { description, kind = "text", label, name, options = [], placeholder } = field
  const texts = { label, description, error: complaint }
  switch (kind) {
    case "flag":
      return (
        <Switch
          {...texts}
          checked={text === "true"}
          onChange={(event) => set(String(event.currentTarget.checked))}
        />
      )
    case "choice":
      return (
        <NativeSelect
          {...texts}
          data={options.map((option) => ({ value: option.value, label: option.label }))}
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )
    case "choices":
      return (
        <Checkbox.Group {...texts} value={[...valueOf(field, text)]} onChange={(chosen) => set(chosen.join(","))}>
          <Stack gap="xs" mt={6}>
            {[...groupedBy(options, ({ group = "" }) => group)].map(([group, members]) => (
              <Choices key={group} group={group} options={members} />
            ))}
          </Stack>
        </Checkbox.Group>
      )
    case "secret":
      return (
        <PasswordInput
          {...texts}
          name={name}
          placeholder={placeholder ?? ""}
          autoComplete="off"
          spellCheck={false}
          onChange={() => set("")}
          visibilityToggleButtonProps={{ "aria-label": t("Show or hide {label}", { label }) }}
        />
      )
    case "text":
      return (
        <TextInput
          {...texts}
          placeholder={placeholder ?? ""}
          autoComplete="off"
          value={text}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )
  }
}
