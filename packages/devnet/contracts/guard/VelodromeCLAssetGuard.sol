// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {ICLFactory, ICLGauge, ICLPool} from "../slipstream/ISlipstream.sol";
import {IPositionManager, IUniswapV3Pool} from "../venue/IUniswapV3.sol";
import {UniswapV3PositionAssetGuard} from "./UniswapV3PositionAssetGuard.sol";

/// What a vault's Velodrome positions are worth, staked ones and their rewards too.
contract VelodromeCLAssetGuard is UniswapV3PositionAssetGuard {
    constructor(address positionGuard) UniswapV3PositionAssetGuard(positionGuard) {}

    function _poolOf(address asset, IPositionManager.Position memory position)
        internal
        view
        override
        returns (IUniswapV3Pool)
    {
        return IUniswapV3Pool(ICLPool(_clPool(asset, position)).core());
    }

    function _rewards(PoolManagerLogic logic, address pool, address asset, uint256 tokenId)
        internal
        view
        override
        returns (uint256)
    {
        ICLGauge gauge = ICLGauge(ICLPool(_clPool(asset, IPositionManager(asset).positions(tokenId))).gauge());
        if (address(gauge) == address(0) || !gauge.stakedContains(pool, tokenId)) return 0;
        return logic.assetValue(gauge.rewardToken(), gauge.earned(pool, tokenId));
    }

    function _clPool(address asset, IPositionManager.Position memory p) private view returns (address) {
        return ICLFactory(IPositionManager(asset).factory()).getPool(p.token0, p.token1, int24(p.fee));
    }
}
