// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IAaveV3Pool} from "../lending/IAaveV3Pool.sol";
import {PositionAssetGuard} from "./PositionAssetGuard.sol";

/// What a vault has supplied to Aave V3 less what it owes there. The asset is Aave's pool.
contract AaveV3AssetGuard is PositionAssetGuard {
    function getBalance(address pool, address asset) external view returns (uint256) {
        (uint256 collateral, uint256 debt,,,,) = IAaveV3Pool(asset).getUserAccountData(pool);
        // Aave counts in USD of 8 decimals.
        return collateral > debt ? (collateral - debt) * 1e10 : 0;
    }
}
