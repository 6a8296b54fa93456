/**
 * The message a manager signs to sign in to the console (Sign-In with Ethereum, EIP-4361), written by the service and
 * shown by the wallet.
 */

/** How long a message stays valid before it is signed. */
export const signInSeconds = 600
/** How long a session lasts. */
export const sessionSeconds = 12 * 3600

interface SignInFields {
  /** The console's host and port, as the browser shows them. */
  readonly domain: string
  /** The scheme and domain. */
  readonly origin: string
  /** The address with its checksum, as the wallet spells it. */
  readonly address: string
  readonly chainId: number
  readonly nonce: string
  /** Unix seconds. */
  readonly issuedAt: number
}

const iso = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

/** Builds the exact text to sign. */
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
