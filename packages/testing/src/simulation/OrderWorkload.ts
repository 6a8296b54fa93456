/**
 * Orders of a run: a server places and cancels orders of the vaults, whose slices are intents like any other. Every fourth
 * run lives them; they draw from their own randomness, so that the other runs are what they were.
 */
import type { Token } from "@vault-trader/core/chain/Token"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { OrderSliceStore } from "@vault-trader/core/intent/OrderSliceStore"
import { OrderTerms } from "@vault-trader/core/vault-order/VaultOrder"
import * as SeededRandom from "@vault-trader/app/SeededRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Fixture, network } from "./RunFixture.ts"
import type { Options, SideWorkload } from "./SideWorkload.ts"
import type { Sessions } from "./VirtualPostgres.ts"

const plain = {
  ...{ pair: "WETH-USDC", share: null, limit18: null, stop18: null, profit18: null, trailPercent: null, trail18: null },
  ...{ activation18: null, slices: null, intervalSeconds: null, catchUp: false, maxImpact: null, slippage: 3 },
  ...{ reduceOnly: false, confirmations: 2 },
  platform: "auto"
} as const

const one18 = 10n ** 18n
/** An order ends with its expiry at the latest, so that a run does. */
const expiryMillis = 60_000

/** Draws the terms of an order. Prices of runs are near 3000: some orders trigger at once, some never. */
const drawTerms = (chance: SeededRandom.SeededRandom, base: Token, quote: Token): OrderTerms => {
  const tokens = { ...plain, base, quote }
  const amount = BigInt(1 + chance.below(20)) * 10n ** 16n
  const near18 = BigInt(2_000 + chance.below(2_000)) * one18
  return OrderTerms.make(
    chance.one<Parameters<typeof OrderTerms.make>[0]>([
      { ...tokens, type: "limit", side: "sell", amount, limit18: near18 },
      { ...tokens, type: "stop_loss", side: "sell", amount, stop18: near18 },
      { ...tokens, type: "bracket", side: "sell", amount, stop18: near18, profit18: near18 + 100n * one18 },
      { ...tokens, type: "twap", side: "buy", amount: 400_000_000n, slices: 4, intervalSeconds: 10 }
    ])
  )
}

/** The columns that the checks read. */
const readOrders = (sessions: Sessions) =>
  sessions.peek(`select o.id::text as id, o.state, o.total::text as total, o.sold::text as sold,
    o.progress -> 'trigger' <> 'null'::jsonb as triggered,
    (select coalesce(sum(s.sold), 0)::text from vault_order_slices s where s.order_id = o.id) as slices_sold,
    (select count(*)::int from vault_order_slices s where s.order_id = o.id) as slices,
    (select count(distinct s.intent_id)::int from vault_order_slices s where s.order_id = o.id) as intents
    from vault_orders o`) as unknown as ReadonlyArray<{
    readonly id: string
    readonly state: string
    readonly total: string | null
    readonly sold: string
    readonly triggered: boolean
    readonly slices_sold: string
    readonly slices: number
    readonly intents: number
  }>

export const make = (options: Options): SideWorkload => {
  const { clock, fixture: { chain, vaults }, seed, sessions } = options
  const isOn = seed % 4 === 0
  const chance = SeededRandom.make(seed + 1_000_000)
  const server = OrderSliceStore.layer.pipe(
    Layer.provide([IntentStore.layer, KillSwitch.layer]),
    Layer.provide(options.sql)
  )
  const [base, quote] = ["WETH", "USDC"].map((name) => chain.book().tokens.find(({ symbol }) => symbol === name))
  const placed: Array<string> = []
  const triggered = new Set<string>()
  /** The number of slices when `cancelled` was answered. */
  const cancelled = new Map<string, number>()

  /** A caller without an answer does not know the outcome of its request. */
  const answered = <A, E>(effect: Effect.Effect<A, E, OrderSliceStore>) =>
    effect.pipe(Effect.provide(server), Effect.scoped, Effect.sandbox, Effect.option)

  const place = Effect.gen(function*() {
    const vault = chance.one(vaults as [Fixture["vaults"][number]])
    if (base === undefined || quote === undefined) return
    const terms = drawTerms(chance, base, quote)
    const id = `00000000-0000-4000-8000-${placed.length.toString(16).padStart(12, "0")}`
    placed.push(id)
    yield* answered(Effect.flatMap(OrderSliceStore, (store) =>
      store.place({
        ...{ id, network, pool: vault.pool, wallet: vault.wallet.address, keyId: vault.wallet.keyId, terms },
        ...{ paper: false, idempotencyKey: null, request: "{}", total: terms.amount },
        ...{ startsAt: clock.now(), expiresAt: clock.now() + expiryMillis }
      })))
  })

  const cancel = Effect.gen(function*() {
    const id = placed[chance.below(placed.length)]
    if (id === undefined) return
    const orders = yield* answered(Effect.flatMap(OrderSliceStore, (store) => store.cancel([id])))
    if (orders._tag === "None" || orders.value[0]?.state !== "cancelled" || cancelled.has(id)) return
    cancelled.set(id, orders.value[0].slice)
  })

  return {
    isOn,
    submit: Effect.suspend(() => !isOn ? Effect.void : chance.happens(0.25) ? cancel : place),
    onBlock: () => {
      if (!isOn) return
      for (const order of readOrders(sessions)) if (order.triggered) triggered.add(order.id)
    },
    stop: Effect.void,
    countOpen: () => isOn ? readOrders(sessions).filter(({ state }) => !ended.has(state)).length : 0,
    check: (restored, expect) => {
      if (!isOn) return
      for (const order of readOrders(sessions)) {
        const { id, intents, slices, slices_sold, sold, state, total } = order
        expect(intents === slices, `9: order ${id} has ${slices} slices and ${intents} intents`)
        expect(sold === slices_sold, `9: order ${id} has sold ${sold}, and its slices ${slices_sold}`)
        expect(total === null || BigInt(sold) <= BigInt(total), `9: order ${id} has sold ${sold} of ${String(total)}`)
        if (restored) continue
        const known = cancelled.get(id)
        expect(known === undefined || known === slices, `9: order ${id} began a slice after it was cancelled`)
        expect(!triggered.has(id) || order.triggered, `9: order ${id} has forgotten its trigger`)
        expect(known === undefined || state === "cancelled", `9: order ${id} was cancelled and is ${state}`)
      }
    }
  }
}

const ended: ReadonlySet<string> = new Set(["done", "cancelled", "expired"])
