/**
 * lenderA's functions that the adapter calls. Source: the market's published interfaces (IPool, IPoolDataProvider,
 * IPriceOracle).
 */
import { parseAbi } from "viem"

/** The interest rate mode of every loan to a vault. */
export const variableRate = 2n

export const poolAbi = parseAbi([
  "struct UserConfigurationMap { uint256 data; }",
  "struct EModeCategory { uint16 ltv; uint16 liquidationThreshold; uint16 liquidationBonus; address priceSource; string label; }",
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function withdraw(address asset, uint256 amount, address to) returns (uint256)",
  "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
  "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf) returns (uint256)",
  "function getUserAccountData(address user) view returns (uint256 totalCollateralBase, uint256 totalDebtBase, uint256 availableBorrowsBase, uint256 currentLiquidationThreshold, uint256 ltv, uint256 healthFactor)",
  "function getUserConfiguration(address user) view returns (UserConfigurationMap)",
  "function getUserEMode(address user) view returns (uint256)",
  "function getEModeCategoryData(uint8 id) view returns (EModeCategory)",
  "function getReservesList() view returns (address[])",
  "function getReserveAddressById(uint16 id) view returns (address)",
  "function ADDRESSES_PROVIDER() view returns (address)"
])

export const dataProviderAbi = parseAbi([
  "function getPaused(address asset) view returns (bool)",
  "function getReserveTokensAddresses(address asset) view returns (address aToken, address stableDebtToken, address variableDebtToken)",
  "function getReserveConfigurationData(address asset) view returns (uint256 decimals, uint256 ltv, uint256 liquidationThreshold, uint256 liquidationBonus, uint256 reserveFactor, bool usageAsCollateralEnabled, bool borrowingEnabled, bool stableBorrowRateEnabled, bool isActive, bool isFrozen)",
  "function getReserveData(address asset) view returns (uint256 unbacked, uint256 accruedToTreasuryScaled, uint256 totalAToken, uint256 totalStableDebt, uint256 totalVariableDebt, uint256 liquidityRate, uint256 variableBorrowRate, uint256 stableBorrowRate, uint256 averageStableBorrowRate, uint256 liquidityIndex, uint256 variableBorrowIndex, uint40 lastUpdateTimestamp)",
  "function getUserReserveData(address asset, address user) view returns (uint256 currentATokenBalance, uint256 currentStableDebt, uint256 currentVariableDebt, uint256 principalStableDebt, uint256 scaledVariableDebt, uint256 stableBorrowRate, uint256 liquidityRate, uint40 stableRateLastUpdated, bool usageAsCollateralEnabled)"
])

export const addressesProviderAbi = parseAbi([
  "function getPriceOracle() view returns (address)",
  "function getPoolDataProvider() view returns (address)"
])

/** USD with 8 decimals. */
export const oracleAbi = parseAbi([
  "function getAssetPrice(address asset) view returns (uint256)",
  "function getAssetsPrices(address[] assets) view returns (uint256[])"
])

/** The event of every change of a reserve. The indices have 27 decimals. */
export const reserveEventAbi = parseAbi([
  "event ReserveDataUpdated(address indexed reserve, uint256 liquidityRate, uint256 stableBorrowRate, uint256 variableBorrowRate, uint256 liquidityIndex, uint256 variableBorrowIndex)"
])
