/** The page for unknown paths. */
import { Anchor, Stack, Text, Title } from "@mantine/core"
import { Link } from "@tanstack/react-router"

export function NotFoundPage() {
  return (
    <Stack>
      <Title order={1} size="h2">Page not found</Title>
      <Text>
        This page does not exist.{" "}
        <Anchor component={Link} to="/gas-wallets" underline="always">Go to your gas wallets</Anchor>.
      </Text>
    </Stack>
  )
}
