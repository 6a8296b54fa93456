/** Dialogs to label a gas wallet and to remove it from the list. */
import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { TypeToConfirm } from "../shell/TypeToConfirm.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { nameOf, type Wallet } from "./GasWallets.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

export function Rename({ close, wallet }: { readonly wallet: Wallet; readonly close: () => void }) {
  const [label, setLabel] = useState(wallet.label ?? "")
  const naming = useMutation({
    mutationFn: () => call((client) => client.labelWallet({ wallet: wallet.address, label: label.trim() })),
    onSuccess: () => {
      close()
      void queries.invalidateQueries()
    }
  })
  return (
    <Modal opened onClose={close} title={t("Label")} closeButtonProps={{ "aria-label": t("Close") }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          naming.mutate()
        }}
      >
        <Stack>
          <TextInput
            label={t("Label")}
            maxLength={64}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            data-autofocus
          />
          {naming.error !== null && (
            <Alert color="red" role="alert" title={t("The label was not changed")}>{naming.error.message}</Alert>
          )}
          <Group justify="flex-end">
            <Button type="submit" disabled={label.trim() === ""} loading={naming.isPending}>{t("Save")}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

export function RemoveWallet({ close, wallet }: { readonly wallet: Wallet; readonly close: () => void }) {
  const removing = useMutation({
    mutationFn: () => call((client) => client.manager.deassociateGasWallet({ wallet: wallet.address })),
    onSuccess: () => {
      showSuccess(t("The wallet is no longer in your list."))
      close()
      void queries.invalidateQueries()
    }
  })
  return (
    <TypeToConfirm
      title={t("Remove from list")}
      name={nameOf(wallet)}
      action={t("Remove")}
      close={close}
      loading={removing.isPending}
      problem={removing.error}
      onConfirm={() => removing.mutate()}
    >
      <Text size="sm">
        {t(
          "The wallet, its gas and its bots are unchanged. To add it again you need its API key, and its " +
            "private key unless it is new."
        )}
      </Text>
    </TypeToConfirm>
  )
}
