/** A receiver's check of a message, as the dialog of the secret shows it; a test runs it on a message. */
export const verificationCode = `import { createHmac, timingSafeEqual } from "node:crypto"

// The body as received, before it is parsed.
export function verify(secret, headers, body) {
  const id = headers["webhook-id"]
  const timestamp = headers["webhook-timestamp"]
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest()
  return String(headers["webhook-signature"]).split(" ").some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ""), "base64")
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`
