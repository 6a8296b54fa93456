import { assert, layer } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { NetworkBook, SupportedAsset, TokenEntry } from "@vault-trader/core/chain/NetworkConfig"
import { Token } from "@vault-trader/core/chain/Token"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { concatHex, encodeAbiParameters, stringToHex } from "viem"
import { Chains } from "../../src/chain/Chains.ts"
import { Tokens } from "../../src/chain/Tokens.ts"

const networks = ["optimism", "polygon"] as const
const network = "optimism"
const nobody: Address = "0x00000000000000000000000000000000000000aa"

const workersOn = (books: ReadonlyArray<NetworkBook>) => Tokens.layer.pipe(Layer.provideMerge(Chains.layer(books)))

const TestDevnet = Layer.unwrap(Effect.map(Devnet, ({ books }) => workersOn(books))).pipe(
  Layer.provide(FetchHttpClient.layer),
  Layer.provideMerge(Devnet.layer({ networks, heartbeat: false }))
)

const entry = Effect.flatMap(Devnet, ({ file }) => Effect.orDie(Effect.fromNullishOr(file.networks[network])))
const book = Effect.flatMap(
  Devnet,
  ({ books }) => Effect.orDie(Effect.fromNullishOr(books.find((known) => known.network === network)))
)
const addressOf = (symbol: string) =>
  Effect.flatMap(entry, ({ tokens }) => Effect.orDie(Effect.fromNullishOr(tokens[symbol]?.address)))

/** The tokens service of a network whose list is this one, and whose platform supports these assets. */
const listing = <A, E>(
  tokens: ReadonlyArray<TokenEntry>,
  effect: Effect.Effect<A, E, Tokens>,
  assets: ReadonlyArray<SupportedAsset> = []
) =>
  Effect.flatMap(
    book,
    (real) =>
      Effect.provide(
        effect,
        workersOn([NetworkBook.make({ ...real, tokens, assets })]).pipe(Layer.provide(FetchHttpClient.layer)),
        { local: true }
      )
  )

/** The refusal's sentence; anything but code 1010 is a defect. */
const refusal = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const failure = yield* Effect.flip(effect)
    if (!Schema.is(ValidationFailure)(failure) || failure.code !== "1010") return yield* Effect.die(failure)
    return failure.message
  })

/** No request gets anywhere. */
const unplugged = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make((request) =>
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.TransportError({ request, description: "unplugged" })
    })
  )
)

/** Puts code at an unused address. */
const install = (address: Address, code: Hex) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const rpc = yield* devnet.rpc(network)
    yield* rpc.request("anvil_setCode", [address, code], Schema.Unknown)
    return address
  })

const symbolSelector = "95d89b41"
const word = (value: bigint) => encodeAbiParameters([{ type: "uint256" }], [value])

/** A contract that answers `symbol()` with these bytes (at most 128) and everything else with a word. */
const contract = (symbol: Hex, rest: bigint): Hex => {
  const bytes = symbol.slice(2).padEnd(256, "0")
  const length = ((symbol.length - 2) / 2).toString(16).padStart(2, "0")
  const store = [0, 1, 2, 3].map((index) =>
    `7f${bytes.slice(index * 64, index * 64 + 64)}60${(index * 32).toString(16).padStart(2, "0")}52`
  ).join("")
  const answer: Hex = `0x5b${store}60${length}6000f3`
  // calldata's selector == symbol() ? answer : one word
  const other = `7f${word(rest).slice(2)}60005260206000f3`
  const head = `60003560e01c63${symbolSelector}14`
  const target = (head.length / 2 + 3 + other.length / 2).toString(16).padStart(2, "0")
  return concatHex([`0x${head}60${target}57${other}`, answer])
}
/** A text as a `string` result. */
const text = (value: string) => encodeAbiParameters([{ type: "string" }], [value])

layer(TestDevnet, { timeout: "4 minutes", excludeTestServices: true })("the tokens of a network", (it) => {
  it.effect("are what the chain says, decimals of every size included", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      for (const [symbol, decimals] of [["USDC", 6], ["WBTC", 8], ["WETH", 18], ["DAI", 18]] as const) {
        const address = yield* addressOf(symbol)
        assert.deepStrictEqual(yield* tokens.at(network, [address]), [Token.make({ address, symbol, decimals })])
        assert.deepStrictEqual(yield* tokens.resolve(network, symbol, []), Token.make({ address, symbol, decimals }))
      }
    }))

  it.effect("have their decimals from the chain, whatever the list hints", () =>
    Effect.gen(function*() {
      const address = yield* addressOf("USDC")
      const lying = [TokenEntry.make({ symbol: "USDC", address, decimals: 18 })]
      const token = yield* listing(lying, Effect.flatMap(Tokens, ({ resolve }) => resolve(network, "USDC", [])))
      assert.strictEqual(token.decimals, 6)
    }))

  it.effect("are answered in the order asked, with gaps where there is no token", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const [usdc, weth] = yield* Effect.all([addressOf("USDC"), addressOf("WETH")])
      const { factory } = yield* entry
      const found = yield* tokens.at(network, [weth, nobody, usdc, weth, factory])
      assert.deepStrictEqual(found.map((token) => token?.symbol), ["WETH", undefined, "USDC", "WETH", undefined])
      assert.deepStrictEqual(yield* tokens.at(network, []), [])
    }))

  it.effect("answer to aliases, in any case", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      for (
        const [text, symbol] of [["btc", "WBTC"], ["Eth", "WETH"], ["USD", "USDC"], ["weth", "WETH"], [
          "wBtC",
          "WBTC"
        ]] as const
      ) {
        assert.strictEqual((yield* tokens.resolve(network, text, [])).symbol, symbol)
      }
      for (const text of ["MATIC", "pol", "wmatic"]) {
        assert.strictEqual((yield* tokens.resolve("polygon", text, [])).symbol, "WMATIC")
      }
    }))

  it.effect("answer to their address, in any case and with blanks around it", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const address = yield* addressOf("WBTC")
      for (const text of [address, address.toUpperCase(), ` ${address} `]) {
        assert.deepStrictEqual(
          yield* tokens.resolve(network, text, []),
          Token.make({ address, symbol: "WBTC", decimals: 8 })
        )
      }
    }))

  it.effect("are each network's own", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      assert.include(yield* refusal(tokens.resolve(network, "MATIC", [])), "'MATIC' is not a token")
      assert.strictEqual((yield* tokens.resolve("polygon", "MATIC", [])).symbol, "WMATIC")
    }))

  it.effect("are found among the vault's assets before the network's list", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const own = Token.make({ address: yield* addressOf("DAI"), symbol: "usdc", decimals: 18 })
      const token = yield* tokens.resolve(network, "USDC", [own])
      assert.strictEqual(token.address, own.address)
    }))

  it.effect("refuse a symbol of two tokens of the list, and name both", () =>
    Effect.gen(function*() {
      const [usdc, dai] = yield* Effect.all([addressOf("USDC"), addressOf("DAI")])
      const list = [["USDC", usdc], ["usdc", dai], ["WETH", yield* addressOf("WETH")]] as const
      const message = yield* listing(
        list.map(([symbol, address]) => TokenEntry.make({ symbol, address, decimals: 6 })),
        Effect.flatMap(Tokens, ({ resolve }) => refusal(resolve(network, "usd", [])))
      )
      assert.strictEqual(message, `'usd' is ambiguous on ${network}; give one of the addresses ${usdc}, ${dai}`)
    }))

  it.effect("refuse a symbol of two of the vault's assets, and name both", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const own = yield* Effect.forEach(["USDC", "DAI"], (symbol) =>
        Effect.map(addressOf(symbol), (address) => Token.make({ address, symbol: "USDC", decimals: 6 })))
      const message = yield* refusal(tokens.resolve(network, "USDC", own))
      for (const { address } of own) {
        assert.include(message, address)
      }
    }))

  it.effect("are not ambiguous when the list has the same token twice", () =>
    Effect.gen(function*() {
      const usdc = TokenEntry.make({ symbol: "USDC", address: yield* addressOf("USDC"), decimals: 6 })
      const token = yield* listing([usdc, usdc], Effect.flatMap(Tokens, ({ resolve }) => resolve(network, "USDC", [])))
      assert.strictEqual(token.address, usdc.address)
    }))

  it.effect("are found among the platform's assets by the symbol of their contract, positions excepted", () =>
    Effect.gen(function*() {
      const [link, dai] = yield* Effect.all([addressOf("LINK"), addressOf("DAI")])
      const assets = [
        SupportedAsset.make({ name: "Chainlink", address: link, type: 4 }),
        SupportedAsset.make({ name: "a collection of positions", address: dai, type: 7 }),
        SupportedAsset.make({ name: "no contract", address: nobody, type: 0 })
      ]
      const resolve = (text: string) => Effect.flatMap(Tokens, ({ resolve }) => resolve(network, text, []))
      assert.strictEqual((yield* listing([], resolve("link"), assets)).address, link)
      assert.include(yield* listing([], refusal(resolve("DAI")), assets), "'DAI' is not a token")
      assert.include(yield* listing([], refusal(resolve("Chainlink")), assets), "'Chainlink' is not a token")
    }))

  it.effect("refuse an unknown symbol and name the known ones", () =>
    Effect.gen(function*() {
      const message = yield* refusal((yield* Tokens).resolve(network, "PEPE", []))
      assert.include(
        message,
        "'PEPE' is not a token of the vault, of optimism's list (USDC, WETH, WBTC, DAI, LINK, ETHBEAR1X, AAVE, AERO, BTCBEAR1X) or of " +
          "the platform's supported assets"
      )
    }))

  it.effect("refuse an address without a contract, or with one that is not a token", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const { factory } = yield* entry
      for (const address of [nobody, factory, "0x0000000000000000000000000000000000000000"]) {
        assert.strictEqual(
          yield* refusal(tokens.resolve(network, address, [])),
          `'${address}' is not a token on ${network}`
        )
      }
    }))

  it.effect("may have a symbol of 32 bytes, as old ones do", () =>
    Effect.gen(function*() {
      const code = contract(stringToHex("MKR", { size: 32 }), 18n)
      const address = yield* install("0x0000000000000000000000000000000000000b32", code)
      assert.deepStrictEqual(
        yield* (yield* Tokens).resolve(network, address, []),
        Token.make({ address, symbol: "MKR", decimals: 18 })
      )
    }))

  it.effect("have symbols of printable characters only, at most 32", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const hostile = yield* install(
        "0x0000000000000000000000000000000000000bad",
        contract(text("U\u0000S\nD\u202e₮\u200b0"), 6n)
      )
      assert.strictEqual((yield* tokens.resolve(network, hostile, [])).symbol, "USD₮0")
      const long = yield* install("0x0000000000000000000000000000000000000b1d", contract(text("L".repeat(32)), 6n))
      assert.strictEqual((yield* tokens.resolve(network, long, [])).symbol, "L".repeat(32))
      const longer = yield* install("0x0000000000000000000000000000000000000b1e", contract(text("L".repeat(60)), 6n))
      assert.strictEqual((yield* tokens.resolve(network, longer, [])).symbol, "L".repeat(32))
    }))

  it.effect("are not contracts whose decimals no token can have", () =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const absurd = yield* install(
        "0x0000000000000000000000000000000000000bee",
        contract(text("HUGE"), 2n ** 256n - 1n)
      )
      const usdc = yield* addressOf("USDC")
      assert.include(yield* refusal(tokens.resolve(network, absurd, [])), "is not a token")
      assert.deepStrictEqual((yield* tokens.at(network, [absurd, usdc])).map((token) => token?.symbol), [
        undefined,
        "USDC"
      ])
    }))

  it.effect("are read once: a known token costs no call", () =>
    Effect.gen(function*() {
      const client = yield* HttpClient.HttpClient
      let requests = 0
      const counting = Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.tapRequest(client, () =>
          Effect.sync(() => {
            requests += 1
          }))
      )
      const known = yield* book
      const addresses = yield* Effect.forEach(["USDC", "WETH", "WBTC"], addressOf)
      yield* Effect.gen(function*() {
        const tokens = yield* Tokens
        requests = 0
        const first = yield* tokens.at(network, [...addresses, ...addresses])
        assert.strictEqual(requests, 1, "all of them in one call")
        const second = yield* tokens.at(network, addresses)
        yield* tokens.resolve(network, "ETH", [])
        yield* tokens.resolve(network, addresses[0]!, [])
        assert.strictEqual(requests, 1)
        assert.deepStrictEqual(second, first.slice(0, 3))
        yield* tokens.resolve(network, "DAI", [])
        assert.strictEqual(requests, 2)
        // Nothing is remembered of an address without a token: one may be deployed there.
        yield* tokens.at(network, [nobody])
        yield* tokens.at(network, [nobody])
        assert.strictEqual(requests, 4)
      }).pipe(Effect.provide(workersOn([known]).pipe(Layer.provide(counting)), { local: true }))
    }).pipe(Effect.provide(FetchHttpClient.layer)))

  it.effect("of a network that cannot be reached are a failure to be repeated, not an unknown token", () =>
    Effect.gen(function*() {
      const resolving = yield* Effect.forkChild(
        Effect.flip(Effect.flatMap(Tokens, ({ resolve }) => resolve(network, "USDC", [])))
      )
      // However long the reads are repeated before they are given up.
      yield* Effect.repeat(
        Effect.andThen(TestClock.adjust("1 minute"), Effect.sync(() => Option.fromNullishOr(resolving.pollUnsafe()))),
        { until: Option.isSome }
      )
      const failure = yield* Fiber.join(resolving)
      assert.strictEqual(failure._tag === "ExecutionFailure" ? failure.errorType : failure._tag, "rpc_unavailable")
    }).pipe(
      Effect.provide(
        Layer.unwrap(Effect.map(book, (known) => workersOn([known]))).pipe(
          Layer.provide(unplugged),
          Layer.provideMerge(Layer.merge(TestClock.layer(), Layer.succeed(References.MinimumLogLevel, "None")))
        ),
        { local: true }
      )
    ))

  it.effect("of a network that is not configured are refused as such", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip((yield* Tokens).resolve("base", "USDC", []))
      assert.strictEqual(failure._tag === "ValidationFailure" ? failure.code : failure._tag, "1000")
    }))
})
