/** Mints the fee that one vault owes its manager. */
import { Address } from "@vault-trader/core/chain/Address"
import { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { MintManagerFeeRequest } from "@vault-trader/core/fees/Fees"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import * as Action from "../vault/Action.ts"
import * as ManagerLogic from "../platform/ManagerLogic.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"
import { survey } from "./FeeSurvey.ts"
import { mintCall, mintedBy, tokens } from "./FeeMintReceipt.ts"

const Details = Schema.Struct({ network: Network, pool: Address, manager: Address, available: Schema.BigIntFromString })

const fields = ({ available, manager, network, pool }: typeof Details.Type) => ({
  network,
  pool,
  manager,
  availableManagerFee: tokens(available),
  hasFee: available > 0n
})

const estimateMint = ({ chain, pool, wallet }: Action.PlanContext) =>
  Effect.gen(function*() {
    const at = yield* Clock.currentTimeMillis
    const gas = yield* Effect.mapError(
      chain.estimateGas({ from: wallet, to: pool, data: mintCall, value: 0n }),
      (failure) => failure._tag === "RpcRefused" ? explain(meaningOf(reasonOf(failure.data))) : unavailable(failure)
    )
    return { gas, at }
  })

export const MintManagerFee = Action.makeOpen<
  MintManagerFeeRequest,
  typeof Details.Type,
  typeof Details.Encoded,
  never
>({
  charge: "managerFee",
  details: Details,
  plan: (place) =>
    Effect.gen(function*() {
      const { chain, network, pool } = place
      const [found] = yield* survey(chain, [pool])
      if (found === undefined) {
        return yield* ManagerLogic.notAVault(chain, pool)
      }
      const { available, manager, revert } = found
      const nothing = available === 0n
      if (revert !== undefined && !nothing) {
        return yield* explain(revert)
      }
      return {
        calls: [],
        details: { network, pool, manager, available: available ?? 0n },
        nothingToDo: "The vault has no fee to mint; nothing was sent.",
        ...(nothing ? {} : { direct: { to: pool, data: mintCall }, estimate: yield* estimateMint(place) })
      }
    }),
  // The mint is never a call made by the vault itself.
  decodeMovement: () => undefined,
  directMovement: (_, { data, to }) => data === mintCall ? { gives: [], receiver: null, vaults: [to] } : undefined,
  describe: fields,
  interpretReceipt: (_, details, receipt) => {
    const minted = receipt === null ? undefined : mintedBy(receipt.logs, details.pool)
    if (receipt !== null && minted === undefined) {
      return explain({ _tag: "NoMintEvent" }, "mined")
    }
    const amounts = {
      managerFee: minted === undefined ? null : tokens(minted.managerFee),
      daoFee: minted === undefined ? null : tokens(minted.daoFee)
    }
    return Effect.succeed({
      message: `Minted ${amounts.managerFee ?? "0"} vault tokens to the manager of ${details.pool} and ${
        amounts.daoFee ?? "0"
      } to the platform.`,
      result: { dryRun: false, ...fields(details), ...amounts }
    })
  }
})
