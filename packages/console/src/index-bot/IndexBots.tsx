/** Index bots. Each keeps a vault at target weights. */
import { Alert, Button, Group, Stack, Text } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { useBots, useOwner } from "../bots/Bots.ts"
import { IndexCard } from "./IndexCard.tsx"
import { newTerms } from "./IndexTerms.ts"
import { t } from "../text/Text.ts"

const IndexForm = lazy(() => import("./IndexForm.tsx").then(({ IndexForm }) => ({ default: IndexForm })))

export function IndexBots() {
  const bots = useBots().data?.index_bots
  const wallets = useWallets().data
  const ownerOf = useOwner()
  const [isAdding, setIsAdding] = useState(false)
  const [only] = wallets?.length === 1 ? wallets : []
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" maw={640}>
          {t(
            "An index bot keeps a vault at target weights of 2 to 20 assets. It checks on a schedule and " +
              "rebalances assets that are out of their band."
          )}
        </Text>
        <Button disabled={wallets?.length === 0} onClick={() => setIsAdding(true)}>{t("Set an index")}</Button>
      </Group>
      {bots?.length === 0 && (
        <Alert color="blue" title={t("No index yet")}>
          {t(
            "Set one for a vault. Scheduled checks start only when you enable them: first preview what it " +
              "would trade, or try it on paper."
          )}
        </Alert>
      )}
      {bots?.map((bot) => <IndexCard key={`${bot.network}/${bot.pool}`} bot={bot} owner={ownerOf(bot.gasWallet)} />)}
      <Suspense>
        {isAdding && (
          <IndexForm
            initial={newTerms(only?.address ?? "")}
            isEdit={false}
            hasNoSize
            close={() => setIsAdding(false)}
          />
        )}
      </Suspense>
    </Stack>
  )
}
