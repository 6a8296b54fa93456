/** The part of http_ece that is used; the package has no types. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto"

  interface Keys {
    readonly version: "aes128gcm"
    readonly privateKey: ECDH
    /** The other party's public key, in base64url. */
    readonly dh: string
    /** The shared secret of the subscription, in base64url. */
    readonly authSecret: string
  }

  export const encrypt: (content: Buffer, keys: Keys) => Buffer
}
