/** The fakes of the key providers, and this process's providers with access to them. */
import * as FakeAwsKms from "@vault-trader/devnet/key-provider/FakeAwsKms"
import * as FakeKeyProviders from "@vault-trader/devnet/key-provider/FakeKeyProviders"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as KeyProviders from "../../src/key-provider/KeyProviders.ts"

export class Fakes extends Context.Service<Fakes, FakeKeyProviders.FakeKeyProviders>()(
  "vault-trader/workers/test/key-provider/Fakes"
) {
  static readonly layer = Layer.effect(Fakes, FakeKeyProviders.start)
}

/** Access to the fakes; tokens of Google come from the metadata server. */
export const accessTo = (
  { metadataHost, urls }: FakeKeyProviders.FakeKeyProviders,
  limits: KeyProviders.Access["limits"] = { timeoutMillis: 2_000, concurrency: 4 }
): KeyProviders.Access => ({
  aws: {
    accessKeyId: FakeAwsKms.credentials.accessKeyId,
    secretAccessKey: Redacted.make(FakeAwsKms.credentials.secretAccessKey),
    sessionToken: Redacted.make(FakeAwsKms.credentials.sessionToken),
    region: undefined,
    endpoint: urls["aws-kms"]
  },
  gcp: { credentialsFile: undefined, metadataHost, url: urls["gcp-kms"] },
  web3signer: { url: urls.web3signer },
  limits
})

/** The providers, over fakes that are running. */
export const Providers = Layer.unwrap(Effect.map(Fakes, (fakes) => KeyProviders.layer(accessTo(fakes))))
