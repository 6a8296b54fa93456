/** Explains what the service itself, or a node, cannot carry out now or must not. */
import type { ExplanationTable } from "./ExplanationTable.ts"
import type { ServiceReason } from "./Reason.ts"

const retry = "Try again."
const retrySoon = "Try again in a moment."
const checkOrRepeat = "Check, or repeat it."

/** Words an active switch; `scope` is the switch's scope. */
const stoppedText = ({ reason, scope }: { readonly reason: string; readonly scope: string }): string =>
  `Signing is stopped for ${stoppedBy(scope)} (${reason})`

/** Names the part that a switch stops; the scope of one bot has two parts more than that of a vault's bots. */
const stoppedBy = (scope: string): string => {
  if (scope === "service") return "the whole service"
  if (scope.startsWith("wallet/")) return "this wallet"
  return scope.split("/").length > 3 ? "this bot" : "the bots of this vault"
}

const openRequests = {
  vault: (limit: number) => `This vault has ${limit} requests of this wallet open`,
  wallet: (limit: number) => `This wallet has ${limit} requests open`,
  service: (limit: number) => `The service has ${limit} requests open`
} as const

export const serviceExplanations: ExplanationTable<ServiceReason> = {
  NetworkUnreachable: ({ network }) => [
    "rpc_unavailable",
    `The ${network} network cannot be reached at the moment`,
    retry
  ],
  ReadRefused: ({ detail }) => ["rpc_unavailable", `The network's node refused a read (${detail})`, retry],
  PlatformRulesUnreadable: ({ network }) => [
    "rpc_unavailable",
    `The vault platform's factory on ${network} does not return its rules`
  ],
  PlatformMissing: ({ factory, network }) => [
    "market_not_available",
    `There is no contract at ${factory}, the vault platform's factory on ${network}`,
    "The operator can run vault-trader doctor."
  ],
  LenderUnreadable: ({ network }) => [
    "rpc_unavailable",
    `lenderA's contracts on ${network} do not answer at the moment`,
    retry
  ],
  NetworkNotConfigured: ({ network }) => ["rpc_unavailable", `${network} is not configured on this runner`],
  ManagedVaultsUnreadable: ({ network }) => [
    "rpc_unavailable",
    `The vaults of the manager on ${network} cannot be read at the moment`,
    "Try again, or list them for mintManagerFeeBatch."
  ],
  CallTimedOut: () => ["rpc_unavailable", "The service did not answer in time", retry],
  ChangeTimedOut: () => ["rpc_unavailable", "The service did not answer in time", checkOrRepeat],
  ServiceBusy: () => ["busy", "The service is busy", retrySoon],
  SignerAway: () => [
    "busy",
    "The signer of this service does not answer; no API key was issued or changed",
    retrySoon
  ],
  ChangeInterrupted: () => ["busy", "The service was interrupted", checkOrRepeat],
  IdempotencyKeyReleased: () => [
    "busy",
    "The idempotency key has just been released, because its request is older than seven days",
    retry
  ],
  BacklogFull: ({ limit, of }) => [
    "busy",
    `${openRequests[of](limit)}, the maximum`,
    "Try again when some have finished."
  ],
  TooManyStreams: ({ limit }) => ["busy", `This session has ${limit} streams open, the maximum`, "Close a tab."],
  TooManyWalletsCreated: () => [
    "busy",
    "Too many gas wallets are being created at the moment",
    "Try again later."
  ],
  SessionTooFast: () => ["busy", "This session sends too many requests", retrySoon],
  TurnNotConfirmed: () => ["busy", "The database does not respond", "The next check reads the turn again."],
  AccountChangeNotConfirmed: () => [
    "busy",
    "The database does not respond",
    "Call getCEXSide, or repeat the request."
  ],
  OrderOutcomePending: ({ account, exchange }) => [
    "busy",
    `The bots of ${account} are deactivated, but ${exchange} has not reported the outcome of an order yet`,
    "Try again in a minute."
  ],
  BotDisabled: () => ["paused", "The bot was disabled before this was planned"],
  SigningStopped: (reason) => ["paused", stoppedText(reason)],
  CancelledBySwitch: () => ["paused", "An operator stopped signing and cancelled what was signed"],
  Expired: ({ seconds }) => [
    "expired",
    `Its transaction was not mined within ${seconds} seconds`,
    "Send it again, or with a longer valid_for."
  ],
  ExpiredUnsigned: () => [
    "expired",
    "It could not be signed within its lifetime",
    "Send it again, or with a longer valid_for."
  ],
  LaneQuarantined: ({ network, reason, wallet }) => [
    "quarantined",
    `${wallet} signs nothing on ${network}: ${reason}`,
    "The operator finds the evidence with `vault-trader lane show` and ends it with `vault-trader lane release`."
  ],
  BotDeleted: () => ["nothing_to_do", "The bot was deleted before this was planned"],
  BotReplaced: () => ["nothing_to_do", "The bot was set to other terms before this was planned"],
  VaultOrderCancelled: () => ["nothing_to_do", "The order was cancelled before this was planned"],
  VaultOrderAmended: () => ["nothing_to_do", "The order was amended before this was planned"],
  StrategyBotDeleted: () => ["nothing_to_do", "The strategy bot was deleted or set again before this was planned"],
  GuardianDeleted: () => ["nothing_to_do", "The guardian was deleted before this was planned"],
  FollowerRemoved: () => ["nothing_to_do", "The follower was removed before this was planned"],
  GuardianHold: ({ detail }) => [
    "guardian_hold",
    `The vault's oracle guardian holds trades: ${detail}`,
    "Try again when it can be traded on; getGuardians says so."
  ],
  SubmissionSetAside: ({ detail, key }) => ["internal", `The submission ${key} was set aside, because ${detail}`],
  SubmissionNotFound: ({ key }) => ["internal", `There is no submission ${key}`],
  SubmissionNotSigned: ({ detail, key }) => ["internal", `The signer refuses the submission ${key}: ${detail}`],
  SettlementMismatch: ({ key }) => [
    "internal",
    `The settlement ${key} does not match its charges and the configured treasury`,
    "The charges are outstanding."
  ],
  SettlementAboveCap: ({ cap, key, usd }) => [
    "internal",
    `The settlement ${key} is worth ${usd}, and no payment may exceed ${cap} (MAX_SETTLEMENT_USD)`,
    "The charges are outstanding."
  ],
  TopUpMismatch: ({ key }) => ["internal", `The top-up ${key} does not match its row and the configuration`],
  CannotSign: ({ detail }) => ["internal", detail],
  SignedBefore: ({ key }) => [
    "internal",
    `The signing record shows that the submission ${key} was signed before, with another transaction`,
    "The operator finds it with `vault-trader record show`."
  ],
  PaidBefore: ({ key }) => [
    "internal",
    `The settlement ${key} was replaced by a payment that was made before the database was restored`,
    "Charges that it did not pay are outstanding."
  ],
  EndedByRelease: ({ network, transactions, wallet }) => [
    "outcome_unknown",
    `The ledger of ${wallet} on ${network} had forgotten transactions, and its operator ended what was open: whether ` +
    "this request was executed before is not known",
    `Compare it with the wallet's transactions before you send it again${
      transactions.length === 0 ? "" : `: ${transactions.join(", ")}`
    }.`
  ],
  LegKeyConflict: ({ intentId }) => ["internal", `The leg's key was used for another request (intent ${intentId})`],
  PlanningFailed: () => [
    "internal",
    "The service failed to plan this",
    "The operator can find the reason in the log under the intent's id."
  ],
  NonceTakenTooOften: ({ times, wallet }) => [
    "internal",
    `Transactions that this service did not sign used the key of ${wallet} and took the nonce ${times} times`
  ],
  NoMintEvent: () => ["internal", "The receipt has no minted fee"],
  NoLiquidityEvent: () => ["internal", "The receipt has no event with the amounts the position took"],
  WrongMiddleware: () => ["internal", "An endpoint is behind the wrong admission middleware"]
}
