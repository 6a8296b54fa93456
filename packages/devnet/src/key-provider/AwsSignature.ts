/** Verifies AWS Signature Version 4 as the service does, from the request that arrived. Written from its description. */
import * as Crypto from "node:crypto"

export interface Arrived {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const sha256 = (text: string) => Crypto.createHash("sha256").update(text).digest("hex")
const hmac = (key: string | Buffer, text: string) => Crypto.createHmac("sha256", key).update(text).digest()

/** Returns the signature that the request must carry for a scope and these signed headers. */
const expectedSignature = (
  { body, headers, method, url }: Arrived,
  secret: string,
  scope: string,
  signedHeaders: ReadonlyArray<string>
) => {
  const [path = "/", query = ""] = url.split("?")
  const canonical = [
    method,
    path,
    query.split("&").sort().join("&"),
    ...signedHeaders.map((name) => `${name}:${(headers[name] ?? "").trim().replaceAll(/ +/g, " ")}`),
    "",
    signedHeaders.join(";"),
    sha256(body)
  ].join("\n")
  const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"] ?? "", scope, sha256(canonical)].join("\n")
  const key = scope.split("/").reduce<string | Buffer>((derived, part) => hmac(derived, part), `AWS4${secret}`)
  return hmac(key, toSign).toString("hex")
}

/** How far a request's time may be from the service's, in milliseconds. */
const maxSkew = 5 * 60_000

const timeOf = (stamp: string) =>
  Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"))

/** Returns the code of the failure; `undefined` for a request whose signature is right. */
export const refusalOf = (
  arrived: Arrived,
  credentials: Credentials,
  service: string,
  now: number
): string | undefined => {
  const { headers } = arrived
  const [, accessKeyId, scope = "", signed = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8}\/[^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
      .exec(headers["authorization"] ?? "") ?? []
  if (accessKeyId === undefined) return "MissingAuthenticationTokenException"
  if (accessKeyId !== credentials.accessKeyId) return "UnrecognizedClientException"
  const stamp = headers["x-amz-date"] ?? ""
  const isInTime = Math.abs(timeOf(stamp) - now) <= maxSkew && stamp.startsWith(scope.slice(0, 8))
  const isForService = new RegExp(`^\\d{8}/[a-z0-9-]+/${service}/aws4_request$`).test(scope)
  const signedHeaders = signed.split(";")
  const mustBeSigned = ["host", ...Object.keys(headers).filter((name) => name.startsWith("x-amz-"))]
  if (!isInTime || !isForService || mustBeSigned.some((name) => !signedHeaders.includes(name))) {
    return "InvalidSignatureException"
  }
  return expectedSignature(arrived, credentials.secretAccessKey, scope, signedHeaders) === signature
    ? undefined
    : "InvalidSignatureException"
}
