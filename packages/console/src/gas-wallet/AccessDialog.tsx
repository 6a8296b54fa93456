/** Shows everything that can act for a wallet, so that its manager notices what should not be there. */
import { Alert, Loader, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { Address as AddressType } from "@vault-trader/core/chain/Address"
import { call } from "../connection/RpcConnection.ts"
import { Address } from "../shell/Address.tsx"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const timeOf = (at: string | null) => at === null ? t("never") : new Date(at).toLocaleString()

/** A line of the list: the kind of access, its holder, and its last use. */
interface Line {
  readonly key: string
  readonly kind: string
  readonly holder: string
  readonly isAddress?: boolean
  readonly used: string
}

const readAuthority = (wallet: AddressType) => call((client) => client.wallet.getWalletAuthority({ wallet }))
type Authority = Awaited<ReturnType<typeof readAuthority>>

const linesOf = (authority: Authority): ReadonlyArray<Line> => [
  ...(authority.api_key === null
    ? []
    : [{
      key: "key",
      kind: t("API key"),
      holder: t("ends in {lastFour}, issued {issuedAt}", {
        lastFour: authority.api_key.last_four,
        issuedAt: timeOf(authority.api_key.issued_at)
      }),
      used: timeOf(authority.api_key.last_used_at)
    }]),
  ...authority.managers.map(({ last_used_at, manager, network }) => ({
    key: `manager ${manager} ${network ?? ""}`,
    kind: network === null ? t("Manager") : t("Manager on {network}", { network }),
    holder: manager,
    isAddress: true,
    used: timeOf(last_used_at)
  })),
  ...authority.sessions.map(({ count, last_used_at, manager, network }) => ({
    key: `session ${manager} ${network ?? ""}`,
    kind: t("{count, plural, one {# console session} other {# console sessions}}", { count }),
    holder: manager,
    isAddress: true,
    used: timeOf(last_used_at)
  })),
  ...authority.webhook_tokens.map(({ label, last_used_at, network, pair, token_id }) => ({
    key: token_id,
    kind: t("Chart alert"),
    holder: t("{label}: {pair} on {network}", { label: label ?? t("no label"), pair, network }),
    used: timeOf(last_used_at)
  })),
  ...authority.webhooks.map(({ url, webhook_id }) => ({ key: webhook_id, kind: "Webhook", holder: url, used: "" })),
  ...authority.exchange_accounts.map(({ exchange, subaccount_name }) => ({
    key: `account ${subaccount_name}`,
    kind: t("Exchange account"),
    holder: t("{subaccountName} at {exchange}", { subaccountName: subaccount_name, exchange }),
    used: ""
  })),
  ...authority.bots.map(({ active, gas_wallet, kind, network, pair, pool, set_by, subaccount }) => ({
    key: `bot ${kind} ${network ?? ""} ${pool ?? ""} ${pair ?? ""} ${subaccount ?? ""}`,
    kind: active ? t("Bot ({kind})", { kind }) : t("Bot ({kind}), not active", { kind }),
    holder: set_by === null
      ? t("{pair}, set by the key of {gasWallet}", { pair: pair ?? t("Index"), gasWallet: gas_wallet })
      : t("{pair}, set by {setBy}", { pair: pair ?? t("Index"), setBy: set_by }),
    used: ""
  }))
]

function Lines({ authority }: { readonly authority: Authority }) {
  return (
    <div className="table-scroll">
      <table className="table" aria-label={t("Access to the wallet")} data-dense>
        <thead>
          <tr>
            <th>{t("Access")}</th>
            <th>{t("Holder")}</th>
            <th>{t("Last used")}</th>
          </tr>
        </thead>
        <tbody>
          {linesOf(authority).map(({ holder, isAddress = false, key, kind, used }) => (
            <tr key={key}>
              <td>{kind}</td>
              <td>{isAddress ? <Address address={holder} label={kind} /> : holder}</td>
              <td>{used}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function AccessDialog(
  { close, name, wallet }: { readonly wallet: AddressType; readonly name: string; readonly close: () => void }
) {
  const authority = useQuery({ queryKey: ["authority", wallet], queryFn: () => readAuthority(wallet) })
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t("Access to {name}", { name })}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <Stack>
        <Text size="sm">
          {t(
            "The holder of the private key can also act for the wallet. If anything here should not be " +
              "there, issue a new API key with the private key (getNewApiKey): it ends all of this except bots " +
              "and exchange accounts."
          )}
        </Text>
        {authority.isPending && <Loader />}
        {authority.error !== null && (
          <Alert color="red" role="alert" title={t("The access cannot be shown")}>{authority.error.message}</Alert>
        )}
        {authority.data?.delegations.map(({ delegate, network }) => (
          <Alert
            key={network}
            color="red"
            role="alert"
            title={t("There is code at the wallet’s address on {network}", { network })}
          >
            {delegate === null
              ? t("Its code decides who can act for the wallet without its key. Use another wallet.")
              : t("The contract {delegate} decides who can act for the wallet without its key. Use another wallet.", {
                delegate
              })}
          </Alert>
        ))}
        {authority.data !== undefined && <Lines authority={authority.data} />}
      </Stack>
    </Modal>
  )
}
