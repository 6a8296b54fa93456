/** The approvals of assets for a venue, each with a button that gives it in advance. */
import { Button, Group, Stack, Text } from "@mantine/core"
import { useState } from "react"
import { CheckMark, type CheckState } from "../shell/CheckMark.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { Approve } from "./Approve.tsx"
import { useApprovals } from "./Plans.ts"
import { t } from "../text/Text.ts"

const approvalOf = (
  plan: ReturnType<typeof useApprovals>[number] | undefined,
  asset: string
): { readonly state: CheckState; readonly text: string } => {
  if (plan?.data !== undefined) {
    const names = { venue: plan.data.venue, asset }
    return plan.data.note === undefined
      ? { state: "missing", text: t("{venue} may not take {asset} from the vault yet.", names) }
      : { state: "done", text: t("{venue} may take {asset} from the vault.", names) }
  }
  return plan?.error === null || plan === undefined
    ? { state: "checking", text: t("Reading the chain.") }
    : { state: "unknown", text: plan.error.message }
}

export function ApprovalsInAdvance({ assets, platform, vault }: {
  readonly vault: VaultRef
  readonly assets: ReadonlyArray<string>
  readonly platform: string
}) {
  const [asset, setAsset] = useState<string>()
  const plans = useApprovals(vault, assets, platform)
  return (
    <Stack gap="xs" mt="xs">
      {assets.map((each, index) => {
        const { state, text } = approvalOf(plans[index], each)
        return (
          <Group key={each} justify="space-between" wrap="nowrap">
            <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>{text}</Text>
            {state === "missing"
              ? (
                <Button size="compact-sm" variant="default" style={{ flex: "none" }} onClick={() => setAsset(each)}>
                  {t("Approve {asset} now", { asset: each })}
                </Button>
              )
              : <CheckMark state={state} />}
          </Group>
        )
      })}
      {asset !== undefined && (
        <Approve
          vault={vault}
          asset={asset}
          platform={platform}
          close={() => setAsset(undefined)}
        />
      )}
    </Stack>
  )
}
