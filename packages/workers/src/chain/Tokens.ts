/**
 * Reads tokens from the chain. Symbol and decimals never change, so each is read once per process, and two of a
 * network's endpoints must agree: other decimals would be another amount than was requested. While the others are silent
 * one endpoint's word counts only where the network's configuration has the same token, however long that lasts.
 */
import { type Address, parse as parseAddress } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook, TokenEntry } from "@vault-trader/core/chain/NetworkConfig"
import { symbolOf, Token } from "@vault-trader/core/chain/Token"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { hexToString, parseAbi } from "viem"
import { positionName } from "../address-book/AssetType.ts"
import { Chains } from "./Chains.ts"
import * as Contract from "./Contract.ts"
import { RpcRefused, unavailable } from "./RpcFailure.ts"

export const erc20 = parseAbi([
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function approve(address spender, uint256 amount) returns (bool)",
  "event Transfer(address indexed from, address indexed to, uint256 value)"
])
const aloneReason = "no second RPC endpoint answers to confirm a token's symbol and decimals"
const isSame = (one: TokenEntry, other: Token) =>
  one.address === other.address && one.decimals === other.decimals &&
  one.symbol.toUpperCase() === other.symbol.toUpperCase()
/** Some old tokens return 32 bytes from `symbol()`. */
const bytesSymbol = parseAbi(["function symbol() view returns (bytes32)"])

export class Tokens extends Context.Service<Tokens, {
  /** Returns the ERC-20 tokens at these addresses, in order; `undefined` where there is none. */
  readonly at: (
    network: Network,
    addresses: ReadonlyArray<Address>
  ) => Effect.Effect<ReadonlyArray<Token | undefined>, Failure>
  /**
   * Returns the token that a text names: by address, by a symbol in `preferred` (a vault's assets), in the network's
   * list, or among the platform's supported assets. Fails with 1010 when the text matches no token or more than one.
   */
  readonly resolve: (network: Network, text: string, preferred: ReadonlyArray<Token>) => Effect.Effect<Token, Failure>
}>()("vault-trader/workers/chain/Tokens") {
  static readonly layer = Layer.effect(
    Tokens,
    Effect.gen(function*() {
      const chains = yield* Chains
      const known = new Map<string, Token>()

      const at = (network: Network, addresses: ReadonlyArray<Address>) =>
        Effect.gen(function*() {
          const unknown = [...new Set(addresses.filter((address) => !known.has(`${network}/${address}`)))]
          if (unknown.length > 0) {
            const chain = yield* chains.get(network)
            const reads = unknown.flatMap((address) => [
              Contract.read(erc20, address, "symbol", []),
              Contract.read(bytesSymbol, address, "symbol", []),
              Contract.read(erc20, address, "decimals", [])
            ])
            const { isAlone, results } = yield* Effect.mapError(chain.readToKeep(reads), unavailable)
            const found = unknown.flatMap((address, index) => {
              const [text, bytes, decimals] = results.slice(index * 3, index * 3 + 3)
              const symbol = readSymbol(text, bytes)
              return symbol !== undefined && decimals !== undefined && Result.isSuccess(decimals)
                ? [Token.make({ address, symbol, decimals: Number(decimals.success) })]
                : []
            })
            const isListed = (token: Token) => chain.book.tokens.some((listed) => isSame(listed, token))
            if (isAlone && !found.every(isListed)) {
              return yield* unavailable(new RpcRefused({ code: 0, reason: aloneReason }))
            }
            for (const token of found) known.set(`${network}/${token.address}`, token)
          }
          return addresses.map((address) => known.get(`${network}/${address}`))
        })

      /** Returns the tokens with this symbol: of the network's list, else of all assets that the platform supports. */
      const addressesOf = (network: Network, book: NetworkBook, symbol: string) =>
        Effect.gen(function*() {
          const named = book.tokens.filter((token) => token.symbol.toUpperCase() === symbol)
          if (named.length > 0) return [...new Set(named.map(({ address }) => address))]
          const supported = book.assets.filter(({ type }) => positionName(type) === undefined)
          const tokens = yield* at(network, supported.map(({ address }) => address))
          return tokens.flatMap((token) => token?.symbol.toUpperCase() === symbol ? [token.address] : [])
        })

      return {
        at,
        resolve: (network, text, preferred) =>
          Effect.gen(function*() {
            const address = parseAddress(text)
            const { book } = yield* chains.get(network)
            if (address !== undefined) {
              const [token] = yield* at(network, [address])
              return token ??
                (yield* new ValidationFailure({ code: "1010", message: `'${text}' is not a token on ${network}` }))
            }
            const symbol = symbolOf(text)
            const own = preferred.filter((token) => token.symbol.toUpperCase() === symbol)
            const listed = own.length > 0
              ? own.map((token) => token.address)
              : yield* addressesOf(network, book, symbol)
            if (listed.length > 1) {
              return yield* new ValidationFailure({
                code: "1010",
                message: `'${text}' is ambiguous on ${network}; give one of the addresses ${listed.join(", ")}`
              })
            }
            const [token] = yield* at(network, listed)
            return token ?? (yield* new ValidationFailure({
              code: "1010",
              message: `'${text}' is not a token of the vault, of ${network}'s list (${
                book.tokens.map((entry) => entry.symbol).join(", ")
              }) or of the platform's supported assets; an address is accepted too`
            }))
          })
      }
    })
  )
}

type Answer = Result.Result<unknown, unknown> | undefined

/** Decodes a symbol. Only printable characters, at most 32, go into responses and rows. */
/** Adds the asset to a refusal of it, so that the server can name the parameter. */
const withAsset = (asset: string) => (failure: Failure): Failure =>
  failure._tag === "ExecutionFailure"
    ? failure
    : new ValidationFailure({ code: failure.code, message: failure.message, asset })

/** Returns the tokens that texts of a request name, in order. A failure has the text that it is about. */
export const resolveAll = (
  tokens: Tokens["Service"],
  network: Network,
  texts: ReadonlyArray<string>,
  preferred: ReadonlyArray<Token>
): Effect.Effect<ReadonlyArray<Token>, Failure> =>
  Effect.forEach(texts, (text) => Effect.mapError(tokens.resolve(network, text, preferred), withAsset(text)))

const readSymbol = (text: Answer, bytes: Answer): string | undefined => {
  const raw = text !== undefined && Result.isSuccess(text)
    ? String(text.success)
    : bytes !== undefined && Result.isSuccess(bytes)
    ? hexToString(bytes.success as `0x${string}`)
    : undefined
  return raw?.replace(/[^\x20-\x7e₮]/g, "").slice(0, 32)
}
