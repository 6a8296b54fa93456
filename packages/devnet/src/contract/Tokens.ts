/** Deploys the tokens and their price feeds. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import { link } from "./Artifact.ts"
import type { Bundle } from "./Bundle.ts"
import type { Contract, Deployer } from "./Deployer.ts"
import type { TokenFacts } from "./Market.ts"

export interface Token extends TokenFacts {
  readonly contract: Contract
  readonly feed: Contract
}

/** Converts whole tokens to smallest units. */
export const whole = (amount: bigint, { decimals }: TokenFacts): bigint => amount * 10n ** BigInt(decimals)

/** Finds a token by symbol. Dies for one that was not deployed, which is a mistake in `Market`. */
export type Tokens = (symbol: string) => Token

export const index = (tokens: ReadonlyArray<Token>): Tokens => (symbol) =>
  Option.getOrThrowWith(
    Option.fromNullishOr(tokens.find((token) => token.symbol === symbol)),
    () => new Error(`Market names no token ${symbol}`)
  )

/** Whole tokens the deployer holds of each; pools and vaults are filled from them. */
const stock = 30_000_000n

/** Returns wei worth eighteen million dollars. The native token is not minted, so its price matters. */
const wrapperStock = ({ price }: TokenFacts) => 18_000_000n * 10n ** 26n / price

const deployContract = (deployer: Deployer, { own, weth }: Bundle, { decimals, kind, name, symbol }: TokenFacts) => {
  if (kind === "mintable") return deployer.deploy(own.DevToken, name, symbol, decimals)
  return symbol === "WETH"
    ? deployer.deploy(link(weth, {}))
    : deployer.deploy(own.WrappedNative, name, symbol)
}

const stockUp = (deployer: Deployer, facts: TokenFacts, contract: Contract) =>
  facts.kind === "mintable"
    ? deployer.send(contract, "mint", deployer.address, whole(stock, facts))
    : deployer.pay(wrapperStock(facts), contract, "deposit")

/** Deploys every token with its feed, and gives the deployer enough of each. */
export const deploy = (
  deployer: Deployer,
  bundle: Bundle,
  market: ReadonlyArray<TokenFacts>
): Effect.Effect<ReadonlyArray<Token>, RpcFailure> =>
  Effect.forEach(market, (facts) =>
    Effect.gen(function*() {
      const contract = yield* deployContract(deployer, bundle, facts)
      const feed = yield* deployer.deploy(bundle.own.DevAggregator, 8, `${facts.symbol} / USD`, facts.price)
      yield* stockUp(deployer, facts, contract)
      return { ...facts, contract, feed }
    }))
