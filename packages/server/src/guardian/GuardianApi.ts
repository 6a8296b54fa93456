/** Handlers of guardians. Deleting, resetting and showing one needs only the database, for the wallet that set it. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { KillSwitch, stoppingGuardian } from "@vault-trader/core/gas-wallet/KillSwitch"
import { type Guardian, type GuardianKind, Guardians } from "@vault-trader/core/guardian/Guardian"
import { GuardianApi } from "@vault-trader/core/guardian/GuardianApi"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import { actionViewOf, eventViewOf, viewOf } from "@vault-trader/core/guardian/GuardianView"
import { GuardianActionStore } from "@vault-trader/core/intent/GuardianActionStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { query, read } from "../gate/ActorCall.ts"
import * as NamedAsset from "../vault/NamedAsset.ts"
import * as StrategyReaders from "../vault/StrategyReaders.ts"
import { TraderNow } from "../vault/TraderNow.ts"
import * as Handlers from "../wire/Handlers.ts"
import * as GuardianTermsCheck from "./GuardianTermsCheck.ts"

const hiddenMessage =
  "Guardians of other wallets are shown only to keys of the vault's trader, its manager and wallets in the manager's " +
  "list."

const settingHandlers = Handlers.part(
  GuardianApi,
  Effect.gen(function*() {
    const actors = yield* Guardians.client
    const store = yield* GuardianActionStore
    const switches = yield* KillSwitch

    return {
      setGuardian: (params) =>
        Effect.gen(function*() {
          const { keyId, wallet } = yield* Caller
          const { dryRun, kind, network, paper = false, pool } = params
          yield* GuardianTermsCheck.checkShape(params)
          const actor = actors(idOf(network, pool))
          const names = GuardianTermsCheck.namesOf(params)
          const tokens = names.length === 0 ? [] : yield* Effect.mapError(
            read(actor.assets({ wallet, names })),
            (failure) => NamedAsset.withParamName(failure, NamedAsset.namedIn("assets", params.assets))
          )
          const terms = yield* GuardianTermsCheck.termsOf(params, tokens)
          // Also before it is set: a guardian that cannot read what it watches is refused.
          const plan = yield* read(actor.preview({ wallet, terms }))
          if (dryRun === true) {
            return { data: null, plan, message: `Dry run: nothing was set. ${plan.reading} ${plan.reason}` }
          }
          const guardian = yield* query(store.set({ network, pool, wallet, keyId, terms, paper }))
          // Reads now, in the background: without this, the next reading would be the first.
          yield* Effect.forkDetach(
            Effect.ignore(Effect.timeout(actor.wake({ guardianId: guardian.id }), "30 seconds"))
          )
          const stopped = stoppingGuardian(yield* query(switches.list), guardian)
          return {
            data: viewOf(guardian, stopped),
            plan,
            message: `The ${kind} guardian is set${paper ? " on paper" : ""}. ${
              stopped === null ? "" : `${stopped}; the guardian waits. `
            }Call getGuardians for what it does.`
          }
        })
    }
  })
)

const changingHandlers = Handlers.part(
  GuardianApi,
  Effect.gen(function*() {
    const store = yield* GuardianStore
    const changes = yield* GuardianActionStore
    const switches = yield* KillSwitch
    const traderNow = yield* TraderNow
    const accessOf = yield* StrategyReaders.make

    /** Finds the vault's guardian of a kind, for the wallet that set it or the vault's trader. */
    const ownOf = ({ kind, network, pool }: {
      readonly kind: GuardianKind
      readonly network: Network
      readonly pool: Address
    }) =>
      Effect.gen(function*() {
        const { wallet } = yield* Caller
        const found = (yield* query(store.ofVault(network, pool))).find(({ terms }) => terms._tag === kind)
        if (found?.wallet !== wallet) yield* traderNow({ network, pool }, wallet)
        return found
      })
    const shown = (guardian: Guardian) =>
      Effect.map(query(switches.list), (on) => viewOf(guardian, stoppingGuardian(on, guardian)))

    return {
      resetGuardian: (params) =>
        Effect.gen(function*() {
          const { kind } = params
          const found = yield* ownOf(params)
          const reset = found === undefined ? undefined : Option.getOrUndefined(yield* query(changes.reset(found.id)))
          if (reset === undefined) {
            return yield* new ValidationFailure({ code: "1010", message: `kind: the vault has no ${kind} guardian` })
          }
          if (reset.openIntent !== null) return yield* explain({ _tag: "ServiceBusy" }, "nothingAccepted")
          return { data: yield* shown(reset), message: `The ${kind} guardian is armed again.` }
        }),
      deleteGuardian: (params) =>
        Effect.gen(function*() {
          const { kind } = params
          const found = yield* ownOf(params)
          const removed = found === undefined
            ? undefined
            : Option.getOrUndefined(yield* query(changes.remove(found.id)))
          return removed === undefined
            ? { data: null, message: `The vault has no ${kind} guardian; nothing changed.` }
            : { data: yield* shown(removed), message: `The ${kind} guardian is deleted.` }
        }),
      getGuardians: ({ network, pool }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const [found, on] = yield* query(Effect.all([store.ofVault(network, pool), switches.list]))
          const isOwn = found.length > 0 && found.every((guardian) => guardian.wallet === wallet)
          const reads = isOwn || (yield* accessOf({ network, pool }, wallet)).reads
          const visible = reads ? found : found.filter((guardian) => guardian.wallet === wallet)
          const guardians = yield* Effect.forEach(visible, (guardian) =>
            Effect.map(
              query(Effect.all([store.actions(guardian.id), store.events(guardian.id)])),
              ([actions, events]) => ({
                data: viewOf(guardian, stoppingGuardian(on, guardian)),
                actions: actions.map(actionViewOf),
                events: events.map(eventViewOf)
              })
            ))
          return { guardians, message: reads ? null : hiddenMessage }
        })
    }
  })
)

export const GuardianApiLive = Handlers.layer(
  GuardianApi,
  Effect.gen(function*() {
    return { ...(yield* settingHandlers), ...(yield* changingHandlers) }
  })
).pipe(
  Layer.provide([GuardianActionStore.layer, GuardianStore.layer, ManagerStore.layer]),
  Layer.provide([IntentStore.layer, KillSwitch.layer])
)
