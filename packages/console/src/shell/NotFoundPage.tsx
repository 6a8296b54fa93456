/** A path that leads nowhere. */
import { Anchor, Stack, Text, Title } from "@mantine/core"
import { Link } from "@tanstack/react-router"

export function Missing() {
  return (
    <Stack>
      <Title order={1} size="h2">There is no such page</Title>
      <Text>The address leads nowhere. <Anchor component={Link} to="/gas-wallets" underline="always">Go to your gas wallets</Anchor>.</Text>
    </Stack>
  )
}
