/** The endpoint that shows everything that can act for a wallet. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address, Hex } from "../chain/Address.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { VaultId } from "../gas-wallet/KeyLimits.ts"
import { SubKeyView } from "../gas-wallet/SubKey.ts"
import { SwitchView } from "../gas-wallet/KillSwitchApi.ts"

const wallet = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const manager = "0x00000000000000000000000000000000000000aa"
const at = "2026-11-20T10:00:00.000Z"

const LastUsed = Schema.NullOr(Schema.String)
/** Null: all networks. */
const NetworkOfAuthority = Schema.NullOr(Schema.String)

const Key = Schema.Struct({ last_four: Schema.String, issued_at: Schema.String, last_used_at: LastUsed })

const ManagerView = Schema.Struct({
  manager: Address,
  network: NetworkOfAuthority,
  label: Schema.NullOr(Schema.String),
  since: Schema.String,
  last_used_at: LastUsed
})

const SessionView = Schema.Struct({
  manager: Address,
  network: NetworkOfAuthority,
  count: Schema.Int,
  last_used_at: LastUsed,
  expires_at: Schema.String
})

const TokenView = Schema.Struct({
  token_id: Schema.String,
  network: Schema.String,
  pool: Address,
  pair: Schema.String,
  label: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  last_used_at: LastUsed
})

const WebhookView = Schema.Struct({
  webhook_id: Schema.String,
  url: Schema.String,
  events: Schema.Array(Schema.String),
  created_at: Schema.String
})

/** A notification channel; a chat that is bound to it may command what `commands` says. */
const ChannelView = Schema.Struct({
  channel_id: Schema.String,
  kind: Schema.String,
  name: Schema.String,
  commands: Schema.String,
  bound: Schema.Boolean,
  created_at: Schema.String
})

const LimitsView = Schema.Struct({
  vaults: Schema.NullOr(Schema.Array(VaultId)),
  max_usd_per_trade: Schema.NullOr(Schema.String),
  max_usd_per_day: Schema.NullOr(Schema.String),
  read_only: Schema.Boolean,
  /** The manager who may raise the limits; null for limits that only the operator raises. */
  set_by: Schema.NullOr(Address)
})

const BotView = Schema.Struct({
  /** `strategy`: a strategy bot, named in `pair`. */
  kind: Schema.Literals(["threshold", "index", "strategy", "exchange"]),
  network: Schema.NullOr(Schema.String),
  pool: Schema.NullOr(Address),
  subaccount: Schema.NullOr(Schema.String),
  pair: Schema.NullOr(Schema.String),
  /** The wallet that set the bot, and that signs and pays for it. */
  gas_wallet: Address,
  /** The manager who set it in the console; null for the wallet's key. */
  set_by: Schema.NullOr(Address),
  active: Schema.Boolean
})

/** An order of a vault that has not ended: it trades when its price or time comes. */
const OrderAuthority = Schema.Struct({
  order_id: Schema.String,
  network: Schema.String,
  pool: Address,
  type: Schema.String,
  side: Schema.String,
  pair: Schema.String,
  gas_wallet: Address,
  paper: Schema.Boolean
})

/**
 * A guardian of a vault, and what it may do by itself: `repay`, `unlend`, `sell`, `deleverage`, `remove_liquidity`,
 * `stop_bots`, `hold_trades`.
 */
const GuardianAuthority = Schema.Struct({
  guardian_id: Schema.String,
  network: Schema.String,
  pool: Address,
  kind: Schema.String,
  may: Schema.Array(Schema.String),
  gas_wallet: Address,
  paper: Schema.Boolean,
  /** `armed`, `acting` or `tripped`. */
  state: Schema.String,
  /** The condition that it waits for, or its last action. */
  reason: Schema.String,
  /** Failed actions in a row. */
  failures: Schema.Int
})

/** A vault that follows a leader: it is traded as the leader's weights change. */
const FollowerAuthority = Schema.Struct({
  follower_id: Schema.String,
  network: Schema.String,
  pool: Address,
  leader: Address,
  state: Schema.String,
  gas_wallet: Address
})

const AccountView = Schema.Struct({
  subaccount_name: Schema.String,
  exchange: Schema.String,
  manager: Address,
  since: Schema.String
})

/** Code at the wallet's address (EIP-7702): accounts that the code admits act for the wallet without its key. */
const DelegationView = Schema.Struct({
  network: Schema.String,
  delegate: Schema.NullOr(Address),
  code: Hex,
  read_at: Schema.String
})

export class AuthorityApi extends RpcGroup.make(
  Endpoint.make("getWalletAuthority", {
    class: "readOnly",
    access: "anyProof",
    subject: "wallet",
    summary:
      "Everything that can act for a wallet: its API key and sub-keys, managers and their sessions, chart alert " +
      "tokens, webhooks, channels, bots, orders, guardians, followers, exchange accounts, delegations; its limits and switches; " +
      "and when each was last used. For the " +
      "wallet's API key, a manager of its list (subject: the wallet), or its private key, for instance before rotation.",
    params: { ...Params.anyProof, network: Schema.optional(Params.ManagerNetwork) },
    success: {
      address: Address,
      api_key: Schema.NullOr(Key),
      managers: Schema.Array(ManagerView),
      sessions: Schema.Array(SessionView),
      sub_keys: Schema.Array(SubKeyView),
      webhook_tokens: Schema.Array(TokenView),
      webhooks: Schema.Array(WebhookView),
      channels: Schema.Array(ChannelView),
      limits: Schema.NullOr(LimitsView),
      bots: Schema.Array(BotView),
      orders: Schema.Array(OrderAuthority),
      guardians: Schema.Array(GuardianAuthority),
      followers: Schema.Array(FollowerAuthority),
      exchange_accounts: Schema.Array(AccountView),
      delegations: Schema.Array(DelegationView),
      switches: Schema.Array(SwitchView)
    },
    example: {
      address: wallet,
      api_key: { last_four: "a1f2", issued_at: at, last_used_at: at },
      managers: [{ manager, network: null, label: "momentum, base", since: at, last_used_at: at }],
      sessions: [{ manager, network: null, count: 1, last_used_at: at, expires_at: at }],
      sub_keys: [],
      webhook_tokens: [],
      webhooks: [],
      channels: [],
      limits: {
        vaults: null,
        max_usd_per_trade: "250",
        max_usd_per_day: "1000",
        read_only: false,
        set_by: manager
      },
      bots: [],
      orders: [],
      guardians: [],
      followers: [],
      exchange_accounts: [],
      delegations: [],
      switches: []
    }
  })
) {}
