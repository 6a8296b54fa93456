/** A field for a name and the button that takes it. */
import { Button, Group, TextInput } from "@mantine/core"
import { type FormEvent, useState } from "react"

export function NameForm({ action, first, label, most, save }: {
  readonly label: string
  readonly action: string
  readonly first: string
  /** The most characters. */
  readonly most: number
  readonly save: (name: string) => void
}) {
  const [name, setName] = useState(first)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== "") save(name.trim())
  }
  return (
    <form onSubmit={submit} style={{ flex: 1 }}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={label}
          value={name}
          maxLength={most}
          autoComplete="off"
          data-autofocus
          style={{ flex: 1 }}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" disabled={name.trim() === ""}>{action}</Button>
      </Group>
    </form>
  )
}
