/** The form of a new vault, and a review of its transaction before the wallet prompts. */
import { Alert, Button, Checkbox, Group, Input, NativeSelect, SimpleGrid, Stack, Text, TextInput } from "@mantine/core"
import { useForm, type UseFormReturnType } from "@mantine/form"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Platform } from "@vault-trader/core/network/Chain"
import { useState } from "react"
import { getAddress } from "viem"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { GasWalletSelect } from "../gas-wallet/GasWalletSelect.tsx"
import { useManagerWallet, useManagerChainId, useManagerTransaction } from "../session/useManagerWallet.ts"
import { ManagerWalletState } from "../session/ManagerWalletState.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { NumberField } from "../shell/NumberField.tsx"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { ManagerTransaction } from "../session/ManagerTransaction.tsx"
import { type PendingVault, usePlatform } from "./PendingVault.ts"
import { createVault } from "./VaultContracts.ts"
import { faultsOf, feeNames, maxFeeOf, newTerms, vaultOf, type VaultTerms } from "./VaultTerms.ts"
import { t } from "../text/Text.ts"

const feeLabels = {
  performance: t("Performance fee"),
  management: t("Management fee"),
  entry: t("Entry fee"),
  exit: t("Exit fee")
} as const

function Assets({ error, platform, setTerms, terms }: {
  readonly platform: Platform
  readonly terms: VaultTerms
  readonly error: string | undefined
  readonly setTerms: (terms: Pick<VaultTerms, "held" | "deposits">) => void
}) {
  const toggle = (
    list: ReadonlyArray<string>,
    address: string,
    on: boolean
  ) => [...list.filter((each) => each !== address), ...(on ? [address] : [])]
  return (
    <Input.Wrapper
      label={t("Assets")}
      description={t("Assets the vault may hold (at most {mostAssets}), and those investors may deposit.", {
        mostAssets: platform.mostAssets
      })}
      error={error}
      labelElement="div"
    >
      <table className="table" aria-label={t("Assets")} data-dense>
        <thead>
          <tr>
            <th>{t("Asset")}</th>
            <th>{t("May be held")}</th>
            <th>{t("May be deposited")}</th>
          </tr>
        </thead>
        <tbody>
          {platform.assets.map(({ address, symbol }) => (
            <tr key={address}>
              <td title={address}>{symbol}</td>
              <td>
                <Checkbox
                  aria-label={t("Hold {symbol}", { symbol })}
                  checked={terms.held.includes(address)}
                  onChange={({ currentTarget: { checked } }) =>
                    setTerms({
                      held: toggle(terms.held, address, checked),
                      deposits: checked ? terms.deposits : toggle(terms.deposits, address, false)
                    })}
                />
              </td>
              <td>
                <Checkbox
                  aria-label={t("Deposit {symbol}", { symbol })}
                  checked={terms.deposits.includes(address)}
                  onChange={({ currentTarget: { checked } }) =>
                    setTerms({
                      held: checked ? toggle(terms.held, address, true) : terms.held,
                      deposits: toggle(terms.deposits, address, checked)
                    })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Input.Wrapper>
  )
}

/** Review of the decoded transaction, which the manager's wallet signs. */
function CreateReview({ close, manager, onSent, platform, terms }: {
  readonly manager: Address
  readonly platform: Platform
  readonly terms: VaultTerms
  readonly onSent: (pending: PendingVault) => void
  readonly close: () => void
}) {
  const network = terms.network as Network
  const managerWallet = useManagerWallet()
  const chainId = useManagerChainId(managerWallet.data).data
  const { error, hash, run, stage } = useManagerTransaction(
    network,
    (sent) => onSent({ network, hash: sent, name: terms.name.trim(), wallet: terms.wallet as Address })
  )
  const vault = vaultOf(terms, platform, manager)
  const symbols = (of: ReadonlyArray<string>) =>
    platform.assets.filter(({ address }) => of.includes(address)).map(({ symbol }) => symbol).join(", ")
  return (
    <Confirm
      title={t("Create the vault")}
      action={t("Create in my wallet")}
      close={close}
      disabled={managerWallet.data === undefined}
      loading={stage === "signing" || stage === "pending"}
      problem={null}
      onConfirm={() => {
        if (managerWallet.data !== undefined) {
          run({
            managerWallet: managerWallet.data,
            transaction: createVault(platform.factory, vault)
          })
        }
      }}
    >
      <Text size="sm">{t("Your wallet signs one transaction. It moves no funds and costs gas.")}</Text>
      <ActionSummary
        label={t("What this does")}
        lines={[
          [
            t("Calls"),
            t("createFund of the vault platform’s factory, {factory} on {network}", {
              factory: getAddress(platform.factory),
              network
            })
          ],
          [t("Vault"), t("{name} ({symbol}), open to all investors", { name: vault.name, symbol: vault.symbol })],
          [t("Manager"), `${vault.managerName}, ${getAddress(manager)}`],
          [
            t("Fees"),
            t("{performance} % of profits, {management} % a year, {entry} % at entry, {exit} % at exit", {
              performance: terms.performance,
              management: terms.management,
              entry: terms.entry,
              exit: terms.exit
            })
          ],
          [t("May hold"), symbols(terms.held)],
          [t("Investors deposit"), symbols(terms.deposits)]
        ]}
      />
      <ManagerWalletState
        managerWallet={managerWallet}
        chainId={chainId}
        network={network}
        action={t("The transaction")}
      />
      <ManagerTransaction
        stage={stage}
        hash={hash}
        error={error}
        network={network}
        failureTitle={t("The vault was not created")}
      />
    </Confirm>
  )
}

type Form = UseFormReturnType<VaultTerms>

/** The vault's network and gas wallet, and its names. */
function IdentityFields({ form, networks }: { readonly form: Form; readonly networks: ReadonlyArray<Network> }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label={t("Network")}
          description={t("The vault’s network")}
          data={[{ value: "", label: t("Choose…") }, ...networks]}
          {...form.getInputProps("network")}
          onChange={(event) => form.setValues({ network: event.currentTarget.value, held: [], deposits: [] })}
        />
        <GasWalletSelect description={t("It becomes the vault’s trader")} {...form.getInputProps("wallet")} />
        <TextInput label={t("Name of the vault")} {...form.getInputProps("name")} />
        <TextInput label={t("Symbol of its token")} {...form.getInputProps("symbol")} />
      </SimpleGrid>
      <TextInput
        label={t("Your name as its manager")}
        description={t("Shown to investors, permanently on chain")}
        {...form.getInputProps("managerName")}
      />
    </>
  )
}

/** The fees and assets, within the platform's limits. */
function PlatformFields({ form, platform }: { readonly form: Form; readonly platform: Platform }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }}>
        {feeNames.map((fee) => (
          <NumberField
            key={fee}
            label={`${feeLabels[fee]} %`}
            description={fee === "management"
              ? t("Per year, at most {max}", { max: maxFeeOf(platform, fee) })
              : t("At most {max}", { max: maxFeeOf(platform, fee) })}
            decimalScale={2}
            input={form.getInputProps(fee)}
          />
        ))}
      </SimpleGrid>
      <Assets
        platform={platform}
        terms={form.values}
        error={form.errors["held"] as string | undefined}
        setTerms={(some) => form.setValues(some)}
      />
    </>
  )
}

function PlatformAlerts({ error, isPaused, network }: {
  readonly network: string
  readonly error: Error | null
  readonly isPaused: boolean
}) {
  return (
    <>
      {error !== null && (
        <Alert color="red" role="alert" title={t("The vault platform cannot be read")}>{error.message}</Alert>
      )}
      {isPaused && (
        <Alert color="orange" title={t("The vault platform is paused")}>
          {t("No vault can be created on {network} right now.", { network })}
        </Alert>
      )}
    </>
  )
}

export function CreateVaultForm(
  { manager, onSent }: { readonly manager: Address; readonly onSent: (pending: PendingVault) => void }
) {
  const wallets = useWallets().data ?? []
  const networks = useWhoAmI().data?.networks ?? []
  const [reviewedTerms, setReviewedTerms] = useState<VaultTerms>()
  const form = useForm<VaultTerms>({
    initialValues: { ...newTerms, wallet: wallets.length === 1 ? wallets[0]?.address ?? "" : "" },
    validate: (terms) => faultsOf(terms, platform.data)
  })
  const { network } = form.values
  const platform = usePlatform(networks.find((each) => each === network))
  const isPaused = platform.data?.paused === true
  const review = form.onSubmit((terms) => {
    if (platform.data !== undefined) setReviewedTerms(terms)
  })
  return (
    <form onSubmit={review}>
      <Stack maw={720}>
        <IdentityFields form={form} networks={networks} />
        <PlatformAlerts network={network} error={platform.error} isPaused={isPaused} />
        {platform.data !== undefined && <PlatformFields form={form} platform={platform.data} />}
        {network === "" && <Text size="sm">{t("Choose a network to see what the platform allows there.")}</Text>}
        <Group>
          <Button type="submit" disabled={platform.data === undefined || isPaused}>{t("Review transaction")}</Button>
        </Group>
      </Stack>
      {reviewedTerms !== undefined && platform.data !== undefined && (
        <CreateReview
          manager={manager}
          platform={platform.data}
          terms={reviewedTerms}
          onSent={onSent}
          close={() => setReviewedTerms(undefined)}
        />
      )}
    </form>
  )
}
