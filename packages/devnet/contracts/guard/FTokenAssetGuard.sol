// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {ERC20Guard} from "./ERC20Guard.sol";

/// Counts shares of an fToken in the token they are redeemed for, so that the token's feed prices them.
contract FTokenAssetGuard is ERC20Guard {
    function getBalance(address pool, address asset) external view override returns (uint256) {
        return IERC4626(asset).convertToAssets(IERC4626(asset).balanceOf(pool));
    }

    function getDecimals(address asset) external view override returns (uint256) {
        return IERC20Metadata(IERC4626(asset).asset()).decimals();
    }
}
