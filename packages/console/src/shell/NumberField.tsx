/** A number field of a form whose value stays text, as typed. */
import { NumberInput } from "@mantine/core"
import type { GetInputPropsReturnType } from "@mantine/form"

export function NumberField({ decimalScale, description, input, label }: {
  readonly label: string
  readonly description?: string | undefined
  readonly decimalScale?: number
  /** The result of the form's `getInputProps`. */
  readonly input: GetInputPropsReturnType
}) {
  const { onChange, ...props } = input as {
    readonly onChange: (value: string) => void
    readonly value: string
    readonly error?: string
  }
  return (
    <NumberInput
      label={label}
      description={description}
      hideControls
      {...(decimalScale === undefined ? { thousandSeparator: "," } : { decimalScale })}
      {...props}
      onChange={(value) => onChange(String(value))}
    />
  )
}
