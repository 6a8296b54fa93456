/** Shows the signing secret of a webhook once, and how a receiver verifies with it. */
import { Button, Code, Collapse, CopyButton, Group, Stack, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { Secrets } from "../shell/Secrets.tsx"
import { verificationCode } from "./VerificationCode.ts"
import { t } from "../text/Text.ts"

export interface NewSecret {
  readonly url: string
  readonly secret: string
}

export function WebhookSecret({ close, made }: { readonly made: NewSecret; readonly close: () => void }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  return (
    <Secrets
      title={t("The signing secret")}
      about={{ name: "URL", value: made.url }}
      file="webhook-secret.txt"
      close={close}
      secrets={[{ name: t("Signing secret"), value: made.secret }]}
    >
      <Stack gap="xs">
        <Text size="sm">
          {t(
            "Each message is signed with it as Standard Webhooks defines. Refuse what it did not sign, and what is older " +
              "than five minutes; a message may come more than once, with the same webhook-id."
          )}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={toggle} aria-expanded={isOpen}>
            {isOpen ? t("Hide the code that verifies") : t("Show code that verifies")}
          </Button>
          <CopyButton value={verificationCode}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>{copied ? t("Copied") : t("Copy the code")}</Button>
            )}
          </CopyButton>
        </Group>
        <Collapse expanded={isOpen}>
          {isOpen && <Code block tabIndex={0} aria-label={t("Code that verifies")}>{verificationCode}</Code>}
        </Collapse>
      </Stack>
    </Secrets>
  )
}
