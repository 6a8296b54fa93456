import { assert, describe, it } from "@effect/vitest"
import { templatesFault } from "../../src/notification/ChannelParams.ts"
import { clean, compose, lineOf, type Names, type StoredEvent } from "../../src/notification/MessageText.ts"
import * as Template from "../../src/notification/Template.ts"
import { events, eventTypes } from "../../src/webhook/EventTable.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const names: Names = {
  wallet: () => "momentum",
  vault: (network, address) => network === "base" && address === pool ? "Blue Chip" : undefined,
  publicUrl: "https://trade.example"
}
const event = (type: string, data: Readonly<Record<string, unknown>>): StoredEvent => ({
  id: "1",
  type,
  wallet: "0x1234567890abcdef1234567890abcdef12345678",
  data,
  at: new Date("2026-11-20T10:00:00Z")
})
const low = event("gas.low", {
  ...{ network: "base", balance: "0.001", token: "ETH", balance_usd: 2.5, threshold: "5usd" }
})

describe("texts of messages", () => {
  it("name wallets and vaults, show amounts in USD, and link to the console's page", () => {
    assert.deepStrictEqual(compose([low], {}, names), {
      title: "Gas is low",
      body: "momentum has 0.001 ETH on base ($2.50); below 5usd it is low.",
      link: "https://trade.example/console/gas-wallets",
      urgent: true
    })
    const failed = event("intent.failed", { endpoint: "vaultTrade", network: "base", pool, message: "No route." })
    assert.strictEqual(lineOf(failed, {}, names), "vaultTrade for Blue Chip on base failed: No route.")
    const unnamed: Names = { wallet: () => undefined, vault: () => undefined, publicUrl: undefined }
    assert.strictEqual(lineOf(failed, {}, unnamed), "vaultTrade for vault 0x5c4e…c1f2 on base failed: No route.")
    assert.isNull(compose([failed], {}, unnamed).link)
  })

  it("list ten events of a message, and count the others", () => {
    const { body, title } = compose(Array.from({ length: 25 }, () => low), {}, names)
    assert.strictEqual(title, "25 events")
    assert.lengthOf(body.split("\n"), 11)
    assert.match(body, /\n… and 15 more\.$/)
  })

  it("have each default text made of names that its event has", () => {
    for (const type of eventTypes) assert.isUndefined(Template.faultOf(type, events[type].text), type)
  })

  it("follow the owner's template, whose values are not read as placeholders again", () => {
    const hostile = event("gas.low", { ...low.data, token: "{wallet}{balance}" })
    assert.strictEqual(
      lineOf(hostile, { "gas.low": "{token} on {network}: {wallet}" }, names),
      "{wallet}{balance} on base: momentum"
    )
    assert.strictEqual(
      lineOf(low, { "gas.low": "{link} {vault}" }, names),
      "https://trade.example/console/gas-wallets –"
    )
  })

  it("refuse templates that name anything else, such as a secret or a member of an object", () => {
    for (
      const text of [
        "{bot_token}",
        "{secret}",
        "{__proto__}",
        "{constructor}",
        "{wallet.private_key}",
        "{env}",
        "{{wallet}",
        "",
        " "
      ]
    ) assert.isDefined(templatesFault({ "gas.low": text }), text)
    assert.match(templatesFault({ "gas.low": "{ciphertext}" }) ?? "", /^has a template of gas\.low .*\{wallet\}/)
    assert.match(templatesFault({ toString: "x" }) ?? "", /no type of event/)
    assert.match(templatesFault({ "gas.low": 1 }) ?? "", /must be a text/)
    assert.isUndefined(templatesFault({ "gas.low": "{wallet}: {balance} {token}" }))
  })

  it("are one line for each value, without control characters and without a change of direction", () => {
    assert.strictEqual(clean("a\r\nBcc: x@example.com\u202Eb\u0000c\u200Fd"), "a Bcc: x@example.com b c d")
    assert.lengthOf(clean("x".repeat(5000)), 300)
  })
})
