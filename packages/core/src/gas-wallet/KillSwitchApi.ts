/**
 * The owner's kill switches: for the key's wallet, or its bots of one vault. They need no chain, so they work when no
 * node answers.
 */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { Pair } from "../endpoint/Pair.ts"

const Reason = Param.make(Schema.String, {
  accepts: "1 to 200 characters without line breaks",
  description: "The reason, as failures and getBotStatus show it.",
  example: "market closed",
  jsonSchema: { type: "string", minLength: 1, maxLength: 200 },
  read: (text) => /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(text) ? text : undefined,
  show: (value) => value
})

/**
 * An active switch, and who set it (`by`). An owner cannot resume what an operator has stopped. A guardian's hold ends by
 * itself, or with the guardian; what a loss breaker has stopped, the owner resumes.
 */
export const SwitchView = Schema.Struct({
  scope: Schema.String,
  reason: Schema.String,
  by: Schema.Literals(["operator", "owner", "guardian"])
})

const bot = {
  apiKey: Params.ApiKey,
  network: Params.Network,
  pool: Params.Pool,
  /** Only the threshold bot of this pair. */
  pair: Schema.optional(Pair),
  protocol: Schema.optional(Params.Protocol)
}
const success = { message: Schema.String, switches: Schema.Array(SwitchView) }
const address = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const exampleOf = (scope: string, message: string) => ({
  message,
  switches: [{ scope, reason: "market closed", by: "owner" }]
})

export class KillSwitchApi extends RpcGroup.make(
  Endpoint.make("pauseBot", {
    class: "changesConfig",
    fromRows: true,
    method: "POST",
    summary:
      "Stop the bots of a vault, or the threshold bot of a pair, at once, even when no node answers: nothing more is signed for them. " +
      "Transactions already signed continue.",
    params: { ...bot, reason: Schema.optional(Reason) },
    success,
    example: exampleOf(`bot/base/${address}`, "Signing is stopped for the bots of this vault (market closed).")
  }),
  Endpoint.make("resumeBot", {
    class: "changesConfig",
    access: "anyProof",
    subject: "wallet",
    fromRows: true,
    method: "POST",
    summary:
      "Resume the bots of a vault, or the one of a pair, after pauseBot. The API key alone suffices for a wallet without a manager; " +
      "otherwise a manager's signature (subject: the wallet) or the wallet's private key is needed.",
    params: { ...bot, ...Params.anyProof },
    success,
    example: { message: "Resumed: the bots of this vault.", switches: [] }
  }),
  Endpoint.make("pauseWallet", {
    class: "changesConfig",
    method: "POST",
    summary: "Stop every signature of the key's wallet at once, on all networks. Transactions already signed continue.",
    params: { apiKey: Params.ApiKey, reason: Schema.optional(Reason) },
    success,
    exampleRequest: { reason: "maintenance" },
    example: exampleOf(`wallet/${address}`, "Signing is stopped for this wallet (market closed).")
  }),
  Endpoint.make("resumeWallet", {
    class: "changesConfig",
    access: "anyProof",
    subject: "wallet",
    method: "POST",
    summary: "Let a wallet sign again after pauseWallet. The API key alone suffices for a wallet without a manager; " +
      "otherwise a manager's signature (subject: the wallet) or the wallet's private key is needed.",
    params: Params.anyProof,
    success,
    example: { message: "Resumed: this wallet.", switches: [] }
  })
) {}
