// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IUniswapV3Factory, IUniswapV3Pool} from "./IUniswapV3.sol";

/// Turns Algebra's paths (addresses only) into Uniswap's by taking the pool with the most liquidity for each hop.
abstract contract AlgebraPaths {
    IUniswapV3Factory private immutable _factory;

    constructor(address factory) {
        _factory = IUniswapV3Factory(factory);
    }

    function _uniswapPath(bytes memory path) internal view returns (bytes memory uniswapPath, uint16[] memory fees) {
        require(path.length >= 40 && path.length % 20 == 0, "invalid path");
        uint256 hops = path.length / 20 - 1;
        fees = new uint16[](hops);
        uniswapPath = abi.encodePacked(_tokenAt(path, 0));
        for (uint256 i; i < hops; i++) {
            address next = _tokenAt(path, i + 1);
            uint24 fee = _deepest(_tokenAt(path, i), next);
            fees[i] = uint16(fee);
            uniswapPath = abi.encodePacked(uniswapPath, fee, next);
        }
    }

    function _tokenAt(bytes memory path, uint256 index) internal pure returns (address token) {
        assembly ("memory-safe") {
            token := shr(96, mload(add(add(path, 32), mul(index, 20))))
        }
    }

    function _deepest(address tokenA, address tokenB) private view returns (uint24 fee) {
        uint24[4] memory tiers = [uint24(100), 500, 3000, 10_000];
        uint256 most;
        for (uint256 i; i < tiers.length; i++) {
            address pool = _factory.getPool(tokenA, tokenB, tiers[i]);
            if (pool == address(0)) continue;
            uint256 liquidity = IUniswapV3Pool(pool).liquidity();
            if (liquidity > most) (most, fee) = (liquidity, tiers[i]);
        }
        require(most > 0, "no pool");
    }
}
