import { assert, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Token } from "@vault-trader/core/chain/Token"
import { ExecutionFailure, type Failure } from "@vault-trader/core/failure/Failure"
import { IndexBot } from "@vault-trader/core/index-bot/IndexBot"
import * as Effect from "effect/Effect"
import { planTrades, preview } from "../../src/index-bot/RebalancePlanner.ts"
import type { PlacedLine, VaultReader } from "../../src/vault/VaultReader.ts"

const one = 10n ** 18n
const address = (digit: string): Address => `0x${digit.repeat(40)}`
const usdc = Token.make({ address: address("1"), symbol: "USDC", decimals: 6 })
const weth = Token.make({ address: address("2"), symbol: "WETH", decimals: 18 })

const line = (token: Token, balance: bigint, rate: bigint | null, changes: Partial<PlacedLine> = {}): PlacedLine => ({
  asset: token.address,
  isDeposit: true,
  type: 0,
  token,
  isPosition: false,
  label: token.symbol,
  decimals: token.decimals,
  balance,
  rate,
  value: rate === null ? null : balance * rate / 10n ** BigInt(token.decimals),
  reason: rate === null ? "the vault's oracle has no fresh price for it (Chainlink price expired)" : null,
  ...changes
})

/** 1,000 USDC and 1,000 USD of WETH; with `factor` at another price of WETH. */
const lines = (factor = 1n) => [line(usdc, 1_000_000_000n, one), line(weth, one / 2n, 2_000n * one * factor)]

const bot = IndexBot.make({
  network: "base",
  pool: address("3"),
  wallet: address("4"),
  keyId: "key",
  targets: [{ token: weth, weight: 50, tolerance: null }, { token: usdc, weight: 50, tolerance: null }],
  quote: usdc,
  intervalSeconds: 900,
  maxUsd18: 100_000n * one,
  minTradeUsd18: one,
  tolerance: 2,
  slippage: 1,
  platform: "auto",
  enabled: true,
  paper: false,
  failures: 0,
  pausedReason: null,
  lastDecision: null,
  lastDecidedAt: null,
  nextRunAt: new Date(0)
})
const terms = { quote: usdc, force: false, maxUsd18: bot.maxUsd18, without: new Set<Address>() }

/** A reader whose endpoints return these lines, the second argument once two of them agree. */
const readerOf = (
  seen: ReadonlyArray<PlacedLine>,
  confirmed: Effect.Effect<ReadonlyArray<PlacedLine>, Failure>,
  needsConfirmation = true
) => {
  let confirmations = 0
  const reader = {
    lines: Effect.succeed(seen),
    confirmedLines: Effect.suspend(() => {
      confirmations += 1
      return confirmed
    }),
    needsConfirmation
  } as unknown as VaultReader
  return { reader, confirmations: () => confirmations }
}

const contradiction = new ExecutionFailure({ errorType: "rpc_unavailable", message: "They contradict each other." })

it.effect("plans nothing on target, and asks no second endpoint about that", () =>
  Effect.gen(function*() {
    const { confirmations, reader } = readerOf(lines(), Effect.succeed(lines()))
    assert.deepStrictEqual((yield* planTrades(reader, bot, terms)).legs, [])
    assert.strictEqual(confirmations(), 0)
  }))

it.effect("trades by the values that two endpoints agree on, not by those of one", () =>
  Effect.gen(function*() {
    // One endpoint sees WETH at three times its price: by that, a half of it would be sold.
    const lied = readerOf(lines(3n), Effect.succeed(lines()))
    assert.deepStrictEqual((yield* planTrades(lied.reader, bot, terms)).legs, [])
    assert.strictEqual(lied.confirmations(), 1)
    const risen = readerOf(lines(3n), Effect.succeed(lines(3n)))
    assert.deepStrictEqual((yield* planTrades(risen.reader, bot, terms)).legs.map(({ side }) => side), ["sell"])
  }))

it.effect("fails while the endpoints contradict each other", () =>
  Effect.gen(function*() {
    const { reader } = readerOf(lines(3n), Effect.fail(contradiction))
    assert.strictEqual(yield* Effect.flip(planTrades(reader, bot, terms)), contradiction)
    assert.strictEqual(
      yield* Effect.flip(planTrades(reader, bot, { ...terms, force: true })),
      contradiction,
      "also when forced"
    )
  }))

it.effect("reads once where the network has one endpoint", () =>
  Effect.gen(function*() {
    const { confirmations, reader } = readerOf(lines(3n), Effect.fail(contradiction), false)
    assert.lengthOf((yield* planTrades(reader, bot, terms)).legs, 1)
    assert.strictEqual(confirmations(), 0)
  }))

const position = Token.make({ address: address("5"), symbol: "POSITION", decimals: 18 })
const held = (balance: bigint | null) =>
  line(position, 0n, one, {
    token: undefined,
    isPosition: true,
    type: 7,
    label: "Uniswap V3 positions",
    ...(balance === null
      ? { balance, rate: null, value: null, reason: "the vault platform does not value it now (LP price mismatch)" }
      : { balance, value: balance })
  })

it.effect("plans nothing while a position, or the price of an asset, is unknown, and says which one and why", () =>
  Effect.gen(function*() {
    for (
      const [unknown, says] of [
        [
          [...lines(3n), held(null)],
          /Uniswap V3 positions: the vault platform does not value it now \(LP price mismatch\)/
        ],
        [[line(usdc, 1_000_000_000n, one), line(weth, one, null)], /WETH: the vault's oracle has no fresh price/]
      ] as const
    ) {
      const { reader } = readerOf(unknown, Effect.succeed(unknown))
      for (const force of [false, true]) {
        const failure = yield* Effect.flip(planTrades(reader, bot, { ...terms, force }))
        assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure._tag, "price_unavailable")
        assert.match(failure.message, says)
        const shown = yield* preview(reader, bot, { ...terms, force })
        assert.deepInclude({ ...shown }, { totalValueUsd: null, needsRebalance: null, plan: [] })
      }
    }
    // A value that becomes unknown between the two reads stops the plan, too.
    const { reader } = readerOf(lines(3n), Effect.succeed([...lines(3n), held(null)]))
    assert.strictEqual((yield* Effect.flip(planTrades(reader, bot, terms)))._tag, "ExecutionFailure")
    const known = [...lines(), held(2_000n * one)]
    assert.strictEqual((yield* preview(readerOf(known, Effect.succeed(known)).reader, bot, terms)).totalValueUsd, 4_000)
  }))
