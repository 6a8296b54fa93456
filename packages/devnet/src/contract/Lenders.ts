/** Deploys the lenders besides Aave: an fToken and a Comet each for some tokens. */
import * as Effect from "effect/Effect"
import { encodeFunctionData } from "viem"
import type { Address } from "@vault-trader/core/chain/Address"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Bundle } from "./Bundle.ts"
import type { Contract, Deployer } from "./Deployer.ts"
import * as Market from "./Market.ts"
import { type Token, type Tokens, whole } from "./Tokens.ts"

export interface Lenders {
  readonly comets: ReadonlyArray<{ readonly base: Token; readonly contract: Contract }>
  readonly fTokens: ReadonlyArray<{ readonly underlying: Token; readonly contract: Contract }>
}

const deployFToken = (deployer: Deployer, { own }: Bundle, underlying: Token, facts: Market.FTokenFacts) =>
  Effect.gen(function*() {
    const { contract: token, symbol } = underlying
    const contract = yield* deployer.deploy(own.FToken, token.address, `Fluid ${symbol}`, `f${symbol}`, facts.rate)
    const supplied = whole(facts.supplied, underlying)
    yield* deployer.send(token, "approve", contract.address, supplied)
    yield* deployer.send(contract, "deposit", supplied, deployer.address)
    yield* deployer.send(token, "transfer", contract.address, whole(facts.interest, underlying))
    return { underlying, contract }
  })

/** Factors of the Comet's collateral, 1e18 being 100%. */
const [mayBorrow, isLiquidated, liquidationPays] = [8n * 10n ** 17n, 85n * 10n ** 16n, 93n * 10n ** 16n]

/** The account that borrows from the Comet: an account either supplies or borrows there, and the deployer supplies. */
const borrower: Address = "0x0000000000000000000000000000000000b0bb0b"

const borrow = (
  deployer: Deployer,
  comet: Contract,
  base: Token,
  collateral: Token,
  facts: Pick<Market.CometFacts, "borrowed" | "pledged">
) =>
  Effect.gen(function*() {
    const { rpc } = deployer
    const asBorrower = ({ abi, address }: Contract, name: string, ...args: ReadonlyArray<unknown>) =>
      rpc.send({ from: borrower, to: address, data: encodeFunctionData({ abi, functionName: name, args }) })
    const pledged = whole(facts.pledged, collateral)
    yield* rpc.setBalance(borrower, 10n ** 20n)
    yield* deployer.send(collateral.contract, "transfer", borrower, pledged)
    yield* rpc.impersonating(
      borrower,
      Effect.gen(function*() {
        yield* asBorrower(collateral.contract, "approve", comet.address, pledged)
        yield* asBorrower(comet, "supply", collateral.contract.address, pledged)
        yield* asBorrower(comet, "withdraw", base.contract.address, whole(facts.borrowed, base))
      })
    )
  })

const deployComet = (
  deployer: Deployer,
  { own }: Bundle,
  base: Token,
  collateral: Token,
  facts: Market.CometFacts
) =>
  Effect.gen(function*() {
    const assets = [{
      offset: 0,
      asset: collateral.contract.address,
      priceFeed: collateral.feed.address,
      scale: 10n ** BigInt(collateral.decimals),
      borrowCollateralFactor: mayBorrow,
      liquidateCollateralFactor: isLiquidated,
      liquidationFactor: liquidationPays,
      supplyCap: whole(1_000_000n, collateral)
    }]
    const names = [`Compound ${base.symbol}`, `c${base.symbol}v3`]
    const comet = yield* deployer.deploy(own.Comet, base.contract.address, base.feed.address, ...names, assets)
    const supplied = whole(facts.supplied, base)
    yield* deployer.send(base.contract, "approve", comet.address, supplied)
    yield* deployer.send(comet, "supply", base.contract.address, supplied)
    yield* borrow(deployer, comet, base, collateral, facts)
    return comet
  })

/** Deploys every lender, with deposits that earn interest. */
export const deploy = (deployer: Deployer, bundle: Bundle, tokens: Tokens): Effect.Effect<Lenders, RpcFailure> =>
  Effect.gen(function*() {
    const fTokens = yield* Effect.forEach(
      Market.fTokens,
      (facts) => deployFToken(deployer, bundle, tokens(facts.symbol), facts)
    )
    const comets = yield* Effect.forEach(Market.comets, (facts) => {
      const base = tokens(facts.base)
      return Effect.map(
        deployComet(deployer, bundle, base, tokens(facts.collateral), facts),
        (contract) => ({ base, contract })
      )
    })
    return { comets, fTokens }
  })
