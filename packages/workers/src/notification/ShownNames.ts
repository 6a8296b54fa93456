/** Labels of wallets and names of vaults for texts. A name that cannot be read in time is left out. */
import type { Address } from "@vault-trader/core/chain/Address"
import { parse } from "@vault-trader/core/chain/Network"
import type { NamesOf } from "@vault-trader/core/notification/MessageStore"
import type { StoredEvent } from "@vault-trader/core/notification/MessageText"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import { parseAbi } from "viem"
import { Chains } from "../chain/Chains.ts"
import * as Contract from "../chain/Contract.ts"
import * as TtlCache from "../chain/TtlCache.ts"

/** The URL at which callers reach the service's console; `undefined` without one. */
export const PublicUrl = Context.Reference<string | undefined>("vault-trader/workers/notification/PublicUrl", {
  defaultValue: () => undefined
})

const nameAbi = parseAbi(["function name() view returns (string)"])

/** How long names are cached, and how many; the timeout of one read, which a message waits for. */
const ttlMillis = 3_600_000
const capacity = 1000
const readTimeout = "1 second"

/** Reads the name of a vault; none where no node answers in time. */
const readName = (networkName: string, pool: Address) =>
  Effect.gen(function*() {
    const network = parse(networkName)
    if (network === undefined) return Option.none<string>()
    const chain = yield* (yield* Chains).get(network)
    const [name] = yield* chain.readAll([Contract.read(nameAbi, pool, "name", [])])
    return name !== undefined && Result.isSuccess(name) ? Option.some(name.success) : Option.none<string>()
  }).pipe(
    Effect.timeoutOption(readTimeout),
    Effect.map(Option.flatten),
    Effect.orElseSucceed(() => Option.none<string>())
  )

const textOf = (value: unknown) => typeof value === "string" ? value : ""

/** Returns the vaults that events are about. */
const vaultsOf = (events: ReadonlyArray<StoredEvent>) => [
  ...new Map(
    events.flatMap(({ data }) => {
      const [network, pool] = [textOf(data["network"]), textOf(data["pool"])]
      return /^0x[0-9a-f]{40}$/.test(pool) ? [[`${network}/${pool}`, { network, pool: pool as Address }] as const] : []
    })
  ).values()
]

/** Builds the reader of names. */
export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const chains = yield* Chains
  const publicUrl = yield* PublicUrl
  const cached = TtlCache.keyed<Option.Option<string>, never>(ttlMillis, capacity)

  const labelsOf = (owner: string, wallets: ReadonlyArray<string>) =>
    wallets.length === 0 ? Effect.succeed([]) : Effect.orElseSucceed(
      sql<{ readonly wallet: string; readonly label: string }>`select wallet, label from manager_wallets
        where wallet in ${sql.in(wallets)} and label is not null and (manager = ${owner} or wallet = ${owner})
        order by created_at desc`,
      () => []
    )

  const namesOf: NamesOf = (owner, events) =>
    Effect.gen(function*() {
      const labels = yield* labelsOf(owner, [...new Set(events.map(({ wallet }) => wallet))])
      const byWallet = new Map(labels.map(({ label, wallet }) => [wallet, label]))
      const vaults = yield* Effect.forEach(vaultsOf(events), ({ network, pool }) => {
        const key = `${network}/${pool}`
        return Effect.map(
          cached(key, Effect.provideService(readName(network, pool), Chains, chains)),
          (name) => [key, Option.getOrUndefined(name)] as const
        )
      }, { concurrency: 4 })
      const byVault = new Map(vaults)
      return {
        wallet: (address) => byWallet.get(address),
        vault: (network, pool) => byVault.get(`${network}/${pool}`),
        publicUrl
      }
    })
  return namesOf
})
