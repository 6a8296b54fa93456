/** The first steps in order, each with its current state and a button. */
import { Alert, Button, Card, Group, NativeSelect, Progress, Stack, Text, Title } from "@mantine/core"
import { Link as RouterLink } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { Page } from "../shell/Page.tsx"
import { newTerms } from "../threshold-bot/BotTerms.ts"
import type { Check } from "../threshold-bot/Readiness.ts"
import { Approve } from "../trading/Approve.tsx"
import { LinkForm } from "../vault/LinkForm.tsx"
import { useLinks } from "../vault/Links.ts"
import { useProgress } from "./Progress.ts"
import { StateBadge } from "../shell/CheckMark.tsx"

const BotForm = lazy(() => import("../threshold-bot/BotForm.tsx").then(({ BotForm }) => ({ default: BotForm })))
const NewWallet = lazy(() => import("../gas-wallet/NewWallet.tsx").then(({ NewWallet }) => ({ default: NewWallet })))
const TraderDialog = lazy(() => import("../vault/Trader.tsx").then(({ TraderDialog }) => ({ default: TraderDialog })))

type Dialog = "wallet" | "link" | "trader" | "bot" | { readonly asset: string }

function Step(
  { check, children, title }: { readonly title: string; readonly check: Check; readonly children?: ReactNode }
) {
  return (
    <Card withBorder padding="sm" component="li" role="listitem" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={2}>
          <Title order={2} size="h5">{title}</Title>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>{check.says}</Text>
        </Stack>
        <StateBadge state={check.state} />
      </Group>
      {children !== undefined && children !== false && <Group gap="xs" mt="xs">{children}</Group>}
    </Card>
  )
}

export function StartPage() {
  const wallets = useWallets()
  const links = useLinks()
  const [chosen, choose] = useState("")
  const [vault, chooseVault] = useState("")
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const wallet = wallets.data?.find(({ address }) => address === chosen) ?? wallets.data?.[0]
  const own = links.data?.filter((link) => link.wallet === wallet?.address) ?? []
  const link = own.find(({ network, pool }) => `${network}/${pool}` === vault) ?? own[0]
  const progress = useProgress(wallet?.address ?? "", link)
  const { about, approved, bot, created, funded, linked, pair, readiness, set, status, trader } = progress
  const steps = [created, funded, linked, trader, approved, set, status]
  const doneCount = steps.filter(({ state }) => state === "done").length
  const missing = readiness.approvals.filter(({ state }) => state === "missing")
  return (
    <Page title="First steps" asked={wallets}>
      <Stack maw={760}>
        <Text>Set up a bot that trades your vault. Every step is verified on chain.</Text>
        <Group gap="sm" wrap="nowrap">
          <Progress value={doneCount / steps.length * 100} aria-label="Steps done" flex={1} />
          <Text size="sm" fw={600} role="status">{doneCount} of {steps.length} done</Text>
        </Group>
        {((wallets.data?.length ?? 0) > 1 || own.length > 1) && (
          <Group gap="sm">
            {(wallets.data?.length ?? 0) > 1 && (
              <NativeSelect
                label="Gas wallet"
                value={wallet?.address ?? ""}
                onChange={(event) => choose(event.currentTarget.value)}
                data={(wallets.data ?? []).map((each) => ({ value: each.address, label: nameOf(each) }))}
              />
            )}
            {own.length > 1 && (
              <NativeSelect
                label="Vault"
                value={link === undefined ? "" : `${link.network}/${link.pool}`}
                onChange={(event) => chooseVault(event.currentTarget.value)}
                data={own.map(({ network, pool }) => ({
                  value: `${network}/${pool}`,
                  label: `${network} ${pool.slice(0, 8)}…${pool.slice(-6)}`
                }))}
              />
            )}
          </Group>
        )}
        <Stack component="ol" role="list" gap="sm" p={0} m={0} style={{ listStyle: "none" }}>
          <Step title="1. A gas wallet is created" check={created}>
            <Button
              size="xs"
              variant={created.state === "missing" ? "filled" : "default"}
              onClick={() => setDialog("wallet")}
            >
              Add a gas wallet
            </Button>
          </Step>
          <Step title="2. It is funded" check={funded}>
            {wallet !== undefined && (
              <>
                <RefillButton wallet={wallet.address} network={link?.network} />
                <Text size="sm">Refill it from your wallet</Text>
              </>
            )}
          </Step>
          <Step title="3. A vault is linked" check={linked}>
            {wallet !== undefined && (
              <>
                <Button
                  size="xs"
                  variant={linked.state === "missing" ? "filled" : "default"}
                  onClick={() => setDialog("link")}
                >
                  Link a vault
                </Button>
                <Button size="xs" variant="default" component={RouterLink} to="/create">Create a vault</Button>
              </>
            )}
          </Step>
          <Step title="4. The gas wallet is its trader" check={trader}>
            {about !== undefined && (
              <Button
                size="xs"
                variant={trader.state === "missing" ? "filled" : "default"}
                onClick={() => setDialog("trader")}
              >
                {trader.state === "done" ? "View trader" : "Set the trader"}
              </Button>
            )}
          </Step>
          <Step title="5. Its assets are approved" check={approved}>
            {about !== undefined && trader.state === "done" &&
              missing.map(({ asset }) => (
                <Button key={asset} size="xs" onClick={() => setDialog({ asset })}>Approve {asset}</Button>
              ))}
          </Step>
          <Step title="6. A bot is set" check={set}>
            {about !== undefined && bot === undefined && (
              <Button
                size="xs"
                disabled={!readiness.ready}
                onClick={() => setDialog("bot")}
              >
                Deploy a bot
              </Button>
            )}
          </Step>
          <Step title="7. Its status is verified" check={status}>
            {bot !== undefined && (
              <Button size="xs" variant="default" component={RouterLink} to="/bots">View bot</Button>
            )}
          </Step>
        </Stack>
        {doneCount === steps.length && (
          <Alert color="green" title="The bot is running">
            It now checks the vault automatically. Keep gas in its wallet.
          </Alert>
        )}
      </Stack>
      {dialog === "link" && <LinkForm close={close} />}
      <Suspense fallback={null}>
        {dialog === "wallet" && <NewWallet close={close} />}
        {dialog === "trader" && about !== undefined && <TraderDialog vault={about} close={close} />}
        {dialog === "bot" && about !== undefined && (
          <BotForm initial={{ ...newTerms, ...about, pair }} fixed={false} close={close} />
        )}
      </Suspense>
      {typeof dialog === "object" && about !== undefined && (
        <Approve about={about} asset={dialog.asset} platform={readiness.platform} close={close} />
      )}
    </Page>
  )
}
