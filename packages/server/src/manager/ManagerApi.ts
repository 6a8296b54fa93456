/** Handlers of the managers' endpoints. */
import * as Address from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { Caller, Manager, Principal } from "@vault-trader/core/endpoint/Admission"
import { endpoints } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { KeyLimits } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { ManagerApi } from "@vault-trader/core/manager/ManagerApi"
import * as ManagerSignature from "@vault-trader/core/signature/ManagerSignature"
import * as RequestDigest from "@vault-trader/core/manager/RequestDigest"
import { type Authority, ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { decode } from "../endpoint/Decode.ts"
import { firstUpTo } from "../endpoint/ValidationOrder.ts"
import { Association } from "./Association.ts"
import { freshStatement } from "./ManagerProof.ts"
import { Origin } from "./Origin.ts"

/** What a signature can be for. */
const signable = endpoints.filter(({ params }) => params.some(({ name }) => name === "signature"))

const notInList = (wallet: Address.Address, manager: Address.Address) =>
  new ValidationFailure({ code: "1005", message: `wallet: ${wallet} is not in the list of ${manager}; /getAssociatedGasWallets tells what is` })

/** What is asked of limits; what is not named stays. */
interface Asked {
  readonly vaults?: ReadonlyArray<string> | undefined
  readonly max_usd_per_trade?: bigint | "off" | undefined
  readonly max_usd_per_day?: bigint | "off" | undefined
  readonly read_only?: boolean | undefined
}

const usdOf = (asked: bigint | "off" | undefined, now: bigint | null) => asked === undefined ? now : asked === "off" ? null : asked

const limitsOf = ({ max_usd_per_day, max_usd_per_trade, read_only, vaults }: Asked) => (now: KeyLimits): KeyLimits =>
  KeyLimits.make({
    vaults: vaults === undefined ? now.vaults : vaults.includes("any") ? null : [...new Set(vaults)] as NonNullable<KeyLimits["vaults"]>,
    maxUsd18PerTrade: usdOf(max_usd_per_trade, now.maxUsd18PerTrade),
    maxUsd18PerDay: usdOf(max_usd_per_day, now.maxUsd18PerDay),
    readOnly: read_only ?? now.readOnly
  })

const viewOf = ({ maxUsd18PerDay, maxUsd18PerTrade, readOnly, vaults }: KeyLimits) => ({
  vaults,
  max_usd_per_trade: maxUsd18PerTrade === null ? null : format(maxUsd18PerTrade, 18),
  max_usd_per_day: maxUsd18PerDay === null ? null : format(maxUsd18PerDay, 18),
  read_only: readOnly
})

const same = (one: KeyLimits, other: KeyLimits) => JSON.stringify(viewOf(one)) === JSON.stringify(viewOf(other))

const takes = ({ params }: EndpointFacts, name: string) => params.some((param) => param.name === name)

/** Reads the parameters of a request that is to be signed, as admission will read them; a secret may be given by its digest. */
const readParams = (facts: EndpointFacts, given: Readonly<Record<string, unknown>>) => {
  const isDigest = (name: string) => RequestDigest.digestPattern.test(String(given[name]))
  const digests = facts.params.filter(({ info, name }) => info.secret && isDigest(name)).map(({ name }) => name)
  const rest = Object.entries(given).filter(([name]) => !digests.includes(name))
  const { params, refusals } = decode(facts, { query: new URLSearchParams(), body: new Map(rest), headers: {} })
  const wrong = firstUpTo(refusals.filter(({ name }) => name !== "signature" && !digests.includes(name)), Number.POSITIVE_INFINITY)
  const all: Readonly<Record<string, unknown>> = { ...params, ...Object.fromEntries(digests.map((name) => [name, given[name]])) }
  if (wrong === undefined) return Effect.succeed(all)
  const { message } = wrong
  return new ValidationFailure({ code: wrong.code, message: message.startsWith("Missing") ? `params: ${message}, of ${facts.name}` : `params.${message}` })
}

export const ManagerApiLive = ManagerApi.toLayer(Effect.gen(function*() {
  const { salt } = yield* Origin
  const { defaultNetwork } = yield* Directory
  const associations = yield* Association
  const managers = yield* ManagerStore
  const limits = yield* KeyLimitStore

  /**
   * Whose limits are to be changed, and by which manager: by key, that of the key. Limits hold on all networks, so a manager who speaks for one
   * network lowers them as a key does.
   */
  const limited = (wallet: Address.Address | undefined, network: Authority["network"]) =>
    Effect.gen(function*() {
      const principal = yield* Principal
      if (principal._tag === "key") {
        const own = principal.caller.wallet
        if (wallet === undefined || wallet === own) return { wallet: own, manager: null }
        return yield* new ValidationFailure({ code: "1005", message: `wallet: the key is of ${own}; leave wallet out, or prove yourself its manager` })
      }
      const { manager } = principal
      const of = wallet ?? manager
      if (!(yield* query(managers.has({ manager, network }, of)))) return yield* notInList(of, manager)
      return { wallet: of, manager: network === null ? manager : null }
    })

  return {
    signingPayload: ({ action, manager, network, params = {}, subject }) =>
      Effect.gen(function*() {
        const facts = signable.find(({ name }) => name === action)
        if (facts === undefined) {
          return yield* new ValidationFailure({ code: "1010", message: `action: must be one of ${signable.map(({ name }) => name).join(", ")}` })
        }
        const named = { manager, ...(network !== undefined && takes(facts, "network") ? { network } : {}) }
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
          status: "success" as const,
          typed_data: ManagerSignature.typedData(statement),
          prefix: ManagerSignature.prefixOf(statement),
          expires_at: new Date((statement.issuedAt + ManagerSignature.lifetimeSeconds) * 1000).toISOString()
        }
      }),
    associateGasWallet: ({ label, manager, network, privateKey }) =>
      Effect.gen(function*() {
        const caller = yield* Caller
        yield* associations.add({ manager, network: network ?? null, caller, label: label ?? null, privateKey })
        return { status: "success" as const, address: caller.wallet, message: "The wallet is in the manager's list." }
      }),
    deassociateGasWallet: ({ network, wallet }) =>
      Effect.gen(function*() {
        const manager = yield* Manager
        if (!(yield* query(managers.deassociate({ manager, network: network ?? null }, wallet)))) return yield* notInList(wallet, manager)
        return { status: "success" as const, address: wallet, message: "The wallet is not in the manager's list any more." }
      }),
    getAssociatedGasWallets: ({ network }) =>
      Effect.gen(function*() {
        const found = yield* query(managers.walletsOf({ manager: yield* Manager, network: network ?? null }))
        return { status: "success" as const, wallets: found.map(({ label, since, wallet }) => ({ address: wallet, label, since: since.toISOString() })) }
      }),
    setKeyLimits: (asked) =>
      Effect.gen(function*() {
        const { manager, wallet } = yield* limited(asked.wallet, asked.network ?? null)
        const wanted = limitsOf(asked)
        const before = yield* query(limits.find(wallet))
        const now = yield* query(limits.restrict(wallet, manager, wanted))
        if (Option.isNone(now)) return yield* new ValidationFailure({ code: "1005", message: `wallet: there is no gas wallet ${wallet}` })
        const message = same(now.value, wanted(before.limits))
          ? "The limits are as asked."
          : "Where the limits were tighter than asked they stay: here they can only be lowered. The manager who set them, or the operator, may raise them."
        return { status: "success" as const, address: wallet, limits: viewOf(now.value), message }
      })
  }
}))
