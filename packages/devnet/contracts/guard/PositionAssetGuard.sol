// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IAssetGuard} from "./IAssetGuard.sol";
import {IGuard} from "./IGuard.sol";

/// An asset whose balance is a value in USD, of 18 decimals unless its guard says otherwise, instead of a number of tokens. It cannot be approved.
abstract contract PositionAssetGuard is IGuard, IAssetGuard {
    function txGuard(address, address, bytes calldata) external pure returns (uint16 txType, bool isPublic) {
        return (0, false);
    }

    function getDecimals(address) external pure virtual returns (uint256) {
        return 18;
    }
}
