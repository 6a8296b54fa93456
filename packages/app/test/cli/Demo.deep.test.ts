import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { DevnetFile } from "@vault-trader/devnet/devnet/DevnetFile"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { rows, Running, running } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"

/** Runs the demo as its users do, against this test's service. */
const demo = (...recipe: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { baseUrl, dataDir } = yield* Running
    const { file } = yield* Devnet
    Fs.writeFileSync(
      Path.join(dataDir, "devnet.json"),
      yield* Effect.orDie(Schema.encodeEffect(Schema.fromJsonString(DevnetFile))(file))
    )
    return yield* ServiceProcess.toItsEnd({ BASE_URL: baseUrl, DATA_DIR: dataDir }, "demo", ...recipe)
  })

const asked = (stdout: string) => Array.from(stdout.matchAll(/^→ (GET|POST) \/(\S+)/gm), ([, , path]) => path ?? "")

/** Asserts that it ran to its end: the chain confirmed every answer. */
const done = (recipe: ReadonlyArray<string>, requests: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { code, stderr, stdout } = yield* demo(...recipe)
    assert.deepStrictEqual([code, stderr], [0, ""], stdout)
    assert.deepStrictEqual(asked(stdout), requests)
    assert.match(stdout, /\nDone: [^\n]+\n\nNext, with a gas wallet of your own/)
    assert.match(
      stdout,
      /\n {2}curl -s "http[^"]+\/vaultTrade\?apiKey=API_KEY&network=base&pool=0x[0-9a-f]{40}&[^\n]+\n/
    )
    assert.match(stdout, /\nOr in the browser: http:\/\/127\.0\.0\.1:\d+\/console\n$/)
    assert.notMatch(stdout, /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/, "an API key is shown")
    return stdout
  })

/** As on `npm start`'s devnet: the wallets pay their charges meanwhile. */
const TREASURY = "0x7ea5000000000000000000000000000000000005"

layer(running({ aggregators: true, env: { VENUE_TIMEOUT_MS: "20000", TREASURY } }), {
  timeout: 120_000,
  excludeTestServices: true
})("npm run demo", (it) => {
  it.effect("without a name is the quickstart", () =>
    done([], [
      "createGasWallet",
      "getGasBalance",
      "isPoolTrader",
      "poolComposition",
      "approve",
      "vaultTrade",
      "vaultTrade",
      "poolComposition"
    ]))

  it.effect("goes from a signal to a trade, once however often the signal comes", () =>
    Effect.gen(function*() {
      const requests = ["createGasWallet", "isPoolTrader", "approve", "vaultTrade", "vaultTrade"]
      assert.match(
        yield* done(["signal"], requests),
        /the chain says: 4950 USDC less in the vault, 1\.6\d+ WETH more, 1 transaction/
      )
      // The approval exists already, and the demo takes it into account.
      yield* done(["signal"], requests)
      assert.deepStrictEqual(yield* rows("select count(*)::int as n from charges where action = 'trade'"), [{ n: 3 }])
    }))

  it.effect("lends what lies idle and takes it back", () =>
    Effect.gen(function*() {
      const requests = [
        "createGasWallet",
        "isPoolTrader",
        "approve",
        "lenderAV3/lend",
        "lenderAV3/getHealthFactor",
        "lenderAV3/unlend"
      ]
      const said = yield* done(["collateral"], requests)
      assert.match(said, /health factor: infinity/)
      assert.match(said, /the chain says: 5000 USDC less in the vault, \d+(\.\d+)? USDC with lenderA/)
      assert.match(said, / 0 USDC left with lenderA/)
    }))

  it.effect("sweeps a manager's fees, after a dry run", () =>
    Effect.gen(function*() {
      const said = yield* done(["fees"], ["createGasWallet", "mintAllFeesByManager", "mintAllFeesByManager"])
      assert.match(said, /the chain says: [1-9]\d{15,} units of 0x[0-9a-f]{40}'s token more with the manager/)
      assert.match(said, /Done: the fees of [12] of 2 vaults were minted in 0x/)
    }))

  it.effect("names the recipes when it is asked for another, and says where no service answers", () =>
    Effect.gen(function*() {
      for (
        const [recipe, problem] of [
          [["other"], "recipe: expected quickstart or signal or collateral or fees, not 'other'."],
          [["signal", "fees"], "'fees' is more than this command takes."],
          [["constructor"], "recipe: expected quickstart or signal or collateral or fees, not 'constructor'."]
        ] as const
      ) {
        assert.deepStrictEqual(yield* demo(...recipe), {
          code: 2,
          stdout: "",
          stderr: `${problem} Try npx vault-trader demo --help.\n`
        })
      }
      const { dataDir } = yield* Running
      const port = yield* ServiceProcess.freePort
      const { code, stderr } = yield* ServiceProcess.toItsEnd({ PORT: String(port), DATA_DIR: dataDir }, "demo", "fees")
      assert.deepStrictEqual([code, stderr], [1, `Nothing answers at http://127.0.0.1:${port}; run npm start first.\n`])
    }))
})
