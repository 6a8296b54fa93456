/** Sets the side of an exchange bot: creates a bot, changes its terms, or reactivates it. */
import {
  Alert,
  Button,
  Collapse,
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput
} from "@mantine/core"
import { useForm } from "@mantine/form"
import { useDisclosure } from "@mantine/hooks"
import { useMutation } from "@tanstack/react-query"
import { sides } from "@vault-trader/core/exchange/ExchangeDecision"
import { strategies } from "@vault-trader/core/exchange/ExchangeAccount"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { Submit } from "../shell/Submit.tsx"
import { done } from "../shell/Notices.ts"
import { ApiCode } from "../shell/ApiCode.tsx"
import { aboutOf, type Account } from "./Accounts.ts"
import { faultOf, readOf, type SideTerms } from "./ExchangeTerms.ts"

const sideLabels: Readonly<Record<string, string>> = {
  long: "long: hold the base",
  neutral: "neutral: hold the quote",
  hold: "hold: do nothing"
}
const strategyLabels: Readonly<Record<string, string>> = {
  custom: "custom: the side set here",
  trend: "trend: long above the 50-day mean, otherwise neutral"
}

const names = ["pair", "side", "max_usd", "share", "strategy"] as const
const validate = Object.fromEntries(names.map((name) => [name, (value: string) => faultOf("setCEXSide", name, value)]))

/** Decodes the terms to the API's parameters. */
export const decoded = (terms: SideTerms) =>
  Object.fromEntries(names.map((name) => [name, readOf("setCEXSide", name, terms[name])]))

export function SideForm(
  { account, close, fixed, initial }: {
    readonly account: Account
    readonly initial: SideTerms
    readonly fixed: boolean
    readonly close: () => void
  }
) {
  const [code, { toggle }] = useDisclosure(false)
  const form = useForm<SideTerms>({ initialValues: initial, validate, validateInputOnBlur: true })
  const setting = useMutation({
    mutationFn: (terms: SideTerms) =>
      // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
      call((client) =>
        client.wallet.setCEXSide(
          { ...aboutOf(account), ...decoded(terms), idempotency_key: crypto.randomUUID() } as never
        )
      ),
    onSuccess: () => {
      done("The bot is set. Its first decision is in progress; Orders shows the outcome.")
      close()
      void queries.invalidateQueries()
    }
  })
  const number = (name: "max_usd" | "share", label: string, description: string) => {
    const { onChange, ...props } = form.getInputProps(name) as {
      readonly onChange: (value: string) => void
      readonly value: string
      readonly error?: string
    }
    return (
      <NumberInput
        label={label}
        description={description}
        hideControls
        thousandSeparator=","
        {...props}
        onChange={(value) => onChange(String(value))}
      />
    )
  }
  const { max_usd, pair, share, side, strategy } = form.values
  const params = {
    subaccount_name: account.subaccount_name,
    pair,
    side,
    max_usd: Number(max_usd) || max_usd,
    share: Number(share) || share,
    strategy
  }
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={fixed ? `${initial.pair} on ${account.subaccount_name}` : `A bot on ${account.subaccount_name}`}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form onSubmit={form.onSubmit((terms) => setting.mutate(terms))}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Pair"
              description={`As ${account.exchange} lists it, BASE-QUOTE`}
              disabled={fixed}
              {...form.getInputProps("pair")}
            />
            <NativeSelect
              label="Side"
              description="The asset to hold"
              data={sides.map((each) => ({ value: each, label: sideLabels[each] ?? each }))}
              {...form.getInputProps("side")}
            />
            {number("max_usd", "Max per order, USD", "Maximum value of an order")}
            {number("share", "Share %", "Of the wrong side, per order")}
            <NativeSelect
              label="Side chosen by"
              description="A strategy overrides the side set here"
              data={strategies.map((each) => ({ value: each, label: strategyLabels[each] ?? each }))}
              {...form.getInputProps("strategy")}
            />
          </SimpleGrid>
          <Text size="sm">
            This starts a decision immediately: an order of at most ${max_usd === ""
              ? "…"
              : Number(max_usd).toLocaleString("en")} may be sent to {account.exchange}{" "}
            within seconds{account.settings.testnet ? ", on its test network" : ""}. An executed order is charged.
          </Text>
          {setting.error !== null && (
            <Alert color="red" role="alert" title="The side was not set; no order was sent">
              {setting.error.message}
            </Alert>
          )}
          <Group justify="space-between">
            <Button variant="default" onClick={toggle} aria-expanded={code}>
              {code ? "Hide API Code" : "Show API Code"}
            </Button>
            <Group>
              <Button variant="default" onClick={close}>Cancel</Button>
              <Submit loading={setting.isPending}>Set the side</Submit>
            </Group>
          </Group>
          <Collapse expanded={code}>{code && <ApiCode endpoint="setCEXSide" params={params} />}</Collapse>
        </Stack>
      </form>
    </Modal>
  )
}
