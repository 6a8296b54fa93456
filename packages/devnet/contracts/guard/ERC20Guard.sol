// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {PoolFactory} from "../platform/PoolFactory.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {IAssetGuard} from "./IAssetGuard.sol";
import {IGuard} from "./IGuard.sol";

/// Plain tokens (asset type 0): only `approve`, and only to contracts that have a guard themselves.
contract ERC20Guard is IGuard, IAssetGuard {
    uint16 private constant APPROVE = 1;

    function txGuard(address poolManagerLogic, address, bytes calldata data)
        external
        view
        returns (uint16 txType, bool isPublic)
    {
        if (data.length < 4 || bytes4(data) != IERC20.approve.selector) return (0, false);
        (address spender,) = abi.decode(data[4:], (address, uint256));
        PoolFactory factory = PoolFactory(PoolManagerLogic(poolManagerLogic).factory());
        require(factory.getContractGuard(spender) != address(0), "unsupported spender approval");
        return (APPROVE, false);
    }

    function getBalance(address pool, address asset) external view virtual returns (uint256) {
        return IERC20(asset).balanceOf(pool);
    }

    function getDecimals(address asset) external view virtual returns (uint256) {
        return IERC20Metadata(asset).decimals();
    }
}
