// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {PoolFactory} from "../platform/PoolFactory.sol";
import {PoolLogic} from "../platform/PoolLogic.sol";
import {IEasySwapperV2} from "../venue/IEasySwapperV2.sol";
import {PositionAssetGuard} from "./PositionAssetGuard.sol";

/// What a vault's withdrawal in progress is worth. The asset is EasySwapperV2.
contract EasySwapperV2AssetGuard is PositionAssetGuard {
    function getBalance(address pool, address asset) external view returns (uint256 value) {
        PoolFactory factory = PoolFactory(PoolLogic(pool).factory());
        IEasySwapperV2.TrackedAsset[] memory assets = IEasySwapperV2(asset).getTrackedAssets(pool);
        for (uint256 i; i < assets.length; i++) {
            value += factory.getAssetPrice(assets[i].token) * assets[i].balance
                / 10 ** IERC20Metadata(assets[i].token).decimals();
        }
    }
}
