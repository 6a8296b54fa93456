/** A vault's other half: who runs it, what it may hold and what that is worth. */
import * as Result from "effect/Result"
import type { Address } from "@vault-trader/core/chain/Address"
import { returned, revert } from "../Message.ts"
import * as Words from "../Words.ts"
import * as World from "../World.ts"
import * as Code from "./Code.ts"
import { assetOf, priceOf } from "./Factory.ts"

export const supports = ({ assets }: World.ManagerLogic, asset: Address): boolean => assets.some((one) => one.asset === asset)

const listed = ({ assets }: World.ManagerLogic): Words.Words =>
  Words.array(assets.map(({ asset, isDeposit }) => Words.address(asset) + Words.bool(isDeposit)))

export const run = Code.make<World.ManagerLogic>([
  ["manager()", 0, ({ self, world }) => returned(world, Words.hex(Words.address(self.manager)))],
  ["trader()", 0, ({ self, world }) => returned(world, Words.hex(Words.address(self.trader)))],
  ["setTrader(address)", 1, ({ args, message, self, world }) =>
    message.from === self.manager
      ? returned(World.withContract(world, message.to, { ...self, trader: args.address(0) }), "0x", { gas: 10_000n })
      : revert("dh4")],
  ["getSupportedAssets()", 0, ({ self, world }) => returned(world, Words.hex(Words.uint(32), listed(self)))],
  ["isSupportedAsset(address)", 1, ({ args, self, world }) =>
    returned(world, Words.hex(Words.bool(supports(self, args.address(0)))))],
  ["assetBalance(address)", 1, ({ args, self, world }) =>
    assetOf(world, args.address(0)) === undefined
      ? revert("invalid asset")
      : returned(world, Words.hex(Words.uint(World.slot(world, World.balance(args.address(0), self.vault)))))],
  ["getFundComposition()", 0, ({ env, self, world }) => {
    const rates = Result.all(self.assets.map(({ asset }) => priceOf(world, asset, env.timestamp)))
    // One price that is missing takes the whole answer with it, as on the platform.
    if (Result.isFailure(rates)) return revert(rates.failure)
    const balances = self.assets.map(({ asset }) => World.slot(world, World.balance(asset, self.vault)))
    return returned(
      world,
      Words.hex(Words.tuple([listed(self), Words.array(balances.map(Words.uint)), Words.array(rates.success.map(Words.uint))]))
    )
  }]
])
