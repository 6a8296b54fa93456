/** The manager fee that a vault owes, by the service's dry run, and the button that mints it. */
import { Button, Group, Skeleton, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { useMutation, useQuery } from "@tanstack/react-query"
import { useRef } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { amount, dollars } from "../shell/Format.ts"
import { showSuccess } from "../shell/Notices.ts"
import { Problem } from "../shell/Problem.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

/** The fee grows slowly; each look is a dry run. */
const refetchInterval = 60_000

const useOwedFee = (vault: VaultRef) =>
  useQuery({
    queryKey: ["owed-fee", vault.wallet, vault.network, vault.pool],
    queryFn: async ({ signal }) => {
      const answer = await call((client) => client.wallet.mintManagerFee({ ...vault, dryRun: true }), signal)
      if (!("availableManagerFee" in answer) || !("charge" in answer)) {
        throw new Error(t("This page is out of date; reload it."))
      }
      return answer
    },
    refetchInterval,
    retry: false
  })

export function MintFees({ vault }: { readonly vault: VaultRef }) {
  const owed = useOwedFee(vault)
  const [isOpen, { close, open }] = useDisclosure(false)
  // A repeated click or a lost answer must not mint twice: the service returns the first request's outcome.
  const key = useRef(crypto.randomUUID())
  const minting = useMutation({
    mutationFn: () => call((client) => client.wallet.mintManagerFee({ ...vault, idempotency_key: key.current })),
    onSuccess: (answer) => {
      key.current = crypto.randomUUID()
      showSuccess(answer.status === "pending" ? t("Minting the fee. Activity shows the outcome.") : answer.message)
      close()
    },
    onSettled: () => queries.invalidateQueries()
  })
  if (owed.data === undefined) {
    return owed.error === null
      ? <Skeleton h={24} w={180} />
      : <Problem color="orange" title={t("The fee cannot be read right now")} message={owed.error.message} />
  }
  const { availableManagerFee, charge, hasFee, manager } = owed.data
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" className="figure">
          {hasFee
            ? t("{availableManagerFee} vault tokens to mint", { availableManagerFee: amount(availableManagerFee) })
            : t("Nothing to mint now")}
        </Text>
        {hasFee && <Button size="xs" variant="default" onClick={open}>{t("Mint fee")}</Button>}
      </Group>
      {isOpen && (
        <Confirm
          title={t("Mint the manager fee")}
          action={t("Mint fee")}
          close={close}
          loading={minting.isPending}
          problem={minting.error}
          onConfirm={() => minting.mutate()}
        >
          <ActionSummary
            label={t("What this does")}
            lines={[
              [
                t("Mints"),
                t("{availableManagerFee} vault tokens", { availableManagerFee: amount(availableManagerFee) })
              ],
              [t("To"), t("the vault’s manager {manager}, after the platform’s part", { manager })],
              [t("Gas"), t("paid by the gas wallet")],
              [t("Charge"), dollars(charge.usd)]
            ]}
          />
        </Confirm>
      )}
    </>
  )
}
