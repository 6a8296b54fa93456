/** Decodes a submission's bytes into their effects on a vault. Ignores the plan. */
import { type Address, parse as parseAddress } from "@vault-trader/core/chain/Address"
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import * as Result from "effect/Result"
import { names } from "../address-book/TokenName.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import type { MovementDecoders } from "../vault/Action.ts"
import { callsOf, type Movement } from "../platform/AssetMovement.ts"

/** Decoders of the calls of each kind of request. */
export type ReaderTable = { readonly [K in IntentRequest["_tag"]]: MovementDecoders }

/** The intent that a submission belongs to, from its row. */
export interface Belonging {
  readonly network: string
  readonly pool: string
  readonly request: string | null
  /** The asset that the request names; null when it names none. */
  readonly asset: string | null
  /** The whole request; absent where the bytes are only appraised. */
  readonly body?: unknown
}

/** Everything that the bytes take out of the vault, and the other vaults that they name. */
export interface Reading extends Required<Pick<Movement, "gives" | "vaults">> {
  /** True when the vault makes the calls; false when the wallet calls a permissionless function directly. */
  readonly throughVault: boolean
  /** The vault whose assets the call changes, at that vault's manager contract; absent for every other call. */
  readonly changesAssetsOf?: Address
}

/**
 * Decodes each call of the transaction, through the vault or directly from the wallet; `undefined` where no decoder
 * matches.
 */
const movementsOf = (readers: MovementDecoders, chain: ChainClient, { data, to, value }: Submission, pool: string) => {
  if (value !== 0n) return undefined
  const calls = to === pool ? callsOf(data) : undefined
  return calls === undefined
    ? { throughVault: false, movements: [readers.directMovement?.(chain, { to, data })] }
    : { throughVault: true, movements: calls.map((call) => readers.decodeMovement(chain, call)) }
}

/** Decodes a submission as its intent's kind of request; a `Failure` has the reason why it is not one. */
export const read = (
  table: ReaderTable,
  chain: ChainClient,
  submission: Submission,
  intent: Belonging | undefined
): Result.Result<Reading, string> => {
  if (intent === undefined) return Result.fail("the transaction belongs to no request of its wallet")
  const readers = Object.entries(table).find(([request]) => request === intent.request)?.[1]
  const found = readers === undefined ? undefined : movementsOf(readers, chain, submission, intent.pool)
  const movements = found?.movements ?? []
  const known = movements.flatMap((movement) => movement ?? [])
  if (
    found === undefined || known.length === 0 || known.length < movements.length ||
    submission.network !== intent.network
  ) {
    return Result.fail("what the transaction would do cannot be decoded from its bytes")
  }
  const difference = intent.body === undefined || readers?.refuses === undefined
    ? undefined
    : (callsOf(submission.data) ?? []).flatMap((call) => readers.refuses?.(chain, call, intent.body) ?? [])[0]
  if (difference !== undefined) return Result.fail(difference)
  const stranger: Address | null | undefined = known.find(({ receiver }) =>
    receiver !== null && receiver !== intent.pool
  )?.receiver
  if (stranger !== undefined) return Result.fail(`its proceeds would go to ${stranger}, not to the vault`)
  const changed = known.flatMap(({ changedAsset }) => changedAsset ?? [])
  const unrequested = changed.find((asset) => intent.asset === null || !names(chain.book, intent.asset, asset))
  if (unrequested !== undefined) {
    return Result.fail(`it would change whether the vault may hold ${unrequested}, which its request does not name`)
  }
  const pool = parseAddress(intent.pool)
  return Result.succeed({
    throughVault: found.throughVault,
    ...(changed.length === 0 || pool === undefined ? {} : { changesAssetsOf: pool }),
    gives: known.flatMap(({ gives }) => gives),
    vaults: known.flatMap(({ vaults = [] }) => vaults)
  })
}
