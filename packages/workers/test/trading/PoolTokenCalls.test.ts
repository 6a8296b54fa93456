/** The signer's comparison of EasySwapperV2's calls with the request that they are made for. */
import { assert, describe, it } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { EasySwapperBook, type NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { encodeFunctionData, parseAbi } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import * as PoolTokenCalls from "../../src/trading/PoolTokenCalls.ts"
import * as EasySwapper from "../../src/venue/EasySwapper.ts"
import { Toros } from "../../src/venue/Toros.ts"

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const [swapper, bear, usdc, weth, stranger] = ["a", "b", "c", "d", "e"].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address
]
const book = {
  tokens: [{ symbol: "USDC", address: usdc, decimals: 6 }, { symbol: "WETH", address: weth, decimals: 18 }],
  easySwapper: EasySwapperBook.make({
    address: swapper,
    odosKey: "ODOS_V3",
    poolTokens: [{ symbol: "BTCBEAR1X", address: bear, asset: "WBTC", leverage: -1 }]
  })
} as unknown as NetworkBook
const chain = { book } as ChainClient

const trade = (from: string, to: string, terms: object = { amount: "100" }) => ({
  ...{ _tag: "Trade", from, to, slippage: 1, platform: "auto" },
  ...terms
})
const refusal = (data: Hex, request: unknown) => PoolTokenCalls.refuses(chain, { to: swapper, data }, request)

const odos = (tokenIn: Address, tokenOut: Address, amount: bigint) =>
  encodeFunctionData({
    abi: parseAbi([
      "function swap((address inputToken, uint256 inputAmount, address inputReceiver, address outputToken, uint256 outputQuote, uint256 outputMin, address outputReceiver) tokenInfo, bytes pathDefinition, address executor, (uint64 code, uint64 fee, address feeRecipient) referralInfo)"
    ]),
    functionName: "swap",
    args: [
      {
        inputToken: tokenIn,
        inputAmount: amount,
        inputReceiver: stranger,
        outputToken: tokenOut,
        outputQuote: 2n,
        outputMin: 1n,
        outputReceiver: stranger
      },
      "0x",
      stranger,
      { code: 0n, fee: 0n, feeRecipient: stranger }
    ]
  })

describe("EasySwapperV2's calls", () => {
  it("buy only a listed pool token with the sold asset, up to the stated amount, with a minimum", () => {
    const buy = EasySwapper.deposit(bear, usdc, 100_000_000n, 5n)
    const request = trade("USDC", "BTCBEAR1X")
    assert.isUndefined(refusal(buy, request))
    assert.isUndefined(refusal(buy, trade(usdc, bear, { share: 50 })))
    assert.deepStrictEqual(Toros.decode(buy), {
      tokenIn: usdc,
      amountIn: 100_000_000n,
      tokenOut: bear,
      minOut: 5n,
      receiver: null
    })
    assert.match(refusal(EasySwapper.deposit(bear, usdc, 100_000_001n, 5n), request) ?? "", /more than the request/)
    assert.match(refusal(EasySwapper.deposit(bear, usdc, 100n, 0n), request) ?? "", /no minimum/)
    assert.match(refusal(EasySwapper.deposit(stranger, usdc, 100n, 5n), request) ?? "", /no pool token/)
    assert.match(refusal(EasySwapper.deposit(bear, weth, 100n, 5n), request) ?? "", /does not sell/)
    assert.match(refusal(buy, trade("USDC", "WETH")) ?? "", /does not buy/)
  })

  it("redeem only the sold pool token, up to the stated amount, within the request's slippage", () => {
    const one = 10n ** 18n
    const request = trade("BTCBEAR1X", "USDC")
    assert.isUndefined(refusal(EasySwapper.init(bear, 100n * one, [usdc, weth], 100), request))
    assert.match(refusal(EasySwapper.init(bear, 100n * one + 1n, [usdc], 100), request) ?? "", /more than the request/)
    assert.match(refusal(EasySwapper.init(bear, one, [usdc], 101), request) ?? "", /more slippage/)
    assert.match(refusal(EasySwapper.init(stranger, one, [usdc], 100), request) ?? "", /no pool token/)
    assert.match(refusal(EasySwapper.init(bear, one, [usdc], 100), trade("USDC", "BTCBEAR1X")) ?? "", /does not sell/)
    assert.strictEqual(EasySwapper.toleranceOf(5), 200)
    assert.strictEqual(EasySwapper.toleranceOf(0.005), 0)
  })

  it("complete into the bought asset with a minimum, by swaps into it alone, or claim", () => {
    const request = trade("BTCBEAR1X", "USDC")
    const into = (dest: Address, min: bigint, data: Hex, key = "ODOS_V3") =>
      EasySwapper.completeInto(key, [{ token: weth, amount: 7n, data }], dest, min)
    assert.isUndefined(refusal(EasySwapper.claim, request))
    assert.isUndefined(refusal(into(usdc, 5n, odos(weth, usdc, 7n)), request))
    assert.match(refusal(into(usdc, 0n, odos(weth, usdc, 7n)), request) ?? "", /no minimum/)
    assert.match(refusal(into(stranger, 5n, odos(weth, stranger, 7n)), request) ?? "", /does not buy/)
    assert.match(refusal(into(usdc, 5n, odos(weth, stranger, 7n)), request) ?? "", /swaps otherwise/)
    assert.match(refusal(into(usdc, 5n, odos(weth, usdc, 8n)), request) ?? "", /swaps otherwise/)
    assert.match(refusal(into(usdc, 5n, "0x1234"), request) ?? "", /swaps otherwise/)
    assert.match(refusal(into(usdc, 5n, odos(weth, usdc, 7n), "OTHER"), request) ?? "", /swaps otherwise/)
  })

  it("are refused for other functions, other kinds of request, and are none of other contracts", () => {
    const partial = encodeFunctionData({
      abi: parseAbi(["function partialWithdraw(uint256 portion, address to)"]),
      functionName: "partialWithdraw",
      args: [1n, stranger]
    })
    assert.match(refusal(partial, trade("BTCBEAR1X", "USDC")) ?? "", /another function/)
    assert.match(refusal(EasySwapper.claim, { _tag: "Approve", asset: "USDC", platform: "auto" }) ?? "", /no trade/)
    assert.isUndefined(PoolTokenCalls.redemption(chain, { to: stranger, data: EasySwapper.claim }))
    assert.deepStrictEqual(PoolTokenCalls.redemption(chain, { to: swapper, data: EasySwapper.init(bear, 3n, [], 1) }), {
      gives: [{ token: bear, amount: 3n }],
      receiver: null
    })
  })
})
