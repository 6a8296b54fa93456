/** A wallet whose key only a key management service has: added by the operator, it trades like any other. */
import { assert, layer } from "@effect/vitest"
import * as FakeAwsKms from "@vault-trader/devnet/key-provider/FakeAwsKms"
import * as FakeKeyProviders from "@vault-trader/devnet/key-provider/FakeKeyProviders"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { demoVault, rows, Running, running } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until } from "@vault-trader/testing/harness/Until"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"

const network = "base"

class Fakes extends Context.Service<Fakes, FakeKeyProviders.FakeKeyProviders>()("vault-trader/app/test/Fakes") {
  static readonly layer = Layer.effect(Fakes, FakeKeyProviders.start)
}

const envOf = ({ metadataHost, urls }: FakeKeyProviders.FakeKeyProviders) => ({
  AWS_ACCESS_KEY_ID: FakeAwsKms.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: FakeAwsKms.credentials.secretAccessKey,
  AWS_SESSION_TOKEN: FakeAwsKms.credentials.sessionToken,
  AWS_ENDPOINT_URL_KMS: urls["aws-kms"],
  GCE_METADATA_HOST: metadataHost,
  GCP_KMS_URL: urls["gcp-kms"],
  WEB3SIGNER_URL: urls.web3signer
})

const Service = Layer.unwrap(Effect.map(Fakes, (fakes) => running({ env: envOf(fakes) }))).pipe(
  Layer.provideMerge(Fakes.layer)
)

/** Runs `vault-trader wallet` beside the service, with its settings. */
const wallet = (...words: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { dataDir } = yield* Running
    const env = { DATA_DIR: dataDir, ...envOf(yield* Fakes) }
    return yield* ServiceProcess.toItsEnd(env, "vault-trader", "wallet", ...words)
  })

const keyIn = (text: string) => /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.exec(text)?.[0]

layer(Service, { timeout: 240_000, excludeTestServices: true })("a key at a key management service", (it) => {
  it.effect("is a gas wallet that trades, waits while the service is away, and changes its API key by the operator", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { create, faults } = yield* Fakes
      const devnet = yield* Devnet
      const { address, privateKey, reference } = yield* create("aws-kms")
      const added = yield* wallet("add", "--provider", "aws-kms", "--key", reference)
      assert.deepStrictEqual([added.code, added.stderr], [0, ""])
      const apiKey = keyIn(added.stdout)
      assert.include(added.stdout, `Gas wallet: ${address}\nAPI key: ${apiKey}\n`)
      const again = yield* wallet("add", "--provider", "aws-kms", "--key", reference)
      assert.deepStrictEqual([again.code, again.stderr], [
        1,
        `The wallet ${address} of this key exists; nothing was changed.\n`
      ])

      const pool = yield* demoVault(network)
      yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 10n ** 18n }))
      yield* Effect.orDie(devnet.setTrader({ network, pool, trader: address }))
      const trade = (key: string | undefined) =>
        ask("/vaultTrade", { json: { apiKey: key, network, pool, from: "USDC", to: "DAI", amount: 5 } })
      const first = succeeded(yield* trade(apiKey))
      const { from, status } = yield* OnChain.receipt(network, first["tx_hash"])
      assert.deepStrictEqual([from, status], [address, 1n])

      yield* faults.inject("aws-kms", "denied")
      const asked = yield* faults.signRequests("aws-kms")
      const waiting = yield* Effect.forkChild(trade(apiKey))
      yield* until(
        "a request for a signature",
        Effect.map(faults.signRequests("aws-kms"), (count) => count > asked ? count : undefined)
      )
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 1)
      yield* faults.heal
      const second = succeeded(yield* Fiber.join(waiting))
      assert.strictEqual((yield* OnChain.receipt(network, second["tx_hash"])).from, address)

      const listed = yield* wallet("list")
      assert.match(listed.stdout, new RegExp(`^${address} {2}aws-kms {2}${reference} {2}since 20.* {2}API key …`, "m"))
      const issued = yield* wallet("new-key", address)
      assert.deepStrictEqual([issued.code, issued.stderr], [0, ""])
      const newKey = keyIn(issued.stdout)
      assert.notStrictEqual(newKey, apiKey)
      assert.strictEqual((yield* trade(apiKey)).fields["status"], "fail")
      succeeded(yield* trade(newKey))

      const entries = yield* rows(
        `select action, actor_kind as by from audit_entries where wallet = '${address}' and actor_kind = 'operator' order by seq`
      )
      assert.deepStrictEqual(entries, [
        { action: "wallet.added", by: "operator" },
        { action: "key.issued", by: "operator" },
        { action: "key.revoked", by: "operator" },
        { action: "key.issued", by: "operator" }
      ])

      const texts = JSON.stringify(yield* rows("select * from gas_wallets"))
      for (const text of [texts, added.stdout, listed.stdout, issued.stdout]) {
        assert.notInclude(text, privateKey.slice(2))
      }
    }))

  it.effect("is not added where it does not sign, and a wallet of this service gets no API key from the operator", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { create, faults } = yield* Fakes
      const count = rows("select count(*)::int as n from gas_wallets")
      const before = yield* count
      const gcp = yield* create("gcp-kms")
      yield* faults.inject("gcp-kms", "otherKey")
      const lying = yield* wallet("add", "--provider", "gcp-kms", "--key", gcp.reference)
      assert.deepStrictEqual([lying.code, lying.stderr], [
        1,
        "The signature of Google Cloud KMS does not match its public key. No wallet was added.\n"
      ])
      yield* faults.heal
      const absent = yield* wallet("add", "--provider", "web3signer", "--key", `0x${"12".repeat(64)}`)
      assert.deepStrictEqual([absent.code, absent.stderr], [1, "web3signer holds no such key. No wallet was added.\n"])
      const unknown = yield* wallet("add", "--provider", "paper", "--key", "a")
      assert.strictEqual(unknown.code, 2)
      assert.match(unknown.stderr, /provider: expected one of aws-kms, gcp-kms, web3signer, not 'paper'/)
      assert.deepStrictEqual(yield* count, before)

      const local = String((yield* ask("/createGasWallet")).fields["address"])
      const refused = yield* wallet("new-key", local)
      assert.strictEqual(refused.code, 1)
      assert.match(refused.stderr, /holds its private key: getNewApiKey issues its API keys\. Nothing was changed\.\n$/)
    }))
})
