/** State transitions of the fake derivatives exchange. The same events always result in the same state. */
import type { Address } from "@vault-trader/core/chain/Address"
import { coins } from "../contract/Coins.ts"
import { systemAddress } from "../contract/Perpetuals.ts"
import type { DatedEvent } from "./Event.ts"
import { parse } from "./Numbers.ts"
import * as Orders from "./Orders.ts"
import type { RawAction } from "./RawAction.ts"
import type { FaultRule } from "./FaultRule.ts"
import { account, type Moment, type Movement, type State, summary, worth } from "./State.ts"

const spotDex = 4_294_967_295

/** Takes USD (8 decimals) out of one part of an account; returns false when there is not enough. */
const take = (state: State, user: Address, part: "cash" | "spot", amount: bigint): boolean => {
  const owner = account(state, user)
  const free = part === "spot" ? owner.spot : summary(state, owner).withdrawable
  if (free < amount) return false
  owner[part] -= amount
  return true
}

/** Records a movement for every account concerned, so that each can query it. */
const note = (state: State, users: ReadonlyArray<Address>, movement: Movement, moment: Moment) => {
  for (const user of new Set(users)) state.movements.push({ user, moment, movement })
}

/** Sends spot USDC to another account, or back to the chain, whose USDC has two decimals less. */
const send = (state: State, user: Address, to: Address, amount: bigint, moment: Moment) => {
  if (amount === 0n || !take(state, user, "spot", amount)) return
  const isLeaving = to === systemAddress
  if (isLeaving) state.payments.push({ to: user, amount: amount / 100n })
  else account(state, to).spot += amount
  note(state, isLeaving ? [user] : [user, to], { _tag: "spotTransfer", amount, from: user, to }, moment)
}

const partOf = (dex: number): "cash" | "spot" | undefined => dex === 0 ? "cash" : dex === spotDex ? "spot" : undefined

const sendAsset = (state: State, user: Address, action: Extract<RawAction, { _tag: "sendAsset" }>, moment: Moment) => {
  const { amount, fromDex, to, toDex } = action
  const [from, into] = [partOf(fromDex), partOf(toDex)]
  if (to === systemAddress) return from === "spot" ? send(state, user, to, amount, moment) : undefined
  if (from === undefined || into === undefined || amount === 0n || !take(state, user, from, amount)) return
  account(state, to)[into] += amount
  note(state, [user, to], {
    _tag: "send",
    amount,
    from: user,
    to,
    isFromPerp: from === "cash",
    isToPerp: into === "cash"
  }, moment)
}

const classTransfer = (
  state: State,
  user: Address,
  { amount: millionths, toPerp }: Extract<RawAction, { _tag: "classTransfer" }>,
  moment: Moment
) => {
  const amount = millionths * 100n
  const [from, into] = toPerp ? ["spot", "cash"] as const : ["cash", "spot"] as const
  if (amount === 0n || !take(state, user, from, amount)) return
  account(state, user)[into] += amount
  note(state, [user], { _tag: "classTransfer", amount, toPerp }, moment)
}

const deposit = (state: State, user: Address, millionths: bigint, isPerp: boolean, moment: Moment) => {
  const owner = account(state, user)
  const amount = millionths * 100n
  owner[isPerp ? "cash" : "spot"] += amount
  owner.credited += millionths
  note(
    state,
    [user],
    isPerp ? { _tag: "deposit", amount } : { _tag: "spotTransfer", amount, from: systemAddress, to: user },
    moment
  )
}

/** Executes an action. One that cannot be executed is silently dropped: its transaction has already succeeded. */
const act = (state: State, user: Address, action: RawAction | undefined, moment: Moment): void => {
  switch (action?._tag) {
    case undefined:
      return
    case "limitOrder":
      return Orders.place(state, user, action.order, moment)
    case "cancelByOid":
      return Orders.cancel(
        state,
        user,
        ({ asset, oid }) => asset === action.asset && BigInt(oid) === action.oid,
        moment
      )
    case "cancelByCloid":
      return Orders.cancel(
        state,
        user,
        ({ asset, cloid }) => asset === action.asset && cloid !== 0n && cloid === action.cloid,
        moment
      )
    case "classTransfer":
      return classTransfer(state, user, action, moment)
    case "spotSend":
      return action.token === 0n ? send(state, user, action.to, action.amount, moment) : undefined
    case "sendAsset":
      return action.token === 0n ? sendAsset(state, user, action, moment) : undefined
  }
}

const rule = (state: State, ruling: FaultRule, moment: Moment): void => {
  switch (ruling.rule) {
    case "drop":
      state.drops = ruling.actions
      return
    case "hold":
      state.isHolding = true
      return
    case "resume":
      state.isHolding = false
      for (const { action, user } of state.held.splice(0)) act(state, user, action, moment)
      return
    case "depth": {
      const size = ruling.size === undefined ? undefined : parse(ruling.size)
      if (size === undefined) state.depths.delete(ruling.asset)
      else state.depths.set(ruling.asset, size)
      Orders.rematch(state, ruling.asset, moment)
    }
  }
}

const price = (state: State, asset: number, px: bigint, moment: Moment) => {
  if (coins[asset] === undefined || px <= 0n) return
  state.prices.set(asset, px)
  Orders.rematch(state, asset, moment)
}

/** Applies an event. Changes `state`. */
export const apply = (state: State, { event, hash, time }: DatedEvent): void => {
  const moment = { hash, time }
  state.time = time
  switch (event._tag) {
    case "action":
      if (state.drops > 0) state.drops -= 1
      else if (state.isHolding) state.held.push({ ...moment, user: event.user, action: event.action })
      else act(state, event.user, event.action, moment)
      return
    case "deposit":
      return deposit(state, event.user, event.amount, event.isPerp, moment)
    case "price":
      if (event.isKnown) state.reported.prices.set(event.asset, event.px)
      return price(state, event.asset, event.px, moment)
    case "ruling":
      return rule(state, event.ruling, moment)
    case "priceReported":
      state.reported.prices.set(event.asset, event.px)
      return
    case "accountReported":
      state.reported.accounts.set(event.user, { worth: event.worth, credited: event.credited })
      return
    case "paid":
      state.reported.paid += 1
  }
}

/** Returns what has not been reported to the chain yet; undefined when everything has. */
export const unreported = (state: State) => {
  const { accounts, payments, prices, reported } = state
  const seen = Array.from(prices, ([asset, px]) => ({ asset, px })).filter(({ asset, px }) =>
    reported.prices.get(asset) !== px
  )
  const changed = Array.from(
    accounts,
    ([user, owner]) => ({ user, worth: worth(state, owner), credited: owner.credited })
  ).filter(
    ({ credited, user, worth }) => {
      const known = reported.accounts.get(user)
      return known?.worth !== worth || known.credited !== credited
    }
  )
  const due = payments.slice(reported.paid)
  return seen.length + changed.length + due.length === 0
    ? undefined
    : { seen, accounts: changed, first: reported.paid, payments: due }
}
