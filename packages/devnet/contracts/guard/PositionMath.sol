// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// Prices, ticks and amounts of concentrated liquidity, from their definitions.
library PositionMath {
    uint256 private constant Q96 = 1 << 96;
    uint256 private constant Q128 = 1 << 128;
    /// 1 / sqrt(1.0001), of 128 binary places.
    uint256 private constant SHRINK = 340265354078544963557816517032075149313;

    /// sqrt(1.0001 ** tick) of 96 binary places, to at least 90 binary places.
    function sqrtPriceAt(int24 tick) internal pure returns (uint160) {
        uint256 steps = uint256(int256(tick < 0 ? -tick : tick));
        uint256 power = SHRINK;
        uint256 shrunk = Q128;
        for (; steps > 0; steps >>= 1) {
            if (steps & 1 == 1) shrunk = Math.mulDiv(shrunk, power, Q128);
            power = Math.mulDiv(power, power, Q128);
        }
        return uint160(tick < 0 ? shrunk >> 32 : Math.mulDiv(Q128, Q96, shrunk));
    }

    /// sqrt(price0 / price1) of 96 binary places; prices are USD of one smallest unit, as fractions.
    function sqrtPriceOf(uint256 numerator, uint256 denominator) internal pure returns (uint160) {
        return uint160(Math.sqrt(Math.mulDiv(numerator, Q128, denominator)) << 32);
    }

    /// What liquidity between two prices is made of at `price`.
    function amounts(uint160 price, uint160 lower, uint160 upper, uint128 liquidity)
        internal
        pure
        returns (uint256 amount0, uint256 amount1)
    {
        uint160 inside = price < lower ? lower : price > upper ? upper : price;
        amount0 = Math.mulDiv(uint256(liquidity) << 96, upper - inside, upper) / inside;
        amount1 = Math.mulDiv(liquidity, inside - lower, Q96);
    }

    /// Parts of a million by which two prices differ.
    function deviation(uint160 price, uint160 fair) internal pure returns (uint256) {
        uint256 difference = price > fair ? price - fair : fair - price;
        return Math.mulDiv(difference, 1e6, fair);
    }
}
