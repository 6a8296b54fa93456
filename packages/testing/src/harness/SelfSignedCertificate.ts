/** Makes self-signed certificates for tests, so that no private key is stored in the repository. */
import * as Crypto from "node:crypto"

const tlv = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>) => tlv(0x30, ...parts)
/** ecdsa-with-SHA256 */
const algorithm = sequence(tlv(0x06, Buffer.from("2a8648ce3d040302", "hex")))
/** Returns a name with only a common name (2.5.4.3). */
const nameOf = (commonName: string) =>
  sequence(tlv(0x31, sequence(tlv(0x06, Buffer.from("550403", "hex")), tlv(0x0c, Buffer.from(commonName)))))
const time = (text: string) => tlv(0x18, Buffer.from(text))

/** Returns a new key and its certificate, PEM, valid from 2026 to 2126. */
export const make = (commonName: string): { readonly cert: string; readonly key: string } => {
  const { privateKey, publicKey } = Crypto.generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = nameOf(commonName)
  const body = sequence(
    tlv(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time("20260101000000Z"), time("21260101000000Z")),
    name,
    publicKey.export({ type: "spki", format: "der" })
  )
  const signature = Crypto.sign("sha256", body, privateKey)
  const certificate = sequence(body, algorithm, tlv(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? []
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}
