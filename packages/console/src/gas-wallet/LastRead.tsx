/** The age of a value that cannot be read now, below it. */
import { Text } from "@mantine/core"
import { Time } from "../shell/Time.tsx"
import { T } from "../text/Sentence.tsx"

export function LastRead({ at }: { readonly at: number }) {
  return (
    <Text size="xs" c="var(--mantine-color-error)" component="div">
      <T message="last read {at}" values={{ at: <Time at={new Date(at).toISOString()} /> }} />
    </Text>
  )
}
