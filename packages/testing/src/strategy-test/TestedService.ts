/** The operations that a strategy's test has on a service, wherever the service runs. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as BigDecimal from "effect/BigDecimal"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { Rule } from "../test-chain/FaultyNode.ts"
import type { Body, CallRefused } from "./CallRefused.ts"

/** The service under test cannot do this. */
export class NotSupported extends Data.TaggedError("NotSupported")<{ readonly message: string }> {}

/** Parameters of an endpoint by name. */
export type Params = Readonly<Record<string, string | number | boolean>>

/** A vault and the gas wallet that trades it. */
export interface TestVault {
  readonly apiKey: string
  /** The gas wallet's address. */
  readonly wallet: Address
  readonly network: Network
  readonly pool: Address
}

/** A point at which the service is killed: right before or after the next statement whose text matches. */
export interface KillPoint {
  readonly statement: RegExp
  readonly when: "before" | "after"
}

export interface TestedService {
  /**
   * Calls an endpoint and returns the fields of its response. `pending` is a success; a `fail` body becomes
   * `CallRefused`.
   */
  readonly call: (endpoint: string, params?: Params) => Effect.Effect<Body, CallRefused>
  /**
   * Creates a gas wallet with native token, and a vault that it trades. The vault holds these amounts, in whole tokens
   * by symbol. With `trader`, the wallet of that vault trades this one, too.
   */
  readonly vault: (holdings: Readonly<Record<string, string>>, trader?: TestVault) => Effect.Effect<TestVault>
  /** Sets a token's price in USD, at the oracle and in the pools. A token's inverse moves against it. */
  readonly setPrice: (symbol: string, usd: number) => Effect.Effect<void>
  /**
   * Sets a token's price at the oracle only, as when the oracle is wrong; with `ageSeconds`, as a feed that was last
   * updated so long ago. Fails on the devnet.
   */
  readonly setOraclePrice: (symbol: string, usd: number, ageSeconds?: number) => Effect.Effect<void, NotSupported>
  /**
   * Adds whole tokens to an address, or takes them away with a minus, as when investors deposit and withdraw. Fails on
   * the devnet.
   */
  readonly changeBalance: (owner: Address, symbol: string, amount: string) => Effect.Effect<void, NotSupported>
  /**
   * Kills the service as `kill -9` does, and starts it again, with a clock that is wrong by `skewMillis`. Fails on the
   * devnet.
   */
  readonly restart: (skewMillis?: number) => Effect.Effect<void, NotSupported>
  /** Kills the service at this point, once, and starts it again. Fails on the devnet. */
  readonly killAt: (point: KillPoint) => Effect.Effect<void, NotSupported>
  /**
   * Copies the database; the effect that is returned kills the service, puts the copy back and starts the service again,
   * with the signing record as it is. Fails on the devnet.
   */
  readonly backup: Effect.Effect<Effect.Effect<void>, NotSupported>
  /** Returns how often the service was killed. */
  readonly kills: Effect.Effect<number>
  /**
   * Lets time pass at once, as on a machine that sleeps meanwhile: a timer that was due several times fires once. Fails
   * on the devnet.
   */
  readonly skip: (duration: Duration.Input) => Effect.Effect<void, NotSupported>
  /** Lets time pass: virtual time in process, real time on the devnet. */
  readonly advance: (duration: Duration.Input) => Effect.Effect<void>
  /** Adds a fault between the service and its node. Fails on the devnet. */
  readonly fault: (rule: Rule) => Effect.Effect<void, NotSupported>
  /** Returns the number of an address's mined transactions, read from the chain. */
  readonly transactionCount: (address: Address) => Effect.Effect<number>
}

/** Converts an amount of whole tokens to the smallest unit. */
export const toRaw = (amount: string, decimals: number): bigint =>
  Quantity.toRaw(BigDecimal.fromStringUnsafe(amount), decimals)

/** Native token of a new gas wallet, in wei. */
export const initialGas = 10n ** 18n

/** The network of the tests' vaults. */
export const network: Network = "base"
