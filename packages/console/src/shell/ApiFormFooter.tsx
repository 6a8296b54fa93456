/** The footer of a form that makes one API call: shows the call as code, cancels or submits. */
import { Button, Collapse, Group } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import type { Call } from "@vault-trader/core/console/Snippet"
import type { ReactNode } from "react"
import { ApiCode } from "./ApiCode.tsx"
import { t } from "../text/Text.ts"

export function ApiFormFooter({ children, close, endpoint, params }: {
  readonly endpoint: string
  readonly params: Call["params"]
  readonly close: () => void
  /** The submit button. */
  readonly children: ReactNode
}) {
  const [isCodeOpen, { toggle }] = useDisclosure(false)
  return (
    <>
      <Group justify="space-between">
        <Button variant="default" onClick={toggle} aria-expanded={isCodeOpen}>
          {isCodeOpen ? t("Hide API Code") : t("Show API Code")}
        </Button>
        <Group>
          <Button variant="default" onClick={close}>{t("Cancel")}</Button>
          {children}
        </Group>
      </Group>
      <Collapse expanded={isCodeOpen}>{isCodeOpen && <ApiCode endpoint={endpoint} params={params} />}</Collapse>
    </>
  )
}
