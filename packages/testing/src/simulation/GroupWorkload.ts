/**
 * Calls for groups of a run: a server commits a call, then accepts the trade of each of a wallet's vaults, as the handler
 * of `tradeGroup` does; callers repeat their calls. A call trades no vault twice.
 */
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import { type GroupCall, GroupRequest, MemberPlan, tradeKey } from "@vault-trader/core/vault-group/VaultGroup"
import { VaultGroupStore } from "@vault-trader/core/vault-group/VaultGroupStore"
import * as SeededRandom from "@vault-trader/app/SeededRandom"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import { network } from "./RunFixture.ts"
import type { Options, SideWorkload } from "./SideWorkload.ts"

const request = GroupRequest.make({
  ...{ group: "all", from: "USDC", to: "WETH", share: 0.1, amount: null, split: null, slippage: 3 },
  ...{ platform: "auto", validFor: null }
})

const trade = TradeRequest.make({
  ...{ from: "USDC", to: "WETH", amount: BigDecimal.fromStringUnsafe("200"), slippage: 3, platform: "auto" }
})

/** The trades of each call in each vault that were executed, and the calls that each key names. */
const executed = `select c.idempotency_key as key, i.pool, count(*)::int as trades
  from vault_group_calls c join intents i on i.idempotency_key like 'group-' || c.id || '-%' and i.status = 'succeeded'
  group by c.idempotency_key, i.pool having count(*) > 1`
const calls = `select idempotency_key as key, count(*)::int as calls from vault_group_calls
  group by idempotency_key having count(*) > 1`

export const make = ({ fixture: { vaults, wallets }, seed, sessions, sql }: Options): SideWorkload => {
  const isOn = seed % 4 === 1
  const chance = SeededRandom.make(seed + 3_000_000)
  const server = Layer.merge(VaultGroupStore.layer, IntentStore.layer).pipe(Layer.provide(sql))
  let made = 0

  /** Finds the call of a key, or commits it. */
  const committed = (wallet: (typeof wallets)[number], key: string) =>
    Effect.gen(function*(): Effect.fn.Return<
      Pick<GroupCall, "id" | "members"> | undefined,
      SqlError,
      IntentStore | VaultGroupStore
    > {
      const store = yield* VaultGroupStore
      const intents = yield* IntentStore
      const known = yield* intents.findByIdempotencyKey(wallet.address, key)
      if (Option.isSome(known)) {
        return Option.getOrUndefined(yield* store.findCall(wallet.address, known.value))?.call
      }
      const members = vaults.filter((each) => each.wallet === wallet).map(({ pool }) =>
        MemberPlan.make({ network, pool, decision: "trade", share: 0.1, amount: null, reason: null })
      )
      const call = { id: yield* Uuid.v7, members }
      const isNew = yield* store.accept({
        ...{ ...call, wallet: wallet.address, keyId: wallet.keyId, subKeyId: null, idempotencyKey: key, request }
      })
      return isNew ? call : undefined
    })

  const carryOut = (wallet: (typeof wallets)[number], key: string) =>
    Effect.gen(function*() {
      const intents = yield* IntentStore
      const call = yield* committed(wallet, key)
      if (call === undefined) return
      const { id, members } = call
      for (const [index, { pool }] of members.entries()) {
        yield* intents.accept({
          ...{ wallet: wallet.address, keyId: wallet.keyId, endpoint: "vaultTrade", network, pool, request: trade },
          idempotencyKey: tradeKey(id, index)
        })
      }
    }).pipe(Effect.provide(server), Effect.scoped, Effect.sandbox, Effect.option, Effect.asVoid)

  return {
    isOn,
    submit: Effect.suspend(() => {
      if (!isOn) return Effect.void
      const isRepeat = made > 0 && chance.happens(0.6)
      const number = isRepeat ? 1 + chance.below(made) : made += 1
      const wallet = wallets[number % wallets.length]
      return wallet === undefined ? Effect.void : carryOut(wallet, `group call ${number}`)
    }),
    onBlock: () => undefined,
    stop: Effect.void,
    countOpen: () => 0,
    check: (_, expect) => {
      if (!isOn) return
      for (const { key, pool, trades } of sessions.peek(executed)) {
        expect(false, `11: the group call ${String(key)} traded ${String(pool)} ${String(trades)} times`)
      }
      for (const { key, calls: count } of sessions.peek(calls)) {
        expect(false, `11: ${String(key)} names ${String(count)} group calls`)
      }
    }
  }
}
