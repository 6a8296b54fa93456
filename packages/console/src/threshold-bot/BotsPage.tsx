/** Trading Bots: what they are set to, what they decided last and why. */
import { Alert, Badge, Button, Card, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import type { Address as AddressOf } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { useState } from "react"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { queries } from "../Queries.ts"
import { call } from "../Calls.ts"
import { Address } from "../shell/Address.tsx"
import { Named } from "../shell/Named.tsx"
import { Page } from "../shell/Page.tsx"
import { done, told } from "../shell/Told.ts"
import { BotForm } from "./BotForm.tsx"
import { type Bot, useBots } from "./Bots.ts"
import { type BotTerms, newTerms } from "./BotTerms.ts"

const about = ({ gasWallet, network, pool }: Bot) => ({ wallet: gasWallet as AddressOf, network: network as Network, pool: pool as AddressOf })

const termsOf = (bot: Bot): BotTerms => ({
  wallet: bot.gasWallet,
  network: bot.network,
  pool: bot.pool,
  pair: bot.pair,
  side: bot.side,
  threshold: String(bot.threshold),
  share: String(bot.share),
  max_usd: String(bot.max_usd),
  slippage: String(bot.slippage),
  lending: bot.lending,
  paper: bot.paper
})

function State({ active, kill_switch, paused_reason, side }: Bot) {
  if (kill_switch !== null) return <Badge color="red">stopped</Badge>
  if (paused_reason !== null) return <Badge color="red">paused itself</Badge>
  return active ? <Badge color="green" variant="dot">active</Badge> : <Badge color="gray">{side === "hold" ? "on hold" : "off"}</Badge>
}

function Delete({ bot, close }: { readonly bot: Bot; readonly close: () => void }) {
  const deleting = useMutation({
    mutationFn: () => call((client) => client.wallet.deleteBot({ ...about(bot), pair: bot.pair })),
    onSuccess: ({ message }) => {
      done(message)
      close()
      void queries.invalidateQueries()
    }
  })
  return (
    <Named title="Delete the bot" name={bot.pair} action="Delete" close={close} loading={deleting.isPending} problem={deleting.error} onConfirm={() => deleting.mutate()}>
      <Text size="sm">The vault keeps what it holds. A trade that is under way goes on.</Text>
    </Named>
  )
}

function BotCard({ bot, owner }: { readonly bot: Bot; readonly owner: string }) {
  const [dialog, setDialog] = useState<"edit" | "delete">()
  const close = () => setDialog(undefined)
  const stopped = bot.kill_switch !== null
  const turning = useMutation({
    mutationFn: () => call((client) => stopped ? client.wallet.resumeBot(about(bot)) : client.wallet.pauseBot({ ...about(bot), reason: "stopped in the console" })),
    onSuccess: ({ message }) => done(message),
    onError: told("The switch was not turned"),
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Card withBorder component="section" aria-label={`${bot.pair} on ${bot.network}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">{bot.pair} · {bot.side}</Title>
          <Group gap="xs">{bot.paper && <Badge color="gray">paper</Badge>}<State {...bot} /></Group>
        </Group>
        <Group gap="xs"><Text size="sm">{bot.network} · {owner}</Text><RefillButton wallet={bot.gasWallet as AddressOf} network={bot.network as Network} /><Text size="sm">vault</Text><Address of={bot.pool} what="vault" /></Group>
        <Text size="sm">Threshold {bot.threshold} % · share {bot.share} % · at most ${bot.max_usd.toLocaleString("en")} a trade · slippage {bot.slippage} %{bot.lending ? " · lends what is idle" : ""}</Text>
        {bot.paused_reason !== null && <Alert color="red" title="It paused itself">{bot.paused_reason}</Alert>}
        {stopped && <Alert color="red">{bot.kill_switch}</Alert>}
        <Text size="sm" data-testid="decision">
          {bot.last_decision === null ? "No decision yet." : `Last decision, ${new Date(bot.last_decision.at).toLocaleString()}: ${bot.last_decision.action}. ${bot.last_decision.reason}`}
        </Text>
        {bot.next_check !== null && <Text size="sm" c="dimmed">Next look: {new Date(bot.next_check).toLocaleTimeString()}</Text>}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setDialog("edit")}>Edit</Button>
          <Button size="xs" variant="default" loading={turning.isPending} onClick={() => turning.mutate()} title="Of all bots of this vault">{stopped ? "Resume" : "Pause"}</Button>
          <Button size="xs" variant="default" onClick={() => setDialog("delete")}>Delete</Button>
        </Group>
      </Stack>
      {dialog === "edit" && <BotForm initial={termsOf(bot)} fixed close={close} />}
      {dialog === "delete" && <Delete bot={bot} close={close} />}
    </Card>
  )
}

export function BotsPage() {
  const bots = useBots()
  const wallets = useWallets()
  const [adding, setAdding] = useState(false)
  const [only] = wallets.data?.length === 1 ? wallets.data : []
  const none = wallets.data?.length === 0
  return (
    <Page title="Trading Bots" asked={bots} actions={<Button disabled={none} onClick={() => setAdding(true)}>Deploy a bot</Button>}>
      {none && <Alert color="blue" title="A bot needs a gas wallet">Add one under Gas Wallets, fund it, and make it your vault’s trader. Then come back.</Alert>}
      {!none && bots.data?.bots.length === 0 && <Alert color="blue" title="No bot yet">A bot keeps a vault on one side of a pair, day and night. Deploy one; paper mode tries it without trading.</Alert>}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {bots.data?.bots.map((bot) => {
          const wallet = wallets.data?.find(({ address }) => address === bot.gasWallet)
          return <BotCard key={`${bot.network}/${bot.pool}/${bot.pair}`} bot={bot} owner={wallet === undefined ? bot.gasWallet.slice(0, 8) : nameOf(wallet)} />
        })}
      </SimpleGrid>
      {adding && <BotForm initial={{ ...newTerms, wallet: only?.address ?? "" }} fixed={false} close={() => setAdding(false)} />}
    </Page>
  )
}
