/** Handlers of the managers' endpoints. */
import * as Address from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller, Manager, Principal } from "@vault-trader/core/endpoint/Admission"
import { endpoints } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { ApprovalPolicy, needsApproval } from "@vault-trader/core/change-approval/ApprovalSettings"
import { ChangeRequestStore } from "@vault-trader/core/change-approval/ChangeRequestStore"
import * as LimitRaise from "@vault-trader/core/change-approval/LimitRaise"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { isSame, KeyLimits } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { ManagerApi } from "@vault-trader/core/manager/ManagerApi"
import * as ManagerSignature from "@vault-trader/core/signature/ManagerSignature"
import * as RequestDigest from "@vault-trader/core/manager/RequestDigest"
import { type Authority, ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Handlers from "../wire/Handlers.ts"
import { query } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { decode, reported } from "../params/RequestParams.ts"
import { Association } from "./Association.ts"
import { keyLimitsView } from "@vault-trader/core/gas-wallet/KeyLimits"
import { freshStatement } from "./ManagerProof.ts"
import { Origin } from "../wire/Origin.ts"

/** Endpoints that accept a manager's signature. */
const signable = endpoints.filter(({ params }) => params.some(({ name }) => name === "signature"))

const notInList = (wallet: Address.Address, manager: Address.Address) =>
  new ValidationFailure({
    code: "1005",
    message: `wallet: ${wallet} is not in the list of ${manager}; /getAssociatedGasWallets lists its wallets`
  })

/** Requested limits; absent ones stay unchanged. */
interface RequestedLimits {
  readonly vaults?: ReadonlyArray<string> | undefined
  readonly max_usd_per_trade?: bigint | "off" | undefined
  readonly max_usd_per_day?: bigint | "off" | undefined
  readonly read_only?: boolean | undefined
}

const usdOf = (requested: bigint | "off" | undefined, now: bigint | null) =>
  requested === undefined ? now : requested === "off" ? null : requested

const limitsOf =
  ({ max_usd_per_day, max_usd_per_trade, read_only, vaults }: RequestedLimits) => (now: KeyLimits): KeyLimits =>
    KeyLimits.make({
      vaults: vaults === undefined
        ? now.vaults
        : vaults.includes("any")
        ? null
        : [...new Set(vaults)] as NonNullable<KeyLimits["vaults"]>,
      maxUsd18PerTrade: usdOf(max_usd_per_trade, now.maxUsd18PerTrade),
      maxUsd18PerDay: usdOf(max_usd_per_day, now.maxUsd18PerDay),
      readOnly: read_only ?? now.readOnly
    })

const outcomeMessage = (now: KeyLimits, requested: KeyLimits) =>
  isSame(now, requested)
    ? "The limits are set as requested."
    : "Limits that were tighter than requested are unchanged: they can only be lowered here. The manager " +
      "who set them, or the operator, can raise them."

/** Says that a raise waits, and for what. */
const waitingMessage = (needed: number, id: string) =>
  `The raise waits for ${
    needed === 1 ? "1 approval" : `${needed} approvals`
  } as request ${id}; nothing is raised yet, ` +
  "and what the request lowers is lowered. getApprovals shows its state."

const hasParam = ({ params }: EndpointFacts, name: string) => params.some((param) => param.name === name)

/** Decodes the parameters of a request to be signed as admission will. A secret may be given as its digest. */
const readParams = (facts: EndpointFacts, given: Readonly<Record<string, unknown>>) => {
  const isDigest = (name: string) => RequestDigest.digestPattern.test(String(given[name]))
  const digests = facts.params.filter(({ info, name }) => info.secret && isDigest(name)).map(({ name }) => name)
  const rest = Object.entries(given).filter(([name]) => !digests.includes(name))
  const { params, refusals } = decode(facts, { query: new URLSearchParams(), body: new Map(rest), headers: {} })
  const wrong = reported(
    refusals.filter(({ name }) => name !== "signature" && !digests.includes(name)),
    Number.POSITIVE_INFINITY
  )
  const all: Readonly<Record<string, unknown>> = {
    ...params,
    ...Object.fromEntries(digests.map((name) => [name, given[name]]))
  }
  if (wrong === undefined) return Effect.succeed(all)
  const { code, message, missing } = wrong
  return new ValidationFailure({
    code,
    message: missing ? `params: ${message}, of ${facts.name}` : `params.${message}`
  })
}

/**
 * Returns the wallet whose limits change, and the manager who changes them; null for a key. Limits apply to all
 * networks, so a manager with authority on one network can only lower them, like a key.
 */
const limitedWallet = (
  managers: ManagerStore["Service"],
  wallet: Address.Address | undefined,
  network: Authority["network"]
) =>
  Effect.gen(function*() {
    const principal = yield* Principal
    if (principal._tag === "key") {
      const own = principal.caller.wallet
      if (wallet === undefined || wallet === own) return { wallet: own, manager: null }
      return yield* new ValidationFailure({
        code: "1005",
        message: `wallet: the key belongs to ${own}; omit wallet, or sign as the manager`
      })
    }
    const { manager } = principal
    const of = wallet ?? manager
    if (!(yield* query(managers.has({ manager, network }, of)))) return yield* notInList(of, manager)
    return { wallet: of, manager: network === null ? manager : null }
  })

const signingHandlers = Handlers.part(
  ManagerApi,
  Effect.gen(function*() {
    const { salt } = yield* Origin
    const { defaultNetwork } = yield* Directory
    return {
      signingPayload: ({ action, manager, network, params = {}, subject }) =>
        Effect.gen(function*() {
          const facts = signable.find(({ name }) => name === action)
          if (facts === undefined) {
            return yield* new ValidationFailure({
              code: "1010",
              message: `action: must be one of ${signable.map(({ name }) => name).join(", ")}`
            })
          }
          const named = { manager, ...(network !== undefined && hasParam(facts, "network") ? { network } : {}) }
          const read = yield* readParams(facts, { ...named, ...params })
          const own = facts.subject === undefined ? undefined : read[facts.subject]
          const about = subject ?? (typeof own === "string" ? own : manager)
          const statement = yield* freshStatement({
            action,
            manager,
            salt,
            subject: Address.parse(about) ?? about,
            params: yield* RequestDigest.of(facts.params, read),
            chainId: ManagerSignature.chainIdOf(read["network"] as Network | undefined, defaultNetwork)
          })
          return {
            typed_data: ManagerSignature.typedData(statement),
            prefix: ManagerSignature.prefixOf(statement),
            expires_at: new Date((statement.issuedAt + ManagerSignature.lifetimeSeconds) * 1000).toISOString()
          }
        })
    }
  })
)

const listHandlers = Handlers.part(
  ManagerApi,
  Effect.gen(function*() {
    const associations = yield* Association
    const managers = yield* ManagerStore
    return {
      associateGasWallet: ({ label, manager, network, privateKey }) =>
        Effect.gen(function*() {
          const caller = yield* Caller
          yield* associations.add({ manager, network: network ?? null, caller, label: label ?? null, privateKey })
          return { address: caller.wallet, message: "The wallet is in the manager's list." }
        }),
      deassociateGasWallet: ({ network, wallet }) =>
        Effect.gen(function*() {
          const manager = yield* Manager
          if (
            !(yield* query(managers.deassociate({ manager, network: network ?? null }, wallet)))
          ) return yield* notInList(wallet, manager)
          return {
            address: wallet,
            message: "The wallet is no longer in the manager's list."
          }
        }),
      getAssociatedGasWallets: ({ network }) =>
        Effect.gen(function*() {
          const found = yield* query(managers.walletsOf({ manager: yield* Manager, network: network ?? null }))
          return {
            wallets: found.map(({ label, since, wallet }) => ({ address: wallet, label, since: since.toISOString() }))
          }
        })
    }
  })
)

const limitHandlers = Handlers.part(
  ManagerApi,
  Effect.gen(function*() {
    const managers = yield* ManagerStore
    const limits = yield* KeyLimitStore
    const policy = yield* ApprovalPolicy
    const proposeRaise = yield* LimitRaise.make
    const noWallet = (wallet: Address.Address) =>
      new ValidationFailure({ code: "1005", message: `wallet: there is no gas wallet ${wallet}` })
    return {
      setKeyLimits: (params) =>
        Effect.gen(function*() {
          const { manager, wallet } = yield* limitedWallet(managers, params.wallet, params.network ?? null)
          const applyTo = limitsOf(params)
          const before = yield* query(limits.find(wallet))
          if (needsApproval(policy, "limits")) {
            const proposed = yield* query(proposeRaise(policy, wallet, manager, applyTo))
            if (Option.isNone(proposed)) return yield* noWallet(wallet)
            const { limits: now, request } = proposed.value
            const waiting = Option.map(request, ({ id }) => waitingMessage(policy.needed, id))
            return {
              address: wallet,
              limits: keyLimitsView(now),
              message: Option.getOrElse(waiting, () => outcomeMessage(now, applyTo(before.limits)))
            }
          }
          const now = yield* query(limits.restrict(wallet, manager, applyTo))
          if (Option.isNone(now)) return yield* noWallet(wallet)
          const message = outcomeMessage(now.value, applyTo(before.limits))
          return { address: wallet, limits: keyLimitsView(now.value), message }
        })
    }
  })
)

export const ManagerApiLive = Handlers.layer(
  ManagerApi,
  Effect.gen(function*() {
    return {
      ...(yield* signingHandlers),
      ...(yield* listHandlers),
      ...(yield* limitHandlers)
    }
  })
).pipe(Layer.provide([ManagerStore.layer, KeyLimitStore.layer, ChangeRequestStore.layer]))
