/** Endpoints that translate between token symbols and contract addresses. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"

const success = { symbol: Schema.String, contract: Address, decimals: Schema.Int }
const example = { symbol: "USDC", contract: "0x0b2c639c533813f4aa9d7837caf62653d097ff85", decimals: 6 }

export class TokenApi extends RpcGroup.make(
  Endpoint.make("getSymbol", {
    origin: "spec",
    class: "readOnly",
    summary: "Token symbol (and decimals) of a contract address, read from the chain.",
    params: { apiKey: Params.ApiKey, contract: Params.AddressOf("token contract"), network: Params.Network },
    success,
    example
  }),
  Endpoint.make("getContract", {
    origin: "spec",
    class: "readOnly",
    summary: "Token contract address (and decimals) of a symbol in the network's token list.",
    params: { apiKey: Params.ApiKey, symbol: Params.Asset("Token symbol"), network: Params.Network },
    success,
    example
  })
) {}
