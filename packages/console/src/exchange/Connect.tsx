/**
 * Connects an exchange account. The credentials exist only in uncontrolled fields, not in the page's state; they are
 * read once when they are sent and disappear with the dialog.
 */
import {
  Alert,
  Button,
  Group,
  List,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput
} from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { type ExchangeId, exchanges, rules, defaultSlippage } from "@vault-trader/core/exchange/Exchanges"
import { type ReactNode, useRef, useState } from "react"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { GasWalletSelect } from "../gas-wallet/GasWalletSelect.tsx"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { Submit } from "../shell/Submit.tsx"
import { exchangeOf, faultOfConnecting, ruleText } from "./ExchangeTerms.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const fields = ["wallet", "subaccount_name", "cex_api_key", "cex_secret", "cex_passphrase", "slippage"] as const
type Faults = Readonly<Record<string, string | null>>

const textOf = (data: FormData, name: string): string => {
  const value = data.get(name)
  return typeof value === "string" ? value.trim() : ""
}

const faultOf = (exchange: ExchangeId, name: string, value: string): string | null =>
  name !== "slippage"
    ? faultOfConnecting(exchange, name, value)
    : Number(value) > 0 && Number(value) <= 5
    ? null
    : t("Must be a percentage above 0 and at most 5")

/** Builds the request from the current fields. */
const requestOf = (data: FormData, exchange: ExchangeId) => {
  const { passphrase, testnet } = rules[exchange]
  const network = textOf(data, "payment_network")
  return {
    wallet: textOf(data, "wallet") as Address,
    exchange,
    subaccount_name: textOf(data, "subaccount_name"),
    cex_api_key: textOf(data, "cex_api_key"),
    cex_secret: textOf(data, "cex_secret"),
    ...(passphrase ? { cex_passphrase: textOf(data, "cex_passphrase") } : {}),
    ...(network === "" ? {} : { payment_network: network as Network }),
    settings: { testnet: testnet && data.get("testnet") !== null, slippage: Number(textOf(data, "slippage")) }
  }
}

function Secret(
  { fault, label, name, onBlur }: {
    readonly name: string
    readonly label: string
    readonly fault: string | null
    readonly onBlur: (value: string) => void
  }
) {
  return (
    <PasswordInput
      name={name}
      label={label}
      required
      autoComplete="off"
      spellCheck={false}
      error={fault}
      onBlur={(event) => onBlur(event.currentTarget.value)}
      visibilityToggleButtonProps={{ "aria-label": t("Show or hide {label}", { label }) }}
    />
  )
}

function Fields(
  { check, exchange, faults }: {
    readonly exchange: ExchangeId
    readonly faults: Faults
    readonly check: (name: string) => (value: string) => void
  }
) {
  const wallets = useWallets()
  const me = useWhoAmI()
  const { passphrase, testnet } = rules[exchange]
  const fault = (name: string) => faults[name] ?? null
  const only = wallets.data?.length === 1 ? wallets.data[0]?.address : undefined
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <GasWalletSelect
          name="wallet"
          description={t("Its API key sets the bots; it pays the charges")}
          error={fault("wallet")}
          defaultValue={only ?? ""}
        />
        <TextInput
          name="subaccount_name"
          label={t("Name of the account")}
          description={t("Any name; you type it to confirm deletion")}
          required
          maxLength={64}
          error={fault("subaccount_name")}
          onBlur={(event) => check("subaccount_name")(event.currentTarget.value)}
        />
      </SimpleGrid>
      <Secret
        name="cex_api_key"
        label={t("API key of the exchange")}
        fault={fault("cex_api_key")}
        onBlur={check("cex_api_key")}
      />
      <Secret
        name="cex_secret"
        label={t("Secret of the API key")}
        fault={fault("cex_secret")}
        onBlur={check("cex_secret")}
      />
      {passphrase && (
        <Secret
          name="cex_passphrase"
          label={t("Passphrase of the API key")}
          fault={fault("cex_passphrase")}
          onBlur={check("cex_passphrase")}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          name="slippage"
          label={t("Slippage %")}
          description={t("Maximum price deviation of an order from the market")}
          defaultValue={String(defaultSlippage)}
          error={fault("slippage")}
          onBlur={(event) => check("slippage")(event.currentTarget.value)}
        />
        <NativeSelect
          name="payment_network"
          label={t("Billed on")}
          description={t("The network whose native token pays the charges")}
          data={[{ value: "", label: t("the default network") }, ...(me.data?.networks ?? [])]}
        />
      </SimpleGrid>
      {testnet && (
        <Switch
          name="testnet"
          label={t("Test network of {exchange}", { exchange })}
          description={t("Testnet uses separate API keys")}
        />
      )}
    </>
  )
}

function ConnectionResult({ children, close }: { readonly children: ReactNode; readonly close: () => void }) {
  return (
    <Stack>
      <Alert color="green" role="status" title={t("Connected")}>{children}</Alert>
      <Text size="sm">
        {t("The credentials are stored encrypted and never shown again. Nothing is traded until you set a side.")}
      </Text>
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>{t("Close")}</Button>
      </Group>
    </Stack>
  )
}

/** Keeps the form's element, the chosen exchange and the errors of the fields; sends the fields when they are valid. */
const useConnectForm = () => {
  const form = useRef<HTMLFormElement>(null)
  const [exchange, setExchange] = useState<ExchangeId>(exchanges[0])
  const [faults, setFaults] = useState<Faults>({})
  const readForm = () => new FormData(form.current ?? undefined)
  const connecting = useMutation({
    gcTime: 0,
    mutationFn: () => call((client) => client.wallet.registerCEXSubaccount(requestOf(readForm(), exchange))),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["exchangeAccounts"] })
  })
  return {
    form,
    exchange,
    faults,
    connecting,
    choose: (text: string) => {
      setExchange(exchangeOf(text))
      setFaults({})
    },
    check: (name: string) => (value: string) =>
      setFaults((before) => ({ ...before, [name]: value === "" ? null : faultOf(exchange, name, value) })),
    submit: () => {
      const data = readForm()
      const newFaults = Object.fromEntries(fields.map((name) => [name, faultOf(exchange, name, textOf(data, name))]))
      setFaults(newFaults)
      if (Object.values(newFaults).every((fault) => fault === null)) connecting.mutate()
    }
  }
}

function KeyRules({ exchange }: { readonly exchange: ExchangeId }) {
  return (
    <List size="sm">
      <List.Item>
        {t(
          "Create a key with read and trade permissions only. Keys that can withdraw are refused if the " +
            "exchange reports it."
        )}
      </List.Item>
      <List.Item>{t("The credentials are sent once, stored encrypted, and not kept in the browser.")}</List.Item>
      <List.Item>{ruleText(exchange)}</List.Item>
    </List>
  )
}

function ConnectForm({ close, state }: {
  readonly state: ReturnType<typeof useConnectForm>
  readonly close: () => void
}) {
  const { check, choose, connecting, exchange, faults, form, submit } = state
  return (
    <form
      ref={form}
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack>
        <KeyRules exchange={exchange} />
        <NativeSelect
          label={t("Exchange")}
          data={[...exchanges]}
          value={exchange}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <Fields exchange={exchange} faults={faults} check={check} />
        {connecting.error !== null && (
          <Alert color="red" role="alert" title={t("The account was not connected; nothing was stored")}>
            {connecting.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>{t("Cancel")}</Button>
          <Submit loading={connecting.isPending}>{t("Connect")}</Submit>
        </Group>
      </Stack>
    </form>
  )
}

export function Connect({ close }: { readonly close: () => void }) {
  const state = useConnectForm()
  const account = state.connecting.data
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t("Connect an exchange account")}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      {account === undefined
        ? <ConnectForm state={state} close={close} />
        : (
          <ConnectionResult close={close}>
            {account.message} {account.balances.length === 0
              ? t("It is empty.")
              : t("It holds {balances}.", {
                balances: account.balances.map(({ asset, free }) => `${free} ${asset}`).join(", ")
              })}
          </ConnectionResult>
        )}
    </Modal>
  )
}
