/** The key providers with this process's access to them. */
import * as KeyProviders from "@vault-trader/workers/key-provider/KeyProviders"
import type { Settings } from "./Settings.ts"

/** Builds the providers from the settings. None is called before a wallet uses it. */
export const KeyProviderAccess = ({ workers }: Settings) =>
  KeyProviders.layer({
    aws: {
      accessKeyId: workers.awsAccessKeyId,
      secretAccessKey: workers.awsSecretAccessKey,
      sessionToken: workers.awsSessionToken,
      region: workers.awsRegion,
      endpoint: workers.awsKmsUrl
    },
    gcp: {
      credentialsFile: workers.googleCredentialsFile,
      metadataHost: workers.gceMetadataHost,
      url: workers.gcpKmsUrl
    },
    web3signer: { url: workers.web3signerUrl },
    limits: { timeoutMillis: workers.keyProviderTimeoutMillis, concurrency: workers.keyProviderConcurrency }
  })
