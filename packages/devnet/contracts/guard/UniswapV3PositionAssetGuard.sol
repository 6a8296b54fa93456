// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {PoolLogic} from "../platform/PoolLogic.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {IPositionManager, IUniswapV3Factory, IUniswapV3Pool} from "../venue/IUniswapV3.sol";
import {FairPrice} from "./FairPrice.sol";
import {PositionAssetGuard} from "./PositionAssetGuard.sol";
import {PositionMath} from "./PositionMath.sol";
import {UniswapV3PositionGuard} from "./UniswapV3PositionGuard.sol";

/// What a vault's Uniswap positions and all they are owed are worth by the feeds. The asset is the position manager.
/// Reverts, as the live guard does, while the price of a position's pool is off the feeds.
contract UniswapV3PositionAssetGuard is PositionAssetGuard {
    UniswapV3PositionGuard private immutable _guard;

    constructor(address positionGuard) {
        _guard = UniswapV3PositionGuard(positionGuard);
    }

    function getBalance(address pool, address asset) external view returns (uint256 value) {
        uint256[] memory tokenIds = _guard.getOwnedTokenIds(pool);
        PoolManagerLogic logic = PoolManagerLogic(PoolLogic(pool).poolManagerLogic());
        for (uint256 i; i < tokenIds.length; i++) {
            IPositionManager.Position memory position = IPositionManager(asset).positions(tokenIds[i]);
            FairPrice.demand(logic.factory(), _poolOf(asset, position));
            (uint256 amount0, uint256 amount1) = _amounts(logic, asset, position);
            value += logic.assetValue(position.token0, amount0) + logic.assetValue(position.token1, amount1)
                + _rewards(logic, pool, asset, tokenIds[i]);
        }
    }

    function _poolOf(address asset, IPositionManager.Position memory position)
        internal
        view
        virtual
        returns (IUniswapV3Pool)
    {
        address factory = IPositionManager(asset).factory();
        return IUniswapV3Pool(IUniswapV3Factory(factory).getPool(position.token0, position.token1, position.fee));
    }

    /// What a staked position is owed in rewards, USD of 18 decimals.
    function _rewards(PoolManagerLogic, address, address, uint256) internal view virtual returns (uint256) {
        return 0;
    }

    function _amounts(PoolManagerLogic logic, address asset, IPositionManager.Position memory position)
        private
        view
        returns (uint256 amount0, uint256 amount1)
    {
        (amount0, amount1) = PositionMath.amounts(
            FairPrice.sqrtPrice(logic.factory(), position.token0, position.token1),
            PositionMath.sqrtPriceAt(position.tickLower),
            PositionMath.sqrtPriceAt(position.tickUpper),
            position.liquidity
        );
        (uint256 fees0, uint256 fees1) = _fees(_poolOf(asset, position), position);
        amount0 += position.tokensOwed0 + fees0;
        amount1 += position.tokensOwed1 + fees1;
    }

    /// Fees earned since the position manager last looked.
    function _fees(IUniswapV3Pool pool, IPositionManager.Position memory position)
        private
        view
        returns (uint256, uint256)
    {
        (, int24 tick,,,,,) = pool.slot0();
        (,, uint256 lower0, uint256 lower1,,,,) = pool.ticks(position.tickLower);
        (,, uint256 upper0, uint256 upper1,,,,) = pool.ticks(position.tickUpper);
        uint256 global0 = pool.feeGrowthGlobal0X128();
        uint256 global1 = pool.feeGrowthGlobal1X128();
        // Growth counters wrap around by design: only their differences mean something.
        unchecked {
            if (tick < position.tickLower) (lower0, lower1) = (global0 - lower0, global1 - lower1);
            if (tick >= position.tickUpper) (upper0, upper1) = (global0 - upper0, global1 - upper1);
            uint256 grown0 = global0 - lower0 - upper0 - position.feeGrowthInside0LastX128;
            uint256 grown1 = global1 - lower1 - upper1 - position.feeGrowthInside1LastX128;
            return (
                Math.mulDiv(grown0, position.liquidity, 1 << 128), Math.mulDiv(grown1, position.liquidity, 1 << 128)
            );
        }
    }
}
