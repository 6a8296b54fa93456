/** Creates a gas wallet, or adds an existing one to the list by its key. */
import { Alert, Button, Group, PasswordInput, Stack, Tabs, Text, TextInput } from "@mantine/core"
import { useMutation, type UseMutationResult } from "@tanstack/react-query"
import { useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { signAction } from "../session/SignedAction.ts"
import { showSuccess } from "../shell/Notices.ts"
import { WalletSecrets } from "./WalletSecrets.tsx"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const labelOf = (text: string) => text.trim() === "" ? null : text.trim()

const Label = ({ onChange, value }: { readonly value: string; readonly onChange: (value: string) => void }) => (
  <TextInput
    label={t("Label")}
    description={t("Only you see it, for example the strategy.")}
    maxLength={64}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)

function Create(
  { close, creating }: {
    readonly close: () => void
    readonly creating: UseMutationResult<unknown, Error, string | null>
  }
) {
  const [label, setLabel] = useState("")
  return (
    <Stack pt="md">
      <Text size="sm">
        {t(
          "A gas wallet pays gas and trades as your vault’s trader. It cannot withdraw from the vault. Use " +
            "one for each group of strategies."
        )}
      </Text>
      <Label value={label} onChange={setLabel} />
      {creating.error !== null && (
        <Alert color="red" role="alert" title={t("No wallet was created")}>{creating.error.message}</Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>{t("Cancel")}</Button>
        <Button loading={creating.isPending} onClick={() => creating.mutate(labelOf(label))}>
          {t("Create gas wallet")}
        </Button>
      </Group>
    </Stack>
  )
}

function Associate({ close }: { readonly close: () => void }) {
  const [apiKey, setApiKey] = useState("")
  const [privateKey, setPrivateKey] = useState("")
  const [label, setLabel] = useState("")
  const adding = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const asked = {
        apiKey: apiKey.trim(),
        privateKey: privateKey.trim() === "" ? null : privateKey.trim(),
        label: labelOf(label)
      }
      const signature = await signAction({ action: "associateWallet", ...asked })
      return call((client) => client.associateWallet({ ...asked, signature }))
    },
    onSuccess: () => {
      setApiKey("")
      setPrivateKey("")
      showSuccess(t("The wallet is in your list."))
      close()
      void queries.invalidateQueries()
    }
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        adding.mutate()
      }}
    >
      <Stack pt="md">
        <Text size="sm">
          {t(
            "A new wallet is added by its API key. One that has traded, has vaults or is in another " +
              "manager’s list also takes its private key, unless you manage every vault it trades. Both are " +
              "sent once to be checked and once to add the wallet, and are not stored in the browser. Your own " +
              "wallet signs for it; it sends no transaction."
          )}
        </Text>
        <PasswordInput
          label={t("API key")}
          required
          autoComplete="off"
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value)}
        />
        <PasswordInput
          label={t("Private key")}
          description={t("Only for a wallet that is not new.")}
          autoComplete="off"
          value={privateKey}
          onChange={(event) => setPrivateKey(event.currentTarget.value)}
        />
        <Label value={label} onChange={setLabel} />
        {adding.error !== null && (
          <Alert color="red" role="alert" title={t("The wallet was not added")}>{adding.error.message}</Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>{t("Cancel")}</Button>
          <Button type="submit" disabled={apiKey.trim() === ""} loading={adding.isPending}>
            {t("Add to my list")}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export function NewWallet({ close }: { readonly close: () => void }) {
  // Kept only while this dialog is mounted: with gcTime 0, the library drops a mutation's result once it has no
  // observers.
  const creating = useMutation({
    gcTime: 0,
    mutationFn: (label: string | null) => call((client) => client.createWallet({ label }))
  })
  if (creating.data !== undefined) {
    const { address, apiKey, privateKey } = creating.data
    const end = () => {
      creating.reset()
      close()
      void queries.invalidateQueries()
    }
    return (
      <WalletSecrets
        title={t("Your new gas wallet")}
        address={address}
        close={end}
        secrets={[{ name: t("API key"), value: apiKey }, {
          name: t("Private key"),
          value: privateKey
        }]}
      />
    )
  }
  // The dialog stays open while the wallet is created; closing it would lose the secrets.
  const leave = () => {
    if (!creating.isPending) close()
  }
  return (
    <Modal
      opened
      onClose={leave}
      title={t("Add a gas wallet")}
      closeButtonProps={{ "aria-label": t("Close") }}
      closeOnClickOutside={false}
    >
      <Tabs defaultValue="create" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="create">{t("Create")}</Tabs.Tab>
          <Tabs.Tab value="associate">{t("I have an API key")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="create">
          <Create close={leave} creating={creating} />
        </Tabs.Panel>
        <Tabs.Panel value="associate">
          <Associate close={leave} />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  )
}
