// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// Knows how a vault holds one type of asset. A lending position or an LP position is an asset type of its own.
interface IAssetGuard {
    function getBalance(address pool, address asset) external view returns (uint256 balance);

    function getDecimals(address asset) external view returns (uint256 decimals);
}
