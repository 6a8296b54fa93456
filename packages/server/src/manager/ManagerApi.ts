/** Handlers of the managers' endpoints. */
import * as Address from "@vault-trader/core/chain/Address"
import { format } from "@vault-trader/core/chain/Quantity"
import { Caller, Manager, Principal } from "@vault-trader/core/endpoint/Admission"
import { endpoints } from "@vault-trader/core/endpoint/Catalogue"
import { ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import { KeyLimits } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { ManagerApi } from "@vault-trader/core/manager/ManagerApi"
import * as ManagerSignature from "@vault-trader/core/manager/ManagerSignature"
import { ManagerStore, mostWallets } from "@vault-trader/core/manager/ManagerStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { stored } from "../gate/Asking.ts"
import { freshStatement } from "./ManagerProof.ts"
import { Origin } from "./Origin.ts"

/** What a signature can be for. */
const actions: ReadonlyArray<string> = endpoints.filter(({ params }) => params.some(({ name }) => name === "signature")).map(({ name }) => name)

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

export const ManagerApiLive = ManagerApi.toLayer(Effect.gen(function*() {
  const { salt } = yield* Origin
  const managers = yield* ManagerStore
  const limits = yield* KeyLimitStore

  /** Whose limits are to be changed, and by which manager: by key, that of the key. */
  const limited = (wallet: Address.Address | undefined) =>
    Effect.gen(function*() {
      const principal = yield* Principal
      if (principal._tag === "key") {
        const own = principal.caller.wallet
        if (wallet === undefined || wallet === own) return { wallet: own, manager: null }
        return yield* new ValidationFailure({ code: "1005", message: `wallet: the key is of ${own}; leave wallet out, or prove yourself its manager` })
      }
      const { manager } = principal
      const of = wallet ?? manager
      if (!(yield* stored(managers.has(manager, of)))) return yield* notInList(of, manager)
      return { wallet: of, manager }
    })

  return {
    signingPayload: ({ action, manager, subject = manager }) =>
      Effect.gen(function*() {
        if (!actions.includes(action)) {
          return yield* new ValidationFailure({ code: "1010", message: `action: must be one of ${actions.join(", ")}` })
        }
        const statement = yield* freshStatement({ action, manager, salt, subject: Address.parse(subject) ?? subject })
        return {
          status: "success" as const,
          typed_data: ManagerSignature.typedData(statement),
          prefix: ManagerSignature.prefixOf(statement),
          expires_at: new Date((statement.issuedAt + ManagerSignature.lifetimeSeconds) * 1000).toISOString()
        }
      }),
    associateGasWallet: ({ label, manager }) =>
      Effect.gen(function*() {
        const { wallet } = yield* Caller
        const fits = yield* stored(managers.associate({ manager, wallet, label: label ?? null }))
        if (!fits) {
          return yield* new ValidationFailure({ code: "1010", message: `manager: the list holds ${mostWallets} wallets, which is the most it may hold; take one off first` })
        }
        return { status: "success" as const, address: wallet, message: "The wallet is in the manager's list." }
      }),
    deassociateGasWallet: ({ wallet }) =>
      Effect.gen(function*() {
        const manager = yield* Manager
        if (!(yield* stored(managers.deassociate(manager, wallet)))) return yield* notInList(wallet, manager)
        return { status: "success" as const, address: wallet, message: "The wallet is not in the manager's list any more." }
      }),
    getAssociatedGasWallets: () =>
      Effect.gen(function*() {
        const found = yield* stored(managers.walletsOf(yield* Manager))
        return { status: "success" as const, wallets: found.map(({ label, since, wallet }) => ({ address: wallet, label, since: since.toISOString() })) }
      }),
    setKeyLimits: (asked) =>
      Effect.gen(function*() {
        const { manager, wallet } = yield* limited(asked.wallet)
        const wanted = limitsOf(asked)
        const before = yield* stored(limits.find(wallet))
        const now = yield* stored(limits.restrict(wallet, manager, wanted))
        if (Option.isNone(now)) return yield* new ValidationFailure({ code: "1005", message: `wallet: there is no gas wallet ${wallet}` })
        const message = same(now.value, wanted(before.limits))
          ? "The limits are as asked."
          : "Where the limits were tighter than asked they stay: here they can only be lowered. The manager who set them, or the operator, may raise them."
        return { status: "success" as const, address: wallet, limits: viewOf(now.value), message }
      })
  }
}))
