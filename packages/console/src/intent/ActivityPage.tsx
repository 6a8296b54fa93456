/** Activity: what was asked of the chains, what came of it, and what to do where it failed. */
import { Alert, Badge, Card, Group, NativeSelect, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { call } from "../Calls.ts"
import { Address } from "../shell/Address.tsx"
import { Page } from "../shell/Page.tsx"
import { Transaction } from "../shell/Transaction.tsx"

const colours = { pending: "blue", success: "green", fail: "red" } as const
const words = { pending: "under way", success: "done", fail: "failed" } as const

export function ActivityPage() {
  const wallets = useWallets()
  const [chosen, setChosen] = useState("")
  const asked = useQuery({
    queryKey: ["activity", chosen, wallets.data?.map(({ address }) => address)],
    enabled: wallets.data !== undefined,
    refetchInterval: 3_000,
    queryFn: async ({ signal }) => {
      const of = (wallets.data ?? []).filter(({ address }) => chosen === "" || address === chosen)
      const each = await Promise.all(of.map(async (wallet) => {
        const { intents } = await call((client) => client.wallet.getIntents({ wallet: wallet.address, limit: 50 }), signal)
        return intents.map((intent) => ({ ...intent, owner: nameOf(wallet) }))
      }))
      return each.flat().sort((one, other) => other.created_at.localeCompare(one.created_at))
    }
  })
  const choice = (
    <NativeSelect aria-label="Gas wallet" value={chosen} onChange={(event) => setChosen(event.currentTarget.value)} data={[{ value: "", label: "All gas wallets" }, ...(wallets.data ?? []).map((wallet) => ({ value: wallet.address, label: nameOf(wallet) }))]} />
  )
  return (
    <Page title="Activity" asked={asked} actions={choice}>
      {asked.data?.length === 0 && <Alert color="blue" title="Nothing yet">Every request that may move funds is listed here: trades of bots, approvals, calls of your programs. The last 50 of each wallet.</Alert>}
      <Stack gap="xs">
        {asked.data?.map((intent) => (
          <Card withBorder key={intent.intent_id} padding="sm" component="article">
            <Group justify="space-between">
              <Text fw={500}>{intent.endpoint} · {intent.network} · {intent.owner}</Text>
              <Badge color={colours[intent.status]} variant={intent.status === "success" ? "dot" : "filled"}>{words[intent.status]}</Badge>
            </Group>
            <Text size="sm">{intent.message}</Text>
            <Group gap="xs">
              <Text size="sm" c="dimmed">{new Date(intent.created_at).toLocaleString()}</Text>
              {intent.tx_hash !== null && <Transaction network={intent.network} hash={intent.tx_hash} />}
              <Text size="sm" c="dimmed">intent</Text><Address of={intent.intent_id} what="intent" />
            </Group>
          </Card>
        ))}
      </Stack>
    </Page>
  )
}
