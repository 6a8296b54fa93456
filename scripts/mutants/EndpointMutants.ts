/**
 * Mutants that let one RPC endpoint of several decide alone: each names the test file, with an endpoint that lies, that
 * must detect it.
 */
import type { Mutant } from "./Mutant.ts"

export const oneEndpoint: ReadonlyArray<Mutant> = [
  {
    name: "one endpoint's word keeps a transaction whose block a reorg removed",
    threat: 10,
    test: "packages/workers/test/gas-wallet/FinalityTracker.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/FinalityTracker.ts",
      from: "if (chain.quorum > 1 && (yield* BlockStandings.placeOf(chain, receipt)) === \"moved\") return true",
      to: ""
    }]
  },
  {
    name: "one endpoint's word is enough for a contract wallet's signature",
    threat: 7,
    test: "packages/workers/test/manager/ManagerSignature.test.ts",
    edits: [{
      file: "packages/workers/src/manager/ManagerSignature.ts",
      from: "if (accepting > refusing && accepting >= chain.quorum) return true",
      to: "if (accepting > 0) return true"
    }]
  },
  {
    name: "one endpoint's word makes a wallet a vault's trader, which removes others' bots",
    threat: 15,
    test: "packages/app/test/chain/LyingEndpoint.test.ts",
    edits: [{
      file: "packages/server/src/vault/TraderNow.ts",
      from: "confirmed: true",
      to: "confirmed: false"
    }]
  },
  {
    name: "one endpoint's word makes a thief the manager who may add a wallet by its leaked key",
    threat: 3,
    test: "packages/app/test/chain/LyingEndpoint.test.ts",
    edits: [{
      file: "packages/server/src/manager/Association.ts",
      from: "confirmed: true",
      to: "confirmed: false"
    }]
  },
  {
    name: "one endpoint's word about a token's decimals multiplies an amount",
    threat: 1,
    test: "packages/app/test/chain/LyingEndpoint.test.ts",
    edits: [{
      file: "packages/workers/src/chain/Tokens.ts",
      from: "chain.readToKeep(reads)",
      to: "Effect.map(chain.readAll(reads), (results) => ({ results, isAlone: false }))"
    }]
  },
  {
    name: "one endpoint's time makes a wallet's transactions older than its import",
    threat: 4,
    test: "packages/workers/test/gas-wallet/FirstUse.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/FirstUse.ts",
      from: "if (block >= 0n && !(yield* isBefore(chain, block, time))) {",
      to: "if (!(yield* isBefore(chain, 0n, Infinity))) {"
    }]
  },
  {
    name: "one endpoint's word keeps a final transaction whose block a reorg removed",
    threat: 10,
    test: "packages/workers/test/gas-wallet/FinalityTracker.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/FinalityTracker.ts",
      from: "(yield* BlockStandings.placeOf(chain, receipt)) === \"in place\"",
      to: "(yield* chain.blockHash(receipt.blockNumber)) === receipt.blockHash"
    }]
  },
  {
    name: "one endpoint's word about a token's decimals counts while the others are silent",
    threat: 1,
    test: "packages/workers/test/chain/UnconfirmedTokens.test.ts",
    edits: [{
      file: "packages/workers/src/chain/Tokens.ts",
      from: "isAlone && !found.every(isListed)",
      to: "isAlone && found.length === 0 && unknown.length === 0"
    }]
  },
  {
    name: "one endpoint's word is enough for the price at which a charge is paid",
    threat: 1,
    test: "packages/workers/test/billing/LyingPrices.test.ts",
    edits: [{
      file: "packages/workers/src/billing/Prices.ts",
      from: "chain.readConfirmed(sourceReads",
      to: "chain.readAll(sourceReads"
    }]
  },
  {
    name: "one endpoint's word makes a sale small enough for a key's limits",
    threat: 1,
    test: "packages/workers/test/gas-wallet/LyingKeyLimits.test.ts",
    edits: [{
      file: "packages/workers/src/gas-wallet/KeyLimitCheck.ts",
      from: "yield* readConfirmedGroups(chain, [",
      to: "yield* readConfirmedGroups({ readConfirmed: chain.readAll }, ["
    }]
  }
]
