/** Balance of the manager's wallet on its current network, and the amount that a refill must leave for gas. */
import { useQuery } from "@tanstack/react-query"
import type { Network } from "@vault-trader/core/chain/Network"
import { facts } from "@vault-trader/core/chain/NetworkFacts"
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import { balanceOf, gasOf, gasPriceOf, mustBeOn, type ManagerWallet, read } from "../session/ManagerWallet.ts"

/** The OP-stack contract that estimates the cost of publishing a transaction on ethereum. */
const oracle = "0x420000000000000000000000000000000000000f"
const oracleAbi = parseAbi(["function getL1FeeUpperBound(uint256 size) view returns (uint256)"])
/** Assumed transaction size in bytes; a transfer has about 120. */
const size = 200n
/** Wei; used when the oracle cannot be read. */
const unknownDataFee = 30_000_000_000_000n

const dataFeeOf = async (managerWallet: ManagerWallet, network: Network): Promise<bigint> => {
  if (network !== "base" && network !== "optimism") return 0n
  const answer = await read(
    managerWallet,
    oracle,
    encodeFunctionData({ abi: oracleAbi, functionName: "getL1FeeUpperBound", args: [size] })
  ).catch(() => "0x" as const)
  return answer.length < 66
    ? unknownDataFee
    : decodeFunctionResult({ abi: oracleAbi, functionName: "getL1FeeUpperBound", data: answer }) * 2n
}

/**
 * Returns the wei to keep for gas: wallets require up to three times the gas price upfront, and the data fee may change
 * meanwhile.
 */
const headroomOf = async (managerWallet: ManagerWallet, network: Network, to: `0x${string}`): Promise<bigint> => {
  const [gas, price, dataFee] = await Promise.all([
    gasOf(managerWallet, { to, value: 1n }).catch(() => 30_000n),
    gasPriceOf(managerWallet),
    dataFeeOf(managerWallet, network)
  ])
  return gas * price * 3n + dataFee
}

export const useManagerFunds = ({ chainId, network, managerWallet, to }: {
  readonly managerWallet: ManagerWallet | undefined
  readonly chainId: number | undefined
  readonly network: Network
  readonly to: `0x${string}`
}) => {
  // The wallet's node serves only its current network.
  const isOnNetwork = managerWallet !== undefined && chainId === facts[network].chainId
  const { data } = useQuery({
    queryKey: ["own-funds", managerWallet?.account, network, to],
    enabled: isOnNetwork,
    refetchInterval: 4_000,
    queryFn: async () => {
      await mustBeOn(managerWallet as ManagerWallet, network)
      const [balance, headroom] = await Promise.all([
        balanceOf(managerWallet as ManagerWallet),
        headroomOf(managerWallet as ManagerWallet, network, to)
      ])
      return { balance, headroom, spare: balance > headroom ? balance - headroom : 0n }
    }
  })
  return isOnNetwork ? data : undefined
}
