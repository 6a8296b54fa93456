/** The first steps in order, each with its current state and a button. */
import { Alert, Button, Card, Group, NativeSelect, Progress as ProgressBar, Stack, Text, Title } from "@mantine/core"
import { Link as RouterLink } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { nameOf, useWallets, type Wallet } from "../gas-wallet/GasWallets.ts"
import { CheckMark } from "../shell/CheckMark.tsx"
import { Page } from "../shell/Page.tsx"
import { newTerms } from "../threshold-bot/BotTerms.ts"
import type { Check } from "../threshold-bot/Readiness.ts"
import { sizeFor } from "../vault/TradeSize.ts"
import { type Link, useLinks } from "../vault/useVaults.ts"
import { type Progress, useProgress } from "./Progress.ts"
import { t } from "../text/Text.ts"

const LinkForm = lazy(() => import("../vault/LinkForm.tsx").then(({ LinkForm }) => ({ default: LinkForm })))
const BotForm = lazy(() => import("../threshold-bot/BotForm.tsx").then(({ BotForm }) => ({ default: BotForm })))
const NewWallet = lazy(() => import("../gas-wallet/NewWallet.tsx").then(({ NewWallet }) => ({ default: NewWallet })))
const Refill = lazy(() => import("../gas-wallet/Refill.tsx").then(({ Refill }) => ({ default: Refill })))
const TraderDialog = lazy(() => import("../vault/Trader.tsx").then(({ TraderDialog }) => ({ default: TraderDialog })))

type Dialog = "wallet" | "gas" | "link" | "trader" | "bot"

/** US dollars of gas to begin with: a first bot trades up to twenty times until its vault is on its side. */
const firstGas = "100"

function Step(
  { check, children, title }: { readonly title: string; readonly check: Check; readonly children?: ReactNode }
) {
  return (
    <Card withBorder padding="sm" component="li" role="listitem" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={2}>
          <Title order={2} size="h5">{title}</Title>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>{check.text}</Text>
        </Stack>
        <CheckMark state={check.state} />
      </Group>
      {children !== undefined && children !== false && <Group gap="xs" mt="xs">{children}</Group>}
    </Card>
  )
}

/** A step's button; filled while the step is the one to do. */
function StepButton(
  { check, children, onClick }: { readonly check: Check; readonly children: ReactNode; readonly onClick: () => void }
) {
  return (
    <Button size="xs" variant={check.state === "missing" ? "filled" : "default"} onClick={onClick}>{children}</Button>
  )
}

const keyOf = ({ network, pool }: Link) => `${network}/${pool}`

/** Selects the gas wallet and the vault, where there are several. */
function Choices({ choose, link, links, wallet, wallets }: {
  readonly wallets: ReadonlyArray<Wallet>
  readonly wallet: Wallet | undefined
  readonly links: ReadonlyArray<Link>
  readonly link: Link | undefined
  readonly choose: (choice: { readonly wallet?: string; readonly vault?: string }) => void
}) {
  if (wallets.length < 2 && links.length < 2) return null
  return (
    <Group gap="sm">
      {wallets.length > 1 && (
        <NativeSelect
          label={t("Gas wallet")}
          value={wallet?.address ?? ""}
          onChange={(event) => choose({ wallet: event.currentTarget.value })}
          data={wallets.map((each) => ({ value: each.address, label: nameOf(each) }))}
        />
      )}
      {links.length > 1 && (
        <NativeSelect
          label={t("Vault")}
          value={link === undefined ? "" : keyOf(link)}
          onChange={(event) => choose({ vault: event.currentTarget.value })}
          data={links.map((each) => ({
            value: keyOf(each),
            label: `${each.network} ${each.pool.slice(0, 8)}…${each.pool.slice(-6)}`
          }))}
        />
      )}
    </Group>
  )
}

interface StepsProps {
  readonly progress: Progress
  readonly open: (dialog: Dialog) => void
}

/** The steps until a gas wallet trades a vault. */
function SetupSteps({ link, open, progress: { checks }, wallet }: StepsProps & {
  readonly wallet: Wallet | undefined
  readonly link: Link | undefined
}) {
  return (
    <>
      <Step title={t("1. A gas wallet is created")} check={checks.wallet}>
        <StepButton check={checks.wallet} onClick={() => open("wallet")}>{t("Add a gas wallet")}</StepButton>
      </Step>
      <Step title={t("2. It is funded")} check={checks.gas}>
        {wallet !== undefined && (
          <StepButton check={checks.gas} onClick={() => open("gas")}>{t("Refill it from your wallet")}</StepButton>
        )}
      </Step>
      <Step title={t("3. It trades a vault")} check={checks.vault}>
        {wallet !== undefined && (
          <>
            {link === undefined || checks.vault.state === "done"
              ? <StepButton check={checks.vault} onClick={() => open("link")}>{t("Link a vault")}</StepButton>
              : <StepButton check={checks.vault} onClick={() => open("trader")}>{t("Set the trader")}</StepButton>}
            {checks.vault.state === "done" && (
              <Button size="xs" variant="default" onClick={() => open("trader")}>{t("View trader")}</Button>
            )}
            <Button size="xs" variant="default" component={RouterLink} to="/create">{t("Create a vault")}</Button>
          </>
        )}
      </Step>
    </>
  )
}

/** The steps from the vault to a bot that trades. */
function BotSteps({ open, progress: { bot, checks, readiness, vault } }: StepsProps) {
  return (
    <>
      <Step title={t("4. A bot is set")} check={checks.bot}>
        {vault !== undefined && bot === undefined && (
          <Button
            size="xs"
            disabled={!readiness.ready}
            onClick={() => open("bot")}
          >
            {t("Deploy a bot")}
          </Button>
        )}
      </Step>
      <Step title={t("5. Its status is verified")} check={checks.status}>
        {bot !== undefined && (
          <Button
            size="xs"
            variant="default"
            component={RouterLink}
            to="/bots/$network/$pool/$pair"
            params={{ network: bot.network, pool: bot.pool, pair: bot.pair } as never}
          >
            {t("View bot")}
          </Button>
        )}
      </Step>
    </>
  )
}

function Dialogs({ close, dialog, progress: { pair, vault, vaultUsd }, wallet }: {
  readonly dialog: Dialog | undefined
  readonly progress: Progress
  readonly wallet: Wallet | undefined
  readonly close: () => void
}) {
  return (
    <Suspense fallback={null}>
      {dialog === "link" && <LinkForm wallet={wallet?.address ?? ""} close={close} />}
      {dialog === "wallet" && <NewWallet close={close} />}
      {dialog === "gas" && wallet !== undefined && (
        <Refill wallet={wallet.address} network={vault?.network} usd={firstGas} close={close} />
      )}
      {dialog === "trader" && vault !== undefined && <TraderDialog vault={vault} close={close} />}
      {dialog === "bot" && vault !== undefined && (
        <BotForm
          initial={{ ...newTerms, ...vault, pair, max_usd: sizeFor(vaultUsd) }}
          isEdit={false}
          isReviewed
          close={close}
        />
      )}
    </Suspense>
  )
}

export function StartPage(
  { leave }: { /** Leaves the steps where they stand in for Home. */ readonly leave?: () => void }
) {
  const wallets = useWallets()
  const links = useLinks()
  const [choice, setChoice] = useState({ wallet: "", vault: "" })
  const [dialog, setDialog] = useState<Dialog>()
  const wallet = wallets.data?.find(({ address }) => address === choice.wallet) ?? wallets.data?.[0]
  const ownLinks = links.data?.filter((each) => each.wallet === wallet?.address) ?? []
  const link = ownLinks.find((each) => keyOf(each) === choice.vault) ?? ownLinks[0]
  const progress = useProgress(wallet?.address ?? "", link)
  const steps = Object.values(progress.checks)
  const doneCount = steps.filter(({ state }) => state === "done").length
  return (
    <Page title={t("First steps")} query={wallets}>
      <Stack maw={760}>
        <Text>{t("Set up a bot that trades your vault. Every step is verified on chain.")}</Text>
        <Group gap="sm" wrap="nowrap">
          <ProgressBar value={doneCount / steps.length * 100} aria-label={t("Steps done")} flex={1} />
          <Text size="sm" fw={600} role="status">
            {t("{doneCount} of {count} done", { doneCount, count: steps.length })}
          </Text>
        </Group>
        <Choices
          wallets={wallets.data ?? []}
          wallet={wallet}
          links={ownLinks}
          link={link}
          choose={(chosen) => setChoice((before) => ({ ...before, ...chosen }))}
        />
        <Stack component="ol" role="list" gap="sm" p={0} m={0} style={{ listStyle: "none" }}>
          <SetupSteps wallet={wallet} link={link} progress={progress} open={setDialog} />
          <BotSteps progress={progress} open={setDialog} />
        </Stack>
        {doneCount === steps.length && (
          <Alert color="green" title={t("The bot is running")}>
            <Stack gap="xs" align="flex-start">
              {t("It now checks the vault automatically. Keep gas in its wallet.")}
              <Button size="xs" component={RouterLink} to="/" onClick={leave}>{t("View your vaults")}</Button>
            </Stack>
          </Alert>
        )}
      </Stack>
      <Dialogs dialog={dialog} progress={progress} wallet={wallet} close={() => setDialog(undefined)} />
    </Page>
  )
}
