/** The handler that shows everything that can act for a wallet. It reads only the database. */
import { delegateOf } from "@vault-trader/core/chain/Delegation"
import { Credential } from "@vault-trader/core/endpoint/Admission"
import { isNone } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { botScope, type Scope, walletScope, wideScopeOf } from "@vault-trader/core/gas-wallet/SwitchScope"
import { AuthorityApi } from "@vault-trader/core/manager/AuthorityApi"
import { type WalletAuthority, WalletAuthorityStore } from "@vault-trader/core/manager/WalletAuthorityStore"
import { viewOf as viewOfSubKey } from "@vault-trader/core/gas-wallet/SubKey"
import { SubKeyStore } from "@vault-trader/core/gas-wallet/SubKeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import * as Handlers from "../wire/Handlers.ts"
import { keyLimitsView } from "@vault-trader/core/gas-wallet/KeyLimits"

const iso = (at: Date) => at.toISOString()
const isoOrNull = (at: Date | null) => at === null ? null : iso(at)

/** Returns what a guardian may do by itself. */
const mayOf = (
  { closeInto, closePositions, kind, paper, prefer }: WalletAuthority["guardians"][number]
): ReadonlyArray<string> => {
  if (paper || kind === "gas") return []
  if (kind === "oracle") return ["hold_trades"]
  return kind === "loss_breaker"
    ? [
      ...["stop_bots", ...(closeInto === null ? [] : ["sell"])],
      ...(closePositions === true ? ["repay", "unlend", "remove_liquidity"] : [])
    ]
    : ["hold_trades", ...new Set(["repay", ...(prefer ?? [])])]
}

/** Returns the parts of an authority as the wire shows them. */
const viewOf = (
  { accounts, bots, channels, codes, followers, guardians, key, lists, orders, sessions, tokens, webhooks }:
    WalletAuthority
) => ({
  api_key: Option.getOrNull(
    Option.map(key, ({ issuedAt, lastFour, usedAt }) => ({
      last_four: lastFour,
      issued_at: iso(issuedAt),
      last_used_at: isoOrNull(usedAt)
    }))
  ),
  managers: lists.map(({ label, manager, network, since, usedAt }) => ({
    ...{ manager, network, label, since: iso(since), last_used_at: isoOrNull(usedAt) }
  })),
  sessions: sessions.map(({ count, expiresAt, manager, network, usedAt }) => ({
    ...{ manager, network, count, last_used_at: isoOrNull(usedAt), expires_at: iso(expiresAt) }
  })),
  webhook_tokens: tokens.map(({ createdAt, id, label, network, pair, pool, usedAt }) => ({
    ...{ token_id: id, network, pool, pair, label, created_at: iso(createdAt), last_used_at: isoOrNull(usedAt) }
  })),
  webhooks: webhooks.map(({ createdAt, events, id, url }) => ({
    ...{ webhook_id: id, url, events, created_at: iso(createdAt) }
  })),
  channels: channels.map(({ createdAt, id, ...channel }) => ({
    ...channel,
    channel_id: id,
    created_at: iso(createdAt)
  })),
  bots: bots.map(({ setBy, wallet, ...bot }) => ({ ...bot, gas_wallet: wallet, set_by: setBy })),
  orders: orders.map(({ id, wallet, ...order }) => ({ order_id: id, ...order, gas_wallet: wallet })),
  guardians: guardians.map((guardian) => ({
    ...{ guardian_id: guardian.id, network: guardian.network, pool: guardian.pool, kind: guardian.kind },
    ...{ may: mayOf(guardian), gas_wallet: guardian.wallet, paper: guardian.paper, state: guardian.state },
    ...{ reason: guardian.reason, failures: guardian.failures }
  })),
  followers: followers.map(({ id, wallet, ...follower }) => ({ follower_id: id, ...follower, gas_wallet: wallet })),
  exchange_accounts: accounts.map(({ createdAt, exchange, manager, name }) => ({
    ...{ subaccount_name: name, exchange, manager, since: iso(createdAt) }
  })),
  delegations: codes.map(({ code, network, readAt }) => ({
    ...{ network, delegate: delegateOf(code) ?? null, code, read_at: iso(readAt) }
  }))
})

/** Returns the switches that concern the wallet: the service's, its own, and those of its vaults' bots. */
const scopesOf = (
  { bots, followers, guardians, orders, wallet }:
    & Pick<WalletAuthority, "bots" | "followers" | "guardians" | "orders">
    & {
      readonly wallet: Scope
    }
) =>
  new Set<string>([
    "service",
    wallet,
    ...[...bots, ...orders, ...guardians, ...followers].flatMap(({ network, pool }) =>
      network === null || pool === null ? [] : [botScope(network, pool)]
    )
  ])

export const AuthorityApiLive = Handlers.layer(
  AuthorityApi,
  Effect.gen(function*() {
    const authorities = yield* WalletAuthorityStore
    const keys = yield* SubKeyStore
    const limits = yield* KeyLimitStore
    const switches = yield* KillSwitch
    return {
      getWalletAuthority: () =>
        Effect.gen(function*() {
          const { wallet } = yield* Credential
          const [found, subKeys, { limits: current }] = yield* query(
            Effect.all([authorities.of(wallet), keys.ofWallet(wallet), limits.find(wallet)])
          )
          const own = scopesOf({ ...found, wallet: walletScope(wallet) })
          const on = (yield* query(switches.list)).filter(({ scope }) => own.has(wideScopeOf(scope)))
          return {
            address: wallet,
            ...viewOf(found),
            sub_keys: subKeys.map(viewOfSubKey),
            limits: isNone(current) ? null : { ...keyLimitsView(current), set_by: found.limitsSetBy },
            switches: on.map(({ by, reason, scope }) => ({ scope, reason, by }))
          }
        })
    }
  })
).pipe(Layer.provide([WalletAuthorityStore.layer, KeyLimitStore.layer, KillSwitch.layer, SubKeyStore.layer]))
