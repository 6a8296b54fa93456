// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {CoreMirror} from "../hyperliquid/CoreMirror.sol";
import {PositionAssetGuard} from "./PositionAssetGuard.sol";

/// What a vault has on the derivatives exchange. The asset is the core writer.
contract CorePositionAssetGuard is PositionAssetGuard {
    CoreMirror public immutable mirror;

    constructor(address mirror_) {
        mirror = CoreMirror(mirror_);
    }

    function getBalance(address pool, address) external view returns (uint256) {
        return mirror.worthOf(pool);
    }

    /// Those of USDC, as on the live platform.
    function getDecimals(address) external pure override returns (uint256) {
        return 6;
    }
}
