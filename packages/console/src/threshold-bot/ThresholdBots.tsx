/** Threshold bots. Each keeps a vault on one side of a pair. */
import { Alert, Button, Group, SimpleGrid, Stack, Text } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { BotCard } from "./BotCard.tsx"
import { useBots, useOwner } from "../bots/Bots.ts"
import { newTerms } from "./BotTerms.ts"
import { t } from "../text/Text.ts"

const BotForm = lazy(() => import("./BotForm.tsx").then(({ BotForm }) => ({ default: BotForm })))

export function ThresholdBots() {
  const bots = useBots().data?.bots
  const wallets = useWallets().data
  const ownerOf = useOwner()
  const [isAdding, setIsAdding] = useState(false)
  const [only] = wallets?.length === 1 ? wallets : []
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" maw={640}>
          {t(
            "A threshold bot keeps a vault on one side of a pair. It trades when more than its threshold is " +
              "on the wrong side."
          )}
        </Text>
        <Button disabled={wallets?.length === 0} onClick={() => setIsAdding(true)}>{t("Deploy a bot")}</Button>
      </Group>
      {bots?.length === 0 && (
        <Alert color="blue" title={t("No bot yet")}>
          {t(
            "A bot keeps a vault on one side of a pair, day and night. Deploy one; paper mode tries it " +
              "without trading."
          )}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {bots?.map((bot) => (
          <BotCard key={`${bot.network}/${bot.pool}/${bot.pair}`} bot={bot} owner={ownerOf(bot.gasWallet)} />
        ))}
      </SimpleGrid>
      <Suspense fallback={null}>
        {isAdding && (
          <BotForm
            initial={{ ...newTerms, wallet: only?.address ?? "" }}
            isEdit={false}
            hasNoSize
            close={() => setIsAdding(false)}
          />
        )}
      </Suspense>
    </Stack>
  )
}
