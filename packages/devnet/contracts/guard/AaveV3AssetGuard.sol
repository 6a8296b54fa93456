// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAaveV3Pool} from "../lending/IAaveV3Pool.sol";
import {PoolFactory} from "../platform/PoolFactory.sol";
import {PoolLogic} from "../platform/PoolLogic.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {PositionAssetGuard} from "./PositionAssetGuard.sol";

/// What a vault has supplied to Aave V3 less what it owes there. The asset is Aave's pool.
/// Reverts, as the live guard does, while the platform has no fresh price of one of the assets.
contract AaveV3AssetGuard is PositionAssetGuard {
    function getBalance(address pool, address asset) external view returns (uint256) {
        _demandPrices(pool, IAaveV3Pool(asset));
        (uint256 collateral, uint256 debt,,,,) = IAaveV3Pool(asset).getUserAccountData(pool);
        // Aave counts in USD of 8 decimals.
        return collateral > debt ? (collateral - debt) * 1e10 : 0;
    }

    function _demandPrices(address pool, IAaveV3Pool aave) private view {
        PoolFactory platform = PoolFactory(PoolManagerLogic(PoolLogic(pool).poolManagerLogic()).factory());
        address[] memory reserves = aave.getReservesList();
        for (uint256 i; i < reserves.length; i++) {
            IAaveV3Pool.ReserveData memory reserve = aave.getReserveData(reserves[i]);
            bool involved = IERC20(reserve.aTokenAddress).balanceOf(pool) > 0
                || IERC20(reserve.variableDebtTokenAddress).balanceOf(pool) > 0;
            if (involved) platform.getAssetPrice(reserves[i]);
        }
    }
}
