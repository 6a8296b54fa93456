/** The page for unknown paths. */
import { Anchor, Stack, Text, Title } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

export function NotFoundPage() {
  return (
    <Stack>
      <Title order={1} size="h2">{t("Page not found")}</Title>
      <Text>
        <T
          message="This page does not exist. <0>Go to your gas wallets</0>."
          parts={[<Anchor component={Link} to="/gas-wallets" underline="always" />]}
        />
      </Text>
    </Stack>
  )
}
