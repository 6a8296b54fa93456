/** What a manager signs to enter the console: a Sign-In with Ethereum message (EIP-4361), written by the service and shown by the wallet. */

/** How long a message waits for its signature. */
export const signInSeconds = 600
/** How long a session lasts. */
export const sessionSeconds = 12 * 3600

export interface SignInFields {
  /** Host and port of the console, as the browser shows them. */
  readonly domain: string
  /** Scheme and domain. */
  readonly origin: string
  /** As the wallet spells it, with its checksum. */
  readonly address: string
  readonly chainId: number
  readonly nonce: string
  /** Unix seconds. */
  readonly issuedAt: number
}

const iso = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

/** The text, to the byte. */
export const messageOf = ({ address, chainId, domain, issuedAt, nonce, origin }: SignInFields): string =>
  `${domain} wants you to sign in with your Ethereum account:
${address}

Sign in to the Vault Trader console. This sends no transaction and moves no funds.

URI: ${origin}/console
Version: 1
Chain ID: ${chainId}
Nonce: ${nonce}
Issued At: ${iso(issuedAt)}
Expiration Time: ${iso(issuedAt + signInSeconds)}`
