// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {PoolFactory} from "../platform/PoolFactory.sol";
import {IUniswapV3Pool} from "../venue/IUniswapV3.sol";
import {PositionMath} from "./PositionMath.sol";

/// Holds a Uniswap pool's price against the platform's feeds.
library FairPrice {
    /// Parts of a million a pool may be off in any case.
    uint256 private constant TOLERANCE = 5000;

    /// The root of token1 per token0 as the feeds say, of 96 binary places.
    function sqrtPrice(address platform, address token0, address token1) internal view returns (uint160) {
        uint256 unit0 = 10 ** IERC20Metadata(token0).decimals();
        uint256 unit1 = 10 ** IERC20Metadata(token1).decimals();
        return PositionMath.sqrtPriceOf(
            PoolFactory(platform).getAssetPrice(token0) * unit1, PoolFactory(platform).getAssetPrice(token1) * unit0
        );
    }

    function demand(address platform, IUniswapV3Pool pool) internal view {
        (uint160 price,,,,,,) = pool.slot0();
        uint256 off = PositionMath.deviation(price, sqrtPrice(platform, pool.token0(), pool.token1()));
        uint256 allowed = uint256(pool.fee()) * 3 / 2;
        require(off <= (allowed > TOLERANCE ? allowed : TOLERANCE), "Uni v3 LP price mismatch");
    }
}
