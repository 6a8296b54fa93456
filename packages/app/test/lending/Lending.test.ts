import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { parseAbi } from "viem"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import {
  type Answer,
  demoVault,
  type Fields,
  type Request,
  rows,
  Running,
  running,
  trader,
  wallet,
  yieldVault
} from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

const network = "base"
const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function getUserReserveData(address asset, address user) view returns (uint256 supplied, uint256 stableDebt, uint256 variableDebt, uint256, uint256, uint256, uint256, uint40, bool)"
])

const refused = ({ fields, status, text }: Answer, code: string): string => {
  assert.deepStrictEqual([status, fields["status"], fields["status_code"]], [200, "fail", code], text)
  return String(fields["message"])
}

const failed = ({ body, status, text }: Answer, code: string): string => {
  assert.deepStrictEqual([status, body["status"], body["status_code"]], [400, "fail", code], text)
  return String(body["message"])
}

const raw = (quantity: unknown): bigint => BigInt(String((quantity as Fields)["raw"]))

/** A funded wallet that trades the vault with the lenders, and reads of that vault's positions. */
const lending = Effect.gen(function*() {
  const { ask } = yield* Running
  const devnet = yield* Devnet
  const pool = yield* yieldVault(network)
  const by = yield* trader({ pool })
  const entry = devnet.file.networks[network]
  const { aaveV3, comets, fTokens } = entry ?? {}
  const comet = comets?.["USDC"]
  if (entry === undefined || aaveV3 === undefined || comet === undefined || fTokens === undefined) {
    return yield* Effect.die(new Error("no lenders"))
  }
  const about = { apiKey: by.apiKey, network, pool }
  const reserve = (symbol: string) =>
    Effect.flatMap(
      OnChain.token(network, symbol),
      (token) => OnChain.read(network, aaveV3.poolDataProvider, abi, "getUserReserveData", [token, pool])
    )
  const ofPool = (contract: Address) => OnChain.read(network, contract, abi, "balanceOf", [pool])
  return {
    ...by,
    ask,
    about,
    aaveV3,
    comet,
    fTokens,
    held: (symbol: string) => OnChain.balanceOf(network, symbol, pool),
    supplied: (symbol: string) => Effect.map(reserve(symbol), ([supplied]) => supplied),
    owed: (symbol: string) => Effect.map(reserve(symbol), (facts) => facts[2]),
    inComet: ofPool(comet),
    shares: (symbol: string) => ofPool(fTokens[symbol] ?? "0x"),
    post: (path: string, json: Fields) => ask(path, { json: { ...about, ...json } }),
    get: (path: string, query: Readonly<Record<string, string>> = {}) => ask(path, { query: { ...about, ...query } }),
    sent: OnChain.transactionCount(network, by.address)
  }
})

type Lending = Effect.Success<typeof lending>

/** Runs `use` on a vault with 2 WETH at lenderA and a USDC loan of half the limit; undone afterwards. */
const indebted = <A, E, R>(use: (by: Lending) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.tap(lending, (by) =>
      Effect.gen(function*() {
        succeeded(yield* by.post("/lend", { asset: "WETH", amount: 2 }))
        succeeded(yield* by.post("/borrow", { asset: "USDC", share: 50 }))
      })),
    use,
    (by) => Effect.andThen(by.post("/repay", { asset: "USDC" }), by.post("/unlend", { asset: "WETH" }))
  )

/** Sends a write and compares its answer with the vault's balance and the receipt; it is one transaction. */
const moved = (by: Lending, path: string, symbol: string, field: string, request: Request, direction: 1n | -1n) =>
  Effect.gen(function*() {
    const before = yield* Effect.all([by.held(symbol), by.sent])
    const answer = succeeded(yield* by.ask(path, request))
    const after = yield* Effect.all([by.held(symbol), by.sent])
    const { from, status } = yield* OnChain.receipt(network, answer["tx_hash"])
    assert.deepStrictEqual([status, from, after[1] - before[1]], [1n, by.address, 1])
    assert.strictEqual(raw(answer[field]), (after[0] - before[0]) * direction, path)
    assert.deepStrictEqual([answer["charge_usd"], (answer[field] as Fields)["symbol"]], [0.05, symbol])
    return answer
  })

layer(running(), { timeout: 120_000, excludeTestServices: true })("lending", (it) => {
  it.effect("supplies, borrows, repays and takes back with lenderA, by POST and GET, to the last unit", () =>
    Effect.gen(function*() {
      const by = yield* lending
      const json = (fields: Fields): Request => ({ json: { ...by.about, ...fields } })
      const query = (fields: Readonly<Record<string, string>>): Request => ({ query: { ...by.about, ...fields } })
      yield* moved(by, "/lenderAV3/lend", "WETH", "supplied", json({ asset: "ETH", amount: "4" }), -1n)
      const lent = yield* moved(by, "/lenderAV3/lend", "WETH", "supplied", query({ asset: "weth", share: "10" }), -1n)
      assert.deepStrictEqual([lent["lender"], lent["market"], lent["projected_health_factor"]], [
        "lenderA",
        by.aaveV3.pool,
        "infinity"
      ])
      assert.strictEqual(lent["message"], "Supplied 0.6 WETH to lenderA.")
      yield* moved(by, "/lenderAV3/borrow", "USDC", "borrowed", json({ asset: "USDC", amount: 1000 }), 1n)
      const borrowed = yield* moved(
        by,
        "/lenderAV3/borrow",
        "USDC",
        "borrowed",
        query({ asset: "USDC", amount: "1000" }),
        1n
      )
      assert.match(String(borrowed["projected_health_factor"]), /^5\.7\d+$/)
      yield* moved(by, "/lenderAV3/repay", "USDC", "repaid", query({ asset: "USDC", amount: "500" }), -1n)
      yield* moved(by, "/lenderAV3/unlend", "WETH", "withdrawn", query({ asset: "WETH", share: "10" }), 1n)
      yield* moved(by, "/lenderAV3/repay", "USDC", "repaid", json({ asset: "USDC", share: 100 }), -1n)
      assert.strictEqual(yield* by.owed("USDC"), 0n)
      const usdc = yield* OnChain.token(network, "USDC")
      assert.strictEqual(yield* OnChain.read(network, usdc, abi, "allowance", [by.pool, by.aaveV3.pool]), 0n)
      yield* moved(by, "/lenderAV3/unlend", "WETH", "withdrawn", json({ asset: "WETH", share: 100 }), 1n)
      assert.strictEqual(yield* by.supplied("WETH"), 0n)
    }))

  it.effect("supplies to and takes back from lenderB and lenderC by their routes, their other names and their brands", () =>
    Effect.gen(function*() {
      const by = yield* lending
      const usdc = (fields: Fields): Request => ({ json: { ...by.about, asset: "USDC", ...fields } })
      const paths: ReadonlyArray<readonly [string, string]> = [
        ["/lenderBV3/lend", "/lenderBV3/unlend"],
        ["/depositLenderBV3", "/withdrawLenderBV3"],
        ["/compoundV3/lend", "/compoundV3/unlend"],
        ["/depositCompoundV3", "/withdrawCompoundV3"],
        ["/lenderC/lend", "/lenderC/unlend"],
        ["/depositLenderC", "/withdrawLenderC"],
        ["/fluid/lend", "/fluid/unlend"],
        ["/depositFluid", "/withdrawFluid"]
      ]
      for (const [lend, unlend] of paths) {
        const answer = yield* moved(by, lend, "USDC", "supplied", usdc({ amount: "100" }), -1n)
        assert.strictEqual(answer["lender"], /BV3|ompound/.test(lend) ? "lenderB" : "lenderC")
        yield* moved(by, unlend, "USDC", "withdrawn", { query: { ...by.about, asset: "USDC", share: "100" } }, 1n)
        assert.deepStrictEqual([yield* by.inComet, yield* by.shares("USDC")], [0n, 0n], unlend)
      }
    }))

  it.effect("takes the market by platform, by name or brand, and lenderA without one; brand paths of lenderA lead there too", () =>
    Effect.gen(function*() {
      const by = yield* lending
      const ways: ReadonlyArray<readonly [string, Fields, string]> = [
        ["/lend", {}, "lenderA"],
        ["/lend", { platform: "lenderB" }, "lenderB"],
        ["/lend", { platform: "Fluid" }, "lenderC"],
        ["/lend", { platform: "aaveV3" }, "lenderA"],
        ["/aaveV3/lend", {}, "lenderA"]
      ]
      for (const [path, fields, lender] of ways) {
        assert.strictEqual(
          (yield* moved(by, path, "USDC", "supplied", {
            json: { ...by.about, asset: "USDC", amount: "100", ...fields }
          }, -1n))["lender"],
          lender
        )
      }
      const dai = { ...by.about, asset: "DAI" }
      yield* moved(by, "/borrow", "DAI", "borrowed", { query: { ...dai, amount: "10" } }, 1n)
      yield* moved(by, "/aaveV3/borrow", "DAI", "borrowed", { query: { ...dai, amount: "10" } }, 1n)
      for (
        const [path, fields] of [["/repay", { amount: "5" }], ["/repay", { amount: "5", platform: "lenderA" }], [
          "/aaveV3/repay",
          { amount: "5" }
        ]] as const
      ) {
        yield* moved(by, path, "DAI", "repaid", { json: { ...dai, ...fields } }, -1n)
      }
      assert.match(
        failed(yield* by.post("/borrow", { asset: "DAI", amount: "1", platform: "lenderB" }), "2015"),
        /lenderB lends nothing to vaults/
      )
      assert.match(
        refused(yield* by.post("/lend", { asset: "USDC", platform: "uniswapV3" }), "1010"),
        /^platform: must be one of auto, lenderA, lenderB, lenderC, aaveV3, compoundV3, fluid$/
      )
      assert.match(
        refused(yield* by.post("/lend", { asset: "USDC", platform: "a b" }), "1010"),
        /^platform: must be lenderA/
      )
      yield* moved(by, "/repay", "DAI", "repaid", { json: { ...dai, amount: "4.9" } }, -1n)
      assert.match(failed(yield* by.post("/repay", { asset: "DAI", amount: "1" }), "2002"), /^The vault holds 0\.1 DAI/)
      yield* Effect.orDie((yield* Devnet).mintToken({ network, symbol: "DAI", address: by.pool, amount: 10n ** 18n }))
      yield* moved(by, "/repay", "DAI", "repaid", { json: { ...dai, share: 100 } }, -1n)
      assert.strictEqual(yield* by.owed("DAI"), 0n)
      for (const platform of ["lenderA", "compound", "lenderC"]) {
        yield* moved(by, "/unlend", "USDC", "withdrawn", { query: { ...by.about, asset: "USDC", platform } }, 1n)
      }
      assert.deepStrictEqual([yield* by.supplied("USDC"), yield* by.inComet, yield* by.shares("USDC")], [0n, 0n, 0n])
    }))

  it.effect(
    "may take an asset once the lender is approved by name or brand: exactly, without limit, and no more once " +
      "that is taken back",
    () =>
      Effect.gen(function*() {
        const by = yield* lending
        const usdc = yield* OnChain.token(network, "USDC")
        const markets: ReadonlyArray<readonly [string, string, Address]> = [
          ["lenderA", "lenderA", by.aaveV3.pool],
          ["compoundV3", "lenderB", by.comet],
          ["Fluid", "lenderC", by.fTokens["USDC"] ?? "0x"]
        ]
        for (const [platform, venue, spender] of markets) {
          const allowance = OnChain.read(network, usdc, abi, "allowance", [by.pool, spender])
          const approve = (fields: Fields) => by.post("/approve", { asset: "USDC", platform, ...fields })
          const before = yield* by.sent
          const dry = succeeded(yield* approve({ dryRun: true }))["plan"] as Fields
          assert.deepStrictEqual([dry["venue"], dry["spender"], (dry["charge"] as Fields)["usd"], yield* by.sent], [
            venue,
            spender,
            0.02,
            before
          ])
          const given = succeeded(yield* approve({}))
          assert.deepInclude(given, {
            venue,
            spender,
            asset: usdc,
            symbol: "USDC",
            allowance: "unlimited",
            charge_usd: 0.02
          })
          assert.strictEqual(yield* allowance, 2n ** 256n - 1n)
          yield* moved(
            by,
            "/lend",
            "USDC",
            "supplied",
            { json: { ...by.about, asset: "USDC", amount: "10", platform } },
            -1n
          )
          yield* moved(by, "/unlend", "USDC", "withdrawn", { json: { ...by.about, asset: "USDC", platform } }, 1n)
          succeeded(yield* approve({ amount: "12.5" }))
          assert.strictEqual(yield* allowance, 12_500_000n)
          assert.strictEqual(
            succeeded(yield* approve({ amount: 0 }))["message"],
            `${venue} may no longer take USDC from the vault.`
          )
          assert.strictEqual(yield* allowance, 0n)
          assert.isNull(succeeded(yield* approve({ amount: 0 }))["tx_hash"])
          assert.strictEqual((yield* by.sent) - before, 5)
        }
        assert.match(
          failed(yield* by.post("/approve", { asset: "LINK", platform: "aave" }), "2015"),
          /^lenderA does not list LINK on base/
        )
        assert.match(
          failed(yield* by.post("/approve", { asset: "DAI", platform: "lenderB" }), "2015"),
          /^lenderB does not list DAI on base/
        )
        assert.match(
          refused(yield* by.post("/approve", { asset: "USDC", platform: "spark" }), "1010"),
          /^platform: must be one of auto, 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros, lenderA, lenderB, lenderC, aaveV3, compoundV3, fluid$/
        )
      })
  )

  it.effect("refuses below the health factor's floor with the projected number, and sends nothing", () =>
    indebted((by) =>
      Effect.gen(function*() {
        const sent = yield* by.sent
        const borrow = yield* by.post("/lenderAV3/borrow", { asset: "USDC", amount: 2085 })
        assert.match(
          failed(borrow, "2009"),
          /from 2\.(6|5999) to 1\.24\d+, below the floor of 1\.3; at most 1915\.3\d+ USDC .* Nothing was sent\.$/
        )
        assert.strictEqual(borrow.body["error_type"], "health_factor_too_low")
        assert.match(
          failed(yield* by.post("/borrow", { asset: "USDC", amount: 2085, dryRun: true }), "2009"),
          /to 1\.24\d+/
        )
        assert.match(
          failed(yield* by.post("/unlend", { asset: "WETH", share: 60 }), "2009"),
          /from 2\.(6|5999) to 1\.0[34]\d*, below the floor of 1\.3/
        )
        assert.match(failed(yield* by.post("/borrow", { asset: "DAI", amount: 1 }), "2007"), /owes USDC to lenderA/)
        assert.strictEqual(yield* by.sent, sent)
      })
    ))

  it.effect("returns the account with lenderA by every path, and no read sends anything", () =>
    indebted((by) =>
      Effect.gen(function*() {
        const sent = yield* by.sent
        const data = (answer: Answer) => succeeded(answer)["data"] as Fields
        const pool = data(yield* by.get("/lenderAV3/getPoolData"))
        assert.deepStrictEqual(Object.keys(pool), [
          ...[
            "totalCollateralBase",
            "totalDebtBase",
            "availableBorrowsBase",
            "currentLiquidationThreshold",
            "ltv",
            "healthFactor"
          ]
        ])
        for (const value of Object.values(pool)) assert.match(String(value), /^\d+(\.\d+)?$/)
        assert.deepStrictEqual([pool["currentLiquidationThreshold"], pool["ltv"]], ["83", "80.5"])
        for (const path of ["/getPoolLenderAData", "/getPoolAaveData", "/aaveV3/getPoolData"]) {
          assert.deepStrictEqual(Object.keys(data(yield* by.get(path))), Object.keys(pool))
        }
        for (const path of ["/lenderAV3/getHealthFactor", "/getHealthFactor", "/aaveV3/getHealthFactor"]) {
          assert.match(String(data(yield* by.post(path, {}))["healthFactor"]), /^2\.(5999|6)$/)
        }
        const supplied = data(yield* by.get("/lenderAV3/getSupplied"))
        assert.deepStrictEqual(
          (supplied["assets"] as ReadonlyArray<Fields>).map((each) => [each["symbol"], each["used_as_collateral"]]),
          [["WETH", true]]
        )
        const borrowed = data(yield* by.get("/lenderAV3/getBorrowed"))
        assert.approximately(Number(borrowed["totalBorrowed"]), 1915.38, 0.1)
        assert.deepStrictEqual(
          (borrowed["assets"] as ReadonlyArray<Fields>).map((each) => each["symbol"]),
          ["USDC"]
        )
        assert.strictEqual(
          data(yield* by.get("/getHealthFactor", { pool: yield* demoVault(network) }))["healthFactor"],
          "infinity"
        )
        assert.strictEqual(yield* by.sent, sent)
      })
    ))

  it.effect("returns what lenders pay, what the vault's positions earn, and what its token gained since it was first seen", () =>
    indebted((by) =>
      Effect.gen(function*() {
        const yields = succeeded(
          yield* by.ask("/getAllYields", { query: { apiKey: by.apiKey, network } })
        )["yields"] as ReadonlyArray<Fields>
        assert.sameMembers(yields.map((each) => `${String(each["lender"])} ${String(each["symbol"])}`), [
          ...["lenderA USDC", "lenderA WETH", "lenderA WBTC", "lenderA DAI"],
          ...["lenderB USDC", "lenderB WETH", "lenderC USDC", "lenderC WETH", "lenderC DAI"]
        ])
        const everywhere = succeeded(yield* by.ask("/getAllYields", { query: { apiKey: by.apiKey } }))
        assert.deepStrictEqual(
          (everywhere["yields"] as ReadonlyArray<Fields>).filter((each) => each["network"] === network),
          yields
        )
        assert.deepStrictEqual(everywhere["unread"], [])
        const estimate = succeeded(yield* by.get("/getEstimatedAnualYield"))["data"] as Fields
        const found = succeeded(
          yield* by.ask("/getEstimatedAnualYield", { query: { apiKey: by.apiKey, pool: by.about.pool } })
        )
        assert.deepInclude(found, { network, data: estimate })
        assert.match(
          refused(
            yield* by.ask("/getTotalYield", { query: { apiKey: by.apiKey, pool: `0x${"12".repeat(20)}` } }),
            "1004"
          ),
          /^pool: 0x(12){20} is no vault on /
        )
        assert.match(
          refused(yield* by.ask("/getTotalYield", { query: { pool: by.about.pool } }), "1010"),
          /^Missing .*: apiKey$/
        )
        const positions = estimate["positions"] as ReadonlyArray<Fields>
        assert.sameMembers(positions.map((each) => `${String(each["side"])} ${String(each["symbol"])}`), [
          "supplied WETH",
          "borrowed USDC"
        ])
        assert.isNumber(estimate["apy"])

        const pool = yield* demoVault(network)
        succeeded(yield* by.get("/poolComposition", { pool }))
        const snapshots = yield* rows(
          `select token_price::text as price from vault_snapshots where network = '${network}' and pool = '${pool}'`
        )
        assert.lengthOf(snapshots, 1)
        yield* rows(
          `update vault_snapshots set at = at - interval '10 days', token_price = token_price / 2 where pool = '${pool}'`
        )
        const total = succeeded(yield* by.get("/getTotalYield", { pool }))
        const data = total["data"] as Fields
        assert.approximately(Number(data["total"]), 100, 0.01)
        assert.approximately(Number(data["days"]), 10, 0.01)
        assert.isAbove(Number(data["annualised"]), 100)
        assert.match(String(total["message"]), /^The vault's token gained (100|99\.99\d+|100\.0\d*) % in 10 days\.$/)
        succeeded(yield* by.get("/getTotalYield", { pool }))
        succeeded(yield* by.get("/poolComposition", { pool }))
        assert.deepStrictEqual(yield* rows(`select count(*)::int as n from vault_snapshots where pool = '${pool}'`), [{
          n: 2
        }])
      })
    ))

  it.effect("refuses bad input as everywhere, and a vault that may not use the market in words", () =>
    Effect.gen(function*() {
      const by = yield* lending
      const stranger = yield* wallet
      for (const path of ["/lenderAV3/lend", "/lenderBV3/unlend", "/lenderC/lend", "/borrow", "/depositLenderC"]) {
        assert.match(refused(yield* by.ask(path), "1010"), /apiKey, network, pool, asset/)
        refused(yield* by.post(path, { asset: "USDC", network: "mars" }), "1000")
        refused(yield* by.post(path, { asset: "USDC", protocol: "other" }), "1001")
        refused(yield* by.post(path, { asset: "USDC", apiKey: "00000000-0000-4000-8000-000000000000" }), "1002")
        refused(yield* by.post(path, { asset: "USDC", pool: stranger.address }), "1004")
        refused(yield* by.post(path, { asset: "USDC", share: 0 }), "1007")
        refused(yield* by.post(path, { asset: "USDC", share: 101 }), "1007")
        refused(yield* by.post(path, { asset: "USDC", amount: "-1" }), "1009")
        assert.match(refused(yield* by.post(path, { asset: "NOPE" }), "1010"), /^asset: 'NOPE'/)
        refused(yield* by.post(path, { asset: "USDC", apiKey: stranger.apiKey }), "1006")
      }
      const dry = succeeded(yield* by.post("/lenderC/lend", { asset: "USDC", share: 1, dryRun: true }))
      const { charge, lender } = dry["plan"] as Fields
      assert.deepStrictEqual([dry["dryRun"], lender, (charge as Fields)["usd"], dry["tx_hash"]], [
        true,
        "lenderC",
        0.05,
        null
      ])
      const plain = yield* demoVault(network)
      yield* Effect.orDie((yield* Devnet).setTrader({ network, pool: plain, trader: by.address }))
      assert.match(
        failed(yield* by.post("/lend", { asset: "USDC", pool: plain }), "2006"),
        /^lenderA's market 0x[0-9a-f]{40} is not enabled in the vault/
      )
      assert.match(
        failed(yield* by.post("/lend", { asset: "LINK" }), "2015"),
        /^lenderA does not list LINK on base\. Nothing was sent\. It lists /
      )
      for (const platform of ["lenderA", "lenderB", "lenderC"]) {
        assert.match(
          failed(yield* by.post("/unlend", { asset: "USDC", platform }), "2014"),
          new RegExp(`^The vault has no USDC supplied to ${platform}\\.`)
        )
      }
      assert.match(failed(yield* by.post("/repay", { asset: "USDC" }), "2014"), /^The vault owes lenderA no USDC\./)
      assert.match(
        failed(yield* by.post("/borrow", { asset: "USDC", amount: 1 }), "2009"),
        /^The vault has no collateral with lenderA, so its health factor would be 0;/
      )
    }))

  it.effect("holds a key to its limits: what is lent and repaid counts, what is taken back and borrowed does not", () =>
    Effect.gen(function*() {
      const by = yield* lending
      yield* rows(`insert into key_limits (wallet, max_usd18_per_trade) values ('${by.address}', 100e18)`)
      for (const [platform, asset] of [["lenderA", "USDC"], ["lenderB", "USDC"], ["lenderC", "USDC"]] as const) {
        assert.match(failed(yield* by.post("/lend", { asset, amount: 101, platform }), "2013"), /100/)
        succeeded(yield* by.post("/lend", { asset, amount: 100, platform }))
        succeeded(yield* by.post("/unlend", { asset, platform }))
      }
      assert.match(failed(yield* by.post("/lend", { asset: "WETH", amount: 1, platform: "lenderC" }), "2013"), /100/)
      yield* rows(
        `update key_limits set max_usd18_per_trade = 4000e18, revision = revision + 1 where wallet = '${by.address}'`
      )
      succeeded(yield* by.post("/lend", { asset: "WETH", amount: 1 }))
      succeeded(yield* by.post("/borrow", { asset: "USDC", amount: 500 }))
      yield* rows(
        `update key_limits set max_usd18_per_trade = 499e18, revision = revision + 1 where wallet = '${by.address}'`
      )
      failed(yield* by.post("/repay", { asset: "USDC" }), "2013")
      succeeded(yield* by.post("/repay", { asset: "USDC", amount: 10 }))
      yield* rows(
        `update key_limits set max_usd18_per_trade = 501e18, revision = revision + 1 where wallet = '${by.address}'`
      )
      succeeded(yield* by.post("/repay", { asset: "USDC", share: 100 }))
      succeeded(yield* by.post("/unlend", { asset: "WETH" }))
    }))

  it.effect("charges 0.05 USD for each that was executed, and nothing for any that was not", () =>
    Effect.gen(function*() {
      const by = yield* lending
      succeeded(yield* by.post("/lend", { asset: "WETH", amount: 1 }))
      succeeded(yield* by.post("/borrow", { asset: "USDC", amount: 100 }))
      succeeded(yield* by.post("/repay", { asset: "USDC" }))
      succeeded(yield* by.post("/unlend", { asset: "WETH" }))
      failed(yield* by.post("/unlend", { asset: "WETH" }), "2014")
      const charges = yield* rows(
        `select i.status, c.action, c.usd::float8 as usd from intents i left join charges c on c.intent_id = i.id
        where i.wallet = '${by.address}' order by i.id`
      )
      const charged = { status: "succeeded", action: "lend", usd: 0.05 }
      assert.deepStrictEqual(charges, [charged, charged, charged, charged, {
        status: "failed",
        action: null,
        usd: null
      }])
    }))
})

layer(running({ env: { LENDER_BRANDS: "spark,comet,morpho", HEALTH_FACTOR_FLOOR: "2" } }), {
  timeout: 120_000,
  excludeTestServices: true
})(
  "lending under other settings",
  (it) => {
    it.effect("is found under the configured brands, and kept above the configured floor", () =>
      Effect.gen(function*() {
        const by = yield* lending
        assert.strictEqual(
          (yield* moved(
            by,
            "/spark/lend",
            "WETH",
            "supplied",
            { json: { ...by.about, asset: "WETH", amount: "1" } },
            -1n
          ))["lender"],
          "lenderA"
        )
        yield* moved(
          by,
          "/depositComet",
          "USDC",
          "supplied",
          { json: { ...by.about, asset: "USDC", amount: "1" } },
          -1n
        )
        yield* moved(by, "/lend", "USDC", "supplied", {
          json: { ...by.about, asset: "USDC", amount: "1", platform: "morpho" }
        }, -1n)
        assert.match(
          failed(yield* by.post("/borrow", { asset: "USDC", amount: 1500 }), "2009"),
          /to 1\.66, below the floor of 2;/
        )
        for (const path of ["/aaveV3/lend", "/depositFluid"]) {
          assert.strictEqual((yield* by.post(path, { asset: "USDC", amount: 1 })).status, 404)
        }
        succeeded(yield* by.get("/getPoolSparkData"))
      }))
  }
)
