/** API Linked Vaults: which gas wallet is linked to which vault, and whether the chain agrees. */
import { Alert, Button, Card, Group, Modal, NativeSelect, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useMutation } from "@tanstack/react-query"
import * as AddressText from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { useState } from "react"
import { nameOf, useWallets, useWhoAmI } from "../gas-wallet/GasWallets.ts"
import { queries } from "../Queries.ts"
import { call } from "../Calls.ts"
import { Address } from "../shell/Address.tsx"
import { Page } from "../shell/Page.tsx"
import { done, told } from "../shell/Told.ts"
import { Linkage } from "./Linkage.tsx"
import { type Link, useLinks } from "./Links.ts"

function LinkForm({ close }: { readonly close: () => void }) {
  const wallets = useWallets()
  const me = useWhoAmI()
  const form = useForm({
    initialValues: { wallet: wallets.data?.length === 1 ? wallets.data[0]?.address ?? "" : "", network: "", pool: "" },
    validate: {
      wallet: (value) => value === "" ? "Choose a gas wallet" : null,
      network: (value) => value === "" ? "Choose a network" : null,
      pool: (value) => AddressText.parse(value) === undefined ? "Must be the address of a vault: 0x + 40 hex characters" : null
    }
  })
  const linking = useMutation({
    mutationFn: ({ network, pool, wallet }: typeof form.values) =>
      call((client) => client.wallet.linkGasWallet({ wallet: wallet as AddressText.Address, network: network as Network, pool: AddressText.parse(pool) as AddressText.Address })),
    onSuccess: ({ message }) => {
      done(message)
      close()
      void queries.invalidateQueries()
    }
  })
  return (
    <Modal opened onClose={close} title="Link a vault" closeButtonProps={{ "aria-label": "Close" }} closeOnClickOutside={false}>
      <form onSubmit={form.onSubmit((values) => linking.mutate(values))}>
        <Stack>
          <Text size="sm">First make the gas wallet the vault’s trader on the vault platform; the link is made only when the chain says that it is.</Text>
          <NativeSelect label="Gas wallet" data={[{ value: "", label: "Choose…" }, ...(wallets.data ?? []).map((wallet) => ({ value: wallet.address, label: nameOf(wallet) }))]} {...form.getInputProps("wallet")} />
          <NativeSelect label="Network" data={[{ value: "", label: "Choose…" }, ...(me.data?.networks ?? [])]} {...form.getInputProps("network")} />
          <TextInput label="Vault" {...form.getInputProps("pool")} />
          {linking.error !== null && <Alert color="red" role="alert" title="The vault was not linked">{linking.error.message}</Alert>}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>Cancel</Button>
            <Button type="submit" loading={linking.isPending}>Link</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function LinkCard({ link, verify, verifying }: { readonly link: Link; readonly verify: () => void; readonly verifying: boolean }) {
  const unlinking = useMutation({
    mutationFn: () => call((client) => client.wallet.unlinkGasWallet({ wallet: link.wallet, network: link.network, pool: link.pool })),
    onSuccess: ({ message }) => done(message),
    onError: told("The vault was not unlinked"),
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Card withBorder component="section" aria-label={`Vault ${link.pool}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">{link.network}</Title>
          <Linkage is_trader={link.is_trader} />
        </Group>
        <Group gap="xs"><Text size="sm">Vault</Text><Address of={link.pool} what="vault" /></Group>
        <Group gap="xs"><Text size="sm">Gas wallet {link.label ?? ""}</Text><Address of={link.wallet} what="wallet" /></Group>
        <Group gap="xs">
          <Button size="xs" variant="default" loading={verifying} onClick={verify}>Verify now</Button>
          <Button size="xs" variant="default" loading={unlinking.isPending} onClick={() => unlinking.mutate()}>Unlink</Button>
        </Group>
      </Stack>
    </Card>
  )
}

export function LinksPage() {
  const links = useLinks()
  const wallets = useWallets()
  const [adding, setAdding] = useState(false)
  return (
    <Page title="API Linked Vaults" asked={links} actions={<Button disabled={wallets.data?.length === 0} onClick={() => setAdding(true)}>Link a vault</Button>}>
      {links.data?.length === 0 && <Alert color="blue" title="No vault is linked">Link the vaults your gas wallets trade, and the console watches that the chain agrees.</Alert>}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {links.data?.map((link) => (
          <LinkCard key={`${link.wallet}/${link.network}/${link.pool}`} link={link} verify={() => void links.refetch()} verifying={links.isRefetching} />
        ))}
      </SimpleGrid>
      {adding && <LinkForm close={() => setAdding(false)} />}
    </Page>
  )
}
