/** A stranger's signed transaction on a vault that can never be mined must not affect the vault's owner. */
import { assert, layer } from "@effect/vitest"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "../../src/Networks.ts"
import * as Answers from "@vault-trader/testing/harness/Answers"
import { type Fields, onChainOnly } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base" as const
const ether = 10n ** 18n
const openOfVault = 2

layer(Devnet.layer({ networks: [network], heartbeat: false }), { timeout: 240_000, excludeTestServices: true })(
  "a stranger whose wallet is empty",
  (it) => {
    it.effect(
      "does not hold up the trades of a vault whose fee he mints, also after a pause and a restart; his mint " +
        "ends when he refills",
      () =>
        Effect.gen(function*() {
          const devnet = yield* Devnet
          const rpc = yield* devnet.rpc(network)
          const dataDir = yield* ServiceProcess.dataDirectory
          const NETWORKS_FILE = Path.join(dataDir, "networks.json")
          Fs.writeFileSync(
            NETWORKS_FILE,
            yield* Schema.encodeEffect(NetworksFile)(
              onChainOnly(devnet.books) as Arr.NonEmptyReadonlyArray<NetworkBook>
            )
          )
          const service = ServiceProcess.start({
            DATA_DIR: dataDir,
            NETWORKS_FILE,
            WAIT_SECONDS: "2",
            MAX_OPEN_PER_VAULT: String(openOfVault)
          })
          let running = yield* service
          const newWallet = Effect.map(
            running.ask("/createGasWallet"),
            ({ fields }) => ({ apiKey: String(fields["apiKey"]), address: String(fields["address"]) as Address })
          )

          const { pool } = yield* devnet.createVault({
            network,
            name: "Fees",
            performanceFee: 2_000n,
            invested: 10_000_000_000n
          })
          const earn = devnet.mintToken({ network, symbol: "USDC", address: pool, amount: 1_000_000_000n })
          const [owner, stranger] = [yield* newWallet, yield* newWallet]
          for (const { address } of [owner, stranger]) yield* devnet.faucet({ network, address, amountWei: ether })
          yield* devnet.setTrader({ network, pool, trader: owner.address })
          const outcome = (apiKey: string, fields: Fields) =>
            Effect.suspend(() => Answers.ended(running.ask, apiKey, fields["intent_id"]))
          const post = (path: string, apiKey: string, json: Fields = {}) =>
            Effect.suspend(() => running.ask(path, { json: { apiKey, ...json } }))
          const ownerTrades = Effect.gen(function*() {
            const { fields, text } = yield* post("/vaultTrade", owner.apiKey, {
              network,
              pool,
              from: "USDC",
              to: "WETH",
              amount: "5"
            })
            const end = fields["status"] === "pending" ? yield* outcome(owner.apiKey, fields) : fields
            assert.strictEqual(end["status"], "success", text)
          })
          const mint = Effect.map(post("/mintManagerFee", stranger.apiKey, { network, pool }), ({ fields }) => fields)
          const mintsSigned = Effect.map(
            ServiceProcess.rowsOf(
              dataDir,
              `select a.hash from attempts a where a.wallet = '${stranger.address}' order by a.nonce, a.attempt`
            ),
            (found) => found.map(({ hash }) => hash as Hash)
          )

          yield* earn
          const first = yield* mint
          assert.strictEqual(
            (first["status"] === "pending" ? yield* outcome(stranger.apiKey, first) : first)["status"],
            "success",
            JSON.stringify(first)
          )
          yield* ownerTrades
          yield* earn

          // More mints than the vault's queue holds. One is signed; the wallet is emptied outside the service before it
          // is mined.
          yield* rpc.setMining("manual")
          const mints = yield* Effect.all([mint, mint, mint], { concurrency: "unbounded" })
          assert.deepStrictEqual(mints.map(({ status }) => status), ["pending", "pending", "pending"])
          yield* until(
            "a mint to be signed",
            Effect.map(mintsSigned, ({ length }) => length > 1 ? true as const : undefined)
          )
          yield* rpc.setBalance(stranger.address, 0n)
          for (const hash of (yield* mintsSigned).slice(1)) yield* rpc.dropTransaction(hash)
          yield* rpc.setMining("automatic")

          yield* ownerTrades
          // The stranger's other mints are refused for lack of funds: nothing is signed behind a transaction that cannot
          // be mined.
          const stuck = yield* until(
            "all but one mint to be refused",
            Effect.gen(function*() {
              const now = yield* Effect.forEach(
                mints,
                ({ intent_id }) => post("/getIntent", stranger.apiKey, { intent_id })
              )
              const open = now.map(({ fields }) => fields["intent"] as Fields).filter(({ status }) =>
                status === "pending"
              )
              return open.length === 1 ? open[0]! : undefined
            })
          )
          const refused = yield* mint
          const end = refused["status"] === "pending" ? yield* outcome(stranger.apiKey, refused) : refused
          assert.deepInclude(end["failure"] ?? end, { error_type: "insufficient_gas" }, JSON.stringify(end))
          assert.lengthOf(
            yield* Effect.map(
              ServiceProcess.rowsOf(
                dataDir,
                `select 1 from submissions where wallet = '${stranger.address}' and nonce is not null`
              ),
              (found) => found
            ),
            2
          )

          for (const path of ["/pauseWallet", "/resumeWallet"]) {
            assert.strictEqual((yield* post(path, stranger.apiKey)).fields["status"], "success")
            yield* ownerTrades
          }
          yield* running.kill
          running = yield* service
          yield* ownerTrades
          assert.strictEqual(
            ((yield* post("/getIntent", stranger.apiKey, { intent_id: stuck["intent_id"] }))
              .fields["intent"] as Fields)[
                "status"
              ],
            "pending"
          )

          yield* rpc.setBalance(stranger.address, ether)
          assert.strictEqual((yield* outcome(stranger.apiKey, stuck))["status"], "success")
          assert.strictEqual(yield* OnChain.transactionCount(network, stranger.address), 2)
          const charged = yield* ServiceProcess.rowsOf(
            dataDir,
            `select count(*)::int as n from charges where wallet = '${stranger.address}'`
          )
          assert.deepStrictEqual(charged, [{ n: 2 }])
        })
    )
  }
)
