/** Checks for the right to move a vault's funds, which its trader and its manager have. */
import * as Effect from "effect/Effect"
import type { Address } from "../chain/Address.ts"
import { ValidationFailure } from "../failure/Failure.ts"
import type { VaultFacts } from "./Vault.ts"

/** Fails with 1006 unless the wallet is the vault's trader or manager. */
export const mayTrade = (facts: VaultFacts, wallet: Address): Effect.Effect<void, ValidationFailure> =>
  facts.trader === wallet || facts.manager === wallet
    ? Effect.void
    : new ValidationFailure({
      code: "1006",
      message: `apiKey: its wallet ${wallet} is not the trader of vault ${facts.pool} (the trader is ${
        facts.trader ?? "not set"
      })`
    })
