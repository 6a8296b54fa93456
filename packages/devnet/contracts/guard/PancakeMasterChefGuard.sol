// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

import {IMasterChefV3} from "../pancake/IMasterChefV3.sol";
import {PoolManagerLogic} from "../platform/PoolManagerLogic.sol";
import {IGuard} from "./IGuard.sol";

/// Lets a vault take its positions back from MasterChefV3 and harvest their rewards, both for itself.
contract PancakeMasterChefGuard is IGuard {
    uint16 private constant UNSTAKE = 99;
    uint16 private constant CLAIM = 100;

    function txGuard(address poolManagerLogic, address, bytes calldata data)
        external
        view
        returns (uint16 txType, bool isPublic)
    {
        bytes4 method = bytes4(data);
        if (method != IMasterChefV3.withdraw.selector && method != IMasterChefV3.harvest.selector) return (0, false);
        (, address to) = abi.decode(data[4:], (uint256, address));
        require(to == PoolManagerLogic(poolManagerLogic).poolLogic(), "recipient is not pool");
        return (method == IMasterChefV3.withdraw.selector ? UNSTAKE : CLAIM, false);
    }
}
