/**
 * The button that sends a form. Pressing it does not take the focus from a field: a field that is left is checked, and what is said of it
 * would move the button away from under the pointer.
 */
import { Button } from "@mantine/core"
import type { ReactNode } from "react"

export function Submit({ children, loading }: { readonly children: ReactNode; readonly loading: boolean }) {
  return <Button type="submit" loading={loading} onMouseDown={(event) => event.preventDefault()}>{children}</Button>
}
