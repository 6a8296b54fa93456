/** A vault's margin at HyperCore. */
import { Alert, Button, Group, SimpleGrid, Stack } from "@mantine/core"
import { amount, money } from "../shell/Format.ts"
import { Section } from "../shell/Section.tsx"
import { Stat } from "../shell/Stat.tsx"
import type { Account, Move } from "./Perpetuals.ts"
import { t } from "../text/Text.ts"

export function Margin({ account, move }: { readonly account: Account; readonly move: (kind: Move) => void }) {
  const { accountValue, spotUsdc, totalMarginUsed, totalPositionValue, withdrawable } = account.margin
  return (
    <Section
      title={t("Margin")}
      action={
        <Group gap="xs">
          <Button size="compact-sm" onClick={() => move("deposit")}>{t("Deposit")}</Button>
          <Button size="compact-sm" variant="default" onClick={() => move("withdraw")}>{t("Withdraw")}</Button>
        </Group>
      }
    >
      <Stack>
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          <Stat label={t("Account value")} value={money(accountValue)} />
          <Stat label={t("Margin used")} value={money(totalMarginUsed)} />
          <Stat label={t("Withdrawable")} value={money(withdrawable)} />
          <Stat label={t("Value of positions")} value={money(totalPositionValue)} />
        </SimpleGrid>
        {Number(spotUsdc) > 0 && (
          <Alert
            color="blue"
            title={t("{amount} USDC are between the vault and the margin", { amount: amount(spotUsdc) })}
          >
            {t("They are in transit, or a withdrawal stopped half way: the next withdrawal takes them along.")}
          </Alert>
        )}
      </Stack>
    </Section>
  )
}
