/** Collects from executed statements the alerts of the actors, and the first checks of the wallets' nonces. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** An alert about a wallet, as far as it names nonces. */
interface Alert {
  readonly kind: string
  readonly wallet: Address
  /** The nonce, or the highest one of several. */
  readonly nonce: bigint | undefined
  readonly hash: string | undefined
}

export interface AlertLog {
  /** Observes what a statement's record says; other records are ignored. */
  readonly observe: (words: ReadonlyArray<unknown>) => void
  readonly alerts: () => ReadonlyArray<Alert>
  /** Returns the wallet's transaction count at its first check: foreign transactions before it are not noticed. */
  readonly firstCountOf: (wallet: Address) => bigint | undefined
}

const Json = Schema.fromJsonString
const AlertParams = Json(Schema.Tuple([
  Schema.String,
  Json(Schema.Struct({
    kind: Schema.String,
    gasWallet: Schema.String,
    nonce: Schema.optional(Schema.String),
    tx_hash: Schema.optional(Schema.String)
  }))
]))
const Counts = Json(Schema.Array(Schema.Struct({ wallet: Schema.String, count: Schema.String })))
const BaselineParams = Json(Schema.TupleWithRest(Schema.Tuple([Schema.String, Counts]), [Schema.Unknown]))

const readAlert = Schema.decodeUnknownOption(AlertParams)
const readBaselines = Schema.decodeUnknownOption(BaselineParams)

export const make = (): AlertLog => {
  const alerts: Array<Alert> = []
  const firstCounts = new Map<string, bigint>()
  return {
    alerts: () => alerts,
    firstCountOf: (wallet) => firstCounts.get(wallet),
    observe: ([kind, , text, params, rows]) => {
      // The last word of a statement that failed is its cause.
      if (kind !== "sql" || typeof text !== "string" || typeof rows !== "number") return
      if (text.includes("webhook_tell('wallet.alert'")) {
        const found = readAlert(params)
        if (Option.isNone(found)) return
        const [, alert] = found.value
        alerts.push({
          kind: alert.kind,
          wallet: alert.gasWallet as Address,
          nonce: alert.nonce === undefined ? undefined : BigInt(alert.nonce),
          hash: alert.tx_hash
        })
      }
      if (text.startsWith("insert into nonce_baselines")) {
        const found = readBaselines(params)
        if (Option.isNone(found)) return
        for (const { count, wallet } of found.value[1]) {
          if (!firstCounts.has(wallet)) firstCounts.set(wallet, BigInt(count))
        }
      }
    }
  }
}
