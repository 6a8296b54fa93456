/**
 * Checks the invariants of a run of exchange bots, from the fake exchange's ledger and our rows after faults have
 * stopped.
 */
import * as Decimal from "@vault-trader/devnet/exchange/Decimal"
import * as Holdings from "@vault-trader/devnet/exchange/Holdings"
import type { Invariants } from "../Invariants.ts"
import type { Sessions } from "../VirtualPostgres.ts"
import { type Customer, initialHoldings, usdPerDay } from "./ExchangeFixture.ts"
import type { Acknowledged } from "./AccountActivity.ts"

interface Row extends Holdings.Executed {
  readonly id: string
  readonly subaccount: string
  readonly wallet: string
  readonly status: string
  readonly client_id: string | null
  readonly idempotency_key: string | null
  readonly charge_usd: string | null
  readonly charges: number
  readonly sold: string | null
}

/** A bot whose bracket was triggered, and what it has traded since; quantities in the base. */
interface ExitRow {
  readonly id: string
  readonly active: boolean
  readonly ended: boolean
  readonly amount: string
  readonly sold: string
  readonly purchases: number
}

const open = ["accepted", "decided", "sending"]

const withSign = (amount: bigint) => amount < 0n ? `-${Decimal.show(-amount)}` : Decimal.show(amount)
/** Returns the initial holdings plus what the owner has moved since. */
const withoutUs = ({ moved }: Customer) =>
  Object.fromEntries(
    Object.entries(initialHoldings).map((
      [asset, amount]
    ) => [asset, withSign((Decimal.parse(amount) ?? 0n) + (moved.get(asset) ?? 0n))])
  )

/** The state after a run that the invariants are checked against. */
interface Evidence {
  readonly sessions: Sessions
  readonly customers: ReadonlyArray<Customer>
  readonly acknowledged: ReadonlyArray<Acknowledged>
  /** Client ids of orders that left a process, one entry for each time. */
  readonly sent: ReadonlyArray<string>
  readonly limited: boolean
}

/** Records an invariant as violated unless it holds. */
type Expect = (holds: boolean, invariant: string) => void

const readRows = (sessions: Sessions) =>
  // The columns are named in the query, so the cast is safe.
  sessions.peek(
    `select o.id, subaccount, o.wallet, status, client_id, idempotency_key, side, pair, filled::text as filled, cost::text as cost, fees,
      charge_usd::text as charge_usd, (usd * filled / amount)::text as sold,
      (select count(*)::int from charges c where c.reference = 'order/' || o.id and c.usd = 0.1) as charges
    from exchange_orders o order by o.id`
  ) as unknown as ReadonlyArray<Row>

/** Returns the closed turns of a customer's account. */
const closedOf = ({ id }: Customer, rows: ReadonlyArray<Row>) => {
  const name = id.split("/").at(-1)
  return rows.filter(({ status, subaccount }) => status === "closed" && subaccount === name)
}

/** Checks that every acknowledged turn exists, once under its idempotency key, and that every turn ends. */
const checkTurns = ({ acknowledged }: Evidence, rows: ReadonlyArray<Row>, expect: Expect): void => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const { id } of acknowledged) expect(byId.has(id), `1: the acknowledged turn ${id} is not in the table`)
  for (const { id, key, wallet } of acknowledged) {
    if (key !== null) {
      expect(
        byId.get(id)?.idempotency_key === key && byId.get(id)?.wallet === wallet,
        `1: ${key} was answered with ${id}, which has another key`
      )
    }
  }
  for (const { id, status } of rows) expect(!open.includes(status), `1: the turn ${id} did not end (${status})`)
}

/**
 * Checks that no order is sent or placed twice, and that the orders at the exchange are exactly those that the ledger
 * says are closed.
 */
const checkOrders = ({ customers, sent }: Evidence, rows: ReadonlyArray<Row>, expect: Expect): void => {
  expect(
    new Set(sent).size === sent.length,
    `2: an order was sent twice: ${sent.find((id, place) => sent.indexOf(id) !== place)}`
  )
  for (const customer of customers) {
    const placed = customer.there.orders.map(({ clientId }) => clientId)
    expect(new Set(placed).size === placed.length, `2: ${customer.id} has two orders with one id`)
    const closed = new Set(closedOf(customer, rows).map(({ client_id }) => client_id))
    for (const clientId of placed) {
      expect(
        closed.has(clientId),
        `2: ${clientId} is at the exchange, the ledger says ${
          rows.find(({ client_id }) => client_id === clientId)?.status ?? "nothing"
        }`
      )
    }
    for (const clientId of closed) {
      expect(
        clientId !== null && placed.includes(clientId),
        `2: the ledger says ${clientId} is closed, the exchange has no such order`
      )
    }
  }
}

/** Checks that the holdings that the ledger implies equal those at the exchange, to the last digit. */
const checkHoldings = ({ customers }: Evidence, rows: ReadonlyArray<Row>, expect: Expect): void => {
  for (const customer of customers) {
    const implied = Holdings.implied(withoutUs(customer), closedOf(customer, rows))
    const held = Holdings.held(customer.there)
    for (const asset of new Set([...Object.keys(implied), ...Object.keys(held)])) {
      expect(
        (implied[asset] ?? "0") === (held[asset] ?? "0"),
        `3: ${customer.id} holds ${held[asset]} ${asset}, the ledger implies ${implied[asset]}`
      )
    }
  }
}

/** Checks that each executed order is charged once, and that there is no other charge. */
const checkCharges = ({ sessions }: Evidence, rows: ReadonlyArray<Row>, expect: Expect): void => {
  for (const { charge_usd, charges, filled, id, status } of rows) {
    const due = status === "closed" && Number(filled) > 0
    expect(
      charges === (due ? 1 : 0) && (charge_usd !== null) === due,
      `4: the turn ${id} (${status}, ${filled ?? "nothing"} filled) has ${charges} charges`
    )
  }
  const [all] = sessions.peek("select count(*)::int as charges from charges")
  expect(
    all?.["charges"] === rows.filter(({ charge_usd }) => charge_usd !== null).length,
    `4: there are ${String(all?.["charges"])} charges`
  )
}

/** Checks that limits hold for all accounts of a wallet together. */
const checkLimits = ({ limited }: Evidence, rows: ReadonlyArray<Row>, expect: Expect): void => {
  for (const wallet of new Set(limited ? rows.map(({ wallet }) => wallet) : [])) {
    const sold = rows.filter((row) => row.wallet === wallet && row.status === "closed").reduce(
      (sum, row) => sum + Number(row.sold ?? 0),
      0
    )
    expect(sold <= usdPerDay, `5: ${wallet} sold for ${sold} USD; the limit is ${usdPerDay}`)
  }
}

const readExits = (sessions: Sessions) =>
  sessions.peek(
    `select b.id, b.active, (b.exit ->> 'ended')::boolean as ended, b.exit ->> 'amount' as amount,
      coalesce(sum(o.filled) filter (where o.side = 'sell'), 0)::text as sold,
      (count(*) filter (where o.side = 'buy' and o.filled > 0))::int as purchases
    from exchange_bots b left join exchange_orders o
      on o.bot_id = b.id and o.revision >= (b.exit ->> 'revision')::int and o.status = 'closed'
    where b.exit is not null group by b.id order by b.id`
  ) as unknown as ReadonlyArray<ExitRow>

/**
 * Checks that a triggered bracket sells no more than its position, buys nothing, and is not forgotten: it ends unless
 * its bot was stopped, or the wallet's limit refuses its sale.
 */
const checkExits = ({ limited }: Evidence, exits: ReadonlyArray<ExitRow>, expect: Expect): void => {
  for (const { active, amount, ended, id, purchases, sold } of exits) {
    expect(Number(sold) <= Number(amount), `6: the exit of ${id} sold ${sold} of ${amount}`)
    expect(purchases === 0, `6: the bot ${id} bought ${purchases} times after its bracket was triggered`)
    expect(ended || !active || limited, `6: the exit of ${id} did not end; it sold ${sold} of ${amount}`)
  }
}

export const check = (evidence: Evidence): Invariants => {
  const rows = readRows(evidence.sessions)
  const broken: Array<string> = []
  const expect: Expect = (holds, invariant) => {
    if (!holds) broken.push(invariant)
  }
  for (const checkEach of [checkTurns, checkOrders, checkHoldings, checkCharges, checkLimits]) {
    checkEach(evidence, rows, expect)
  }
  const exits = readExits(evidence.sessions)
  checkExits(evidence, exits, expect)
  const count = (status: string) => rows.filter((row) => row.status === status).length
  return {
    broken,
    sums: {
      acknowledged: evidence.acknowledged.length,
      turns: rows.length,
      executed: rows.filter(({ charge_usd }) => charge_usd !== null).length,
      closed: count("closed"),
      held: count("held"),
      refused: count("refused"),
      lost: count("lost"),
      exits: exits.length
    }
  }
}
