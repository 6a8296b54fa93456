/** The providers against fakes that speak their protocols over HTTP and verify every request. */
import { assert, layer } from "@effect/vitest"
import * as FakeAwsKms from "@vault-trader/devnet/key-provider/FakeAwsKms"
import type { KeyFault } from "@vault-trader/devnet/key-provider/KeyFaults"
import { remoteProviders } from "@vault-trader/core/gas-wallet/GasWalletStore"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHash, randomBytes } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { keccak256, toBytes } from "viem"
import { AwsV4Signer } from "aws4fetch"
import { publicKeyToAddress } from "viem/accounts"
import * as Secp256k1 from "../../src/gas-wallet/Secp256k1.ts"
import { KeyProviders } from "../../src/key-provider/KeyProviders.ts"
import * as Providers from "../../src/key-provider/KeyProviders.ts"
import { accessTo, Fakes } from "./TestProviders.ts"

const message = () => {
  const bytes = randomBytes(40)
  return { bytes, digest: toBytes(keccak256(bytes)) }
}

/** Signs with a new key of the fake provider. */
const newKey = (provider: typeof remoteProviders[number]) =>
  Effect.gen(function*() {
    const fakes = yield* Fakes
    const { address, reference } = yield* fakes.create(provider)
    return { wallet: address, reference }
  })

type Changed = (access: Providers.Access) => Providers.Access

/** Uses the providers with access to the fakes, after a change. */
const using = <A, E, R>(
  use: (providers: typeof KeyProviders.Service) => Effect.Effect<A, E, R>,
  change: Changed = (access) => access
) =>
  Effect.flatMap(
    Fakes,
    (fakes) => Effect.provide(Effect.flatMap(KeyProviders, use), Providers.layer(change(accessTo(fakes))))
  )

/** Fails to sign under a fault, with the reason or `final`, and heals the fakes. */
const failing = (provider: typeof remoteProviders[number], fault: KeyFault, change?: Changed) =>
  Effect.gen(function*() {
    const { faults } = yield* Fakes
    const key = yield* newKey(provider)
    yield* faults.inject(provider, fault)
    const failure = yield* Effect.flip(using((all) => all[provider].sign(key, [message()]), change))
    yield* faults.heal
    return { failure, kind: failure._tag === "KeyUnavailable" ? failure.reason : "final" }
  })

const secrets = [FakeAwsKms.credentials.secretAccessKey, FakeAwsKms.credentials.sessionToken, "PRIVATE KEY"]

layer(Fakes.layer, { timeout: 60_000, excludeTestServices: true })("key providers", (it) => {
  for (const provider of remoteProviders) {
    it.effect(`${provider} returns the public key, and signatures of it in the order of the messages`, () =>
      Effect.gen(function*() {
        const key = yield* newKey(provider)
        const curve = yield* Effect.promise(() => Secp256k1.make())
        const messages = Array.from({ length: 20 }, message)
        yield* using((all) =>
          Effect.gen(function*() {
            const publicKey = yield* all[provider].publicKey(key.reference)
            const hex = `0x04${Buffer.from(publicKey).toString("hex")}` as const
            assert.strictEqual(publicKeyToAddress(hex).toLowerCase(), key.wallet)
            const signatures = yield* all[provider].sign(key, messages)
            assert.strictEqual(signatures.length, messages.length)
            for (const [place, { r, s }] of signatures.entries()) {
              const { digest } = messages[place]!
              const signature = yield* Effect.promise(() => curve.complete(digest, r, s, key.wallet))
              assert.isDefined(signature)
            }
          })
        )
      }))

    it.effect(`${provider} explains why it does not sign, without a credential, and says whether to wait`, () =>
      Effect.gen(function*() {
        const expected: ReadonlyArray<readonly [KeyFault, string]> = [
          ["throttled", "throttled"],
          ["denied", "denied"],
          ["disabled", provider === "web3signer" ? "denied" : "disabled"],
          ["gone", "final"],
          ["pendingDeletion", "final"],
          ["serverError", "unreachable"],
          ["garbage", "final"]
        ]
        for (const [fault, kind] of expected) {
          const failed = yield* failing(provider, fault)
          assert.strictEqual(failed.kind, kind, `${fault}: ${failed.failure.message}`)
          assert.match(failed.failure.message, /^[A-Z][^\n]*\.$|^web3signer[^\n]*\.$/)
          for (const secret of secrets) assert.notInclude(inspect(failed, { depth: 20 }), secret)
        }
      }))

    it.effect(`${provider} is asked again after a moment's failure, and not after a refusal`, () =>
      Effect.gen(function*() {
        const { faults } = yield* Fakes
        const key = yield* newKey(provider)
        const countOf = (fault: KeyFault, times: number) =>
          Effect.gen(function*() {
            const before = yield* faults.signRequests(provider)
            yield* faults.inject(provider, fault, times)
            const exit = yield* Effect.exit(using((all) => all[provider].sign(key, [message()])))
            yield* faults.heal
            return [exit._tag, (yield* faults.signRequests(provider)) - before]
          })
        assert.deepStrictEqual(yield* countOf("throttled", 1), ["Success", 2])
        assert.deepStrictEqual(yield* countOf("serverError", 2), ["Success", 3])
        assert.deepStrictEqual(yield* countOf("serverError", 9), ["Failure", 3])
        assert.deepStrictEqual(yield* countOf("denied", 9), ["Failure", 1])
      }))

    it.effect(`${provider} that hangs is left after the limit, and not asked again at once`, () =>
      Effect.gen(function*() {
        const { faults } = yield* Fakes
        const key = yield* newKey(provider)
        yield* faults.inject(provider, "silence")
        const before = yield* faults.signRequests(provider)
        yield* using(
          (all) =>
            Effect.gen(function*() {
              const hung = yield* Effect.flip(all[provider].sign(key, [message()]))
              assert.match(hung.message, /gave no answer within 1 s\.$/)
              const next = yield* Effect.flip(all[provider].sign(key, [message()]))
              assert.match(next.message, /gave no answer a moment ago\.$/)
            }),
          (access) => ({ ...access, limits: { timeoutMillis: 1_000, concurrency: 1 } })
        )
        assert.strictEqual((yield* faults.signRequests(provider)) - before, 1)
        yield* faults.heal
      }))

    it.effect(`${provider} that is not there is unreachable`, () =>
      Effect.gen(function*() {
        const key = yield* newKey(provider)
        const nowhere = "http://127.0.0.1:1"
        const failure = yield* Effect.flip(using((all) => all[provider].sign(key, [message()]), (access) => ({
          ...access,
          aws: { ...access.aws, endpoint: `${nowhere}/` },
          gcp: { ...access.gcp, url: nowhere },
          web3signer: { url: nowhere }
        })))
        assert.match(failure.message, /cannot be reached\.$/)
        for (const secret of secrets) assert.notInclude(inspect(failure, { depth: 20 }), secret)
      }))
  }

  it.effect("a wrong checksum of Google's is a transfer error, after which the wallet waits", () =>
    Effect.gen(function*() {
      const { kind } = yield* failing("gcp-kms", "wrongChecksum")
      assert.strictEqual(kind, "unreachable")
    }))

  it.effect("a high s is refused from web3signer, which promises a low one", () =>
    Effect.map(failing("web3signer", "highS"), ({ kind }) => assert.strictEqual(kind, "final")))

  it.effect("credentials that AWS does not know are denied, and missing ones are named", () =>
    Effect.gen(function*() {
      const key = yield* newKey("aws-kms")
      const sign = (aws: Partial<Providers.Access["aws"]>) =>
        Effect.flip(using((all) => all["aws-kms"].sign(key, [message()]), (access) => ({
          ...access,
          aws: { ...access.aws, ...aws }
        })))
      const wrong = [
        { accessKeyId: "AKIAOTHER" },
        { secretAccessKey: Redacted.make("other") },
        { sessionToken: undefined }
      ]
      for (const aws of wrong) assert.match((yield* sign(aws)).message, /denies this service the use of the key/)
      assert.match((yield* sign({ accessKeyId: undefined })).message, /is not configured: set AWS_ACCESS_KEY_ID/)
    }))

  it.effect("requests to AWS are signed as AWS has published it", () =>
    Effect.promise(async () => {
      // "post-vanilla" of AWS's test suite for Signature Version 4.
      const { headers } = await new AwsV4Signer({
        method: "POST",
        url: "https://example.amazonaws.com/",
        accessKeyId: "AKIDEXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        service: "service",
        region: "us-east-1",
        datetime: "20150830T123600Z"
      }).sign()
      assert.include(
        headers.get("authorization"),
        "Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
      )
    }))

  it.effect("Google's tokens come from a service account's file, are shared, and are replaced when they are refused", () =>
    Effect.gen(function*() {
      const fakes = yield* Fakes
      const key = yield* newKey("gcp-kms")
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "vault-trader-gcp-"))),
        (path) => Effect.promise(() => rm(path, { recursive: true }))
      )
      const credentialsFile = join(folder, "account.json")
      yield* Effect.promise(() => writeFile(credentialsFile, fakes.serviceAccount))
      const withFile: Changed = (access) => ({
        ...access,
        gcp: { ...access.gcp, credentialsFile, metadataHost: "127.0.0.1:1" }
      })
      yield* using((all) =>
        Effect.gen(function*() {
          const sign = all["gcp-kms"].sign(key, [message(), message()])
          assert.strictEqual((yield* sign).length, 2)
          yield* fakes.revokeTokens
          assert.match((yield* Effect.flip(sign)).message, /denies this service the use of the key \(UNAUTHENTICATED\)/)
          assert.strictEqual((yield* sign).length, 2)
        }), withFile)
      yield* Effect.promise(() => writeFile(credentialsFile, "{}"))
      const failure = yield* Effect.flip(using((all) => all["gcp-kms"].publicKey(key.reference), withFile))
      assert.strictEqual(
        failure.message,
        "The file of GOOGLE_APPLICATION_CREDENTIALS is not the key of a service account."
      )
    }))

  it.effect("a reference that is not the name of a key version never becomes a path of a URL", () =>
    Effect.gen(function*() {
      const { faults } = yield* Fakes
      const before = yield* faults.signRequests("gcp-kms")
      for (
        const reference of ["../../token", "projects/a/../b", "projects/a/locations/b/keyRings/c/cryptoKeys/d", ""]
      ) {
        const wallet = `0x${createHash("sha256").update(reference).digest("hex").slice(0, 40)}` as const
        const failure = yield* Effect.flip(using((all) => all["gcp-kms"].sign({ wallet, reference }, [message()])))
        assert.match(failure.message, /names a key version/)
      }
      assert.strictEqual(yield* faults.signRequests("gcp-kms"), before)
    }))
})
