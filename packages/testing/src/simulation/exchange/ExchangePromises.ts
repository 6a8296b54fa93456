/** What a life of exchange bots must have kept, read from the fake's own books and from our rows once it has grown calm. */
import * as Decimal from "@vault-trader/devnet/exchange/Decimal"
import * as Holdings from "@vault-trader/devnet/exchange/Holdings"
import type { Promises } from "../Invariants.ts"
import type { Sessions } from "../VirtualPostgres.ts"
import { type Customer, first, usdPerDay } from "./ExchangeStage.ts"
import type { Told } from "./Owners.ts"

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

const open = ["accepted", "decided", "sending"]

const signed = (amount: bigint) => amount < 0n ? `-${Decimal.show(-amount)}` : Decimal.show(amount)
/** What it held at first and what somebody else has moved since. */
const withoutUs = ({ moved }: Customer) =>
  Object.fromEntries(Object.entries(first).map(([asset, amount]) => [asset, signed((Decimal.parse(amount) ?? 0n) + (moved.get(asset) ?? 0n))]))

export const look = (life: {
  readonly sessions: Sessions
  readonly customers: ReadonlyArray<Customer>
  readonly told: ReadonlyArray<Told>
  /** Client ids of what left a process, once each time. */
  readonly sent: ReadonlyArray<string>
  readonly limited: boolean
}): Promises => {
  const { customers, limited, sent, sessions, told } = life
  const rows = sessions.peek(`select o.id, subaccount, o.wallet, status, client_id, idempotency_key, side, pair, filled::text as filled, cost::text as cost, fees,
      charge_usd::text as charge_usd, (usd * filled / amount)::text as sold,
      (select count(*)::int from charges c where c.reference = 'order/' || o.id and c.usd = 0.1) as charges
    from exchange_orders o order by o.id`) as unknown as ReadonlyArray<Row>
  const broken: Array<string> = []
  const expect = (kept: boolean, promise: string) => {
    if (!kept) broken.push(promise)
  }
  const byId = new Map(rows.map((row) => [row.id, row]))

  // 1: what was acknowledged is there, once under its name, and everything comes to its end.
  for (const { id } of told) expect(byId.has(id), `1: the acknowledged turn ${id} is not in the ledger`)
  for (const { id, key, wallet } of told) {
    if (key !== null) expect(byId.get(id)?.idempotency_key === key && byId.get(id)?.wallet === wallet, `1: ${key} was told ${id}, which has another name`)
  }
  for (const { id, status } of rows) expect(!open.includes(status), `1: the turn ${id} came to no end (${status})`)

  // 2: no order leaves twice, or is there twice; none is there that the ledger does not say is closed, and none the other way round.
  expect(new Set(sent).size === sent.length, `2: an order left twice: ${sent.find((id, place) => sent.indexOf(id) !== place)}`)
  for (const { id, there } of customers) {
    const name = id.split("/").at(-1)
    const placed = there.orders.map(({ clientId }) => clientId)
    expect(new Set(placed).size === placed.length, `2: ${id} has two orders of one id`)
    const closed = new Set(rows.filter(({ status, subaccount }) => status === "closed" && subaccount === name).map(({ client_id }) => client_id))
    for (const clientId of placed) expect(closed.has(clientId), `2: ${clientId} is at the exchange, the ledger says ${rows.find(({ client_id }) => client_id === clientId)?.status ?? "nothing"}`)
    for (const clientId of closed) expect(clientId !== null && placed.includes(clientId), `2: the ledger says ${clientId} is closed, the exchange knows none`)
  }

  // 3: what the ledger implies is what the exchange holds, to the last digit.
  for (const customer of customers) {
    const name = customer.id.split("/").at(-1)
    const implied = Holdings.implied(withoutUs(customer), rows.filter(({ status, subaccount }) => status === "closed" && subaccount === name))
    const held = Holdings.held(customer.there)
    for (const asset of new Set([...Object.keys(implied), ...Object.keys(held)])) {
      expect((implied[asset] ?? "0") === (held[asset] ?? "0"), `3: ${customer.id} holds ${held[asset]} ${asset}, the ledger implies ${implied[asset]}`)
    }
  }

  // 4: each executed order is charged once, nothing else is.
  for (const { charge_usd, charges, filled, id, status } of rows) {
    const due = status === "closed" && Number(filled) > 0
    expect(charges === (due ? 1 : 0) && (charge_usd !== null) === due, `4: the turn ${id} (${status}, ${filled ?? "nothing"} filled) has ${charges} charges`)
  }
  const [all] = sessions.peek("select count(*)::int as charges from charges")
  expect(all?.["charges"] === rows.filter(({ charge_usd }) => charge_usd !== null).length, `4: there are ${String(all?.["charges"])} charges`)

  // 5: limits hold for all accounts of a wallet together.
  for (const wallet of new Set(limited ? rows.map(({ wallet }) => wallet) : [])) {
    const sold = rows.filter((row) => row.wallet === wallet && row.status === "closed").reduce((sum, row) => sum + Number(row.sold ?? 0), 0)
    expect(sold <= usdPerDay, `5: ${wallet} sold for ${sold} USD, and may for ${usdPerDay}`)
  }

  const count = (...status: ReadonlyArray<string>) => rows.filter((row) => status.includes(row.status)).length
  return { broken, sums: { told: told.length, turns: rows.length, executed: rows.filter(({ charge_usd }) => charge_usd !== null).length, closed: count("closed"), held: count("held"), refused: count("refused"), lost: count("lost") } }
}
