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

const seal = (key: Buffer, aad: string, plain: Buffer): Buffer => {
  const iv = Crypto.randomBytes(12)
  const cipher = Crypto.createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(aad))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

const open = (key: Buffer, aad: string, sealed: Buffer): Buffer => {
  // Without `authTagLength` Node also accepts tags of four bytes; a truncated ciphertext must not decrypt.
  const decipher = Crypto.createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(aad))
    .setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
}

/**
 * Returns `v1.<KEK version>.<wrapped data key>.<sealed secret>`, which decrypts only with the same `purpose` and
 * `record`.
 */
export const encrypt = (
  kek: Kek,
  purpose: string,
  record: string,
  secret: Redacted.Redacted<string>
): Effect.Effect<string> =>
  Effect.sync(() => {
    const aad = `${purpose}|${record}|v${kek.version}`
    const dataKey = Crypto.randomBytes(32)
    const plain = Buffer.from(Redacted.value(secret), "utf8")
    const wrapped = seal(Buffer.from(Redacted.value(kek.key), "hex"), aad, dataKey)
    const sealed = seal(dataKey, aad, plain)
    dataKey.fill(0)
    plain.fill(0)
    return `v1.${kek.version}.${wrapped.toString("base64")}.${sealed.toString("base64")}`
  })

/** Decrypts a secret. Fails for anything that was not encrypted under this KEK for this purpose and record. */
export const decrypt = (
  kek: Kek,
  purpose: string,
  record: string,
  ciphertext: string
): Effect.Effect<Redacted.Redacted<string>, CannotDecrypt> =>
  Effect.try({
    try: () => {
      const [format, version, wrapped = "", sealed = ""] = ciphertext.split(".")
      const key = keyOf(kek, Number(version))
      if (format !== "v1" || key === undefined) throw new Error("another key-encryption key")
      const aad = `${purpose}|${record}|v${Number(version)}`
      const dataKey = open(Buffer.from(Redacted.value(key), "hex"), aad, Buffer.from(wrapped, "base64"))
      const plain = open(dataKey, aad, Buffer.from(sealed, "base64"))
      const secret = Redacted.make(plain.toString("utf8"))
      dataKey.fill(0)
      plain.fill(0)
      return secret
    },
    catch: () =>
      new CannotDecrypt({
        message: `The ${purpose} of ${record} cannot be decrypted with key-encryption key v${
          versionOf(ciphertext) ?? kek.version
        }.`
      })
  })
