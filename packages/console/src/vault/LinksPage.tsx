/** API Linked Vaults: the links between gas wallets and vaults, and whether the wallet is the trader on chain. */
import { Alert, Button, Card, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { Address } from "../shell/Address.tsx"
import { Page } from "../shell/Page.tsx"
import { showError, showSuccess } from "../shell/Notices.ts"
import { TraderBadge } from "./TraderBadge.tsx"
import { type Link, useLinks } from "./useVaults.ts"
import { t } from "../text/Text.ts"

const LinkForm = lazy(() => import("./LinkForm.tsx").then(({ LinkForm }) => ({ default: LinkForm })))

function LinkCard(
  { link, verify, verifying }: { readonly link: Link; readonly verify: () => void; readonly verifying: boolean }
) {
  const unlinking = useMutation({
    mutationFn: () =>
      call((client) => client.wallet.unlinkGasWallet({ wallet: link.wallet, network: link.network, pool: link.pool })),
    onSuccess: ({ message }) => showSuccess(message),
    onError: showError(t("The vault was not unlinked")),
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Card withBorder component="section" aria-label={t("Vault {pool}", { pool: link.pool })}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">{link.network}</Title>
          <TraderBadge is_trader={link.is_trader} />
        </Group>
        <Group gap="xs">
          <Text size="sm">{t("Vault")}</Text>
          <Address address={link.pool} label={t("vault")} />
        </Group>
        <Group gap="xs">
          <Text size="sm">{t("Gas wallet {label}", { label: link.label ?? "" })}</Text>
          <Address address={link.wallet} label={t("wallet")} />
        </Group>
        <Group gap="xs">
          <Button size="xs" variant="default" loading={verifying} onClick={verify}>{t("Verify now")}</Button>
          <Button size="xs" variant="default" loading={unlinking.isPending} onClick={() => unlinking.mutate()}>
            {t("Unlink")}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}

export function LinksPage() {
  const links = useLinks()
  const wallets = useWallets()
  const [isAdding, setIsAdding] = useState(false)
  return (
    <Page
      title={t("API Linked Vaults")}
      query={links}
      actions={
        <Button disabled={wallets.data?.length === 0} onClick={() => setIsAdding(true)}>{t("Link a vault")}</Button>
      }
    >
      {links.data?.length === 0 && (
        <Alert color="blue" title={t("No vault is linked")}>
          {t(
            "Link the vaults your gas wallets trade. The console then checks that each wallet is the vault’s " +
              "trader on chain."
          )}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {links.data?.map((link) => (
          <LinkCard
            key={`${link.wallet}/${link.network}/${link.pool}`}
            link={link}
            verify={() => void links.refetch()}
            verifying={links.isRefetching}
          />
        ))}
      </SimpleGrid>
      <Suspense fallback={null}>
        {isAdding && <LinkForm close={() => setIsAdding(false)} />}
      </Suspense>
    </Page>
  )
}
