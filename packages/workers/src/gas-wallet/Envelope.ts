/**
 * Envelope encryption: a fresh data key per record, wrapped by a key-encryption key (KEK) that is not in the database.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Crypto from "node:crypto"

/** A KEK and its version; ciphertexts name the version that wrapped them. New secrets are wrapped by this one. */
export interface Kek {
  readonly version: number
  /** 32 bytes, hex. */
  readonly key: Redacted.Redacted<string>
  /** Returns the key of another version if this process still has it: there are two while secrets are re-encrypted. */
  readonly other?: (version: number) => Redacted.Redacted<string> | undefined
}

/** Returns the version of the KEK that wrapped a ciphertext; `undefined` when the text is not a ciphertext. */
export const versionOf = (ciphertext: string): number | undefined => {
  const [, version] = /^v1\.(\d{1,9})\./.exec(ciphertext) ?? []
  return version === undefined ? undefined : Number(version)
}

const keyOf = (kek: Kek, version: number) => version === kek.version ? kek.key : kek.other?.(version)

/** The ciphertext is damaged, was moved to another record, or was wrapped by a KEK that this process does not have. */
export class CannotDecrypt extends Schema.TaggedError<CannotDecrypt>()("CannotDecrypt", { message: Schema.String }) {}

const seal = (key: Buffer, aad: string, plain: Uint8Array): Buffer => {
  const iv = Crypto.randomBytes(12)
  const cipher = Crypto.createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(aad))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

const open = (key: Buffer, aad: string, sealed: Buffer): Buffer => {
  // Without `authTagLength` Node also accepts tags of four bytes; a truncated ciphertext must not decrypt.
  const decipher = Crypto.createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(aad))
    .setAuthTag(sealed.subarray(-16))
  const plain = decipher.update(sealed.subarray(12, -16))
  // Verifies the tag; in this mode it returns no more bytes.
  decipher.final()
  return plain
}

/**
 * Returns `v1.<KEK version>.<wrapped data key>.<sealed secret>`, which decrypts only with the same `purpose` and
 * `record`. The caller erases the secret.
 */
export const encryptBytes = (
  kek: Kek,
  purpose: string,
  record: string,
  secret: Uint8Array
): Effect.Effect<string> =>
  Effect.sync(() => {
    const aad = `${purpose}|${record}|v${kek.version}`
    const dataKey = Crypto.randomBytes(32)
    const wrappingKey = Buffer.from(Redacted.value(kek.key), "hex")
    const wrapped = seal(wrappingKey, aad, dataKey)
    const sealed = seal(dataKey, aad, secret)
    dataKey.fill(0)
    wrappingKey.fill(0)
    return `v1.${kek.version}.${wrapped.toString("base64")}.${sealed.toString("base64")}`
  })

/** Encrypts a secret that is a text. */
export const encrypt = (
  kek: Kek,
  purpose: string,
  record: string,
  secret: Redacted.Redacted<string>
): Effect.Effect<string> =>
  Effect.suspend(() => {
    const plain = Buffer.from(Redacted.value(secret), "utf8")
    return Effect.ensuring(encryptBytes(kek, purpose, record, plain), Effect.sync(() => plain.fill(0)))
  })

/**
 * Decrypts a secret to bytes, which the caller erases. Fails for anything that was not encrypted under this KEK for
 * this purpose and record.
 */
export const decryptBytes = (
  kek: Kek,
  purpose: string,
  record: string,
  ciphertext: string
): Effect.Effect<Buffer, CannotDecrypt> =>
  Effect.try({
    try: () => {
      const [format, version, wrapped = "", sealed = ""] = ciphertext.split(".")
      const key = keyOf(kek, Number(version))
      if (format !== "v1" || key === undefined) throw new Error("another key-encryption key")
      const aad = `${purpose}|${record}|v${Number(version)}`
      const wrappingKey = Buffer.from(Redacted.value(key), "hex")
      const dataKey = open(wrappingKey, aad, Buffer.from(wrapped, "base64"))
      wrappingKey.fill(0)
      const plain = open(dataKey, aad, Buffer.from(sealed, "base64"))
      dataKey.fill(0)
      return plain
    },
    catch: () =>
      new CannotDecrypt({
        message: `The ${purpose} of ${record} cannot be decrypted with key-encryption key v${
          versionOf(ciphertext) ?? kek.version
        }.`
      })
  })

/** Runs an effect with a decrypted secret, and erases the secret afterwards. */
export const withDecrypted = <A, E, R>(
  kek: Kek,
  purpose: string,
  record: string,
  ciphertext: string,
  use: (secret: Buffer) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | CannotDecrypt, R> =>
  Effect.acquireUseRelease(
    decryptBytes(kek, purpose, record, ciphertext),
    use,
    (secret) => Effect.sync(() => secret.fill(0))
  )

/** Decrypts a secret that is a text. */
export const decrypt = (
  kek: Kek,
  purpose: string,
  record: string,
  ciphertext: string
): Effect.Effect<Redacted.Redacted<string>, CannotDecrypt> =>
  withDecrypted(kek, purpose, record, ciphertext, (plain) => Effect.sync(() => Redacted.make(plain.toString("utf8"))))

/** Encrypts a secret again under the newest KEK. */
export const rewrap = (
  kek: Kek,
  purpose: string,
  record: string,
  ciphertext: string
): Effect.Effect<string, CannotDecrypt> =>
  withDecrypted(kek, purpose, record, ciphertext, (plain) => encryptBytes(kek, purpose, record, plain))
