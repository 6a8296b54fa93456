/** The progress of a transaction of the manager's wallet. */
import { Alert, Group, Loader, Stack, Text } from "@mantine/core"
import type { Network } from "@vault-trader/core/chain/Network"
import { sentenceOf } from "./ManagerWallet.ts"
import type { Stage } from "./useManagerWallet.ts"
import { Transaction } from "../shell/Transaction.tsx"
import { t } from "../text/Text.ts"

const stageTexts: Readonly<Record<"signing" | "pending" | "confirmed", string>> = {
  signing: t("Confirm it in your wallet…"),
  pending: t("Sent. Waiting for a block…"),
  confirmed: t("Confirmed.")
}

export function ManagerTransaction({ error, hash, network, stage, failureTitle }: {
  readonly network: Network
  readonly stage: Stage
  readonly hash: string | undefined
  readonly error: unknown
  /** Title for a failure, for example "The wallet was not refilled". */
  readonly failureTitle: string
}) {
  if (stage === "ready") return null
  if (stage === "declined") {
    return (
      <Alert color="gray" role="status" title={t("Not sent")}>
        {t("You declined in the wallet. Nothing was done.")}
      </Alert>
    )
  }
  if (stage === "failed") {
    return (
      <Alert color="red" role="alert" title={failureTitle}>
        {sentenceOf(error)} {hash === undefined ? t("Nothing was sent: no funds moved.") : (
          <>
            {t("Transaction")} <Transaction network={network} hash={hash} />
          </>
        )}
      </Alert>
    )
  }
  return (
    <Stack gap={4} role="status" aria-live="polite">
      <Group gap="xs">
        {stage === "confirmed"
          ? <Text span c="green" aria-hidden="true" fw={700}>✓</Text>
          : <Loader size="xs" aria-hidden="true" />}
        <Text size="sm" fw={500}>{stageTexts[stage]}</Text>
        {hash !== undefined && <Transaction network={network} hash={hash} />}
      </Group>
    </Stack>
  )
}
