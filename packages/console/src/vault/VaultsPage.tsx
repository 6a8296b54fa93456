/** Managed Vaults: what they hold and are worth, and whether their gas wallet may trade them. */
import { Alert, Card, Group, Progress, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core"
import { Address } from "../shell/Address.tsx"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { Page } from "../shell/Page.tsx"
import { useComposition } from "./Composition.ts"
import { HealthFactor } from "./HealthFactor.tsx"
import { Linkage } from "./Linkage.tsx"
import { type Link, useLinks } from "./Links.ts"
import { placeOf } from "./Place.ts"

const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })
const shown = (value: number | null) => value === null ? "no price" : dollars.format(value)
const colours = ["blue", "teal", "grape", "orange", "cyan", "pink", "lime", "indigo"]

function Holdings({ link }: { readonly link: Link }) {
  const held = useComposition(link)
  if (held.error !== null && held.data === undefined) return <Alert color="red" role="alert" title="What it holds cannot be read">{held.error.message}</Alert>
  if (held.data === undefined) return <Text size="sm">Asking the chain…</Text>
  const { composition, total_value_usd } = held.data
  const lines = composition.filter(({ amount }) => amount !== "0")
  const partOf = (value: number | null) => value === null || total_value_usd === null || total_value_usd === 0 ? 0 : value / total_value_usd * 100
  return (
    <Stack gap="xs">
      <Text fw={600}>Worth {shown(total_value_usd)}</Text>
      <Progress.Root size="lg" aria-hidden="true">
        {lines.map(({ asset, value_usd }, index) => <Progress.Section key={asset} value={partOf(value_usd)} color={colours[index % colours.length] ?? "blue"} aria-hidden="true" />)}
      </Progress.Root>
      <Table.ScrollContainer minWidth={280}>
        <Table aria-label="Holdings" verticalSpacing={4}>
          <Table.Thead><Table.Tr><Table.Th>Asset</Table.Th><Table.Th>Amount</Table.Th><Table.Th>USD</Table.Th><Table.Th>Part</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>
            {lines.map(({ amount, asset, symbol, value_usd }) => (
              <Table.Tr key={asset}>
                <Table.Td>{symbol}</Table.Td>
                <Table.Td>{Number(amount).toLocaleString("en", { maximumFractionDigits: 6 })}</Table.Td>
                <Table.Td>{shown(value_usd)}</Table.Td>
                <Table.Td>{partOf(value_usd).toFixed(1)} %</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {lines.some(({ kind }) => kind === "position") && <HealthFactor place={placeOf({ ...link, gasWallet: link.wallet })} />}
    </Stack>
  )
}

export function VaultsPage() {
  const links = useLinks()
  return (
    <Page title="Managed Vaults" asked={links}>
      {links.data?.length === 0 && <Alert color="blue" title="No vault yet">Link a vault to one of your gas wallets under API Linked Vaults; what it holds is shown here then.</Alert>}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {links.data?.map((link) => (
          <Card withBorder key={`${link.wallet}/${link.network}/${link.pool}`} component="section" aria-label={`Vault ${link.pool}`}>
            <Stack gap="xs">
              <Group justify="space-between">
                <Title order={2} size="h4">Vault on {link.network}</Title>
                <Linkage is_trader={link.is_trader} />
              </Group>
              <Address of={link.pool} what="vault" />
              <Group gap="xs">
                <Text size="sm">Gas wallet {link.label ?? ""}</Text>
                <Address of={link.wallet} what="wallet" />
                <RefillButton wallet={link.wallet} network={link.network} />
              </Group>
              <Holdings link={link} />
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
    </Page>
  )
}
