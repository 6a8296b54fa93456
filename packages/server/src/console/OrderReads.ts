/** Handlers of the console's reads about orders, and the wallets that a call of the console reads for. */
import type { Address } from "@vault-trader/core/chain/Address"
import { ConsoleReads } from "@vault-trader/core/console/ConsoleApi"
import { SignedIn } from "@vault-trader/core/console/Session"
import { KillSwitch, stopping } from "@vault-trader/core/gas-wallet/KillSwitch"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { viewOf } from "@vault-trader/core/vault-order/OrderView"
import { VaultOrderStore } from "@vault-trader/core/vault-order/VaultOrderStore"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { query } from "../gate/ActorCall.ts"
import { mine } from "./SessionCalls.ts"

/** The wallet that a call names, if it is in the manager's list; all wallets of the list when it names none. */
export const walletsAsked = Effect.map(
  ManagerStore,
  (managers) => (wallet: Address | undefined) =>
    Effect.gen(function*() {
      const session = yield* SignedIn
      if (wallet === undefined) return (yield* query(managers.walletsOf(session))).map((each) => each.wallet)
      yield* mine(managers, session, wallet)
      return [wallet]
    })
)

export const orderReads = Handlers.part(
  ConsoleReads,
  Effect.gen(function*() {
    const orders = yield* VaultOrderStore
    const switches = yield* KillSwitch
    const walletsOf = yield* walletsAsked
    return {
      orders: ({ all = false, cursor, limit, wallet }) =>
        Effect.gen(function*() {
          const { network } = yield* SignedIn
          const wallets = yield* walletsOf(wallet)
          const [rows, on] = yield* query(Effect.all([
            orders.ofWallets({ wallets, network, open: !all, before: cursor ?? null, limit: limit + 1 }),
            switches.list
          ]))
          const shown = rows.slice(0, limit)
          return {
            orders: shown.map((order) => viewOf(order, stopping(on, order))),
            cursor: rows.length > limit ? shown.at(-1)?.id ?? null : null
          }
        })
    }
  })
)
