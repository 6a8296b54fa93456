/** The vault platform's functions that we call. Source: the platform's public contracts (V2). */
import { parseAbi } from "viem"

export const factoryAbi = parseAbi([
  "function isPool(address) view returns (bool)",
  "function isPaused() view returns (bool)",
  "function tradingPausedPools(address) view returns (bool)",
  "function isValidAsset(address) view returns (bool)",
  "function getAssetPrice(address) view returns (uint256)",
  "function getAssetType(address) view returns (uint16)",
  "function getContractGuard(address) view returns (address)",
  "function getDeployedFunds() view returns (address[])",
  "function getManagedPools(address) view returns (address[])",
  "function getMaximumSupportedAssetCount() view returns (uint256)"
])

export const poolAbi = parseAbi([
  "struct TxToExecute { address to; bytes data; }",
  "function execTransaction(address to, bytes data) returns (bool)",
  "function execTransactions(TxToExecute[] txs)",
  "function poolManagerLogic() view returns (address)",
  "function mintManagerFee()",
  "function totalSupply() view returns (uint256)",
  "function tokenPrice() view returns (uint256)",
  "function calculateAvailableManagerFee(uint256 fundValue) view returns (uint256)"
])

export const managerLogicAbi = parseAbi([
  "struct Asset { address asset; bool isDeposit; }",
  "function manager() view returns (address)",
  "function trader() view returns (address)",
  "function getSupportedAssets() view returns (Asset[])",
  "function isSupportedAsset(address) view returns (bool)",
  "function assetBalance(address) view returns (uint256)",
  "function assetDecimal(address) view returns (uint256)",
  "function assetValue(address) view returns (uint256)",
  "function totalFundValue() view returns (uint256)",
  "function traderAssetChangeDisabled() view returns (bool)",
  "function changeAssets(Asset[] addAssets, address[] removeAssets)"
])
