/**
 * Rehearses what a network offers to one vault: reads the capabilities, plans each kind of request in the name of the
 * vault's trader, and simulates the transaction. Reads only: nothing is signed, stored or sent.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { max } from "@vault-trader/core/chain/Quantity"
import type { Capabilities } from "@vault-trader/core/network/Capabilities"
import type { VaultFacts } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import type { ChainClient } from "../chain/ChainClient.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import * as CapabilityReader from "../network/CapabilityReader.ts"
import * as NetworkCheck from "../network/NetworkCheck.ts"
import type { Actions } from "../vault/Action.ts"
import * as PlanCost from "../vault/PlanCost.ts"
import * as VaultReader from "../vault/VaultReader.ts"
import { type Attempt, known, makeAll } from "./Attempt.ts"
import * as BotSteps from "./BotSteps.ts"
import * as MarketSteps from "./MarketSteps.ts"
import type { Sender } from "./RehearsedPlan.ts"
import { ofFinding, type Step, step } from "./Step.ts"
import { boughtFor, heldIn, type Subject } from "./Subject.ts"

export interface Options {
  readonly pool: Address
  /** Symbol or address of the asset to sell; the vault's most valuable one without it. */
  readonly from: string | undefined
  /** Symbol or address of the asset to buy. */
  readonly to: string | undefined
  /** Maximum value of each simulated call, USD. */
  readonly usd: number
}

export interface Rehearsal {
  readonly pool: Address
  /** Null when the network's checks failed, before the vault was read. */
  readonly vault: VaultFacts | null
  /** The account in whose name calls were simulated, and its role; null with `vault`. */
  readonly sender: { readonly address: Address; readonly role: "trader" | "manager" } | null
  readonly capabilities: Capabilities | null
  readonly steps: ReadonlyArray<Step>
  /** True when no step fails, and all were tried. */
  readonly works: boolean
}

const isFine = ({ status }: Step) => status !== "fails" && status !== "not_tried"

/** Simulations of several calls need state overrides, which some nodes refuse. */
const overrides = ({ chain, wallet }: Sender): Attempt<never> => {
  const title = { area: "network", name: "state overrides" } as const
  return {
    ...title,
    run: chain.simulateCalls(wallet, []).pipe(
      Effect.as(step(title, "works", "the node simulates several calls, one after the other")),
      Effect.catchTags({
        RpcRefused: () =>
          Effect.succeed(step(
            title,
            "limited",
            "the node does not simulate several calls, so liquidity is sized by the pool's price before its own swap. " +
              "Give a node with state overrides, or use --fork."
          )),
        RpcUnavailable: (failure) => Effect.fail(unavailable(failure))
      })
    )
  }
}

const paused = ({ paused }: VaultFacts): Step =>
  paused
    ? step(
      { area: "vault", name: "trading" },
      "fails",
      "The vault platform has paused trading of this vault. Nothing can be traded until it ends the pause."
    )
    : step({ area: "vault", name: "trading" }, "works", "not paused")

/** Lists the lines of unknown value: limits in USD and index bots refuse to act on them. */
const valued = (lines: ReadonlyArray<VaultReader.PlacedLine>): Step => {
  const title = { area: "vault", name: "value" } as const
  const unknown = lines.filter(({ value }) => value === null)
  return unknown.length === 0
    ? step(title, "works", `the vault platform values all of its ${lines.length} assets`)
    : step(
      title,
      "fails",
      `The vault's value is unknown. ${
        unknown.map(({ label, reason }) => `${label}: ${reason ?? "it has no value"}`).join("; ")
      }. Index bots and limits in USD wait until every asset can be valued.`
    )
}

const gasTitle = { area: "gas", name: "gas" } as const

/** Compares the sender's balance with the most expensive plan. */
const gasStep = ({ chain, wallet }: Sender, balance: bigint, highest: bigint): Step => {
  const held = PlanCost.text(chain, balance)
  return balance >= highest
    ? step(
      gasTitle,
      "works",
      `${wallet} has ${held}; the most expensive of these calls costs at most ${PlanCost.text(chain, highest)}`
    )
    : step(
      gasTitle,
      "fails",
      `${wallet} has ${held}, and the most expensive of these calls costs up to ${PlanCost.text(chain, highest)}. ` +
        `Send at least the difference to it.`
    )
}

/** Chooses the assets to trade; words why there are none. */
const subjectOf = (
  { chain, network }: Sender,
  { from, to, usd }: Options,
  assets: ReadonlyArray<Token>,
  lines: ReadonlyArray<VaultReader.PlacedLine>
): Effect.Effect<Subject | string, Failure, Tokens> =>
  Effect.gen(function*() {
    const tokens = yield* Tokens
    const held = heldIn(lines)
    const named = (parameter: string, text: string) =>
      Effect.mapError(tokens.resolve(network, text, assets), (failure) =>
        failure._tag === "ValidationFailure"
          ? new ValidationFailure({ code: failure.code, message: `--${parameter}: ${failure.message}` })
          : failure)
    const wanted = from === undefined ? undefined : yield* named("from", from)
    const wantedTo = to === undefined ? undefined : yield* named("to", to)
    const sold = wanted === undefined
      ? held.find(({ token }) => token.address !== wantedTo?.address)
      : held.find(({ token }) => token.address === wanted.address)
    if (sold === undefined) {
      return `The vault holds no ${
        wanted === undefined ? "token" : wanted.symbol
      } with a known value, so nothing can ` +
        "be sold. Invest in the vault, or name another asset with --from."
    }
    const bought = wantedTo ?? boughtFor(sold.token, held, assets, chain.book.wrappedNative)
    if (bought === undefined || bought.address === sold.token.address) {
      return `The vault has no asset besides ${sold.token.symbol} to buy. Its manager can enable one; --to names it.`
    }
    return { sold, bought, held, usd }
  })

/** Returns the cost of the most expensive plan, wei. */
const highestCost = (steps: ReadonlyArray<Step>): bigint =>
  steps.reduce((most, { plan }) => max(most, BigInt(plan?.gas_cost_wei ?? 0)), 0n)

/**
 * Rehearses. Fails when the vault cannot be read, the address is not a vault, or an option names no token; every other
 * trouble is a step.
 */
export const run = (
  chain: ChainClient,
  options: Options
): Effect.Effect<Rehearsal, Failure, Actions | Tokens> =>
  Effect.gen(function*() {
    const { network } = chain.book
    const { pool } = options
    const checks = (yield* NetworkCheck.basics(chain)).map(ofFinding)
    if (checks.some(({ status }) => status === "fails")) {
      return { pool, vault: null, sender: null, capabilities: null, steps: checks, works: false }
    }
    const reader = yield* VaultReader.make({ network, pool, chain })
    const { assets, facts } = yield* reader.state
    const role = facts.trader === null ? "manager" : "trader"
    const wallet = facts.trader ?? facts.manager
    const traderChangesAssets = facts.traderChangesAssets === true
    const sender: Sender = { network, pool, chain, wallet, reader, traderChangesAssets }
    const [lines, capabilities] = yield* Effect.all([
      reader.lines,
      Effect.flatMap(CapabilityReader.make(chain), (read) => read(pool))
    ], { concurrency: "unbounded" })
    const subject = yield* subjectOf(sender, options, assets, lines)
    const holdings = { held: heldIn(lines), usd: options.usd }
    const trading = typeof subject === "string"
      ? [known(step({ area: "venue", name: "trade" }, "fails", subject))]
      : [
        ...MarketSteps.venueAttempts(sender, capabilities, subject),
        ...MarketSteps.liquidityAttempts(sender, capabilities, subject),
        ...MarketSteps.shortAttempts(sender, capabilities, subject),
        BotSteps.threshold(sender, subject),
        BotSteps.index(sender, subject)
      ]
    const made = yield* makeAll([
      overrides(sender),
      known(paused(facts)),
      known(valued(lines)),
      ...trading,
      ...MarketSteps.lenderAttempts(sender, capabilities, holdings),
      ...MarketSteps.perpetualAttempts(sender, capabilities, holdings)
    ])
    const gas = yield* makeAll([{
      ...gasTitle,
      run: Effect.map(
        Effect.mapError(chain.balance(wallet), unavailable),
        (balance) => gasStep(sender, balance, highestCost(made))
      )
    }])
    const steps = [...checks, ...made, ...gas]
    return {
      pool,
      vault: facts,
      sender: { address: wallet, role },
      capabilities,
      steps,
      works: steps.every(isFine)
    }
  })
