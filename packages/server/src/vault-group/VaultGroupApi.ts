/** Handlers of groups of vaults. Setting and showing them needs only the database. */
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { GroupRequest, maxGroups, type VaultGroup } from "@vault-trader/core/vault-group/VaultGroup"
import { type MemberResult, memberStates, VaultGroupApi } from "@vault-trader/core/vault-group/VaultGroupApi"
import { VaultGroupStore } from "@vault-trader/core/vault-group/VaultGroupStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import { Directory, networkNotServed } from "../gate/ServedNetworks.ts"
import * as Size from "../intent/Size.ts"
import * as Handlers from "../wire/Handlers.ts"
import * as GroupPlan from "./GroupPlan.ts"
import * as GroupTrade from "./GroupTrade.ts"

type Params = Handlers.Params<typeof VaultGroupApi, "tradeGroup">

const viewOf = ({ createdAt, members, name, updatedAt }: VaultGroup) => ({
  ...{ group: name, members },
  ...{ created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() }
})

const refuse = (message: string) => new ValidationFailure({ code: "1010", message })

const countOf = (count: number) => `${count} vault${count === 1 ? "" : "s"}`

/** Builds the request of a trade; a share wins over an amount, as everywhere. */
const requestOf = ({ from, group, platform, slippage, split, to, valid_for, ...size }: Params) => {
  const { amount = null, share = null } = Size.of(size) as Pick<Params, "amount" | "share">
  if (share === null && amount === null) {
    return refuse("share: give the share of each vault's holding, or an amount for all vaults together")
  }
  if (split !== undefined && amount === null) return refuse("split: belongs to an amount, and a share is no amount")
  return Effect.succeed(GroupRequest.make({
    ...{ group: group.toLowerCase(), from, to, share, amount, split: split ?? null },
    ...{ slippage: slippage ?? null, platform: platform ?? null, validFor: valid_for ?? null }
  }))
}

const words: Readonly<Record<MemberResult["state"], string>> = {
  success: "traded",
  pending: "pending",
  fail: "failed",
  skipped: "skipped",
  refused: "refused",
  unknown: "unknown"
}

/** Describes a call's results in one sentence. */
const describe = (results: ReadonlyArray<MemberResult>) => {
  const others = memberStates.filter((state) => state !== "success").flatMap((state) => {
    const count = results.filter((each) => each.state === state).length
    return count === 0 ? [] : [`${count} ${words[state]}`]
  })
  const traded = results.filter(({ state }) => state === "success").length
  return `${traded} of ${countOf(results.length)} traded${others.length === 0 ? "" : `; ${others.join(", ")}`}.`
}

const settingHandlers = Handlers.part(
  VaultGroupApi,
  Effect.gen(function*() {
    const store = yield* VaultGroupStore
    const directory = yield* Directory
    return {
      setVaultGroup: ({ group, members }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const other = members.find(({ network }) => !directory.networks.includes(network))
          if (other !== undefined) {
            return yield* refuse(`members: ${networkNotServed(directory, other.network).message}`)
          }
          const setting = yield* query(store.set({ wallet, name: group, members }))
          if (setting._tag === "full") return yield* refuse(`group: the wallet has ${maxGroups} groups; remove one`)
          const { name } = setting.group
          return {
            data: viewOf(setting.group),
            message: `The group ${name} is ${setting.isNew ? "set" : "replaced"}: ${countOf(members.length)}.`
          }
        }),
      getVaultGroups: () =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          return { groups: (yield* query(store.list(wallet))).map(viewOf) }
        }),
      removeVaultGroup: ({ group }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const removed = Option.getOrUndefined(yield* query(store.remove(wallet, group)))
          return removed === undefined
            ? { data: null, message: "The wallet has no group of this name; nothing changed." }
            : { data: viewOf(removed), message: `The group ${removed.name} is removed.` }
        })
    }
  })
)

const tradingHandlers = Handlers.part(
  VaultGroupApi,
  Effect.gen(function*() {
    const store = yield* VaultGroupStore
    const plan = yield* GroupPlan.make
    const { carryOut, commit, find, preview } = yield* GroupTrade.make

    /** Plans the trade of a group as it is now. */
    const planned = (params: Params, request: GroupRequest, by: Caller["Service"]) =>
      Effect.gen(function*() {
        const group = yield* query(store.find(by.wallet, params.group))
        if (Option.isNone(group)) return yield* refuse(`group: the key's wallet has no group ${params.group}`)
        return yield* plan(group.value, request, by)
      })

    return {
      tradeGroup: (params) =>
        Effect.gen(function*() {
          const by = yield* Caller
          const { apiKey, dryRun, group, idempotency_key } = params
          const request = yield* requestOf(params)
          if (dryRun === true) {
            const results = yield* preview(yield* planned(params, request, by), request, apiKey)
            const message = "Dry run: nothing was sent."
            return { status: "success", dryRun, plan: { group, results }, intent_id: null, tx_hash: null, message }
          }
          if (idempotency_key === undefined) {
            return yield* refuse(
              "idempotency_key: is missing; a group's trade needs one, so that a repeat finishes it and trades nothing twice"
            )
          }
          const accepted = by.repeats === undefined
            ? yield* commit(request, yield* planned(params, request, by), by, idempotency_key)
            : yield* find(by.wallet, by.repeats, request)
          const results = yield* carryOut(accepted, request, apiKey, by)
          const first = results.find(({ intent_id }) => intent_id !== null)
          return {
            ...{ intent_id: first?.intent_id ?? null, tx_hash: first?.tx_hash ?? null, message: describe(results) },
            ...{ group, results }
          }
        })
    }
  })
)

export const VaultGroupApiLive = Handlers.layer(
  VaultGroupApi,
  Effect.gen(function*() {
    return { ...(yield* settingHandlers), ...(yield* tradingHandlers) }
  })
).pipe(Layer.provide([VaultGroupStore.layer, IntentStore.layer]))
