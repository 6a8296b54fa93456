/** The key providers of this process, besides its own encrypted keys. */
import type { RemoteProvider } from "@vault-trader/core/gas-wallet/GasWalletStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as AwsKms from "./AwsKms.ts"
import * as GcpKms from "./GcpKms.ts"
import type { GcpAccess } from "./GcpToken.ts"
import { KeyUnavailable, type RemoteKeyProvider } from "./KeyProvider.ts"
import type { Limits } from "./ProviderClient.ts"
import * as Web3Signer from "./Web3Signer.ts"

/** Access to each provider. */
export interface Access {
  readonly aws: AwsKms.AwsAccess
  readonly gcp: GcpAccess
  readonly web3signer: Web3Signer.Web3SignerAccess
  readonly limits: Limits
}

export const defaultLimits: Limits = { timeoutMillis: 5_000, concurrency: 8 }
export const defaultGcpUrl = "https://cloudkms.googleapis.com"
export const defaultMetadataHost = "metadata.google.internal"

type Providers = Readonly<Record<RemoteProvider, RemoteKeyProvider>>

const absent: RemoteKeyProvider = {
  title: "a key provider",
  sign: () => new KeyUnavailable({ reason: "denied", message: "This process uses no key providers." }),
  publicKey: () => new KeyUnavailable({ reason: "denied", message: "This process uses no key providers." })
}

/** The providers by their names in `gas_wallets`. */
export const KeyProviders = Context.Reference<Providers>("vault-trader/workers/key-provider/KeyProviders", {
  defaultValue: () => ({ "aws-kms": absent, "gcp-kms": absent, web3signer: absent })
})

/** Builds the providers over the platform's HTTP client. Redirects are not followed: they would send credentials. */
export const layer = ({ aws, gcp, limits, web3signer }: Access): Layer.Layer<never> =>
  Layer.effect(
    KeyProviders,
    Effect.all({
      "aws-kms": AwsKms.make(aws, limits),
      "gcp-kms": GcpKms.make(gcp, limits),
      web3signer: Web3Signer.make(web3signer, limits)
    })
  ).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )
