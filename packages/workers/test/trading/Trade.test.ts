import { assert, layer } from "@effect/vitest"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { type Token } from "@vault-trader/core/chain/Token"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { againstOracle, TradeRequest } from "@vault-trader/core/trading/Trading"
import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { decodeFunctionData, parseAbi, zeroAddress } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import * as Contract from "../../src/chain/Contract.ts"
import { erc20 } from "../../src/chain/Tokens.ts"
import * as PairState from "../../src/trading/PairState.ts"
import { Trade } from "../../src/trading/Trade.ts"
import { minOutOf } from "../../src/trading/VenueOffer.ts"
import { throughVault, type VaultCall } from "../../src/platform/VaultCall.ts"
import { factoryAbi, poolAbi } from "../../src/platform/PlatformAbi.ts"
import { approval, network, refusal, refuseChangedAllowances, TestDevnet, testVault } from "../vault/TestVault.ts"

const Raw = Schema.Struct({ raw: Schema.BigIntFromString })
/** The fields of a dry run's plan. */
const Shown = Schema.Struct({
  venue: Schema.String,
  route: Schema.Array(Schema.String),
  amountIn: Raw,
  amountOut: Raw,
  minOut: Raw
})

const deadlineAbi = parseAbi(["function multicall(uint256 deadline, bytes[] data)"])

/** A vault and a function that plans trades in it. */
const trading = Effect.gen(function*() {
  const vault = yield* testVault
  const plan = (
    from: string,
    to: string,
    rest: Partial<Pick<TradeRequest, "partial" | "platform" | "share" | "slippage">> & { readonly amount?: string } = {}
  ) =>
    Effect.gen(function*() {
      const { amount, ...others } = rest
      const request = TradeRequest.make({
        from,
        to,
        slippage: 0.5,
        platform: "auto",
        ...others,
        ...(amount === undefined ? {} : { amount: BigDecimal.fromStringUnsafe(amount) })
      })
      const { calls, details } = yield* Trade.plan(vault.place, request)
      // The ledger keeps details as JSON between planning and settlement.
      const stored: unknown = JSON.parse(JSON.stringify(details))
      const plan = yield* Schema.decodeUnknownEffect(Shown)(Trade.describe(stored))
      return {
        calls,
        details: stored,
        ...plan,
        amountIn: plan.amountIn.raw,
        amountOut: plan.amountOut.raw,
        minOut: plan.minOut.raw
      }
    })
  return {
    ...vault,
    plan,
    approve: (symbol: string, amount: bigint) =>
      vault.execute([{ to: vault.token(symbol).address, data: approval(vault.router, amount) }])
  }
})

/** Lists the approvals among the calls, in order. */
const approvals = (calls: ReadonlyArray<VaultCall>, token: Token) =>
  calls.filter(({ to }) => to === token.address).map(({ data }) => {
    const { args, functionName } = decodeFunctionData({ abi: erc20, data })
    if (functionName !== "approve") throw new Error(functionName)
    return { spender: args[0].toLowerCase(), amount: args[1] }
  })

const methodOf = (calls: ReadonlyArray<VaultCall>) =>
  decodeFunctionData({ abi: poolAbi, data: throughVault(calls) }).functionName

layer(TestDevnet, { timeout: "4 minutes", excludeTestServices: true })("a trade", (it) => {
  it.effect("sells everything when neither share nor amount is given", () =>
    Effect.gen(function*() {
      const { held, plan } = yield* trading
      assert.strictEqual((yield* plan("WETH", "USDC", { slippage: 5 })).amountIn, yield* held("WETH"))
    }))

  it.effect("sells the share of the balance, to the unit", () =>
    Effect.gen(function*() {
      const { held, plan } = yield* trading
      const balance = yield* held("USDC")
      assert.strictEqual((yield* plan("USDC", "WETH", { share: 25 })).amountIn, balance / 4n)
      assert.strictEqual((yield* plan("USDC", "WETH", { share: 0.1 })).amountIn, balance / 1000n)
      assert.strictEqual((yield* plan("WETH", "USDC", { share: 100, slippage: 5 })).amountIn, yield* held("WETH"))
    }))

  it.effect("sells the amount, in human units and rounded towards zero", () =>
    Effect.gen(function*() {
      const { plan } = yield* trading
      assert.strictEqual((yield* plan("USDC", "WETH", { amount: "250.5" })).amountIn, 250_500_000n)
      assert.strictEqual((yield* plan("USDC", "WETH", { amount: "1.0000019" })).amountIn, 1_000_001n)
      assert.strictEqual(
        (yield* plan("WETH", "USDC", { amount: "0.0001000000000000009", slippage: 1 })).amountIn,
        10n ** 14n
      )
    }))

  it.effect("sells the share when an amount is given, too", () =>
    Effect.gen(function*() {
      const { held, plan } = yield* trading
      assert.strictEqual(
        (yield* plan("USDC", "WETH", { share: 1, amount: "5" })).amountIn,
        (yield* held("USDC")) / 100n
      )
    }))

  it.effect("takes assets by symbol, alias and address", () =>
    Effect.gen(function*() {
      const { plan, token } = yield* trading
      const { amountOut } = yield* plan("USDC", "WETH", { amount: "100" })
      assert.strictEqual((yield* plan("usd", "eth", { amount: "100" })).amountOut, amountOut)
      assert.strictEqual(
        (yield* plan(token("USDC").address, token("WETH").address.toUpperCase(), { amount: "100" })).amountOut,
        amountOut
      )
    }))

  it.effect("of one asset for itself is refused", () =>
    Effect.gen(function*() {
      const { plan, token } = yield* trading
      for (const to of ["USD", token("USDC").address]) {
        assert.deepStrictEqual(
          yield* Effect.flip(plan("USDC", to)),
          new ValidationFailure({ code: "1010", message: "to: must be another asset than from" })
        )
      }
    }))

  it.effect("of dust, or of an asset the vault has none of, is refused for want of balance", () =>
    Effect.gen(function*() {
      const { plan } = yield* trading
      const dust = yield* refusal(plan("USDC", "WETH", { amount: "0.0000009" }))
      assert.strictEqual(dust.errorType, "insufficient_balance")
      assert.strictEqual(
        dust.message,
        "The vault holds 100000 USDC; the requested share rounds to zero. Nothing was sent."
      )
      for (const size of [{}, { share: 50 }, { amount: "0" }]) {
        assert.strictEqual((yield* refusal(plan("WBTC", "USDC", size))).errorType, "insufficient_balance")
      }
    }))

  it.effect("of more than the balance is refused, one unit more included", () =>
    Effect.gen(function*() {
      const { plan } = yield* trading
      const failure = yield* refusal(plan("USDC", "WETH", { amount: "100000.000001" }))
      assert.strictEqual(failure.errorType, "insufficient_balance")
      assert.strictEqual(
        failure.message,
        "The vault holds 100000 USDC, less than the requested 100000.000001 USDC. Nothing was sent."
      )
      assert.strictEqual((yield* plan("USDC", "WETH", { amount: "100000", slippage: 5 })).amountIn, 100_000_000_000n)
    }))

  it.effect("from or to an asset the vault has not enabled is refused, naming it", () =>
    Effect.gen(function*() {
      const { plan, token } = yield* trading
      for (const [from, to] of [["AAVE", "USDC"], ["USDC", "AAVE"]] as const) {
        const failure = yield* refusal(plan(from, to))
        assert.strictEqual(failure.errorType, "asset_not_enabled")
        assert.include(
          failure.message,
          `AAVE (${token("AAVE").address}) is not enabled in the vault. Nothing was sent.`
        )
      }
    }))

  it.effect("is refused while the vault's trading or the whole platform is paused, and not afterwards", () =>
    Effect.gen(function*() {
      const { asOwner, plan, pool } = yield* trading
      const pauseTrading = (yes: boolean) =>
        asOwner("setPoolsPaused", [{ pool, pauseShares: false, pauseTrading: yes }])
      for (
        const [pause, resume] of [[asOwner("pause"), asOwner("unpause")], [
          pauseTrading(true),
          pauseTrading(false)
        ]] as const
      ) {
        yield* pause
        assert.strictEqual((yield* refusal(plan("USDC", "WETH", { share: 1 }))).errorType, "vault_paused")
        yield* resume
        yield* plan("USDC", "WETH", { share: 1 })
      }
    }))

  for (const stale of ["USDC", "WETH"]) {
    it.effect(`of USDC for WETH is refused while the price of ${stale} is stale, other pairs are not`, () =>
      Effect.gen(function*() {
        const { expirePrice, plan } = yield* trading
        yield* expirePrice(stale)
        const failure = yield* refusal(plan("USDC", "WETH", { share: 1 }))
        assert.strictEqual(failure.errorType, "price_unavailable")
        assert.include(failure.message, `no fresh price for ${stale}`)
        if (stale === "WETH") yield* plan("USDC", "WBTC", { share: 0.1, slippage: 1 })
      }))
  }

  it.effect("is refused when the oracle returns zero", () =>
    Effect.gen(function*() {
      const { plan, setPrice } = yield* trading
      yield* setPrice("WETH", 0)
      assert.strictEqual((yield* refusal(plan("USDC", "WETH", { share: 1 }))).errorType, "price_unavailable")
    }))

  it.effect("is refused by an oracle that answers zero instead of reverting, for either asset", () =>
    Effect.gen(function*() {
      const { bench, token } = yield* trading
      const here = yield* bench
      for (const symbol of ["USDC", "WETH"]) {
        const { data } = Contract.read(factoryAbi, here.chain.book.platformFactory, "getAssetPrice", [
          token(symbol).address
        ])
        const worthless: ChainClient = {
          ...here.chain,
          readConfirmed: (reads, block) => {
            const answers = reads.map((read) =>
              read.data === data ? { ...read, decode: () => Result.succeed(0n) } : read
            )
            return here.chain.readConfirmed(answers as unknown as typeof reads, block)
          }
        }
        const failure = yield* refusal(PairState.read({ ...here, chain: worthless }, token("USDC"), token("WETH")))
        assert.strictEqual(failure.errorType, "price_unavailable")
        assert.include(failure.message, `no fresh price for ${symbol}`)
      }
    }))

  it.effect("holds the venue to the stricter of its own quote and the oracle", () =>
    Effect.gen(function*() {
      const { plan, setPrice } = yield* trading
      const amountIn = 100_000_000n
      for (const [price, stricter] of [[3010, "quote"], [2990, "oracle"]] as const) {
        yield* setPrice("WETH", price)
        const { amountOut, minOut } = yield* plan("USDC", "WETH", { amount: "100", slippage: 1 })
        const fair = amountIn * 10n ** 12n / BigInt(price)
        assert.strictEqual(fair > amountOut ? "oracle" : "quote", stricter)
        assert.strictEqual(minOut, minOutOf(amountOut, fair, 1))
        assert.isTrue(minOut <= amountOut)
      }
    }))

  it.effect("is refused when the venue pays less than the oracle by more than the slippage, buying and selling", () =>
    Effect.gen(function*() {
      const { plan, setPrice } = yield* trading
      yield* setPrice("WETH", 2900)
      const buying = yield* refusal(plan("USDC", "WETH", { amount: "100", slippage: 2 }))
      assert.strictEqual(buying.errorType, "slippage_exceeded")
      assert.match(
        buying.message,
        /^uniswapV3 pays 0\.033\d+ WETH, but by the vault's oracle and 2 % slippage it must be at least 0\.0337\d+\. Nothing was sent\.$/
      )
      yield* plan("USDC", "WETH", { amount: "100", slippage: 5 })
      yield* plan("WETH", "USDC", { amount: "0.1", slippage: 2 })
      yield* setPrice("WETH", 3100)
      assert.strictEqual(
        (yield* refusal(plan("WETH", "USDC", { amount: "0.1", slippage: 2 }))).errorType,
        "slippage_exceeded"
      )
      yield* plan("USDC", "WETH", { amount: "100", slippage: 2 })
    }))

  it.effect("of a size that moves the pool too far is refused by the oracle, not by the pool", () =>
    Effect.gen(function*() {
      const { devnet, plan, pool } = yield* trading
      yield* devnet.mintToken({ network, symbol: "USDC", address: pool, amount: 10n ** 13n })
      assert.strictEqual((yield* refusal(plan("USDC", "WETH", { slippage: 5 }))).errorType, "slippage_exceeded")
    }))

  it.effect("without a market is refused, naming the venues that were tried", () =>
    Effect.gen(function*() {
      const { devnet, plan, pool } = yield* trading
      yield* devnet.mintToken({ network, symbol: "LINK", address: pool, amount: 10n ** 18n })
      const failure = yield* refusal(plan("LINK", "USDC"))
      assert.strictEqual(failure.errorType, "no_route")
      assert.include(
        failure.message,
        "No venue can swap LINK for USDC (uniswapV3: no pool with liquidity connects the two assets). Nothing was sent."
      )
    }))

  it.effect("too small to buy one unit is refused as too small, not as having no market", () =>
    Effect.gen(function*() {
      const { plan } = yield* trading
      const failure = yield* refusal(plan("USDC", "WBTC", { amount: "0.000001" }))
      assert.strictEqual(failure.errorType, "no_route")
      assert.include(
        failure.message,
        "No venue can swap USDC for WBTC (uniswapV3: the amount is too small to buy anything). Nothing was sent."
      )
    }))

  it.effect("through a venue the platform does not guard is refused, whether named or not", () =>
    Effect.gen(function*() {
      const { asOwner, plan, router } = yield* trading
      yield* asOwner("setContractGuard", router, zeroAddress)
      for (const platform of ["auto", "uniswapV3"] as const) {
        const failure = yield* refusal(plan("USDC", "WETH", { share: 1, platform }))
        assert.strictEqual(failure.errorType, "venue_not_allowed")
        assert.match(
          failure.message,
          /uniswapV3(: | cannot swap USDC for WETH \()not allowed by the vault platform on optimism/
        )
      }
    }))

  it.effect("beyond the slippage limit is refused as such before it is sent", () =>
    Effect.gen(function*() {
      const { entry, own, owner, plan, send, simulate } = yield* trading
      const { calls } = yield* plan("USDC", "WETH", { share: 1 })
      assert.isUndefined(yield* simulate(calls))
      yield* send(owner, entry.slippageAccumulator, own.SlippageAccumulator.abi, "setMaxCumulativeSlippage", 1n)
      const failure = yield* simulate(calls)
      assert.strictEqual(failure?.errorType, "slippage_budget_exceeded")
      assert.match(failure?.message ?? "", /\(slippage impact exceeded\)\. Nothing was sent\.$/)
      assert.deepStrictEqual(yield* refusal(plan("USDC", "WETH", { share: 1 })), failure)
    }))

  it.effect("approves exactly what it sells and swaps, in one transaction, when nothing is approved", () =>
    Effect.gen(function*() {
      const { allowance, execute, held, plan, router, token } = yield* trading
      const [usdc, weth] = yield* Effect.all([held("USDC"), held("WETH")])
      const { amountIn, amountOut, calls } = yield* plan("USDC", "WETH", { amount: "1000" })
      assert.deepStrictEqual(calls.map(({ to }) => to), [token("USDC").address, router])
      assert.deepStrictEqual(approvals(calls, token("USDC")), [{ spender: router, amount: amountIn }])
      assert.strictEqual(methodOf(calls), "execTransactions")
      yield* execute(calls)
      assert.strictEqual(usdc - (yield* held("USDC")), amountIn)
      assert.strictEqual((yield* held("WETH")) - weth, amountOut)
      assert.strictEqual(yield* allowance("USDC"), 0n)
    }))

  it.effect("only swaps, in a plain transaction, when enough is approved: not a unit more is needed", () =>
    Effect.gen(function*() {
      const { allowance, approve, execute, plan, router } = yield* trading
      yield* approve("USDC", 1_000_000_000n)
      const { calls } = yield* plan("USDC", "WETH", { amount: "1000" })
      assert.deepStrictEqual(calls.map(({ to }) => to), [router])
      assert.strictEqual(methodOf(calls), "execTransaction")
      yield* execute(calls)
      assert.strictEqual(yield* allowance("USDC"), 0n)
    }))

  it.effect("that may be partial is the whole where it loses little, and otherwise as much as loses little more than a small one", () =>
    Effect.gen(function*() {
      const { plan } = yield* trading
      const small = yield* plan("WETH", "USDC", { amount: "0.1" })
      const lossOf = ({ amountIn, amountOut }: typeof small) =>
        1 - Number(amountOut) * Number(small.amountIn) / (Number(amountIn) * Number(small.amountOut))
      const whole = yield* plan("WETH", "USDC", { share: 100, slippage: 3 })
      assert.isAbove(lossOf(whole), 0.003)
      const part = yield* plan("WETH", "USDC", { share: 100, slippage: 3, partial: true })
      assert.isTrue(part.amountIn < whole.amountIn && part.amountIn > small.amountIn)
      assert.isAtMost(lossOf(part), 0.003)
      // The search ends near the bound, not far below it.
      assert.isAbove(lossOf(part), 0.0015)
      const bearable = yield* plan("WETH", "USDC", { amount: "0.2", slippage: 3, partial: true })
      assert.strictEqual(bearable.amountIn, 200_000_000_000_000_000n)
    }))

  it.effect("that may be partial is traded where the pool is off the oracle by more than the impact, within the slippage", () =>
    Effect.gen(function*() {
      const { plan, setPrice } = yield* trading
      yield* setPrice("WETH", 3045)
      const off = yield* plan("WETH", "USDC", { share: 100, slippage: 3, partial: true })
      assert.isTrue(off.amountIn > 10n ** 17n)
      const refused = yield* refusal(plan("WETH", "USDC", { share: 100, slippage: 0.5, partial: true }))
      assert.strictEqual(refused.errorType, "slippage_exceeded")
    }))

  it.effect("leaves an unlimited approval in place", () =>
    Effect.gen(function*() {
      const { allowance, approve, execute, plan } = yield* trading
      yield* approve("USDC", 2n ** 256n - 1n)
      yield* execute((yield* plan("USDC", "WETH", { amount: "1000" })).calls)
      assert.isTrue((yield* allowance("USDC")) >= 2n ** 255n)
    }))

  it.effect("resets a smaller approval to zero before raising it, because some tokens require that", () =>
    Effect.gen(function*() {
      const { allowance, approve, execute, plan, router, rpc, simulate, token } = yield* trading
      yield* refuseChangedAllowances(rpc, token("USDC").address)
      yield* approve("USDC", 999_999_999n)
      const { amountIn, calls } = yield* plan("USDC", "WETH", { amount: "1000" })
      assert.deepStrictEqual(approvals(calls, token("USDC")), [{ spender: router, amount: 0n }, {
        spender: router,
        amount: amountIn
      }])
      assert.isDefined(yield* simulate(calls.slice(1)), "the token of this test refuses the direct way")
      yield* execute(calls)
      assert.strictEqual(yield* allowance("USDC"), 0n)
    }))

  it.effect("expires: its transaction reverts after two minutes", () =>
    Effect.gen(function*() {
      const { plan, router, rpc } = yield* trading
      const ours = Effect.map(Clock.currentTimeMillis, (millis) => BigInt(Math.floor(millis / 1000)))
      const later = Effect.zipWith(ours, rpc.latestBlock, (now, { timestamp }) => now > timestamp ? now : timestamp)
      const deadline = Effect.map(plan("USDC", "WETH", { share: 1 }), ({ calls }) =>
        decodeFunctionData({ abi: deadlineAbi, data: calls.find(({ to }) => to === router)!.data }).args[0])
      const before = yield* later
      const at = yield* deadline
      assert.isTrue(at >= before + 120n && at <= (yield* later) + 120n)
    }))

  it.effect("reports afterwards what was actually sold and bought", () =>
    Effect.gen(function*() {
      const { execute, plan, pool, token } = yield* trading
      const { amountIn, amountOut, calls, details, minOut, route } = yield* plan("USDC", "WETH", { amount: "1000" })
      const receipt = yield* execute(calls)
      const { message, result } = yield* Trade.interpretReceipt({ network, pool }, details, receipt)
      const bought = Quantity.of(token("WETH"), amountOut)
      assert.strictEqual(message, `Sold 1000 USDC for ${bought.amount} WETH on uniswapV3.`)
      assert.deepStrictEqual(result, {
        venue: "uniswapV3",
        route,
        sold: { ...Quantity.of(token("USDC"), amountIn) },
        bought: { ...bought },
        quoted: { ...bought },
        min_out: { ...Quantity.of(token("WETH"), minOut) },
        passed_over: [],
        oracle: againstOracle(1000n * 10n ** 18n, amountOut * 3000n)
      })
      assert.deepStrictEqual(route, ["USDC", "500", "WETH"])
    }))

  it.effect("reports what moved, not what was planned, when the price moved in between", () =>
    Effect.gen(function*() {
      const { execute, held, plan, pool } = yield* trading
      const first = yield* plan("USDC", "WETH", { amount: "10000", slippage: 2 })
      const second = yield* plan("USDC", "WETH", { amount: "10000", slippage: 2 })
      yield* execute(first.calls)
      const before = yield* held("WETH")
      const receipt = yield* execute(second.calls)
      const bought = (yield* held("WETH")) - before
      assert.isTrue(bought < second.amountOut && bought >= second.minOut)
      const { result } = yield* Trade.interpretReceipt({ network, pool }, second.details, receipt)
      assert.strictEqual((result["bought"] as { readonly raw: string }).raw, bought.toString())
    }))

  // Runs last: a chain's clock cannot be turned back.
  it.effect("uses the chain's time when our clock is behind it", () =>
    Effect.gen(function*() {
      const { execute, held, plan, rpc } = yield* trading
      yield* rpc.increaseTime(3_600)
      yield* rpc.mine
      const { amountIn, calls } = yield* plan("USDC", "WETH", { share: 1 })
      const before = yield* held("USDC")
      yield* execute(calls)
      assert.strictEqual(before - (yield* held("USDC")), amountIn)
    }))
})
