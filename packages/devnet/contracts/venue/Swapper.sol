// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Bubble} from "./Bubble.sol";
import {IEasySwapperV2} from "./IEasySwapperV2.sol";

/// Swaps for withdrawal vaults through the aggregators' routers, which it knows by keys.
contract Swapper is Ownable {
    using SafeERC20 for IERC20;

    mapping(bytes32 routerKey => address router) public routers;

    constructor() Ownable(msg.sender) {}

    function setRouter(bytes32 routerKey, address router) external onlyOwner {
        routers[routerKey] = router;
    }

    /// Takes the asset from the caller, and gives back what the router pays.
    function swap(IEasySwapperV2.SrcTokenSwapDetails calldata source, address dest) external {
        address router = routers[source.aggregatorData.routerKey];
        require(router != address(0), "invalid router");
        IERC20(source.token).safeTransferFrom(msg.sender, address(this), source.amount);
        IERC20(source.token).forceApprove(router, source.amount);
        Bubble.call(router, source.aggregatorData.swapData);
        IERC20(dest).safeTransfer(msg.sender, IERC20(dest).balanceOf(address(this)));
    }
}
