import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { inspect } from "node:util"
import * as Networks from "../../src/chain/Network.ts"
import * as Param from "../../src/endpoint/Param.ts"
import * as Params from "../../src/endpoint/Params.ts"
import * as VenueName from "../../src/venue/VenueName.ts"

const refused = Symbol("refused")

/** Returns the value that a parameter parses, with secrets revealed, or `refused`. */
const read = <A, I>(param: Schema.Codec<A, I>) => (given: unknown): unknown => {
  const result = Result.getOrElse(Schema.decodeUnknownResult(param)(given), () => refused)
  return Redacted.isRedacted(result)
    ? Redacted.value(result)
    : BigDecimal.isBigDecimal(result)
    ? BigDecimal.format(result)
    : result
}

/** Tests that each input parses to the given value. */
const table = <A, I>(
  name: string,
  param: Schema.Codec<A, I>,
  rows: ReadonlyArray<readonly [given: unknown, value: unknown]>
) =>
  it(name, () => {
    for (const [given, value] of rows) assert.deepStrictEqual([given, read(param)(given)], [given, value])
  })

const refuses = <A, I>(name: string, param: Schema.Codec<A, I>, given: ReadonlyArray<unknown>) =>
  table(name, param, given.map((each) => [each, refused] as const))

const { Allowance, Amount, Share, Slippage } = Params
const nonsense = [
  "",
  " ",
  "\0",
  "null\0",
  "a".repeat(100_000),
  "💸",
  "__proto__",
  "constructor",
  "toString",
  {},
  [],
  null,
  undefined,
  Symbol.iterator,
  1n
]
const notNumbers = [
  ...[
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "1e-999",
    "0x10",
    "0b1",
    "1_000",
    "1,000",
    "1 000",
    "1e",
    "e1",
    ".",
    "+",
    "-",
    "--1",
    "1.2.3",
    "½",
    "٣"
  ],
  ...["1\0", "1;", "1%", "9".repeat(10_000), NaN, Infinity, true, false]
]

const randomCase = (texts: ReadonlyArray<string>) =>
  FastCheck.constantFrom(...texts).chain((text) =>
    FastCheck.array(FastCheck.boolean(), { minLength: text.length, maxLength: text.length }).map((upper) =>
      Array.from(text, (letter, index) => upper[index] === true ? letter.toUpperCase() : letter.toLowerCase()).join("")
    )
  )
const hex = (length: number) =>
  FastCheck.array(FastCheck.constantFrom(..."0123456789abcdefABCDEF"), { minLength: length, maxLength: length }).map((
    digits
  ) => digits.join(""))
/** A decimal as text, with its exact value. */
const decimal = FastCheck.record({
  whole: FastCheck.bigInt({ min: 0n, max: 10n ** 30n }),
  fraction: FastCheck.array(FastCheck.constantFrom(..."0123456789"), { maxLength: 30 }).map((digits) =>
    digits.join("")
  ),
  exponent: FastCheck.integer({ min: -20, max: 20 })
}).map(({ exponent, fraction, whole }) => {
  const mantissa = fraction === "" ? `${whole}` : `${whole}.${fraction}`
  return {
    text: exponent === 0 ? mantissa : `${mantissa}e${exponent}`,
    value: BigDecimal.make(BigInt(`${whole}${fraction}`), fraction.length - exponent)
  }
})

describe("Params.Network", () => {
  table("reads canonical names and aliases in any case, trimmed", Params.Network, [
    ["base", "base"],
    [" Optimism ", "optimism"],
    ["ARBITRUM", "arbitrum"],
    ["polygon", "polygon"],
    ["ethereum", "ethereum"],
    ["MainNet", "ethereum"],
    ["hyperliquid", "hyperliquid"]
  ])
  refuses("refuses anything that is not a network", Params.Network, [
    ...nonsense,
    "all",
    "base\0",
    "base,polygon",
    "8453",
    8453,
    "sepolia",
    true
  ])

  it("reads every name in every case", () =>
    FastCheck.assert(FastCheck.property(randomCase([...Networks.names, "mainnet"]), (text) => {
      const name = text.toLowerCase()
      assert.strictEqual(read(Params.Network)(text), name === "mainnet" ? "ethereum" : name)
      assert.strictEqual(read(Params.NetworkOrAll)(text), name === "mainnet" ? "ethereum" : name)
    })))

  table("reads `all` and single networks", Params.NetworkOrAll, [["ALL", "all"], ["base", "base"], ["any", refused], [
    "constructor",
    refused
  ]])
})

describe("Params.Pool", () => {
  const lower = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
  table("reads an address in any case, checksummed or not, as lower case", Params.Pool, [
    [lower, lower],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", lower],
    ["0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED", lower],
    ["0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", lower],
    [` ${lower}\n`, lower]
  ])
  refuses("refuses anything that is not an address", Params.Pool, [
    ...[
      ...nonsense,
      lower.slice(2),
      `${lower}0`,
      lower.slice(0, -1),
      `${lower}\0`,
      `0x${"g".repeat(40)}`,
      "0x",
      `${lower},${lower}`
    ],
    ...[`0x${"0".repeat(64)}`, 0, 1e40]
  ])

  it("reads any 40 hex characters, and its value parses to itself", () =>
    FastCheck.assert(FastCheck.property(hex(40), (digits) => {
      const value = read(Params.Pool)(`0x${digits}`)
      assert.strictEqual(value, `0x${digits.toLowerCase()}`)
      assert.strictEqual(read(Params.Pool)(value), value)
    })))

  it("refuses any other number of hex characters", () =>
    FastCheck.assert(FastCheck.property(FastCheck.integer({ min: 0, max: 100 }).filter((n) => n !== 40), (length) => {
      assert.strictEqual(read(Params.Pool)(`0x${"a".repeat(length)}`), refused)
    })))
})

describe("Params.Share", () => {
  table("reads percentages in decimal and scientific notation", Share, [
    [100, 100],
    ["100", 100],
    ["1e2", 100],
    ["1E+2", 100],
    ["0.5", 0.5],
    [".5", 0.5],
    ["5.", 5],
    ["+5", 5],
    ["5e-1", 0.5],
    ["99.999999", 99.999999],
    [1e-7, 1e-7],
    ["0100", 100]
  ])
  refuses("refuses zero, negatives, more than 100 and anything that is not a number", Share, [
    ...[...nonsense, ...notNumbers, 0, "0", "-0", "0.0", "0e5", "-1", -1, "-1e-9", 100.01, "100.000001", "1e3", 101]
  ])
  it("accepts a number if and only if 0 < share ≤ 100", () =>
    FastCheck.assert(FastCheck.property(FastCheck.double({ min: -200, max: 200, noNaN: true }), (value) => {
      const readable = Number(value.toFixed(9))
      assert.strictEqual(read(Share)(readable.toFixed(9)), readable > 0 && readable <= 100 ? readable : refused)
    })))
})

describe("Params.Slippage", () => {
  table("reads percentages up to 5", Slippage, [["5", 5], [0.5, 0.5], ["1e-3", 0.001], ["5.0000", 5]])
  refuses("refuses zero, negatives, more than 5 and anything that is not a number", Slippage, [
    ...nonsense,
    ...notNumbers,
    0,
    "-1",
    "5.0001",
    "50",
    6
  ])
})

describe("Params.Amount", () => {
  table("reads exact decimals", Amount, [
    ["1.5", "1.5"],
    ["1.50", "1.5"],
    ["1e3", "1000"],
    ["1E3", "1000"],
    [".000001", "0.000001"],
    ["123456789012345678901234567890.123456789", "123456789012345678901234567890.123456789"],
    [2, "2"]
  ])
  refuses("refuses zero, negatives and anything that is not a number", Amount, [
    ...nonsense,
    ...notNumbers,
    0,
    "0",
    "-0",
    "-1.5",
    "0e10"
  ])

  it("reads decimals exactly", () =>
    FastCheck.assert(FastCheck.property(decimal, ({ text, value }) => {
      const found = Result.getOrUndefined(Schema.decodeUnknownResult(Amount)(text))
      if (BigDecimal.isZero(value)) assert.isUndefined(found)
      else assert.isTrue(found !== undefined && BigDecimal.equals(found, value), text)
    })))

  table("may be zero as an allowance, which revokes", Allowance, [["0", "0"], [0, "0"], ["-0", "0"], ["0.0", "0"], [
    "7.5",
    "7.5"
  ], ["-1", refused]])
})

describe("Params.ApiKey", () => {
  const key = "6f9619ff-8b86-4011-b42d-00c04fc964ff"
  table("reads a UUID in any case, trimmed", Params.ApiKey, [[key, key], [key.toUpperCase(), key], [` ${key}\t`, key]])
  refuses("refuses anything that is not a UUID", Params.ApiKey, [
    ...[
      ...nonsense,
      key.slice(1),
      `${key}0`,
      `{${key}}`,
      key.replaceAll("-", ""),
      `${key}\0`,
      key.replace("6", "g"),
      `${key} ${key}`
    ]
  ])
  it("reads every UUID", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.uuid(), (uuid) => assert.strictEqual(read(Params.ApiKey)(uuid.toUpperCase()), uuid))
    ))
})

describe("Params.PrivateKey", () => {
  const key = "4c0883a69102937d6231471b5dbb6204fe512961708279f2e3e8a5d4b8e3a0f1"
  table("reads 64 hex characters with or without 0x", Params.PrivateKey, [
    [key, key],
    [`0x${key}`, key],
    [`0X${key.toUpperCase()}`, key]
  ])
  refuses("refuses anything else", Params.PrivateKey, [
    ...nonsense,
    key.slice(1),
    `${key}0`,
    `0x0x${key}`,
    "g".repeat(64),
    `${key}\0`
  ])

  it("does not appear in an error or when printed", () => {
    for (const param of [Params.PrivateKey, Params.ApiKey]) {
      const error = Result.getOrThrow(Result.flip(Schema.decodeUnknownResult(param)(`${key}zz`)))
      assert.notInclude(`${error.message} ${JSON.stringify(error)} ${String(error)}`, key)
    }
    const value = Schema.decodeUnknownSync(Params.PrivateKey)(key)
    assert.notInclude(`${JSON.stringify({ value })} ${inspect(value)}`, key)
  })
})

describe("Params.Flag", () => {
  table("reads true, false, 1 and 0 in any case", Params.Flag("A flag."), [
    ["true", true],
    ["TRUE", true],
    [" True ", true],
    ["1", true],
    [1, true],
    [true, true],
    ["false", false],
    ["False", false],
    ["0", false],
    [0, false],
    [false, false]
  ])
  refuses("refuses anything else", Params.Flag("A flag."), [
    ...nonsense,
    "yes",
    "no",
    "on",
    "2",
    -1,
    "truee",
    "true\0",
    "hasOwnProperty"
  ])
})

describe("Params.Asset", () => {
  table("reads symbols as written and addresses in lower case", Params.Asset("Asset"), [
    ["USDC", "USDC"],
    ["usdc", "usdc"],
    ["USDC.e", "USDC.e"],
    ["$TOKEN", "$TOKEN"],
    ["0xBitcoin", "0xBitcoin"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"],
    ["constructor", "constructor"]
  ])
  refuses("refuses broken addresses and what no symbol looks like", Params.Asset("Asset"), [
    ...[
      "",
      "\0",
      "US DC",
      "USDC\0",
      "a".repeat(33),
      "💸",
      "0xdeadbeef",
      "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
      "<script>",
      "'; drop table",
      {},
      [],
      null,
      undefined
    ]
  ])
})

describe("Params.Platform", () => {
  table("reads venues in any case, and retired ones as auto", Params.Platform, [
    ["auto", "auto"],
    ["AUTO", "auto"],
    ["Best", "best"],
    ["UNISWAPV3", "uniswapV3"],
    ["1INCH", "1inch"],
    ["KyberSwap", "kyberswap"],
    ["odosv3", "odosV3"],
    ["QuickSwap", "quickswap"],
    ["odos", "auto"],
    ["1inchV5", "auto"],
    ["1INCHv5", "auto"]
  ])
  refuses("refuses unknown venues", Params.Platform, [
    ...nonsense,
    "bestdex",
    "uniswapV3\0",
    "uniswapV4",
    "1inchV6",
    "kyber"
  ])
})

describe("Params.Protocol", () => {
  table("reads names in lower case", Params.Protocol, [["dHEDGE", "dhedge"], ["chamber", "chamber"]])
  refuses("refuses anything that is not a name", Params.Protocol, ["", "a b", "a\0", "💸", "a".repeat(65), {}, null])
})

describe("Params.IdempotencyKey", () => {
  table("reads printable ASCII as it is", Params.IdempotencyKey, [["Signal-1", "Signal-1"], ["~!", "~!"], [
    "a".repeat(255),
    "a".repeat(255)
  ]])
  refuses("refuses the empty, the too long and what does not print", Params.IdempotencyKey, [
    "",
    "a".repeat(256),
    "a b",
    "a\0",
    "é",
    "a\nb"
  ])
})

describe("Params.Limit", () => {
  table("reads whole numbers within its bounds", Params.Limit(100, 20), [[1, 1], ["100", 100], ["1e1", 10], [
    "20.0",
    20
  ]])
  refuses("refuses everything else", Params.Limit(100, 20), [
    ...nonsense,
    ...notNumbers,
    0,
    -1,
    101,
    1.5,
    "1e-1",
    "1e9"
  ])
})

describe("Params.IntentId and Params.Cursor", () => {
  const id = "01936f5a-0000-7000-8000-000000000000"
  table("read the UUIDs of earlier responses", Params.IntentId, [[id, id], [id.toUpperCase(), id], ["1", refused], [
    `${id}'`,
    refused
  ]])
  table("read the same", Params.Cursor, [[id, id], ["", refused], ["null", refused]])
})

describe("every parameter", () => {
  const dictionary: ReadonlyArray<
    readonly [name: string, param: Schema.Codec<unknown, unknown>, texts: FastCheck.Arbitrary<string>]
  > = ([
    ["Network", Params.Network, randomCase([...Networks.names, "mainnet"])],
    ["NetworkOrAll", Params.NetworkOrAll, randomCase([...Networks.names, "mainnet", "all"])],
    ["Pool", Params.Pool, hex(40).map((digits) => `0x${digits}`)],
    ["ApiKey", Params.ApiKey, FastCheck.uuid()],
    ["PrivateKey", Params.PrivateKey, hex(64)],
    ["Platform", Params.Platform, randomCase(["auto", ...VenueName.names, ...VenueName.retiredVenues])],
    ["Share", Params.Share, FastCheck.double({ min: 1e-9, max: 100, noNaN: true }).map(String)],
    ["Slippage", Params.Slippage, FastCheck.double({ min: 1e-9, max: 5, noNaN: true }).map(String)],
    ["Amount", Params.Amount, decimal.filter(({ value }) => !BigDecimal.isZero(value)).map(({ text }) => text)],
    ["Allowance", Params.Allowance, decimal.map(({ text }) => text)],
    ["Flag", Params.Flag("A flag."), randomCase(["true", "false", "0", "1"])],
    ["Limit", Params.Limit(100, 20), FastCheck.integer({ min: 1, max: 100 }).map(String)],
    [
      "Asset",
      Params.Asset("Asset"),
      FastCheck.oneof(FastCheck.constantFrom("USDC", "weth", "$A_b-c.d"), hex(40).map((digits) => `0x${digits}`))
    ],
    ["IdempotencyKey", Params.IdempotencyKey, FastCheck.stringMatching(/^[!-~]{1,255}$/)]
  ] as const).map(([name, param, texts]) => [name, param as Schema.Codec<unknown, unknown>, texts])

  for (const [name, param, texts] of dictionary) {
    it(`${name} formats every value as a text that parses to that value`, () =>
      FastCheck.assert(
        FastCheck.property(texts, (text) => {
          const value = Schema.decodeUnknownSync(param)(text)
          const shown = Schema.encodeSync(param)(value)
          assert.strictEqual(read(param)(shown), read(param)(text))
        }),
        { numRuns: 300 }
      ))
  }

  it("neither throws nor hangs on any JSON value", () =>
    FastCheck.assert(FastCheck.property(FastCheck.jsonValue({ maxDepth: 3 }), (value) => {
      for (const [name, param] of dictionary) assert.doesNotThrow(() => Schema.decodeUnknownResult(param)(value), name)
    })))

  it("refuses lists and objects instead of a single value", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.oneof(
          FastCheck.array(FastCheck.jsonValue()),
          FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue())
        ),
        (value) => {
          for (const [name, param] of dictionary) assert.strictEqual(read(param)(value), refused, name)
        }
      )
    ))
})

describe("Params.Pools", () => {
  const [one, two, three] = ["11", "22", "33"].map((byte) => `0x${byte.repeat(20)}`)
  const [described] = Param.describe({ pools: Params.Pools(2) })

  it("reads up to the maximum of distinct vaults, and refuses any other list", () => {
    const pools = read(Params.Pools(2))
    assert.deepStrictEqual(pools([one, two]), [one, two])
    for (const given of [[], [one, two, three], [one, one?.toUpperCase()], [one, "0x1"], one]) {
      assert.strictEqual(pools(given), refused)
    }
  })

  it("explains what is wrong with a list, and repeats nothing that is not an address", () => {
    const explain = described?.info.explain ?? (() => "nothing")
    assert.strictEqual(explain([]), "must be 1 to 2 vaults, not 0")
    assert.strictEqual(explain([one, two, three]), "must be 1 to 2 vaults, not 3")
    assert.strictEqual(explain([one, two, one]), `lists more than once: ${one}`)
    assert.strictEqual(explain([one, "0x1", { a: 1 }]), "has invalid items at positions 2, 3")
    assert.strictEqual(
      explain(Array.from({ length: 9 }, () => "; drop table")),
      "has invalid items at positions 1, 2, 3, 4, 5 and 4 more"
    )
    assert.deepStrictEqual([explain([one]), explain("text")], [undefined, undefined])
  })
})

describe("Param.list and Param.json", () => {
  const pools = Param.list(Params.Pool, {
    accepts: "a list of addresses",
    description: "Vaults.",
    example: [],
    jsonSchema: { type: "array" }
  })
  const lower = `0x${"ab".repeat(20)}`

  it("reads a list item by item, and refuses it for one invalid item", () => {
    assert.deepStrictEqual(read(pools)([lower, lower.toUpperCase()]), [lower, lower])
    assert.deepStrictEqual(read(pools)([]), [])
    assert.strictEqual(read(pools)([lower, "0x1"]), refused)
    assert.strictEqual(read(pools)(lower), refused)
  })

  it("records the kind of parameter", () => {
    const targets = Param.json(Schema.Array(Schema.Struct({ weight: Schema.Number })), {
      accepts: "a list of targets",
      description: "Targets.",
      example: [{ weight: 1 }],
      jsonSchema: { type: "array" }
    })
    const described = Param.describe({ pools, targets: Schema.optional(targets), pool: Params.Pool })
    assert.deepStrictEqual(described.map(({ info, name, required }) => [name, info.kind, required]), [
      ["pools", "list", true],
      ["targets", "json", false],
      ["pool", "scalar", true]
    ])
  })
})
