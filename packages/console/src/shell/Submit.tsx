/**
 * A form's submit button. Pressing it keeps the focus in the current field: leaving the field would validate it, and an
 * error message could move the button away from the pointer.
 */
import { Button } from "@mantine/core"
import type { ReactNode } from "react"

export function Submit({ children, loading }: { readonly children: ReactNode; readonly loading: boolean }) {
  return <Button type="submit" loading={loading} onMouseDown={(event) => event.preventDefault()}>{children}</Button>
}
