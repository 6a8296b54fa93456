/** SHA256SUMS of a release, and its Ed25519 signature: `openssl` and `sha256sum` verify both without this program. */
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"

export const sumsFile = "SHA256SUMS"
export const signatureFile = `${sumsFile}.sig`

const digestOf = (file: string): string => Crypto.createHash("sha256").update(Fs.readFileSync(file)).digest("hex")

/** Writes the digests of all files of the folder, as `sha256sum` does. */
export const writeSums = (folder: string): void => {
  const names = Fs.readdirSync(folder).filter((name) => name !== sumsFile && name !== signatureFile).sort()
  Fs.writeFileSync(
    Path.join(folder, sumsFile),
    names.map((name) => `${digestOf(Path.join(folder, name))}  ${name}\n`).join("")
  )
}

/** Signs the digests with a private key in PEM, and writes the signature beside them. */
export const sign = (folder: string, privateKey: string): void => {
  const key = Crypto.createPrivateKey(privateKey)
  if (key.asymmetricKeyType !== "ed25519") {
    throw new Error(`The release key is of type ${key.asymmetricKeyType}; an Ed25519 key is needed.`)
  }
  const signature = Crypto.sign(null, Fs.readFileSync(Path.join(folder, sumsFile)), key)
  Fs.writeFileSync(Path.join(folder, signatureFile), signature)
}

/** Returns what is wrong with a release; `undefined` when the signature and every digest are right. */
export const faultOf = (folder: string, publicKey: string): string | undefined => {
  const read = (name: string) => Fs.readFileSync(Path.join(folder, name))
  if (!Fs.existsSync(Path.join(folder, signatureFile))) return `${signatureFile} is missing.`
  if (!Crypto.verify(null, read(sumsFile), Crypto.createPublicKey(publicKey), read(signatureFile))) {
    return `${signatureFile} is not a signature of ${sumsFile} by this key.`
  }
  for (const line of read(sumsFile).toString("utf8").split("\n").filter((each) => each !== "")) {
    const [digest, name = ""] = line.split("  ")
    const file = Path.join(folder, name)
    if (!Fs.existsSync(file)) return `${name} is missing.`
    if (digestOf(file) !== digest) return `${name} is not the file that was signed.`
  }
  return undefined
}
