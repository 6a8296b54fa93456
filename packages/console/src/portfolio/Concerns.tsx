/** Home's first part: what needs the manager's attention, each with the page where it is dealt with. */
import { Badge, Button, Card, Group, Stack, Text, ThemeIcon } from "@mantine/core"
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { Section } from "../shell/Section.tsx"
import { t } from "../text/Text.ts"
import type { Concern } from "./Attention.ts"

/** How many concerns are listed before the rest is counted. */
const maxConcerns = 5

export function Concerns({ concerns }: { readonly concerns: ReadonlyArray<Concern> | undefined }) {
  const [isWhole, setIsWhole] = useState(false)
  if (concerns === undefined) return null
  if (concerns.length === 0) {
    return (
      <Card withBorder component="section" aria-label={t("Needs attention")} padding="sm">
        <Group gap="xs">
          <ThemeIcon color="green" variant="light" radius="xl" aria-hidden="true">
            <IconCircleCheck size={18} />
          </ThemeIcon>
          <Text size="sm">{t("Nothing needs your attention.")}</Text>
        </Group>
      </Card>
    )
  }
  const shown = isWhole ? concerns : concerns.slice(0, maxConcerns)
  return (
    <Section title={t("Needs attention")} action={<Badge color="red" circle size="lg">{concerns.length}</Badge>}>
      <Stack gap={4} component="ul" style={{ listStyle: "none", margin: 0, padding: 0 }}>
        {shown.map(({ action, key, level, text, title, to }) => (
          <Group key={key} className="concern" component="li" justify="space-between" wrap="nowrap" gap="sm" py={6}>
            <Group gap="sm" wrap="nowrap" align="flex-start" style={{ minWidth: 0 }}>
              <ThemeIcon color={level} variant="light" radius="xl" aria-hidden="true" style={{ flex: "none" }}>
                <IconAlertTriangle size={16} />
              </ThemeIcon>
              <div style={{ minWidth: 0 }}>
                <Text size="sm" fw={600}>{title}</Text>
                <Text size="sm" c="dimmed" lineClamp={2}>{text}</Text>
              </div>
            </Group>
            <Button
              size="xs"
              variant="default"
              component={Link}
              to={to as "/"}
              h="auto"
              mih={30}
              py={4}
              maw="45%"
              style={{ flex: "none" }}
              // Longer in some languages than a phone has room for in one line.
              styles={{
                root: { display: "inline-flex", alignItems: "center", justifyContent: "center" },
                label: { whiteSpace: "normal" }
              }}
            >
              {action}
            </Button>
          </Group>
        ))}
      </Stack>
      {concerns.length > maxConcerns && (
        <Button
          size="compact-sm"
          variant="subtle"
          mt={4}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? t("Show fewer") : t("Show all {count}", { count: concerns.length })}
        </Button>
      )}
    </Section>
  )
}
