/** The fake's check of requests to AWS, with the examples that AWS has published for Signature Version 4. */
import { assert, describe, it } from "@effect/vitest"
import { crc32c } from "../../src/key-provider/FakeGcpKms.ts"
import { type Arrived, refusalOf } from "../../src/key-provider/AwsSignature.ts"

const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" }
const now = Date.parse("2015-08-30T12:36:00Z")

const signed = (headers: string, signature: string) =>
  `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${headers}, ` +
  `Signature=${signature}`

/** The examples "get-vanilla", "post-vanilla" and "get-vanilla-query-order-key-case" of AWS's test suite. */
const published: Readonly<Record<string, Arrived>> = {
  "get-vanilla": {
    method: "GET",
    url: "/",
    headers: {
      host: "example.amazonaws.com",
      "x-amz-date": "20150830T123600Z",
      authorization: signed("host;x-amz-date", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
    },
    body: ""
  },
  "post-vanilla": {
    method: "POST",
    url: "/",
    headers: {
      host: "example.amazonaws.com",
      "x-amz-date": "20150830T123600Z",
      authorization: signed("host;x-amz-date", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b")
    },
    body: ""
  },
  "get-vanilla-query-order-key-case": {
    method: "GET",
    url: "/?Param2=value2&Param1=value1",
    headers: {
      host: "example.amazonaws.com",
      "x-amz-date": "20150830T123600Z",
      authorization: signed("host;x-amz-date", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500")
    },
    body: ""
  }
}

describe("a request to AWS", () => {
  for (const [name, arrived] of Object.entries(published)) {
    it(`is accepted as AWS has published it (${name}), and refused with anything changed`, () => {
      const check = (change: Partial<Arrived>, at = now) =>
        refusalOf({ ...arrived, ...change }, credentials, "service", at)
      assert.isUndefined(check({}))
      assert.strictEqual(check({ body: "a" }), "InvalidSignatureException")
      assert.strictEqual(check({ method: "PUT" }), "InvalidSignatureException")
      assert.strictEqual(check({ url: "/other" }), "InvalidSignatureException")
      assert.strictEqual(check({ headers: { ...arrived.headers, host: "other" } }), "InvalidSignatureException")
      assert.strictEqual(check({ headers: { ...arrived.headers, "x-amz-target": "a" } }), "InvalidSignatureException")
      assert.strictEqual(check({}, now + 6 * 60_000), "InvalidSignatureException")
      assert.strictEqual(
        check({ headers: { ...arrived.headers, authorization: undefined } }),
        "MissingAuthenticationTokenException"
      )
    })
  }

  it("is refused with another key, and for another service", () => {
    const arrived = published["get-vanilla"]!
    const other = { ...credentials, accessKeyId: "AKIDOTHER" }
    assert.strictEqual(refusalOf(arrived, other, "service", now), "UnrecognizedClientException")
    assert.strictEqual(refusalOf(arrived, credentials, "kms", now), "InvalidSignatureException")
    const wrong = { ...credentials, secretAccessKey: "wrong" }
    assert.strictEqual(refusalOf(arrived, wrong, "service", now), "InvalidSignatureException")
  })
})

describe("the checksum CRC-32C", () => {
  it("is the published one (RFC 3720, B.4)", () => {
    assert.strictEqual(crc32c(Buffer.alloc(32)), String(0x8a9136aa))
    assert.strictEqual(crc32c(Buffer.alloc(32, 0xff)), String(0x62a8ab43))
    assert.strictEqual(crc32c(Buffer.from("123456789")), String(0xe3069283))
  })
})
