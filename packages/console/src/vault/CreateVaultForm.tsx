/** The form of a new vault, and a review of its transaction before the wallet prompts. */
import {
  Alert,
  Button,
  Checkbox,
  Group,
  Input,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Table,
  Text,
  TextInput
} from "@mantine/core"
import { useForm } from "@mantine/form"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Platform } from "@vault-trader/core/chain/Platform"
import { useState } from "react"
import { getAddress } from "viem"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { useOwn, useOwnChain, useOwnTransaction } from "../session/useManagerWallet.ts"
import { OwnWalletState } from "../session/ManagerWalletState.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { Effect } from "../shell/ActionSummary.tsx"
import { OwnTransaction } from "../session/ManagerTransaction.tsx"
import { type Begun, usePlatform } from "./PendingVault.ts"
import { createVault } from "./VaultContracts.ts"
import { faultsOf, feeNames, mostOf, newTerms, vaultOf, type VaultTerms } from "./VaultTerms.ts"

const feeLabels = {
  performance: "Performance fee",
  management: "Management fee",
  entry: "Entry fee",
  exit: "Exit fee"
} as const

function Assets({ error, platform, setTerms, terms }: {
  readonly platform: Platform
  readonly terms: VaultTerms
  readonly error: string | undefined
  readonly setTerms: (terms: Pick<VaultTerms, "held" | "deposits">) => void
}) {
  const toggled = (
    list: ReadonlyArray<string>,
    address: string,
    on: boolean
  ) => [...list.filter((each) => each !== address), ...(on ? [address] : [])]
  return (
    <Input.Wrapper
      label="Assets"
      description={`Assets the vault may hold (at most ${platform.mostAssets}), and those investors may deposit.`}
      error={error}
      labelElement="div"
    >
      <Table aria-label="Assets" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Asset</Table.Th>
            <Table.Th>May be held</Table.Th>
            <Table.Th>May be deposited</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {platform.assets.map(({ address, symbol }) => (
            <Table.Tr key={address}>
              <Table.Td title={address}>{symbol}</Table.Td>
              <Table.Td>
                <Checkbox
                  aria-label={`Hold ${symbol}`}
                  checked={terms.held.includes(address)}
                  onChange={({ currentTarget: { checked } }) =>
                    setTerms({
                      held: toggled(terms.held, address, checked),
                      deposits: checked ? terms.deposits : toggled(terms.deposits, address, false)
                    })}
                />
              </Table.Td>
              <Table.Td>
                <Checkbox
                  aria-label={`Deposit ${symbol}`}
                  checked={terms.deposits.includes(address)}
                  onChange={({ currentTarget: { checked } }) =>
                    setTerms({
                      held: checked ? toggled(terms.held, address, true) : terms.held,
                      deposits: toggled(terms.deposits, address, checked)
                    })}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Input.Wrapper>
  )
}

/** Review of the decoded transaction, which the manager's wallet signs. */
function Creating({ begin, close, manager, platform, terms }: {
  readonly manager: Address
  readonly platform: Platform
  readonly terms: VaultTerms
  readonly begin: (begun: Begun) => void
  readonly close: () => void
}) {
  const network = terms.network as Network
  const own = useOwn()
  const chainId = useOwnChain(own.data).data
  const { error, hash, run, stage } = useOwnTransaction(
    network,
    (sent) => begin({ network, hash: sent, name: terms.name.trim(), wallet: terms.wallet as Address })
  )
  const vault = vaultOf(terms, platform, manager)
  const symbols = (of: ReadonlyArray<string>) =>
    platform.assets.filter(({ address }) => of.includes(address)).map(({ symbol }) => symbol).join(", ")
  return (
    <Confirm
      title="Create the vault"
      action="Create in my wallet"
      close={close}
      disabled={own.data === undefined}
      loading={stage === "asking" || stage === "pending"}
      problem={null}
      onConfirm={() => {
        if (own.data !== undefined) run({ own: own.data, transaction: createVault(platform.factory, vault) })
      }}
    >
      <Text size="sm">Your wallet signs one transaction. It moves no funds and costs gas.</Text>
      <Effect
        label="What this does"
        lines={[
          ["Calls", `createFund of the vault platform’s factory, ${getAddress(platform.factory)} on ${network}`],
          ["Vault", `${vault.name} (${vault.symbol}), open to all investors`],
          ["Manager", `${vault.managerName}, ${getAddress(manager)}`],
          [
            "Fees",
            `${terms.performance} % of profits, ${terms.management} % a year, ${terms.entry} % at entry, ${terms.exit} % at exit`
          ],
          ["May hold", symbols(terms.held)],
          ["Investors deposit", symbols(terms.deposits)]
        ]}
      />
      <OwnWalletState own={own} chainId={chainId} network={network} action="The transaction" />
      <OwnTransaction stage={stage} hash={hash} error={error} network={network} what="The vault was not created" />
    </Confirm>
  )
}

export function CreateVaultForm(
  { begin, manager }: { readonly manager: Address; readonly begin: (begun: Begun) => void }
) {
  const wallets = useWallets().data ?? []
  const networks = useWhoAmI().data?.networks ?? []
  const [reviewed, review] = useState<VaultTerms>()
  const form = useForm<VaultTerms>({
    initialValues: { ...newTerms, wallet: wallets.length === 1 ? wallets[0]?.address ?? "" : "" },
    validate: (terms) => faultsOf(terms, platform.data)
  })
  const { network } = form.values
  const platform = usePlatform(networks.find((each) => each === network))
  const choose = (chosen: string) => form.setValues({ network: chosen, held: [], deposits: [] })
  return (
    <form
      onSubmit={form.onSubmit((terms) => {
        if (platform.data !== undefined) review(terms)
      })}
    >
      <Stack maw={720}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label="Network"
            description="The vault’s network"
            data={[{ value: "", label: "Choose…" }, ...networks]}
            {...form.getInputProps("network")}
            onChange={(event) => choose(event.currentTarget.value)}
          />
          <NativeSelect
            label="Gas wallet"
            description="It becomes the vault’s trader"
            data={[
              { value: "", label: "Choose…" },
              ...wallets.map((wallet) => ({ value: wallet.address, label: nameOf(wallet) }))
            ]}
            {...form.getInputProps("wallet")}
          />
          <TextInput label="Name of the vault" {...form.getInputProps("name")} />
          <TextInput label="Symbol of its token" {...form.getInputProps("symbol")} />
        </SimpleGrid>
        <TextInput
          label="Your name as its manager"
          description="Shown to investors, permanently on chain"
          {...form.getInputProps("managerName")}
        />
        {platform.error !== null && (
          <Alert color="red" role="alert" title="The vault platform cannot be read">{platform.error.message}</Alert>
        )}
        {platform.data?.paused === true && (
          <Alert color="orange" title="The vault platform is paused">
            No vault can be created on {network} right now.
          </Alert>
        )}
        {platform.data !== undefined && (
          <>
            <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }}>
              {feeNames.map((fee) => {
                const { onChange, ...props } = form.getInputProps(fee) as {
                  readonly onChange: (value: string) => void
                  readonly value: string
                  readonly error?: string
                }
                return (
                  <NumberInput
                    key={fee}
                    label={`${feeLabels[fee]} %`}
                    description={`${fee === "management" ? "Per year, at" : "At"} most ${mostOf(platform.data, fee)}`}
                    hideControls
                    decimalScale={2}
                    {...props}
                    onChange={(value) => onChange(String(value))}
                  />
                )
              })}
            </SimpleGrid>
            <Assets
              platform={platform.data}
              terms={form.values}
              error={form.errors["held"] as string | undefined}
              setTerms={(some) => form.setValues(some)}
            />
          </>
        )}
        {network === "" && <Text size="sm">Choose a network to see what the platform allows there.</Text>}
        <Group>
          <Button type="submit" disabled={platform.data === undefined || platform.data.paused}>
            Review transaction
          </Button>
        </Group>
      </Stack>
      {reviewed !== undefined && platform.data !== undefined && (
        <Creating
          manager={manager}
          platform={platform.data}
          terms={reviewed}
          begin={begin}
          close={() => review(undefined)}
        />
      )}
    </form>
  )
}
