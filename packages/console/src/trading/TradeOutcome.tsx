/** Follows a request until its outcome is known, and says what happened and whether money moved. */
import { Alert, Button, Group, Loader, Modal, Stack, Text } from "@mantine/core"
import { useLive } from "../connection/useLive.ts"
import { Problem } from "../shell/Problem.tsx"
import { Transaction } from "../shell/Transaction.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"

export function TradeOutcome({ close, intent: id, vault }: {
  readonly vault: VaultRef
  readonly intent: string
  readonly close: () => void
}) {
  const followed = useLive(
    ["intent", vault.wallet, id],
    (client) => client.live["wallet.getIntent"]({ wallet: vault.wallet, intent_id: id }),
    ({ intent }) => intent
  )
  const { data } = followed
  const status = data?.status ?? "pending"
  return (
    <Modal
      opened
      onClose={close}
      title={status === "pending" ? "Trade in progress" : status === "success" ? "Trade done" : "Trade failed"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack aria-live="polite">
        {status === "pending" && (
          <Group gap="sm">
            <Loader size="sm" aria-label="In progress" />
            <Text size="sm">Sent to the gas wallet. You can close this; Activity shows the outcome.</Text>
          </Group>
        )}
        {status === "success" && <Alert color="green" role="status" title={data?.message ?? ""} />}
        {status === "fail" && (
          <Problem
            title={data?.failure?.error_type === "outcome_unknown"
              ? "The outcome is not certain"
              : "Nothing was traded"}
            message={data?.failure?.message ?? data?.message ?? ""}
            funds=""
          />
        )}
        {followed.error !== null && data === undefined && (
          <Problem
            color="orange"
            title="The outcome cannot be read right now"
            message={followed.error.message}
            funds="The trade may still complete; check Activity before you trade again."
          />
        )}
        {data?.tx_hash !== null && data?.tx_hash !== undefined && (
          <Text size="sm" component="div">
            Transaction <Transaction network={vault.network} hash={data.tx_hash} />
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={close} data-autofocus>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
