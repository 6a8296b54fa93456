/** Dispatches calls to the contract at an address. */
import { type Env, type Outcome, type Message, returned, revertData, silentRevert } from "./Message.ts"
import * as ChainState from "./ChainState.ts"
import * as Erc20 from "./contract/Erc20.ts"
import * as Factory from "./contract/Factory.ts"
import * as ManagerLogic from "./contract/ManagerLogic.ts"
import * as Multicall from "./contract/Multicall.ts"
import * as PoolLogic from "./contract/PoolLogic.ts"
import * as Quoter from "./contract/Quoter.ts"
import * as Router from "./contract/Router.ts"

/** Runs a message in a state. Where there is no contract, only native token moves. */
export const call: Env["call"] = (env, world, message): Outcome => {
  const { from, to, value } = message
  const paid = value === 0n ? world : ChainState.move(world, ChainState.native(from), ChainState.native(to), value)
  if (paid === undefined) return revertData("0x")
  const contract = ChainState.contractAt(paid, to)
  return contract === undefined ? returned(paid) : dispatch(contract, env, paid, message)
}

const dispatch = (contract: ChainState.Contract, env: Env, world: ChainState.World, message: Message): Outcome => {
  switch (contract._tag) {
    case "Token":
      return Erc20.run(contract, env, world, message)
    case "Vault":
      return PoolLogic.run(contract, env, world, message)
    case "ManagerLogic":
      return ManagerLogic.run(contract, env, world, message)
    case "Multicall":
      return Multicall.run(contract, env, world, message)
    case "Factory":
      return Factory.run(contract, env, world, message)
    case "Quoter":
      return Quoter.run(contract, env, world, message)
    case "Router":
      return Router.run(contract, env, world, message)
    case "Guard":
    case "Pair":
      return silentRevert
  }
}
