/** The settings of the key providers, under the names that each provider's own tools use where there is one. */
import * as Setting from "@vault-trader/core/configuration/Setting"
import * as Config from "effect/Config"
import { defaultGcpUrl, defaultLimits, defaultMetadataHost } from "./KeyProviders.ts"

const url = Setting.meaning(
  "must be an http or https URL without user, password or query",
  (text) => {
    const parsed = URL.canParse(text) ? new URL(text) : undefined
    return parsed !== undefined && /^https?:$/.test(parsed.protocol) &&
        `${parsed.username}${parsed.password}${parsed.search}` === ""
      ? text
      : undefined
  }
)

const withoutSlash = (name: string) => Config.map(url(name), (text) => text.replace(/\/+$/, ""))

export const keyProviderSettings = {
  awsAccessKeyId: Setting.optional({
    name: "AWS_ACCESS_KEY_ID",
    description: "Access key id for AWS KMS, for wallets whose keys are there.",
    config: Config.String
  }),
  awsSecretAccessKey: Setting.optional({
    name: "AWS_SECRET_ACCESS_KEY",
    description: "Secret access key for AWS KMS.",
    config: (name) => Config.Redacted(name)
  }),
  awsSessionToken: Setting.optional({
    name: "AWS_SESSION_TOKEN",
    description: "Session token for AWS KMS, with temporary credentials.",
    config: (name) => Config.Redacted(name)
  }),
  awsRegion: Setting.optional({
    name: "AWS_REGION",
    description: "Region of keys in AWS KMS that are named without an ARN.",
    config: Setting.meaning("must be a region as eu-west-1", (text) => /^[a-z0-9-]+$/.test(text) ? text : undefined)
  }),
  awsKmsUrl: Setting.optional({
    name: "AWS_ENDPOINT_URL_KMS",
    description: "URL of AWS KMS, for private endpoints and tests.",
    config: url,
    shown: "the region's own"
  }),
  googleCredentialsFile: Setting.optional({
    name: "GOOGLE_APPLICATION_CREDENTIALS",
    description:
      "File of a service account's key for Google Cloud KMS. Without it tokens come from the machine's metadata server.",
    config: Config.String
  }),
  gcpKmsUrl: Setting.make({
    name: "GCP_KMS_URL",
    description: "Base URL of Google Cloud KMS, for private endpoints and tests.",
    config: withoutSlash,
    fallback: defaultGcpUrl
  }),
  gceMetadataHost: Setting.make({
    name: "GCE_METADATA_HOST",
    description: "Host, or host and port, of Google Cloud's metadata server.",
    config: Setting.meaning(
      "must be a host, or a host and a port",
      (text) => /^[\w.-]+(:\d{1,5})?$/.test(text) ? text : undefined
    ),
    fallback: defaultMetadataHost
  }),
  web3signerUrl: Setting.optional({
    name: "WEB3SIGNER_URL",
    description: "Base URL of a server with web3signer's API (`/api/v1/eth1/sign/…`), for wallets whose keys it holds.",
    config: withoutSlash
  }),
  keyProviderTimeoutMillis: Setting.make({
    name: "KEY_PROVIDER_TIMEOUT_MS",
    description: "Hard limit of one request to a key provider, in milliseconds. The wallet waits and tries again.",
    config: Setting.atLeast(100),
    fallback: defaultLimits.timeoutMillis
  }),
  keyProviderConcurrency: Setting.make({
    name: "KEY_PROVIDER_CONCURRENCY",
    description: "Maximum number of requests of this process to one key provider at the same time.",
    config: Setting.atLeast(1),
    fallback: defaultLimits.concurrency
  })
}
