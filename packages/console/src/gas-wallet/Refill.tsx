/**
 * Refills a gas wallet from the manager's wallet by one transaction, after the user has confirmed network and
 * destination.
 */
import { Alert, Button, Group, NativeSelect, NumberInput, Stack, Text } from "@mantine/core"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { facts } from "@vault-trader/core/chain/NetworkFacts"
import { format } from "@vault-trader/core/chain/Quantity"
import { useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { useManagerWallet, useManagerChainId, useManagerTransaction } from "../session/useManagerWallet.ts"
import { dollars, short } from "../shell/Format.ts"
import { showSuccess } from "../shell/Notices.ts"
import { ManagerTransaction } from "../session/ManagerTransaction.tsx"
import { ManagerWalletState } from "../session/ManagerWalletState.tsx"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { nameOf, useBalances, useNativePrice, useWallets } from "./GasWallets.ts"
import { useManagerFunds } from "./ManagerFunds.ts"
import { Destination } from "./RefillDestination.tsx"
import { type Amount, usdOf, weiOf } from "./RefillAmount.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const parts = [25, 50, 75, 100] as const

/** Returns why this amount cannot be sent, or undefined. */
const faultOf = (
  amount: Amount,
  wei: bigint | undefined,
  spare: bigint | undefined,
  price: number | undefined
): string | undefined => {
  if (amount._tag === "usd" && amount.text.trim() === "") return undefined
  if (wei === undefined) {
    return amount._tag === "usd" && price !== undefined
      ? t("Must be an amount above 0")
      : undefined
  }
  if (wei === 0n) return t("Your wallet’s balance does not exceed the gas of this transaction")
  return spare !== undefined && wei > spare
    ? (price === undefined
      ? t("Your wallet can spare at most less; the rest pays this transaction’s gas")
      : t("Your wallet can spare at most {spare}; the rest pays this transaction’s gas", {
        spare: dollars(Number(usdOf(spare, price)))
      }))
    : undefined
}

function AmountField({ amount, fault, isDisabled, price, setAmount, wei }: {
  readonly amount: Amount
  readonly wei: bigint | undefined
  readonly price: number | undefined
  readonly fault: string | undefined
  /** Disables the percentages while the wallet's balance is unknown. */
  readonly isDisabled: boolean
  readonly setAmount: (amount: Amount) => void
}) {
  const usdText = amount._tag === "usd"
    ? amount.text
    : wei === undefined || price === undefined
    ? ""
    : usdOf(wei, price)
  return (
    <Stack gap="xs">
      <NumberInput
        label={t("Amount in USD")}
        prefix="$"
        thousandSeparator=","
        decimalScale={2}
        allowNegative={false}
        hideControls
        data-autofocus
        value={usdText}
        error={fault}
        onValueChange={({ value }, { source }) => {
          if (String(source) === "event") setAmount({ _tag: "usd", text: value })
        }}
      />
      <Group gap="xs" grow role="group" aria-label={t("Part of what your wallet can spare")}>
        {parts.map((percent) => (
          <Button
            key={percent}
            size="compact-sm"
            variant={amount._tag === "part" && amount.percent === percent ? "filled" : "default"}
            aria-pressed={amount._tag === "part" && amount.percent === percent}
            disabled={isDisabled}
            onClick={() => setAmount({ _tag: "part", percent })}
          >
            {percent === 100 ? t("MAX") : `${percent} %`}
          </Button>
        ))}
      </Group>
    </Stack>
  )
}

function Conversion({ network, price, problem, wei }: {
  readonly network: Network
  readonly wei: bigint | undefined
  readonly price: { readonly price_usd: number; readonly age_seconds: number } | undefined
  readonly problem: Error | null
}) {
  const { native } = facts[network]
  if (price === undefined) {
    return problem === null
      ? <Text size="sm">{t("Loading the price of {native}…", { native })}</Text>
      : (
        <Alert color="orange" role="alert" title={t("No price of {native}", { native })}>
          {t("{message} The amount cannot be converted from USD; nothing was sent.", { message: problem.message })}
        </Alert>
      )
  }
  return (
    <Stack gap={0} aria-live="polite">
      <Text size="sm" fw={600} data-testid="refill-amount">
        {wei === undefined ? `– ${native}` : `${format(wei, 18)} ${native}`}
      </Text>
      <Text size="sm" c="dimmed">
        {t("1 {native} = {priceUsd}, a price {ageSeconds} s old", {
          native,
          priceUsd: dollars(price.price_usd),
          ageSeconds: price.age_seconds
        })}
      </Text>
    </Stack>
  )
}

export function Refill(
  { close, network: initialNetwork, usd, wallet }: {
    readonly wallet: Address
    readonly network?: Network | undefined
    /** An amount to begin with, in USD; the dialog then closes by itself when the transaction is confirmed. */
    readonly usd?: string
    readonly close: () => void
  }
) {
  const networks = useWhoAmI().data?.networks ?? []
  const record = useWallets().data?.find(({ address }) => address === wallet)
  const balances = useBalances().data?.filter(({ address }) => address === wallet)
  const [selected, setSelected] = useState<Network | undefined>(initialNetwork)
  // The network on which the manager's wallet is, otherwise the one with the least gas.
  const chainId = useManagerChainId(useManagerWallet().data).data
  const current = networks.find((each) => facts[each].chainId === chainId)
  const emptiest = balances?.toSorted((one, other) =>
    (one.balance_usd ?? Infinity) - (other.balance_usd ?? Infinity)
  )[0]?.network as Network | undefined
  const [first, setFirst] = useState<Network>()
  if (first === undefined && current !== undefined) setFirst(current)
  const network = selected ?? first ?? emptiest ?? networks[0]
  if (network === undefined || record === undefined) return null
  const balance = balances?.find((each) => each.network === network)?.balance ?? undefined
  return (
    <Modal
      opened
      onClose={close}
      title={t("Refill")}
      closeButtonProps={{ "aria-label": t("Close") }}
      closeOnClickOutside={false}
    >
      <Stack>
        <NativeSelect
          label={t("Network")}
          data={networks.map((each) => ({ value: each, label: `${each} (${facts[each].native})` }))}
          value={network}
          onChange={(event) => setSelected(event.currentTarget.value as Network)}
        />
        <RefillForm
          key={network}
          network={network}
          wallet={record.address}
          name={nameOf(record)}
          balance={balance}
          usd={usd}
          close={close}
        />
      </Stack>
    </Modal>
  )
}

/** Describes the balance of the manager's wallet, and the amount that a refill leaves for gas. */
const fundsText = (
  funds: { readonly balance: bigint; readonly headroom: bigint },
  native: string,
  price: number | undefined
): string => {
  const values = { balance: short(format(funds.balance, 18)), native, headroom: short(format(funds.headroom, 18)) }
  return price === undefined
    ? t("{balance} {native}; MAX keeps {headroom} for gas", values)
    : t("{balance} {native}, {usd}; MAX keeps {headroom} for gas", {
      ...values,
      usd: dollars(Number(usdOf(funds.balance, price)))
    })
}

interface RefillFormProps {
  readonly wallet: Address
  readonly name: string
  readonly network: Network
  readonly balance: string | undefined
  readonly usd: string | undefined
  readonly close: () => void
}

/** The reason for which the button is disabled when everything else is entered. */
const MissingConfirmation = () => (
  <Text size="sm" c="dimmed" ta="end">{t("Confirm the address and the network above to refill.")}</Text>
)

function RefillForm({ close, balance, name, network, usd: firstUsd, wallet }: RefillFormProps) {
  const [amount, setAmount] = useState<Amount>({ _tag: "usd", text: firstUsd ?? "" })
  const [isDestinationConfirmed, setDestinationConfirmed] = useState(false)
  const managerWallet = useManagerWallet()
  const chainId = useManagerChainId(managerWallet.data).data
  const funds = useManagerFunds({ managerWallet: managerWallet.data, chainId, network, to: wallet })
  const price = useNativePrice(network)
  const transaction = useManagerTransaction(network)
  const usd = price.data?.price_usd
  const wei = weiOf(amount, usd, funds?.spare)
  const fault = faultOf(amount, wei, funds?.spare, usd)
  const isAmountValid = wei !== undefined && fault === undefined
  const isBusy = transaction.stage === "signing" || transaction.stage === "pending"
  const isConfirmed = transaction.stage === "confirmed"
  const refill = () => {
    if (managerWallet.data === undefined || wei === undefined) return
    transaction.run({
      managerWallet: managerWallet.data,
      transaction: { to: wallet, value: wei },
      onConfirmed: () => {
        void queries.invalidateQueries()
        if (firstUsd === undefined) return
        showSuccess(t("{name} has gas on {network}.", { name, network }))
        close()
      }
    })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        refill()
      }}
    >
      <Stack>
        <Destination
          wallet={wallet}
          name={name}
          network={network}
          balance={balance}
          isConfirmed={isDestinationConfirmed}
          setConfirmed={setDestinationConfirmed}
        />
        <ManagerWalletState managerWallet={managerWallet} chainId={chainId} network={network} action={t("Refill")}>
          {funds === undefined ? "" : ` · ${fundsText(funds, facts[network].native, usd)}`}
        </ManagerWalletState>
        {!isConfirmed && (
          <AmountField
            amount={amount}
            wei={wei}
            price={usd}
            fault={isBusy ? undefined : fault}
            isDisabled={funds === undefined || isBusy}
            setAmount={setAmount}
          />
        )}
        {!isConfirmed && <Conversion network={network} wei={wei} price={price.data} problem={price.error} />}
        <ManagerTransaction {...transaction} network={network} failureTitle={t("The wallet was not refilled")} />
        {!isDestinationConfirmed && isAmountValid && <MissingConfirmation />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>{isConfirmed ? t("Close") : t("Cancel")}</Button>
          {!isConfirmed && (
            <Button
              type="submit"
              loading={isBusy}
              disabled={!isDestinationConfirmed || managerWallet.data === undefined || !isAmountValid}
            >
              {t("Refill")}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
